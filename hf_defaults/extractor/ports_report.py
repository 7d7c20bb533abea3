"""Report: where a port's formula is not that of Hugging Face, computed from the two tables."""
from __future__ import annotations

from . import compose
from .formulas import distance


def hugging_face(document: dict, model_type: str) -> dict[str, list]:
    """Slot name without alternative -> pairs of that model type."""
    if model_type not in document["model_types"]:
        return {}
    out: dict[str, list] = {}
    for p in compose.pairs(document, model_type):
        out.setdefault(p.slot.split(":")[0], []).append(p)
    return out


def compare(document: dict, port: dict) -> tuple[list[dict], int, int]:
    """(divergences, rows compared, rows without a counterpart)."""
    divergences, compared, alone = [], 0, 0
    cache: dict[str, dict] = {}
    for row in port["rows"]:
        mt = row["model_type"]
        names = (mt, mt.replace("_", "-"))
        for candidate in names:
            if candidate not in cache:
                cache[candidate] = hugging_face(document, candidate)
        slots = next((cache[n] for n in names if cache[n]), {})
        found = [p for p in slots.get(row["slot"].split(":")[0], []) if p.formula]
        if not found or row["formula"] in ("unknown", "other"):
            alone += 1
            continue
        compared += 1
        component, _, local = row["slot"].split(":")[0].rpartition(".")
        family = [p for name, ps in slots.items() for p in ps
                  if name.rpartition(".")[0] == component and local in name.rpartition(".")[2]
                  and (local != "mlp" or name.rpartition(".")[2].split("_")[0] in row["slot"].split(":")[-1])]
        if all(p.formula != row["formula"] for p in found + family):
            p = found[0]
            divergences.append({**row, "hf": p.formula, "hf_reason": p.reason,
                                "hf_at": f"{p.record['file']}:{p.record['line']}",
                                "gap": distance(p.formula, row["formula"])})
    return divergences, compared, alone


def markdown(document: dict, ports: list[dict]) -> str:
    lines = ["# Ports against Hugging Face", "",
             "Made by `python3 -m hf_defaults.extractor ports`. A row of a port is compared with the slot of the same name",
             f"that transformers {document['transformers']} gives a file that declares nothing; a divergence is not yet a",
             "fault: a port may follow what a released file declares. `evaluated` rows were computed by running the port's",
             "own function under MLX on Linux, `read` rows by evaluating its code as text.", "",
             "| port | version | rows | evaluated | read | compared | divergent |", "|---|---|---|---|---|---|---|"]
    body: list[str] = []
    for port in ports:
        divergences, compared, _alone = compare(document, port)
        rows = port["rows"]
        evaluated = sum(r["known_by"] == "evaluated" for r in rows)
        lines.append(f"| {port['port']} | {port['version']} | {len(rows)} | {evaluated} | {len(rows) - evaluated} | "
                     f"{compared} | {len(divergences)} |")
        body += ["", f"## {port['port']} {port['version']}", "",
                 "| model type | slot | port | Hugging Face | largest gap on [-10, 10] | port's code | reader |",
                 "|---|---|---|---|---|---|---|"]
        for d in divergences:
            gap = f"{d['gap']:.2e}" if d["gap"] is not None else ""
            via = f" (as {d['via']})" if d.get("via") else ""
            body.append(f"| {d['model_type']}{via} | {d['slot']} | {d['formula']}, {d['known_by']} | {d['hf']}, "
                        f"{d['hf_reason']} | {gap} | {d['file']}:{d['line']} | {d['hf_at']} |")
    return "\n".join(lines + body).rstrip() + "\n"
