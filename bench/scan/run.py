#!/usr/bin/env python3
"""Processor time of `gelint scan` beside a compiler that only parses the same units, in the same run.

    bench/scan/run.py GELINT DATABASE TREE...

DATABASE is the folder of a compile_commands.json; the trees lie below its sources. Each tree is scanned with one job and
no cache. The peer is the compiler of the database with -fsyntax-only on every unit of it in which the scan found a site;
the second peer is grep for the words of the GELU family over the trees. User and system time of the children is counted,
so that a busy machine changes little.
"""
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile


def cpu_of(command, cwd=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands_of(database):
    out = {}
    with open(os.path.join(database, "compile_commands.json"), encoding="utf-8") as f:
        for entry in json.load(f):
            words = entry.get("arguments") or shlex.split(entry["command"])
            kept, skip = [], False
            for w in words:
                if skip:
                    skip = False
                elif w == "-o":
                    skip = True
                elif w != "-c":
                    kept.append(w)
            path = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
            out.setdefault(path, (kept + ["-fsyntax-only", "-w"], entry["directory"]))
    return out


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    gelint, database, trees = sys.argv[1], sys.argv[2], sys.argv[3:]
    commands = commands_of(database)
    scan, units, sites = 0.0, set(), 0
    with tempfile.TemporaryDirectory() as tmp:
        report = os.path.join(tmp, "scan.json")
        for tree in trees:
            scan += cpu_of([gelint, "scan", tree, "-p", database, "-j1", "--no-cache", "--format", "json:" + report])
            with open(report, encoding="utf-8") as f:
                found = json.load(f)["sites"]
            sites += len(found)
            for s in found:
                path = os.path.realpath(os.path.join(tree, s["path"]))
                if path in commands:
                    units.add(path)
    parse = sum(cpu_of(*commands[u]) for u in sorted(units))
    words = "gelu|geglu|erff?|tanhf?|0\\.0447|1\\.702|0\\.79788|normcdf"
    grep = sum(cpu_of(["grep", "-rnEi", words, t]) for t in trees)
    print(f"| gelint scan, {sites} sites | {scan:.2f} s | {scan / parse:.2f} |")
    print(f"| compiler, -fsyntax-only, {len(units)} units | {parse:.2f} s | 1 |")
    print(f"| grep | {grep:.2f} s | {grep / parse:.3f} |")


if __name__ == "__main__":
    main()
