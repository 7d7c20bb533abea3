#!/usr/bin/env python3
"""PyTorch's GELU beside fused_bench: the same sizes, the L2 flushed before each run, medians of 11. Prints JSON lines.

Usage: fused_peer.py [LOG2_N]   (default 30). "eager" is what a model runs as it is written; "compiled" is torch.compile.
"""
import json
import sys

import torch
import torch.nn.functional as F

N = 1 << int(sys.argv[1] if len(sys.argv) > 1 else 30)
COLUMNS = 4096
NAMES = {torch.bfloat16: "bf16", torch.float16: "f16", torch.float32: "f32"}
FORMULAS = {
    "gelu_erf": lambda x: F.gelu(x),
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "gelu_quick": lambda x: x * torch.sigmoid(1.702 * x),
    "silu": lambda x: F.silu(x),
}
scratch = torch.empty(1 << 28, dtype=torch.uint8, device="cuda")


def median_ms(f, runs=11, warm=2):
    times = []
    for i in range(runs + warm):
        scratch.fill_(i)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        f()
        end.record()
        torch.cuda.synchronize()
        if i >= warm:
            times.append(begin.elapsed_time(end))
    return sorted(times)[runs // 2]


def say(**record):
    print(json.dumps(record), flush=True)


say(peer="torch", version=torch.__version__, cuda=torch.version.cuda, device=torch.cuda.get_device_name())
with torch.inference_mode():
    for dtype, name in NAMES.items():
        x = torch.randn(N // COLUMNS, COLUMNS, device="cuda", dtype=dtype)
        up = torch.randn_like(x)
        y = torch.empty_like(x)
        b = torch.randn(COLUMNS, device="cuda", dtype=dtype)
        size = N * x.element_size()
        copy = median_ms(lambda: y.copy_(x))
        say(copy=name, ms=round(copy, 4), **{"TB/s": round(2 * size / copy / 1e9, 3)})
        for formula, f in FORMULAS.items():
            if name != "bf16" and formula in ("gelu_quick", "silu"):
                continue
            ops = {
                "plain": (2, lambda x, up, b: f(x), (x, up, b)),
                "bias": (2, lambda x, up, b: f(x + b), (x, up, b)),
                "geglu": (3, lambda x, up, b: f(x) * up, (x, up, b)),
            }
            for op, (tensors, function, arguments) in ops.items():
                torch._dynamo.reset()
                for mode, run in (("eager", function), ("compiled", torch.compile(function))):
                    if mode == "eager" and op == "plain" and formula in ("gelu_erf", "gelu_tanh"):
                        # Into a given tensor: no allocation in the time.
                        approximate = "tanh" if formula == "gelu_tanh" else "none"
                        ms = median_ms(lambda: torch.ops.aten.gelu.out(x, approximate=approximate, out=y))
                    else:
                        ms = median_ms(lambda: run(*arguments))
                    say(op=op, dtype=name, formula=formula, engine=f"torch {mode}", n=N, ms=round(ms, 4),
                        of_copy=round(tensors * size / ms / (2 * size / copy), 4), **{"TB/s": round(tensors * size / ms / 1e9, 3)})
        del x, up, y
