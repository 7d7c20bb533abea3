"""A small evaluator of activation functions written in Python (torch or MLX spelling).

It runs the body of a local `def gelu(x)` or of a module's `forward` on plain floats, so that the
formula is found by what the code computes. Anything outside the small subset raises Unsupported.
"""
from __future__ import annotations

import ast
import math

from . import formulas as F
from .source import Module, dotted, method


class Unsupported(Exception):
    pass


class _Return(Exception):
    def __init__(self, value):
        self.value = value


def _gelu(x, approximate="none", approx=None):
    kind = approx if approx is not None else approximate
    if kind == "none":
        return F.gelu_erf(x)
    if kind in ("tanh", "precise"):
        return F.gelu_tanh(x)
    raise Unsupported(f"gelu mode {kind}")


def _clip(x, lo=None, hi=None, min=None, max=None):  # noqa: A002 - torch's own argument names
    lo = lo if lo is not None else min
    hi = hi if hi is not None else max
    x = x if lo is None or x >= lo else lo
    return x if hi is None or x <= hi else hi


FUNCTIONS = {
    "tanh": math.tanh, "sigmoid": F.sigmoid, "erf": math.erf, "exp": math.exp, "sqrt": math.sqrt,
    "expm1": math.expm1, "log1p": math.log1p, "abs": abs, "square": lambda x: x * x,
    "pow": lambda a, b: a ** b, "power": lambda a, b: a ** b, "relu": F.FORMULAS["relu"],
    "silu": F.FORMULAS["silu"], "swish": F.FORMULAS["silu"], "softplus": lambda x, *a: F.softplus(x),
    "gelu": _gelu, "mish": F.FORMULAS["mish"], "relu6": F.FORMULAS["relu6"],
    "leaky_relu": lambda x, negative_slope=0.01: x if x >= 0 else negative_slope * x,
    "hardswish": F.FORMULAS["hardswish"], "clip": _clip, "clamp": _clip, "logistic": F.sigmoid,
    "maximum": max, "minimum": min, "max": max, "min": min, "multiply": lambda a, b: a * b,
    "add": lambda a, b: a + b, "negative": lambda a: -a, "where": lambda c, a, b: a if c else b,
    "relu2": F.FORMULAS["relu2"], "gelu_approx": F.gelu_tanh,
    "gelu_fast_approx": F.FORMULAS["gelu_quick"], "rsqrt": lambda x: 1 / math.sqrt(x),
    "div": lambda a, b: a / b, "mul": lambda a, b: a * b, "tensor": lambda a, *r: a,
    "logaddexp": lambda a, b: max(a, b) + math.log1p(math.exp(-abs(a - b))), "float": float,
    "array": lambda a, *r: a,
}
_NAMESPACES = {"torch", "F", "nn", "math", "mx", "np", "functional", "special", "numpy"}
_IDENTITY_METHODS = {"to", "float", "type", "type_as", "contiguous", "astype", "half", "clone"}


class Evaluator:
    def __init__(self, module: Module, find_function=None):
        self.module = module
        self.find_function = find_function or (lambda name: None)
        self.depth = 0

    # -- functions and classes -------------------------------------------------------------
    def call_function(self, fn: ast.FunctionDef | ast.Lambda, args, kwargs=None, self_attrs=None, cls=None):
        self.depth += 1
        if self.depth > 12:
            raise Unsupported("too deep")
        try:
            a = fn.args
            names = [p.arg for p in a.posonlyargs + a.args]
            env = {}
            if names and names[0] == "self":
                env["self"] = (self_attrs or {}, cls)
                names = names[1:]
            defaults = a.defaults
            for name, d in zip(names[len(names) - len(defaults):] if defaults else [], defaults[-len(names):] if names else []):
                env[name] = self.expr(d, env)
            for p, d in zip(a.kwonlyargs, a.kw_defaults):
                if d is not None:
                    env[p.arg] = self.expr(d, env)
            env.update(zip(names, args))
            env.update(kwargs or {})
            if isinstance(fn, ast.Lambda):
                return self.expr(fn.body, env)
            try:
                self.block(fn.body, env)
            except _Return as r:
                return r.value
            raise Unsupported("no return")
        finally:
            self.depth -= 1

    def class_function(self, cls: ast.ClassDef, kwargs=None):
        """Callable x -> value for an instance of an activation class built with kwargs."""
        attrs: dict = {}
        init = method(cls, "__init__")
        if init:
            a = init.args
            names = [p.arg for p in a.args][1:]
            env = {"self": (attrs, cls)}
            for name, d in zip(names[len(names) - len(a.defaults):], a.defaults):
                env[name] = self.expr(d, env)
            env.update(kwargs or {})
            try:
                self.block(init.body, env)
            except _Return:
                pass
        forward = method(cls, "forward") or method(cls, "__call__")
        if not forward:
            raise Unsupported("no forward")
        return lambda x: self.call_function(forward, [x], self_attrs=attrs, cls=cls)

    # -- statements ------------------------------------------------------------------------
    def block(self, body, env):
        for s in body:
            if isinstance(s, ast.Return):
                raise _Return(self.expr(s.value, env) if s.value else None)
            if isinstance(s, ast.Assign) and len(s.targets) == 1:
                self.store(s.targets[0], self.expr(s.value, env), env)
            elif isinstance(s, ast.AnnAssign) and s.value is not None:
                self.store(s.target, self.expr(s.value, env), env)
            elif isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name):
                left = env[s.target.id]
                env[s.target.id] = self.binop(s.op, left, self.expr(s.value, env))
            elif isinstance(s, ast.If):
                self.block(s.body if self.expr(s.test, env) else s.orelse, env)
            elif isinstance(s, (ast.Pass, ast.Raise, ast.Assert)):
                if isinstance(s, ast.Raise):
                    raise Unsupported("raise")
            elif isinstance(s, ast.Expr):
                continue  # docstring, super().__init__(), logging
            else:
                raise Unsupported(type(s).__name__)

    def store(self, target, value, env):
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, ast.Attribute) and dotted(target).startswith("self."):
            env["self"][0][target.attr] = value
        else:
            raise Unsupported("target")

    # -- expressions -----------------------------------------------------------------------
    def binop(self, op, a, b):
        ops = {ast.Add: lambda: a + b, ast.Sub: lambda: a - b, ast.Mult: lambda: a * b,
               ast.Div: lambda: a / b, ast.Pow: lambda: a ** b}
        if type(op) not in ops:
            raise Unsupported("operator")
        return ops[type(op)]()

    def expr(self, n, env):
        if isinstance(n, ast.Constant):
            return n.value
        if isinstance(n, ast.Name):
            if n.id in env:
                return env[n.id]
            if n.id in self.module.assigns:
                return self.expr(self.module.assigns[n.id], {})
            return ("name", n.id)
        if isinstance(n, ast.BinOp):
            return self.binop(n.op, self.expr(n.left, env), self.expr(n.right, env))
        if isinstance(n, ast.UnaryOp):
            v = self.expr(n.operand, env)
            return {ast.USub: lambda: -v, ast.UAdd: lambda: v, ast.Not: lambda: not v}[type(n.op)]()
        if isinstance(n, ast.Compare) and "torch.__version__" in ast.unparse(n):
            return isinstance(n.ops[0], (ast.Gt, ast.GtE))  # a current torch is assumed
        if isinstance(n, ast.Compare) and len(n.ops) == 1:
            a, b = self.expr(n.left, env), self.expr(n.comparators[0], env)
            table = {ast.Gt: lambda: a > b, ast.Lt: lambda: a < b, ast.GtE: lambda: a >= b,
                     ast.LtE: lambda: a <= b, ast.Eq: lambda: a == b, ast.NotEq: lambda: a != b,
                     ast.Is: lambda: a is b, ast.IsNot: lambda: a is not b}
            if type(n.ops[0]) not in table:
                raise Unsupported("comparison")
            return table[type(n.ops[0])]()
        if isinstance(n, ast.IfExp):
            return self.expr(n.body if self.expr(n.test, env) else n.orelse, env)
        if isinstance(n, ast.Attribute):
            if n.attr == "pi" and dotted(n) in ("math.pi", "torch.pi", "np.pi", "mx.pi"):
                return math.pi
            if isinstance(n.value, ast.Name) and n.value.id == "self" and "self" in env:
                attrs, cls = env["self"]
                if n.attr == "training":
                    return False
                if n.attr in attrs:
                    return attrs[n.attr]
                m = method(cls, n.attr) if cls is not None else None
                if m:
                    return ("method", m, attrs, cls)
                raise Unsupported(n.attr)
            if dotted(n):
                return ("name", dotted(n))
            raise Unsupported("attribute")
        if isinstance(n, ast.Lambda):
            return ("lambda", n)
        if isinstance(n, ast.Call):
            return self.call(n, env)
        raise Unsupported(type(n).__name__)

    def call(self, n: ast.Call, env):
        args = [self.expr(a, env) for a in n.args]
        kwargs = {k.arg: self.expr(k.value, env) for k in n.keywords if k.arg and k.arg != "dtype"}
        if isinstance(n.func, ast.Attribute) and n.func.attr == "apply" and dotted(n.func.value) in self.module.classes:
            forward = method(self.module.classes[dotted(n.func.value)], "forward")  # torch.autograd.Function
            if forward:
                return self.call_function(forward, [None, *args], kwargs)
        if isinstance(n.func, ast.Attribute):
            root = dotted(n.func).split(".")[0] if dotted(n.func) else ""
            if root not in _NAMESPACES and root != "self" and dotted(n.func) != "functools.partial":
                base = self.expr(n.func.value, env)
                if isinstance(base, (int, float)):
                    if n.func.attr in _IDENTITY_METHODS:
                        return base
                    if n.func.attr in FUNCTIONS:
                        return FUNCTIONS[n.func.attr](base, *args, **kwargs)
                raise Unsupported(n.func.attr)
        target = self.expr(n.func, env)
        return self.apply(target, args, kwargs)

    def apply(self, target, args, kwargs):
        if not isinstance(target, tuple):
            raise Unsupported("not callable")
        if target[0] == "method":
            return self.call_function(target[1], args, kwargs, target[2], target[3])
        if target[0] == "lambda":
            return self.call_function(target[1], args, kwargs)
        if target[0] == "partial":
            return self.apply(target[1], target[2] + args, {**target[3], **kwargs})
        if target[0] == "instance":
            return target[1](*args)
        name = target[1]
        last = name.split(".")[-1]
        if last == "partial":
            return ("partial", args[0], list(args[1:]), kwargs)
        if name in self.module.functions:
            return self.call_function(self.module.functions[name], args, kwargs)
        if name in self.module.classes:
            return ("instance", self.class_function(self.module.classes[name], kwargs))
        if last == "GELU" and not [a for a in args if isinstance(a, float)]:
            mode = kwargs.get("approximate", kwargs.get("approx", args[0] if args else "none"))
            return ("instance", lambda x: _gelu(x, mode))
        if last in ("SiLU", "ReLU", "Mish", "Tanh", "Sigmoid", "Hardswish", "ReLU6"):
            return ("instance", F.FORMULAS[last.lower()])
        found = self.find_function(name)
        if found:
            return Evaluator(found[0], None).call_function(found[1], args, kwargs)
        root = name.split(".")[0]
        if last in FUNCTIONS and ("." not in name or root in _NAMESPACES):
            return FUNCTIONS[last](*args, **kwargs)
        raise Unsupported(name)


def function_formula(module: Module, fn, find_function=None) -> str | None:
    """Canonical name of a one-argument function, 'other', or None when it cannot be evaluated."""
    ev = Evaluator(module, find_function)
    return F.classify(lambda x: ev.call_function(fn, [x]))


def class_formula(module: Module, cls: ast.ClassDef, kwargs=None, find_function=None) -> str | None:
    """Canonical name of an activation module built with kwargs, by running its forward."""
    if cls.name in F.PARAMETRIC:
        return F.PARAMETRIC[cls.name]
    try:
        f = Evaluator(module, find_function).class_function(cls, kwargs)
    except Exception:  # noqa: BLE001
        return None
    return F.classify(f)
