"""How a class applies its activation: gated or not, how often, and what is clamped around it."""
from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from .source import dotted

_WRAPPERS = {"dropout", "to", "float", "type_as", "contiguous", "activation_dropout", "drop", "norm", "clamp"}
_NOT_UP = re.compile(r"weight|scale|mask|prob|score|alpha|beta|gamma|coef|factor|dropout|logit_|pi\b")
# Bounds that belong to the activation: a number, or something called a limit. Guards against
# infinities in half precision (clamp_value, finfo) are not part of the formula.
_BOUND = re.compile(r"-?(\d[\d.e-]*|(self\.)?(config\.)?\w*(limit|clip)\w*)")


@dataclass
class Use:
    """What the methods of one class do with one activation."""

    gating: str = "none"
    calls: int = 0
    modifiers: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


def _called_attr(n: ast.AST) -> str:
    """'act_fn' for self.act_fn(...), self.act_fn[i](...), self.act_fn.forward(...)."""
    if not isinstance(n, ast.Call):
        return ""
    f = n.func
    if isinstance(f, ast.Subscript):
        f = f.value
    if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) and f.value.id == "self":
        return f.attr
    return ""


class Gating:
    """Answers for one class and its in-source bases."""

    def __init__(self, nodes: list[ast.ClassDef]):
        self.methods: list[ast.FunctionDef] = []
        seen = set()
        for node in nodes:
            for s in node.body:
                if isinstance(s, ast.FunctionDef) and s.name not in seen and s.name != "__init__":
                    seen.add(s.name)
                    self.methods.append(s)

    def attribute(self, name: str) -> Use:
        return self._use(lambda n: _called_attr(n) == name, name)

    def line(self, line: int) -> Use:
        return self._use(lambda n: isinstance(n, (ast.Call, ast.BinOp)) and n.lineno == line
                         and self._is_activation(n), None)

    @staticmethod
    def _is_activation(n) -> bool:
        if isinstance(n, ast.BinOp):
            return isinstance(n.op, ast.Mult) and any(
                isinstance(c, ast.Call) and dotted(c.func).split(".")[-1] in ("sigmoid", "tanh", "erf")
                for c in ast.walk(n))
        name = dotted(n.func).split(".")[-1] if dotted(n.func) else ""
        return bool(re.search(r"gelu|silu|relu|swish|mish|tanh|sigmoid|GELU|SiLU|ReLU|hardswish", name)) \
            or isinstance(n.func, ast.Subscript) or isinstance(n.func, ast.Call)

    def _use(self, is_act, attr) -> Use:
        use = Use()
        for m in self.methods:
            self._scan(m, is_act, use)
        if attr and use.calls == 0:  # kept under another name, or handed on
            for m in self.methods:
                aliases = {t.id for s in ast.walk(m) if isinstance(s, ast.Assign)
                           and isinstance(s.value, ast.Attribute) and dotted(s.value) == f"self.{attr}"
                           for t in s.targets if isinstance(t, ast.Name)}
                if aliases:
                    self._scan(m, lambda n: isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
                               and n.func.id in aliases, use)
        return use

    def _scan(self, m: ast.FunctionDef, is_act, use: Use) -> None:
        calls = [n for n in ast.walk(m) if is_act(n)]
        if not calls:
            return
        use.calls = max(use.calls, self._most_on_one_path(m.body, is_act))
        for c in calls:
            if isinstance(c, ast.Call) and c.args:
                use.arguments.append(self._argument(m, c))
        tainted = {t.id for s in ast.walk(m) if isinstance(s, ast.Assign) and self._outer(s.value, is_act)
                   for t in s.targets if isinstance(t, ast.Name)}
        for n in ast.walk(m):
            if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult):
                for act, other in ((n.left, n.right), (n.right, n.left)):
                    hit = self._outer(act, is_act) or (isinstance(act, ast.Name) and act.id in tainted)
                    if hit and not is_act(n) and self._is_up(other, tainted):
                        use.gating = "glu"
        self._clamps(m, use)

    @staticmethod
    def _argument(m: ast.FunctionDef, c: ast.Call) -> str:
        """What the activation is applied to; a plain local name is replaced by what was stored in it."""
        arg = c.args[0]
        if isinstance(arg, ast.Name) and not arg.id.endswith("_branch"):
            before = [s for s in ast.walk(m) if isinstance(s, ast.Assign) and s.lineno < c.lineno
                      and any(isinstance(t, ast.Name) and t.id == arg.id for t in s.targets)]
            if before:
                arg = max(before, key=lambda s: s.lineno).value
        return ast.unparse(arg)[:100]

    def _outer(self, n, is_act) -> bool:
        """n is the activation, seen through dropout, casts and the like."""
        for _ in range(6):
            if is_act(n):
                return True
            if isinstance(n, ast.Call):
                last = n.func.attr if isinstance(n.func, ast.Attribute) else getattr(n.func, "id", "")
                if not any(w in last for w in _WRAPPERS):
                    return False
                if isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Call) and last in (
                        "to", "float", "type_as", "contiguous", "clamp"):
                    n = n.func.value
                elif n.args:
                    n = n.args[0]
                else:
                    return False
            else:
                return False
        return False

    @staticmethod
    def _is_up(n, tainted) -> bool:
        """The other factor is a second projection of the input, not a number or a weight."""
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add):
            return Gating._is_up(n.left, tainted) or Gating._is_up(n.right, tainted)
        if isinstance(n, (ast.Name, ast.Subscript)):
            text = ast.unparse(n)
            return not _NOT_UP.search(text.lower()) and not (isinstance(n, ast.Name) and n.id in tainted)
        if isinstance(n, ast.Call):
            text = ast.unparse(n.func)
            return not re.search(r"sqrt|sigmoid|tanh|softmax|erf|exp|unsqueeze|expand", text)
        return False

    @staticmethod
    def _clamps(m, use: Use) -> None:
        for n in ast.walk(m):
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in ("clamp", "clamp_"):
                for k in n.keywords:
                    if k.arg in ("min", "max") and _BOUND.fullmatch(ast.unparse(k.value)):
                        text = f"clamp_{k.arg}:{ast.unparse(k.value).replace('self.', '')}"
                        if text not in use.modifiers:
                            use.modifiers.append(text)
            if isinstance(n, ast.Call) and _called_attr(n) in ("_gaussian_topk", "gaussian_topk"):
                if "sparse_topk" not in use.modifiers:
                    use.modifiers.append("sparse_topk")

    def _most_on_one_path(self, body, is_act) -> int:
        total = 0
        for s in body:
            if isinstance(s, ast.If):
                total += sum(1 for n in ast.walk(s.test) if is_act(n))
                total += max(self._most_on_one_path(s.body, is_act), self._most_on_one_path(s.orelse, is_act))
            elif isinstance(s, (ast.For, ast.While, ast.With, ast.Try)):
                total += self._most_on_one_path(s.body, is_act)
            elif not isinstance(s, ast.FunctionDef):
                total += sum(1 for n in ast.walk(s) if is_act(n))
        return total
