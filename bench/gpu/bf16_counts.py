"""How many of the 65,280 finite bf16 inputs tell the erf form of GELU from the tanh form, independently of gelint: mpmath
for the exact values, numpy for the f32 arithmetic of PyTorch's kernels and of transformers' classes.

Usage: python3 bench/gpu/bf16_counts.py      needs numpy, mpmath
"""

import mpmath as mp
import numpy as np

mp.mp.prec = 200
f32 = np.float32
BETA = f32(np.sqrt(2.0) * (2.0 / np.sqrt(np.pi)) * 0.5)


def to_bf16(v):
    """f32 to nearest even bf16, as f32."""
    b = np.asarray(v, dtype=f32).view(np.uint32).astype(np.uint64)
    return ((b + 0x7FFF + (b >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(f32)


def exact_to_bf16(v):
    """mpmath number to nearest even bf16."""
    if v == 0:
        return f32(0)
    e = max(int(mp.floor(mp.log(abs(v), 2))), -126)
    if abs(v) < mp.mpf(2) ** e and e > -126:
        e -= 1
    unit = mp.mpf(2) ** (e - 7)
    return f32(float(mp.nint(v / unit) * unit))  # mpmath's nint rounds halves to even


def erf32(v):
    return np.array([f32(float(mp.erf(mp.mpf(float(u))))) for u in v], dtype=f32)


def tanh32(v):
    return np.array([f32(float(mp.tanh(mp.mpf(float(u))))) for u in v], dtype=f32)


x = (np.arange(65536, dtype=np.uint32) << 16).view(f32)
x = x[np.isfinite(x)]
with np.errstate(all="ignore"):
    erf_form = [mp.mpf(float(v)) * mp.erfc(-mp.mpf(float(v)) / mp.sqrt(2)) / 2 for v in x]
    tanh_form = [mp.mpf(float(v)) / (1 + mp.exp(-2 * mp.sqrt(2 / mp.pi) * (mp.mpf(float(v)) + mp.mpf("0.044715") * mp.mpf(float(v)) ** 3)))
                 if v > -100 else mp.mpf(0) for v in x]
    erf_exact = np.array([exact_to_bf16(v) for v in erf_form])
    tanh_exact = np.array([exact_to_bf16(v) for v in tanh_form])
    # Through f64, as gelint's reference: x·(1/2 + 0.4·x) of a subnormal x is then a tie, and goes to even.
    tanh_f64 = np.array([exact_to_bf16(mp.mpf(float(v))) for v in tanh_form])
    # torch.nn.functional.gelu: f32 inside, one rounding.
    erf_torch = to_bf16(x * f32(0.5) * (f32(1) + erf32(x * f32(np.sqrt(0.5)))))
    inner = BETA * (x + f32(0.044715) * (x * x * x))
    tanh_torch = to_bf16(f32(0.5) * x * (f32(1) + tanh32(inner)))
    # transformers' NewGELUActivation on a bf16 tensor: every operation rounded to bf16, scalars in f32.
    cube = to_bf16(to_bf16(x * x) * x)
    arg = to_bf16(f32(np.sqrt(2.0 / np.pi)) * to_bf16(x + to_bf16(f32(0.044715) * cube)))
    tanh_new = to_bf16(to_bf16(f32(0.5) * x) * to_bf16(f32(1) + to_bf16(tanh32(arg))))


def count(a, b):
    return int(np.sum(~((a == b) | (np.isnan(a) & np.isnan(b)))))


for what, a, b in [
    ("erf and tanh, both rounded correctly", erf_exact, tanh_exact),
    ("tanh rounded correctly and through f64 (halves of subnormals)", tanh_exact, tanh_f64),
    ("PyTorch's erf and tanh through f64", erf_torch, tanh_f64),
    ("PyTorch's erf and PyTorch's tanh", erf_torch, tanh_torch),
    ("gelu_new and tanh through f64", tanh_new, tanh_f64),
    ("gelu_new and PyTorch's tanh", tanh_new, tanh_torch),
]:
    print(f"{what:64}{count(a, b):6} of {x.size}")
