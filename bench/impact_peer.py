#!/usr/bin/env python3
"""The MLP of BERT layers with two formulas in PyTorch, beside `gelint verify --impact`: other random inputs, the same
distribution (normal vectors of unit mean square, times the weights of the norm before the MLP, plus its bias).

Usage: impact_peer.py FILE.safetensors [VECTORS]   needs torch and safetensors
"""
import sys

import torch
import torch.nn.functional as F
from safetensors import safe_open

FORMS = {
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "gelu_quick": lambda x: x * torch.sigmoid(1.702 * x),
}
vectors = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
torch.manual_seed(0)
with safe_open(sys.argv[1], "pt") as f:
    names = set(f.keys())
    layer = 0
    while f"encoder.layer.{layer}.intermediate.dense.weight" in names:
        get = lambda leaf: f.get_tensor(f"encoder.layer.{layer}.{leaf}")  # noqa: E731
        scale, shift = get("attention.output.LayerNorm.weight"), get("attention.output.LayerNorm.bias")
        z = torch.randn(vectors, scale.numel(), dtype=torch.float64)
        z = (z * (z.shape[1] / z.square().sum(1, keepdim=True)).sqrt()).to(scale.dtype)
        up = F.linear(z * scale + shift, get("intermediate.dense.weight"), get("intermediate.dense.bias"))
        down = lambda a: F.linear(a, get("output.dense.weight"), get("output.dense.bias")).double()  # noqa: E731
        required = down(F.gelu(up))
        errors = {n: ((down(g(up)) - required).norm() / required.norm()).item() for n, g in FORMS.items()}
        print(f"encoder.layer.{layer}", *(f"{n} {e:.3e}" for n, e in errors.items()), flush=True)
        layer += 1
