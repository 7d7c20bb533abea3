"""What a name in modeling code stands for, as far as activations are concerned."""
from __future__ import annotations

from . import evaluate
from .act2fn import Act2Fn, torch_module
from .source import Module, SourceTree
from .values import Act, ActClass, ClassVal, Const, FuncVal

FUNCTIONALS = {"gelu": "gelu_erf", "silu": "silu", "swish": "silu", "relu": "relu", "relu_": "relu",
               "relu6": "relu6", "leaky_relu": "leaky_relu", "mish": "mish", "hardswish": "hardswish",
               "elu": "other", "selu": "other", "celu": "other", "hardtanh": "other",
               "hardsigmoid": "other", "sigmoid": "sigmoid", "tanh": "tanh", "softplus": "other",
               "glu": "other", "logsigmoid": "other", "softsign": "other", "prelu": "prelu"}
MODULES = {"GELU", "SiLU", "ReLU", "ReLU6", "LeakyReLU", "Mish", "Hardswish", "Tanh", "Sigmoid", "ELU",
           "CELU", "SELU", "PReLU", "Softplus", "GLU", "Hardtanh", "Hardsigmoid", "LogSigmoid", "Softsign"}
GATES = {"sigmoid", "tanh", "softplus", "glu", "logsigmoid", "hardsigmoid", "hardtanh", "softsign"}
_FUNCTIONAL_SPACES = {"F", "nn.functional", "torch.nn.functional", "torch", "functional",
                      "torch.special", "special"}


def functional(name: str) -> str | None:
    """Last part of a dotted torch functional name when it is an activation."""
    space, _, last = name.rpartition(".")
    if last in FUNCTIONALS and space in _FUNCTIONAL_SPACES:
        if space == "torch" and last not in ("sigmoid", "tanh", "relu", "selu", "celu", "prelu", "relu_"):
            return None
        return last
    return None


def torch_class(name: str) -> str | None:
    space, _, last = name.rpartition(".")
    return last if last in MODULES and space in ("nn", "torch.nn") else None


def make_functional(last: str, kwargs: dict, written: str) -> Act:
    """F.gelu(x, approximate=...) and its neighbours."""
    formula = FUNCTIONALS[last]
    modifiers: tuple = ()
    if last == "gelu":
        mode = kwargs.get("approximate", Const("none"))
        formula = {"none": "gelu_erf", "tanh": "gelu_tanh"}.get(
            mode.value if isinstance(mode, Const) else None, "unknown")
    if last == "leaky_relu":
        formula, modifiers = _leaky(kwargs.get("negative_slope", Const(0.01)))
    return Act(written, formula, is_gate=last in GATES, modifiers=modifiers)


def _leaky(slope) -> tuple[str, tuple]:
    if isinstance(slope, Const) and slope.value == 0.01:
        return "leaky_relu", ()
    return "other", (f"negative_slope:{slope.value}" if isinstance(slope, Const) else "negative_slope:config",)


def make_module(last: str, args: list, kwargs: dict, written: str) -> Act:
    """nn.GELU(approximate=...) and its neighbours."""
    if last == "GELU":
        mode = kwargs.get("approximate", args[0] if args else Const("none"))
        formula = {"none": "gelu_erf", "tanh": "gelu_tanh"}.get(
            mode.value if isinstance(mode, Const) else None, "unknown")
        return Act(written, formula)
    if last == "LeakyReLU":
        formula, modifiers = _leaky(kwargs.get("negative_slope", args[0] if args else Const(0.01)))
        return Act(written, formula, modifiers=modifiers)
    formula = torch_module(last) or "other"
    return Act(written, formula, is_gate=last.lower() in GATES)


class Symbols:
    def __init__(self, tree: SourceTree, act2fn: Act2Fn):
        self.tree = tree
        self.act2fn = act2fn
        self._local: dict[int, str | None] = {}

    def lookup(self, module: Module, name: str):
        """Value of a module-level name, None when it is nothing of interest."""
        imported = module.imports.get(name)
        if imported and imported[0] == "activations":
            return self._activation_symbol(imported[1])
        if name in module.classes:
            return ClassVal(module, module.classes[name])
        if name in module.functions:
            return FuncVal(module, module.functions[name])
        if imported and imported[0] in ("torch.nn", "torch.nn.functional", "torch.nn/functional"):
            last = imported[1]
            if last in MODULES or last in FUNCTIONALS:
                return ActClass(("nn." if last in MODULES else "F.") + last)
        if imported and imported[0].startswith(("models/", "modeling_")):
            found = self.tree.find_in(imported[0], imported[1])
            if found:
                return ClassVal(*found)
            fn = self.tree.find_function(module, name)
            if fn:
                return FuncVal(*fn)
        return None

    def _activation_symbol(self, original: str):
        if original in ("ACT2FN", "ACT2CLS", "get_activation"):
            return ActClass(original)
        module = self.act2fn.module
        if original in module.classes or original == "PytorchGELUTanh":
            return ActClass("activations." + original)
        formula = self.act2fn.symbol(original)
        return Act(original, formula) if formula else None

    def activation_class(self, last: str, kwargs: dict, written: str) -> Act:
        plain = {k: v.value for k, v in kwargs.items() if isinstance(v, Const)}
        return Act(written, self.act2fn.class_formula(last, plain))

    def local_class(self, value: ClassVal) -> str | None:
        """Formula of a local activation module (`class QuickGELU`), None when it is no activation."""
        node = value.node
        if id(node) not in self._local:
            formula = None
            if len(node.body) <= 4 and (node.end_lineno - node.lineno) < 40:
                formula = evaluate.class_formula(value.module, node, None, self._finder(value.module))
            self._local[id(node)] = formula if formula not in ("identity", "other", None) else None
        return self._local[id(node)]

    def local_function(self, value: FuncVal) -> str | None:
        node = value.node
        if id(node) not in self._local:
            formula = None
            required = len(node.args.args) - len(node.args.defaults)
            if required == 1 and (node.end_lineno - node.lineno) < 30:
                formula = evaluate.function_formula(value.module, node, self._finder(value.module))
            self._local[id(node)] = formula if formula not in ("identity", "other", None) else None
        return self._local[id(node)]

    def _finder(self, module: Module):
        def find(name):
            return self.tree.find_function(module, name) if "." not in name else None
        return find
