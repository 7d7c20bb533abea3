#!/usr/bin/env python3
"""transformers' own ACT2FN classes on all inputs of bf16 and f16 against gelint's model of them (sweep_bench --dump DIR).

Usage: act2fn_peer.py DIR. Prints one JSON line per class, type and device: how many of 65,536 outputs differ."""
import json
import sys

import numpy
import torch
import transformers
from transformers.activations import ACT2FN

print(json.dumps({"transformers": transformers.__version__, "torch": torch.__version__}))
folder = sys.argv[1]
for name in sorted(ACT2FN):
    for label, dtype in (("bf16", torch.bfloat16), ("f16", torch.float16)):
        try:
            ours = torch.from_numpy(numpy.fromfile(f"{folder}/{name}.{label}", dtype=numpy.float32))
        except FileNotFoundError:
            print(json.dumps({"name": name, "dtype": label, "missing": True}))
            continue
        bits = torch.arange(65536, dtype=torch.int32)
        bits = torch.where(bits > 32767, bits - 65536, bits).to(torch.int16)
        for device in ("cpu", "cuda"):
            if device == "cuda" and not torch.cuda.is_available():
                continue
            try:
                module = ACT2FN[name]
                if isinstance(module, torch.nn.Module):
                    module = module.to(device=device, dtype=dtype)
                with torch.no_grad():
                    theirs = module(bits.view(dtype).to(device)).float().cpu()
            except Exception as e:  # a class that needs more than an input
                print(json.dumps({"name": name, "dtype": label, "device": device, "error": str(e)[:100]}))
                continue
            same = (ours == theirs) | (ours.isnan() & theirs.isnan())
            where = torch.nonzero(~same).flatten()
            sample = [
                [float(bits[i : i + 1].view(dtype)), float(ours[i]), float(theirs[i])] for i in where[:: max(1, len(where) // 3)][:3].tolist()
            ]
            print(json.dumps({"name": name, "dtype": label, "device": device, "differing": len(where), "sample": sample}))
