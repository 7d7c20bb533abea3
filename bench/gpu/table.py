#!/usr/bin/env python3
"""Markdown tables of the JSON lines of fused_bench and fused_peer.py. Usage: table.py FUSED.jsonl [TORCH.jsonl]"""
import json
import os
import sys

records = []
for path in sys.argv[1:]:
    if os.path.exists(path):
        with open(path) as f:
            records += [json.loads(line) for line in f]

head = next(r for r in records if "multiprocessors" in r)
print(f"{head['device']}, nvcc {head['nvcc']}, driver for CUDA {head['driver_cuda'] // 1000}.{head['driver_cuda'] % 1000 // 10}")
for r in records:
    if "peer" in r:
        print(f"PyTorch {r['version']}, CUDA {r['cuda']}")
copies = {r["copy"]: r for r in records if "memcpy_ms" in r}
print("\n| Type | Copy, TB/s | cudaMemcpy, ms | copy kernel, ms |\n| --- | --- | --- | --- |")
for name, r in copies.items():
    print(f"| {name} | {r['TB/s']:.3f} | {r['memcpy_ms']:.4f} | {r['kernel_ms']:.4f} |")

runs = {}
for r in records:
    if "op" in r:
        runs.setdefault((r["dtype"], r["op"], r["formula"]), {})[r["engine"]] = r
print("\n| Type | Operation | Formula | ms | of copy | torch eager, ms | faster | torch.compile, ms | faster |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
for (dtype, op, formula), by in runs.items():
    mine = by.get("gelint")
    if not mine:
        continue
    cells = [dtype, op, formula, f"{mine['ms']:.4f}", f"{100 * mine['of_copy']:.1f} %"]
    for engine in ("torch eager", "torch compiled"):
        peer = by.get(engine)
        cells += [f"{peer['ms']:.4f}", f"{peer['ms'] / mine['ms']:.2f}x"] if peer else ["", ""]
    print("| " + " | ".join(cells) + " |")

print("\n| Type | Operation | Formula | Inputs | Wrong | Not correctly rounded | Max ULP | Max difference |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |")
for r in records:
    if "check" in r:
        inexact = r["inexact"] if r["dtype"] != "f32" else ""
        print(f"| {r['dtype']} | {r['check']} | {r['formula']} | {r['inputs']} | {r['wrong']} | {inexact} | {r['max_ulp']} | {r['max_abs']} |")
