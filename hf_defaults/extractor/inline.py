"""Activations written as algebra in place: x * torch.sigmoid(1.702 * x)."""
from __future__ import annotations

import ast
import copy

from .evaluate import Evaluator
from .formulas import classify
from .source import dotted
from .values import Act, Const, Key

_HEADS = {"sigmoid", "tanh", "erf"}
_ROOTS = {"torch", "F", "nn", "math", "np"}


def _has_head(n: ast.AST) -> bool:
    for c in ast.walk(n):
        if isinstance(c, ast.Call):
            name = dotted(c.func).split(".")[-1] if dotted(c.func) else getattr(c.func, "attr", "")
            if name in _HEADS:
                return True
    return False


class _Leaves(ast.NodeTransformer):
    """Replaces constants kept on `self` by numbers and the one tensor leaf by the name __x__."""

    def __init__(self, w, f):
        self.w, self.f = w, f
        self.leaves: set[str] = set()
        self.parameters: dict = {}

    def _leaf(self, n):
        value = self.w.expr(n, self.f)
        if isinstance(value, Const) and isinstance(value.value, (int, float)):
            return ast.Constant(value.value)
        if isinstance(value, Key):
            obj = self.w.configs.default_object(value.cfg.cls) if value.cfg.cls else None
            number = obj.attrs.get(value.name) if obj else None
            if isinstance(number, (int, float)) and not isinstance(number, bool):
                self.parameters[value.name] = number
                return ast.Constant(number)
        self.leaves.add(ast.unparse(n))
        return ast.Name("__x__", ast.Load())

    def visit_Name(self, n):
        return n if n.id in _ROOTS else self._leaf(n)

    def visit_Attribute(self, n):
        root = dotted(n).split(".")[0]
        return n if root in _ROOTS else self._leaf(n)

    def visit_Subscript(self, n):
        return self._leaf(n)

    def visit_Call(self, n):
        name = dotted(n.func)
        if name and name.split(".")[0] in _ROOTS:
            n.args = [self.visit(a) for a in n.args]
            return n
        if isinstance(n.func, ast.Attribute) and n.func.attr in _HEADS:
            n.func.value = self.visit(n.func.value)
            return n
        return self._leaf(n)


def inline_formula(w, n: ast.BinOp, f) -> Act | None:
    """The canonical formula of a product over one tensor, or None."""
    if not _has_head(n) or len(ast.unparse(n)) > 240:
        return None
    names = {ast.unparse(c) for c in ast.walk(n) if isinstance(c, ast.Name)}
    if not names:
        return None
    leaves = _Leaves(w, f)
    was, f.in_place = f.in_place, False
    try:
        tree = leaves.visit(copy.deepcopy(n))
    except Exception:  # noqa: BLE001 - an expression outside the subset is simply no match
        return None
    finally:
        f.in_place = was
    if len(leaves.leaves) != 1:
        return None
    ev = Evaluator(f.module)
    formula = classify(lambda x: ev.expr(tree, {"__x__": x}))
    if formula in (None, "other", "identity"):
        return None
    modifiers = tuple(f"parameter:{k}={v}" for k, v in sorted(leaves.parameters.items()))
    return Act(ast.unparse(n)[:100], formula, modifiers=modifiers)
