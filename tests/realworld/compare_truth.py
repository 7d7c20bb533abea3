#!/usr/bin/env python3
"""Compares `gelint scan --format json` with a truth table.

usage: compare_truth.py TRUTH.tsv SCAN.json [--misses] [--noise N]

The table has the columns path, line, kind, symbol, formula, enclosing_function, note. A row is found when a listed site
stands at the same path within one line; of several the one whose symbol fits, then the one whose formula is right,
counts. `unknown` counts as wrong where the truth knows.
"""
import argparse, collections, json, random, re


def words(symbol):
    return set(w.lower() for w in re.findall(r"[A-Za-z0-9_]+", symbol))


def load_truth(path):
    rows = []
    for text in open(path, encoding="utf-8"):
        if text.startswith("#"):
            continue
        cells = text.rstrip("\n").split("\t")
        if cells[0] == "path" or len(cells) < 5:
            continue
        rows.append(dict(path=cells[0], line=int(cells[1]), kind=cells[2], symbol=cells[3], formula=cells[4],
                         note=cells[6] if len(cells) > 6 else ""))
    return rows


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("truth")
    ap.add_argument("scan")
    ap.add_argument("--misses", action="store_true", help="list every row that is missing or has another formula")
    ap.add_argument("--noise", type=int, default=0, help="draw that many listed sites that are in no row, fixed seed")
    a = ap.parse_args()
    rows = load_truth(a.truth)
    sites = json.load(open(a.scan, encoding="utf-8"))["sites"]
    at = collections.defaultdict(list)
    for s in sites:
        at[(s["path"], s["line"])].append(s)
    found, right, wrong, missing, false_evaluated, used = 0, 0, [], [], [], set()
    for r in rows:
        near = [s for d in (0, -1, 1) for s in at[(r["path"], r["line"] + d)]]
        if not near:
            missing.append(r)
            continue
        found += 1
        want = words(r["symbol"])
        near.sort(key=lambda s: (not (words(s["symbol"]) & want), abs(s["line"] - r["line"]), s["formula"] != r["formula"]))
        s = near[0]
        used.add(s["id"])
        expected = r["formula"]
        # A formula of the vocabulary outside the GELU family is "other" in the tables.
        got = s["formula"]
        if got == expected or (expected == "other" and not got.startswith("gelu") and got != "unknown"):
            right += 1
        else:
            wrong.append((r, s))
            if s["known_by"] == "evaluated" and got != "unknown":
                false_evaluated.append((r, s))
    n = len(rows)
    print(f"rows {n}  found {found} ({100 * found / n:.1f} %)  right formula {right} "
          f"({100 * right / max(1, found):.1f} % of found)  wrong and claimed as evaluated {len(false_evaluated)}  listed {len(sites)}")
    if a.misses:
        for r in missing:
            print(f"MISSING {r['path']}:{r['line']} {r['kind']} {r['symbol']} {r['formula']} | {r['note'][:80]}")
        for r, s in wrong:
            print(f"WRONG   {r['path']}:{r['line']} {r['kind']} {r['symbol']}: truth {r['formula']}, scan {s['formula']} "
                  f"({s['known_by']}, {s['kind']} {s['symbol']}, {s['tier']}) {s['reason'][:100]} | {r['note'][:60]}")
    if a.noise:
        rest = sorted((s for s in sites if s["id"] not in used and not any((s["path"], s["line"] + d) == (r["path"], r["line"])
                       for r in rows for d in (-1, 0, 1))), key=lambda s: s["id"])
        print(f"listed and in no row: {len(rest)}")
        random.Random(7).shuffle(rest)
        for s in rest[:a.noise]:
            print(f"EXTRA   {s['path']}:{s['line']} {s['kind']} {s['symbol']} {s['formula']} {s['known_by']} {s['tier']}")


if __name__ == "__main__":
    main()
