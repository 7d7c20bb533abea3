"""The registry of one release: transformers/activations.py, name -> formula by evaluation."""
from __future__ import annotations

import ast

from . import evaluate
from .formulas import FORMULAS, PARAMETRIC, classify
from .source import Module, SourceTree, dotted

_TORCH = {"ReLU": "relu", "ReLU6": "relu6", "SiLU": "silu", "Tanh": "tanh", "Sigmoid": "sigmoid",
          "LeakyReLU": "leaky_relu", "Hardswish": "hardswish", "Mish": "mish", "Identity": "identity",
          "GELU": "gelu_erf", **PARAMETRIC}


def torch_module(name: str) -> str | None:
    """Formula of a torch.nn class built without arguments; None when it is no activation."""
    return _TORCH.get(name)


class Act2Fn:
    def __init__(self, tree: SourceTree):
        module = tree.module("activations.py")
        if module is None:
            raise ValueError("this wheel has no transformers/activations.py")
        self.module = module
        self.names: dict[str, dict] = {}
        registry = module.assigns.get("ACT2CLS") or module.assigns.get("ACT2FN")
        if not isinstance(registry, ast.Dict):
            raise ValueError("activations.py: the registry is not a dictionary literal")
        for key, value in zip(registry.keys, registry.values):
            kwargs = {}
            if isinstance(value, ast.Tuple):
                kwargs = ast.literal_eval(value.elts[1])
                value = value.elts[0]
            cls = dotted(value).split(".")[-1]
            self.names[key.value] = {"class": cls, "formula": self.class_formula(cls, kwargs),
                                     "line": key.lineno}

    def class_formula(self, cls: str, kwargs=None) -> str:
        """Formula of a class of activations.py (or torch.nn), 'unknown' when it cannot be run."""
        seen = self.module.assigns.get(cls)
        if isinstance(seen, ast.Name):  # PytorchGELUTanh = GELUTanh
            cls = seen.id
        if cls in self.module.classes:
            ev = _WithRegistry(self.module, self)
            if cls in PARAMETRIC:
                return PARAMETRIC[cls]
            try:
                return classify(ev.class_function(self.module.classes[cls], kwargs)) or "unknown"
            except evaluate.Unsupported:
                return "unknown"
        return torch_module(cls) or "unknown"

    def symbol(self, name: str) -> str | None:
        """Formula of a name importable from activations: `gelu`, `gelu_new`, `GELUActivation`."""
        value = self.module.assigns.get(name)
        if isinstance(value, ast.Call) and dotted(value.func) == "get_activation":
            key = ast.literal_eval(value.args[0])
            return self.names.get(key, {}).get("formula")
        if name in self.module.classes or isinstance(value, ast.Name):
            return self.class_formula(name)
        return None


class _WithRegistry(evaluate.Evaluator):
    """activations.py refers to `gelu`, a module-level instance made by get_activation."""

    def __init__(self, module: Module, registry: Act2Fn):
        super().__init__(module)
        self.registry = registry

    def expr(self, n, env):
        if isinstance(n, ast.Name) and n.id not in env:
            value = self.module.assigns.get(n.id)
            if isinstance(value, ast.Call) and dotted(value.func) == "get_activation":
                formula = self.registry.names[ast.literal_eval(value.args[0])]["formula"]
                return ("instance", FORMULAS[formula])
        return super().expr(n, env)
