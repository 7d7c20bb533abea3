"""The canonical formulas in double precision, and how an evaluated function is matched to one.

A function is classified by its values at fixed points, never by its name. The tolerance of 1e-8
lets through the spellings of one formula that differ in a truncated constant (Bloom writes
sqrt(2/pi) as 0.79788456: 2.6e-10 away) and keeps every two canonical formulas apart (the closest
pair, gelu_erf and gelu_tanh, is 4.7e-4 apart at |x| = 2.7).
"""
from __future__ import annotations

import math
from typing import Callable

TOLERANCE = 1e-8
POINTS = tuple(i / 8.0 for i in range(-96, 97)) + (-2.7, 2.7, 1e-3, -1e-3, 11.5, 13.0)
_C = math.sqrt(2.0 / math.pi)


def sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))


def softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def gelu_erf(x: float) -> float:
    return 0.5 * x * math.erfc(-x / math.sqrt(2.0))


def gelu_tanh(x: float) -> float:
    return 0.5 * x * (1.0 + math.tanh(_C * (x + 0.044715 * x * x * x)))


FORMULAS: dict[str, Callable[[float], float]] = {
    "gelu_erf": gelu_erf,
    "gelu_tanh": gelu_tanh,
    "gelu_quick": lambda x: x * sigmoid(1.702 * x),
    "gelu_erf_clip10": lambda x: min(max(gelu_erf(x), -10.0), 10.0),
    "silu": lambda x: x * sigmoid(x),
    "relu": lambda x: max(x, 0.0),
    "relu2": lambda x: max(x, 0.0) ** 2,
    "relu6": lambda x: min(max(x, 0.0), 6.0),
    "leaky_relu": lambda x: x if x >= 0 else 0.01 * x,
    "hardswish": lambda x: x * min(max(x + 3.0, 0.0), 6.0) / 6.0,
    "mish": lambda x: x * math.tanh(softplus(x)),
    "sigmoid": sigmoid,
    "tanh": math.tanh,
    "laplace": lambda x: 0.5 * (1.0 + math.erf((x - 0.707107) / (0.282095 * math.sqrt(2.0)))),
    "sqrtsoftplus": lambda x: math.sqrt(softplus(x)),
    "identity": lambda x: x,
}
# Formulas with learned parameters are known by their class, not by their values at the start.
PARAMETRIC = {"PReLU": "prelu", "XIELUActivation": "xielu"}


def classify(f: Callable[[float], float], tolerance: float = TOLERANCE) -> str | None:
    """The canonical name whose values agree with f at every point; 'other' when none does.

    None when f cannot be evaluated (it raises).
    """
    values = []
    for x in POINTS:
        try:
            values.append(float(f(x)))
        except Exception:  # noqa: BLE001 - the evaluator says "cannot" in many ways
            return None
    for name, g in FORMULAS.items():
        if all(abs(v - g(x)) <= tolerance * max(1.0, abs(v)) for x, v in zip(POINTS, values)):
            return name
    return "other"


def distance(a: str, b: str) -> float | None:
    """Largest |a - b| over [-10, 10] on a grid of 1/64, or None when one has no closed form."""
    if a not in FORMULAS or b not in FORMULAS:
        return None
    fa, fb = FORMULAS[a], FORMULAS[b]
    return max(abs(fa(i / 64.0) - fb(i / 64.0)) for i in range(-640, 641))
