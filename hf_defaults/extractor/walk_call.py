"""Calls of the symbolic walk: instances, containers, functions, activations."""
from __future__ import annotations

import ast

from .source import dotted
from .symbols import FUNCTIONALS, GATES, make_functional, make_module
from .values import (OPAQUE, Act, ActClass, Cfg, Choice, ClassVal, Const, FuncVal, Key, Mod, Registry, Seq)
from .walk_expr import _CONTAINERS, arguments, choice, dict_key, registry_act

_TENSOR_METHODS = {"sigmoid": "sigmoid", "tanh": "tanh", "relu": "relu", "relu_": "relu",
                   "sigmoid_": "sigmoid", "tanh_": "tanh"}
_FACTORIES = {"from_config", "_from_config", "from_pretrained"}


def call_value(w, n: ast.Call, f):  # noqa: C901
    fn = n.func
    name = dotted(fn)
    if isinstance(fn, ast.Attribute) and isinstance(fn.value, ast.Call) and dotted(fn.value.func) == "super":
        return super_call(w, n, f)
    args, kwargs = arguments(w, n, f)
    if name in _CONTAINERS:
        return container(args, kwargs)
    if name in ("copy.deepcopy", "copy.copy", "deepcopy"):
        return args[0] if args else OPAQUE
    if name in ("getattr",) and len(args) >= 2 and isinstance(args[1], Const):
        return getattr_value(w, args, f)
    if name in ("functools.partial", "partial") and args:
        return partial(w, args, kwargs, n)
    if name in ("range", "len", "int", "float", "str", "bool", "max", "min", "sum", "print"):
        return OPAQUE
    if name in ("zip", "enumerate", "reversed"):
        return zipped(name, args)
    if name == "setattr" and len(args) == 3 and isinstance(args[0], Mod) and args[0] is f.mod:
        w.set_attribute(f, args[1].value if isinstance(args[1], Const) else "item", args[2], n.lineno)
        return OPAQUE
    if isinstance(fn, ast.Attribute):
        base = w.expr(fn.value, f)
        if isinstance(base, Mod) and base is f.mod and fn.attr in ("add_module", "register_module") and len(args) == 2:
            w.set_attribute(f, args[0].value if isinstance(args[0], Const) else "item", args[1], n.lineno)
            return OPAQUE
        value = method_call(w, base, fn.attr, args, kwargs, n, f)
        if value is not NotImplemented:
            return value
    target = w.expr(fn, f)
    return apply(w, target, args, kwargs, n, f)


def container(args, kwargs):
    if len(args) == 1 and isinstance(args[0], (Seq, Registry)) and not kwargs:
        only = args[0]
        return Seq([v for _k, v in only.items]) if isinstance(only, Registry) and any(
            not isinstance(v, Const) for _k, v in only.items) else (
            Seq([i.items[1] if isinstance(i, Seq) and len(i.items) == 2 and isinstance(i.items[0], Const) else i
                 for i in only.items]) if isinstance(only, Seq) else only)
    return Seq(list(args) + list(kwargs.values()))


def zipped(name, args):
    if name == "reversed":
        return args[0] if args and isinstance(args[0], Seq) else OPAQUE
    if name == "enumerate":
        if args and isinstance(args[0], Seq):
            return Seq([Seq([OPAQUE, v]) for v in args[0].items])
        return OPAQUE
    if args and any(isinstance(a, Seq) for a in args):
        size = min(len(a.items) for a in args if isinstance(a, Seq))
        return Seq([Seq([a.items[i] if isinstance(a, Seq) else OPAQUE for a in args]) for i in range(size)])
    return OPAQUE


def getattr_value(w, args, f):
    from .walk_expr import member
    base, name = args[0], args[1].value
    fallback = args[2].value if len(args) > 2 and isinstance(args[2], Const) else None
    if isinstance(base, Cfg):
        value = member(w, base, name, f)
        if isinstance(value, Key) and fallback is not None:
            return Key(value.cfg, value.name, fallback)
        return value
    if isinstance(base, (Mod, Choice)):
        return member(w, base, name, f)
    return args[2] if len(args) > 2 else OPAQUE


def partial(w, args, kwargs, n):
    target = args[0]
    if isinstance(target, ActClass):
        last = target.name.split(".")[-1]
        if target.name.startswith("F."):
            return make_functional(last, kwargs, ast.unparse(n))
        if target.name.startswith("nn."):
            return make_module(last, list(args[1:]), kwargs, ast.unparse(n))
    return target


def super_call(w, n, f):
    args, kwargs = arguments(w, n, f)
    if f.mod is not None and n.func.attr == "__init__" and f.method == "__init__":
        if f.bases:
            w.run_init(f.mod, f.bases, args, kwargs, tuple(f.conditions))
        if "config" not in f.mod.attrs and args and isinstance(args[0], Cfg):
            f.mod.attrs["config"] = args[0]
    return OPAQUE


def method_call(w, base, attr, args, kwargs, n, f):  # noqa: C901
    if isinstance(base, Cfg):
        if attr == "get_text_config":
            is_sub = base.cls is not None and w.configs.sub_class(base.cls, "text_config")
            if is_sub and is_sub[0]:
                return Cfg(is_sub[1], base.path + ("text_config",), base.parents + (base,))
            return base
        if attr == "get" and args and isinstance(args[0], Const):
            default = args[1].value if len(args) > 1 and isinstance(args[1], Const) else None
            return dict_key(base, args[0].value, default)
        return OPAQUE
    if isinstance(base, Key) and attr == "get" and args and isinstance(args[0], Const):
        default = args[1].value if len(args) > 1 and isinstance(args[1], Const) else None
        return dict_key(base, args[0].value, default)
    if isinstance(base, Registry):
        if attr in ("get", "pop") and args and isinstance(args[0], Const):
            found = base.get(args[0].value)
            return found if found is not None else (args[1] if len(args) > 1 else Const(None))
        if attr == "values":
            return Seq([v for _k, v in base.items])
        if attr == "items":
            return Seq([Seq([Const(k), v]) for k, v in base.items])
        return OPAQUE
    if isinstance(base, Seq):
        if attr == "append" and args:
            base.items.append(args[0])
            owner = _owner_attribute(n, f)
            if owner:
                w.attach(f, owner, args[0], n.lineno, tuple(f.conditions))
            return OPAQUE
        if attr == "extend" and args and isinstance(args[0], Seq):
            base.items.extend(args[0].items)
            owner = _owner_attribute(n, f)
            if owner:
                w.attach(f, owner, args[0], n.lineno, tuple(f.conditions))
            return OPAQUE
        if attr == "insert" and len(args) == 2:
            base.items.append(args[1])
            return OPAQUE
        if attr == "add_module" and len(args) == 2:
            base.items.append(args[1])
            owner = _owner_attribute(n, f)
            if owner:
                w.attach(f, owner, args[1], n.lineno, tuple(f.conditions))
            return OPAQUE
        return OPAQUE
    if isinstance(base, ClassVal) and attr in _FACTORIES:
        cfg = next((a for a in args + list(kwargs.values()) if isinstance(a, Cfg)), None)
        if cfg is not None:
            return w.instantiate(base, [cfg], {}, f.mod.ctx if f.mod else None) or OPAQUE
        return OPAQUE
    if base is OPAQUE and attr in _TENSOR_METHODS and not args and f.in_place and f.mod is not None:
        formula = _TENSOR_METHODS[attr]
        root = dotted(n.func).split(".")[0]
        if root not in ("torch", "nn", "F"):
            w.site(f, Act(f".{attr}()", formula, is_gate=formula in GATES), n.lineno)
            return OPAQUE
    if isinstance(base, Mod) and base is f.mod and f.in_place:
        from .walk_expr import member
        value = member(w, base, attr, f)
        if isinstance(value, FuncVal):
            return OPAQUE  # every method is walked on its own
    return NotImplemented


def _owner_attribute(n, f) -> str:
    base = n.func.value
    if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name) and base.value.id == "self" and f.mod:
        return base.attr
    return ""


def apply(w, target, args, kwargs, n, f):  # noqa: C901
    written = ast.unparse(n)
    if isinstance(target, Choice):
        values = []
        for conds, t in target.options:
            f.conditions.extend(conds)
            values.append((conds, apply(w, t, args, kwargs, n, f)))
            if conds:
                del f.conditions[-len(conds):]
        return choice(values)
    if isinstance(target, ActClass):
        return apply_activation(w, target, args, kwargs, n, f, written)
    if isinstance(target, Act):
        if f.in_place and f.mod is not None:
            func = n.func
            imported = isinstance(func, ast.Name) and func.id not in f.env
            if imported or not isinstance(func, (ast.Name, ast.Attribute)):
                w.site(f, target, n.lineno)
        return OPAQUE if (args or kwargs) and f.in_place else target
    if isinstance(target, ClassVal):
        formula = w.symbols.local_class(target)
        if formula:
            return Act(written[:80], formula)
        return w.instantiate(target, args, kwargs, f.mod.ctx if f.mod else None) or OPAQUE
    if isinstance(target, FuncVal):
        return apply_function(w, target, args, kwargs, n, f, written)
    return OPAQUE


def apply_activation(w, target: ActClass, args, kwargs, n, f, written):
    space, _, last = target.name.rpartition(".")
    if target.name == "get_activation":
        key = args[0] if args else kwargs.get("activation_string", OPAQUE)
        return registry_act(w, key, written, f, n.lineno)
    if space == "F":
        act = make_functional(last, kwargs, short(n))
        if f.in_place and f.mod is not None:
            w.site(f, act, n.lineno)
            return OPAQUE
        return act if not args else OPAQUE
    if space == "nn":
        return make_module(last, args, kwargs, short(n))
    if space == "activations":
        return w.symbols.activation_class(last, kwargs, short(n))
    return OPAQUE


def short(n: ast.Call) -> str:
    """The call as written, its tensor arguments left out."""
    keep = [k for k in n.keywords if k.arg in ("approximate", "negative_slope", "beta", "alpha", "dim")]
    extra = ", ".join(f"{k.arg}={ast.unparse(k.value)}" for k in keep)
    return f"{dotted(n.func) or ast.unparse(n.func)}({extra})"


def apply_function(w, target: FuncVal, args, kwargs, n, f, written):
    from .walk import Frame, _Raise
    node = target.node
    if isinstance(node, ast.Lambda):
        frame = Frame(target.module, dict(target.bound or {}), f.mod, f.conditions, f.in_place, f.method)
        frame.depth = f.depth + 1
        if frame.depth > 6:
            return OPAQUE
        frame.env.update(zip([a.arg for a in node.args.args], args))
        return w.expr(node.body, frame)
    formula = w.symbols.local_function(target) if not isinstance(target.bound, Mod) else None
    if formula:
        act = Act(written[:80], formula)
        if f.in_place and f.mod is not None:
            w.site(f, Act(f"{node.name}()", formula), n.lineno)
            return OPAQUE
        return act if not args else OPAQUE
    if f.depth > 4:
        return OPAQUE
    if any(k in node.name for k in ("loss", "attention_forward", "rotary", "mask")):
        return OPAQUE
    bound = target.bound if isinstance(target.bound, Mod) else f.mod
    frame = Frame(target.module, {}, bound, list(f.conditions), f.in_place, f.method)
    frame.depth = f.depth + 1
    w.bind(node, frame, args, kwargs, skip_self=isinstance(target.bound, Mod))
    try:
        w.block(node.body, frame)
    except _Raise:
        pass
    if not frame.returns:
        return OPAQUE
    if len(frame.returns) == 1:
        return frame.returns[0][1]
    kept = len(f.conditions)
    return choice([(c[kept:], v) for c, v in frame.returns])
