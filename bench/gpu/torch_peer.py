#!/usr/bin/env python3
"""The peer: PyTorch's GELU bandwidth against a copy, and its exhaustive sweep of f32 against f64. Prints JSON lines."""
import json
import sys
import time

import torch
import torch.nn.functional as F


def median_ms(run, repeats=11, warm_up=3):
    scratch = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times = []
    for i in range(repeats + warm_up):
        scratch.fill_(i % 7)  # flushes the L2
        begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
        begin.record()
        run()
        end.record()
        torch.cuda.synchronize()
        if i >= warm_up:
            times.append(begin.elapsed_time(end))
    return sorted(times)[len(times) // 2]


def out(**fields):
    print(json.dumps(fields), flush=True)


def bandwidth(n):
    for dtype in (torch.bfloat16, torch.float16, torch.float32):
        x = torch.randn(n, device="cuda", dtype=dtype)
        y = torch.empty_like(x)
        size = 2 * n * x.element_size()
        copy = median_ms(lambda: y.copy_(x))
        out(peer="torch", op="copy", dtype=str(dtype), ms=round(copy, 4), tb_s=round(size / copy / 1e9, 3))
        forms = {
            "gelu_erf": lambda: torch.ops.aten.gelu.out(x, approximate="none", out=y),
            "gelu_tanh": lambda: torch.ops.aten.gelu.out(x, approximate="tanh", out=y),
            "silu": lambda: torch.ops.aten.silu.out(x, out=y),
        }
        for name, run in forms.items():
            ms = median_ms(run)
            out(peer="torch", op=name, dtype=str(dtype), ms=round(ms, 4), tb_s=round(size / ms / 1e9, 3), of_copy=round(copy / ms, 4))
        del x, y


def sweep():
    for form in ("none", "tanh"):
        for _ in range(2):  # the second run is the warm one
            torch.cuda.synchronize()
            begin = time.time()
            worst = 0.0
            for i in range(16):
                bits = torch.arange(-(1 << 31) + (i << 28), -(1 << 31) + ((i + 1) << 28), device="cuda", dtype=torch.int64)
                x = bits.to(torch.int32).view(torch.float32)
                d = (F.gelu(x, approximate=form).double() - F.gelu(x.double(), approximate=form)).abs()
                worst = max(worst, torch.where(torch.isfinite(d), d, torch.zeros_like(d)).max().item())
            torch.cuda.synchronize()
            seconds = time.time() - begin
        out(peer="torch", op="sweep of 2^32 against f64, largest difference only", form=form, ms=round(seconds * 1e3, 1), max_abs=worst)


if __name__ == "__main__":
    out(peer="torch", version=torch.__version__, device=torch.cuda.get_device_name(), cuda=torch.version.cuda)
    bandwidth(1 << (int(sys.argv[1]) if len(sys.argv) > 1 else 30))
    sweep()
