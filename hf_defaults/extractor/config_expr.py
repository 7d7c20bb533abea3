"""Expressions of configuration code, on the values of config_run."""
from __future__ import annotations

import ast

from .config_run import (_TYPES, UNKNOWN, ClassRef, ConfigObj, LocalFunction, Runner, Spec, plain_copy)
from .source import dotted


def evaluate(r: Runner, n: ast.AST, env: dict):  # noqa: C901 - one case per syntax form
    if isinstance(n, ast.Constant):
        return n.value
    if isinstance(n, ast.Name):
        return _name(r, n.id, env)
    if isinstance(n, ast.Attribute):
        return _attribute(r, n, env)
    if isinstance(n, ast.Call):
        return call(r, n, env)
    if isinstance(n, ast.Subscript):
        if dotted(n.value).endswith("CONFIG_MAPPING"):
            key = r.expr(n.slice, env)
            return ClassRef(None, key) if isinstance(key, str) else UNKNOWN
        base, key = r.expr(n.value, env), (r.expr(n.slice, env) if not isinstance(n.slice, ast.Slice) else UNKNOWN)
        try:
            return base[key] if isinstance(base, (dict, list, tuple, str)) else UNKNOWN
        except (KeyError, IndexError, TypeError):
            return UNKNOWN
    if isinstance(n, ast.Dict):
        out = {}
        for k, v in zip(n.keys, n.values):
            if k is None:
                other = r.expr(v, env)
                out.update(other if isinstance(other, dict) else {})
            else:
                key = r.expr(k, env)
                if isinstance(key, (str, int, float, bool)):
                    out[key] = r.expr(v, env)
        return out
    if isinstance(n, (ast.List, ast.Tuple, ast.Set)):
        return [r.expr(e, env) for e in n.elts]
    if isinstance(n, ast.Compare):
        return _compare(r, n, env)
    if isinstance(n, ast.BoolOp):
        value = UNKNOWN
        for part in n.values:
            value = r.expr(part, env)
            t = r.truth(value)
            if t is UNKNOWN:
                return UNKNOWN
            if isinstance(n.op, ast.And) and not t or isinstance(n.op, ast.Or) and t:
                return value
        return value
    if isinstance(n, ast.UnaryOp):
        v = r.expr(n.operand, env)
        if isinstance(n.op, ast.Not):
            t = r.truth(v)
            return UNKNOWN if t is UNKNOWN else not t
        return -v if isinstance(v, (int, float)) and isinstance(n.op, ast.USub) else UNKNOWN
    if isinstance(n, ast.IfExp):
        t = r.truth(r.expr(n.test, env))
        if t is UNKNOWN:
            a, b = r.expr(n.body, env), r.expr(n.orelse, env)
            return a if a == b else UNKNOWN
        return r.expr(n.body if t else n.orelse, env)
    if isinstance(n, ast.BinOp):
        a, b = r.expr(n.left, env), r.expr(n.right, env)
        if isinstance(n.op, ast.BitOr) and isinstance(a, dict) and isinstance(b, dict):
            return {**a, **b}
        if UNKNOWN in (a, b) or not all(isinstance(v, (int, float, str, list)) for v in (a, b)):
            return UNKNOWN
        try:
            return {ast.Add: lambda: a + b, ast.Mult: lambda: a * b, ast.Sub: lambda: a - b,
                    ast.FloorDiv: lambda: a // b, ast.Div: lambda: a / b}[type(n.op)]()
        except (KeyError, TypeError, ZeroDivisionError):
            return UNKNOWN
    if isinstance(n, (ast.DictComp, ast.ListComp)):
        return _comprehension(r, n, env)
    if isinstance(n, ast.NamedExpr):
        value = r.expr(n.value, env)
        env[n.target.id] = value
        return value
    return UNKNOWN


def _name(r: Runner, name: str, env: dict):
    if name in env:
        return env[name]
    if name == "AutoConfig":
        return ClassRef(None, None, any_auto=True)
    module = env.get("__module__")
    if module is not None:
        info = r.index.resolve(module, name)
        if info:
            return ClassRef(info)
        if name in module.assigns:
            return r.expr(module.assigns[name], {"__module__": module})
        if name in module.imports:  # a constant of a sibling module
            base, original = module.imports[name]
            other = r.index.tree.module(base + ".py")
            if other and original in other.assigns:
                return r.expr(other.assigns[original], {"__module__": other})
    return UNKNOWN


def _attribute(r: Runner, n: ast.Attribute, env: dict):
    base = r.expr(n.value, env)
    if isinstance(base, ConfigObj):
        value = base.get(n.attr)
        if value is UNKNOWN and base.info:
            found = base.info.find_method(n.attr)
            if found and any(dotted(d).endswith("property") for d in found[1].decorator_list):
                scratch = ConfigObj(base.info)
                scratch.attrs = base.attrs
                return r.run(found[1], found[0].module, scratch, [], {})
        return value
    if isinstance(base, Spec):
        return {"config_class": base.cls, "model_type": base.model_type,
                "init_kwargs": base.init_kwargs}.get(n.attr, UNKNOWN)
    if isinstance(base, ClassRef) and base.info:
        if n.attr == "__init__":
            return ("signature", base.info)
        found = base.info.class_attr(n.attr)
        if found:
            return r.expr(found[1], {"__module__": found[0].module})
    if isinstance(base, ClassRef) and n.attr == "config_class":
        return base
    if isinstance(base, tuple) and base and base[0] == "signature" and n.attr == "parameters":
        return {k: UNKNOWN for k in base[1].declared()}
    return UNKNOWN


def _compare(r: Runner, n: ast.Compare, env: dict):
    if len(n.ops) != 1:
        return UNKNOWN
    a, b = r.expr(n.left, env), r.expr(n.comparators[0], env)
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    op = n.ops[0]
    if isinstance(op, ast.Is):
        return a is b
    if isinstance(op, ast.IsNot):
        return a is not b
    if isinstance(op, (ast.In, ast.NotIn)) and dotted(n.comparators[0]).endswith("CONFIG_MAPPING"):
        return UNKNOWN
    try:
        return {ast.Eq: lambda: a == b, ast.NotEq: lambda: a != b, ast.In: lambda: a in b,
                ast.NotIn: lambda: a not in b, ast.Gt: lambda: a > b, ast.Lt: lambda: a < b,
                ast.GtE: lambda: a >= b, ast.LtE: lambda: a <= b}[type(op)]()
    except TypeError:
        return UNKNOWN


def _comprehension(r: Runner, n, env: dict):
    gen = n.generators[0]
    items = r.expr(gen.iter, env)
    if len(n.generators) != 1 or not isinstance(items, (list, tuple, dict)):
        return UNKNOWN
    out_dict, out_list = {}, []
    for item in list(items):
        local = {**env}
        r.store(gen.target, item, local)
        keep = [r.truth(r.expr(c, local)) for c in gen.ifs]
        if any(k is UNKNOWN or not k for k in keep):
            continue
        if isinstance(n, ast.DictComp):
            key = r.expr(n.key, local)
            if isinstance(key, (str, int)):
                out_dict[key] = r.expr(n.value, local)
        else:
            out_list.append(r.expr(n.elt, local))
    return out_dict if isinstance(n, ast.DictComp) else out_list


def _arguments(r: Runner, n: ast.Call, env: dict):
    args = [r.expr(a, env) for a in n.args if not isinstance(a, ast.Starred)]
    kwargs: dict = {}
    for k in n.keywords:
        value = r.expr(k.value, env)
        if k.arg is None:
            if isinstance(value, dict):
                kwargs.update(value)
            elif isinstance(value, ConfigObj):
                kwargs.update(value.attrs)
        else:
            kwargs[k.arg] = value
    return args, kwargs


def call(r: Runner, n: ast.Call, env: dict):  # noqa: C901
    f = n.func
    name = dotted(f)
    if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Call) and dotted(f.value.func) == "super":
        obj, rest = env.get("self"), env.get("__rest__", [])
        _args, kwargs = _arguments(r, n, env)
        if isinstance(obj, ConfigObj) and f.attr in ("__init__", "__post_init__"):
            (r.run_init if f.attr == "__init__" else r.run_post_init)(obj, rest, dict(kwargs))
        return None
    args, kwargs = _arguments(r, n, env)
    if name.endswith("consolidate_backbone_kwargs_to_config"):
        value = r.backbone(kwargs.get("backbone_config"), kwargs.get("default_config_type"),
                           kwargs.get("default_config_kwargs"))
        if kwargs.get("timm_default_kwargs") is not None and kwargs.get("backbone_config") is None:
            value = r.build(ClassRef(None, "timm_backbone"), {})
        rest = {k: v for k, v in kwargs.items() if k not in (
            "backbone_config", "default_config_type", "default_config_kwargs", "default_backbone",
            "timm_default_kwargs", "use_timm_backbone", "backbone_kwargs", "backbone")}
        return [value, rest]
    if name == "isinstance" and len(n.args) == 2:
        types = dotted(n.args[1]).split(".")[-1] if dotted(n.args[1]) else ""
        if args[0] is UNKNOWN or not args:
            return UNKNOWN
        if types in _TYPES:
            return isinstance(args[0], _TYPES[types])
        ref = args[1]
        if isinstance(ref, ClassRef) and ref.info:
            return isinstance(args[0], ConfigObj) and args[0].info is not None and ref.info in args[0].info.mro()
        return UNKNOWN
    if name in ("getattr", "hasattr") and len(args) >= 2:
        if not isinstance(args[0], ConfigObj) or not isinstance(args[1], str):
            return UNKNOWN
        value = args[0].get(args[1])
        if name == "hasattr":
            return True if value is not UNKNOWN else UNKNOWN
        return value if value is not UNKNOWN else (args[2] if len(args) > 2 else UNKNOWN)
    if name == "setattr" and len(args) == 3:
        if isinstance(args[0], ConfigObj) and isinstance(args[1], str):
            args[0].set(args[1], args[2])
        return None
    if name.endswith("SubConfigSpec"):
        ref = kwargs.get("config_class", args[0] if args else UNKNOWN)
        return Spec(ref, kwargs.get("model_type"), kwargs.get("init_kwargs"), kwargs.get("optional", False)) \
            if isinstance(ref, ClassRef) else UNKNOWN
    if name in ("copy.deepcopy", "copy.copy", "deepcopy"):
        return plain_copy(args[0]) if args else UNKNOWN
    if name == "inspect.signature":
        return args[0] if args else UNKNOWN
    if name in ("list", "tuple", "set", "dict", "len", "sorted"):
        if not args:
            return kwargs if name == "dict" else ([] if name != "len" else UNKNOWN)
        if isinstance(args[0], (list, tuple, dict, str)):
            return len(args[0]) if name == "len" else dict(args[0]) if name == "dict" else list(args[0])
        return UNKNOWN
    if name == "activation_fn_key":  # a validated field: huggingface_hub's activation_fn_key(default="silu")
        return kwargs.get("default", args[0] if args else UNKNOWN)
    if name in ("field", "dataclasses.field"):
        factory = kwargs.get("default_factory")
        return kwargs["default"] if "default" in kwargs else (UNKNOWN if factory is not None else UNKNOWN)
    if isinstance(f, ast.Attribute):
        base = r.expr(f.value, env)
        value = _method(r, base, f.attr, args, kwargs, env)
        if value is not NotImplemented:
            return value
    target = r.expr(f, env)
    if isinstance(target, LocalFunction):
        return r.run_local(target, args, kwargs)
    if isinstance(target, ClassRef):
        if target.info or target.auto:
            return r.build(target, kwargs)
    return UNKNOWN


def _method(r: Runner, base, attr, args, kwargs, env):
    if isinstance(base, dict):
        if attr in ("get", "pop") and args and isinstance(args[0], (str, int)):
            default = args[1] if len(args) > 1 else (None if attr == "get" else UNKNOWN)
            return base.get(args[0], default) if attr == "get" else base.pop(args[0], default)
        if attr == "setdefault" and len(args) == 2:
            return base.setdefault(args[0], args[1])
        if attr == "update":
            for d in args:
                base.update(d if isinstance(d, dict) else {})
            base.update(kwargs)
            return None
        if attr == "items":
            return [[k, v] for k, v in base.items()]
        if attr == "keys":
            return list(base)
        if attr == "values":
            return list(base.values())
        if attr == "copy":
            return dict(base)
    if isinstance(base, str) and all(isinstance(a, str) for a in args):
        if attr in ("split", "startswith", "endswith", "replace", "lower", "upper", "strip"):
            return getattr(base, attr)(*args)
    if isinstance(base, list) and attr in ("append", "extend") and args:
        (base.append if attr == "append" else lambda v: base.extend(v if isinstance(v, list) else []))(args[0])
        return None
    if isinstance(base, ClassRef):
        if base.any_auto and attr == "for_model":
            wanted = args[0] if args else kwargs.pop("model_type", UNKNOWN)
            return r.build(ClassRef(None, wanted), kwargs) if isinstance(wanted, str) else UNKNOWN
        if attr in ("from_dict",) and args and isinstance(args[0], dict):
            if base.any_auto:
                wanted = args[0].get("model_type")
                return r.build(ClassRef(None, wanted), args[0]) if isinstance(wanted, str) else UNKNOWN
            return r.build(base, args[0])
    if isinstance(base, ConfigObj):
        if attr in ("to_dict", "to_diff_dict"):
            return dict(base.attrs)
        if attr == "update" and args and isinstance(args[0], dict):
            for k, v in args[0].items():
                base.set(k, v)
            return None
        if attr == "get" and args and isinstance(args[0], str):
            value = base.get(args[0])
            return value if value is not UNKNOWN else (args[1] if len(args) > 1 else None)
        found = base.info.find_method(attr) if base.info else None
        if found and not any(dotted(d).endswith(("property", "classmethod", "staticmethod"))
                             for d in found[1].decorator_list) and r.depth < 8:
            r.depth += 1
            try:
                names = [a.arg for a in found[1].args.args][1:]
                return r.run(found[1], found[0].module, base, [], {**dict(zip(names, args)), **kwargs})
            finally:
                r.depth -= 1
    return NotImplemented
