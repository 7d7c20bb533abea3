"""Builds configuration objects by walking the source, without importing it.

The walk follows both styles: arguments of `__init__` (4.x, 5.0 to 5.2, remote code) and annotated
fields with `__post_init__` (5.3 on). What it cannot know is UNKNOWN, and a branch on UNKNOWN is
taken both ways; only where both ways agree does the value survive.
"""
from __future__ import annotations

import ast

from .config_classes import ConfigClass, ConfigIndex
from .source import Module, method


class _Unknown:
    def __repr__(self):
        return "UNKNOWN"

    def __deepcopy__(self, memo):
        return self


UNKNOWN = _Unknown()


class ConfigObj:
    """A configuration instance: `info` is None when only its model type is known."""

    def __init__(self, info: ConfigClass | None, auto: str | None = None):
        self.info = info
        self.auto = auto
        self.attrs: dict = {}
        self.given: dict = {}  # keyword arguments it was built with

    def __repr__(self):
        return f"<{self.info.name if self.info else self.auto}>"

    def get(self, name, default=UNKNOWN):
        amap = self.info.attribute_map if self.info else {}
        return self.attrs.get(amap.get(name, name), default)

    def set(self, name, value):
        amap = self.info.attribute_map if self.info else {}
        self.attrs[amap.get(name, name)] = value


class LocalFunction:
    def __init__(self, node: ast.FunctionDef, env: dict):
        self.node, self.env = node, env


class ClassRef:
    def __init__(self, info: ConfigClass | None, auto: str | None = None, any_auto: bool = False):
        self.info, self.auto, self.any_auto = info, auto, any_auto


class Spec:
    """SubConfigSpec(config_class, model_type, init_kwargs, optional) of 5.2x."""

    def __init__(self, cls: ClassRef, model_type=None, init_kwargs=None, optional=False):
        self.cls, self.model_type = cls, model_type
        self.init_kwargs, self.optional = init_kwargs or {}, optional


def plain_copy(value):
    """A copy of nested dictionaries and lists; what they hold (classes, objects) is shared."""
    if isinstance(value, dict):
        return {k: plain_copy(v) for k, v in value.items()}
    return [plain_copy(v) for v in value] if isinstance(value, list) else value


class _Return(Exception):
    def __init__(self, value):
        self.value = value


class _Raised(Exception):
    pass


_TYPES = {"dict": dict, "str": str, "list": list, "tuple": tuple, "int": int, "float": float,
          "bool": bool, "PretrainedConfig": ConfigObj, "PreTrainedConfig": ConfigObj}


class Runner:
    def __init__(self, index: ConfigIndex):
        self.index = index
        self.depth = 0

    # -- construction ----------------------------------------------------------------------
    def build(self, ref: ClassRef, kwargs: dict) -> ConfigObj:
        info = ref.info
        if info is None:
            info = self.index.of_model_type(ref.auto) if ref.auto else None
        obj = ConfigObj(info, ref.auto)
        obj.given = dict(kwargs)
        if info is None:
            obj.attrs.update(kwargs)
            return obj
        self.depth += 1
        try:
            if self.depth > 8:
                return obj
            for c in reversed(info.mro()):
                for name, (value, _line) in c.fields.items():
                    if value is not None:
                        obj.attrs[name] = self.literal(value, c.module)
            if info.find_method("__init__"):
                self.run_init(obj, info.mro(), dict(kwargs))
            else:
                declared = info.declared()
                extra = {}
                for k, v in kwargs.items():
                    if k in declared or k in info.attribute_map:
                        obj.set(k, v)
                    else:
                        extra[k] = v
                self.run_post_init(obj, info.mro(), extra)
            return obj
        finally:
            self.depth -= 1

    def run_init(self, obj, mro, kwargs):
        for i, c in enumerate(mro):
            init = method(c.node, "__init__")
            if init:
                self.run(init, c.module, obj, mro[i + 1:], kwargs)
                return
        self.run_post_init(obj, obj.info.mro() if obj.info else [], kwargs)

    def run_post_init(self, obj, mro, kwargs):
        for i, c in enumerate(mro):
            post = method(c.node, "__post_init__")
            if post:
                self.run(post, c.module, obj, mro[i + 1:], kwargs)
                return
        specs = obj.attrs.get("sub_configs_defaults")
        if isinstance(specs, dict):
            for key, spec in specs.items():
                self.create_sub(obj, key, spec, kwargs)
        self.store_extra(obj, kwargs)

    def create_sub(self, obj, key, spec, kwargs):
        if isinstance(spec, ClassRef):
            spec = Spec(spec)
        if not isinstance(spec, Spec):
            return
        value = obj.get(key, None)
        if isinstance(value, ConfigObj) or (value is None and spec.optional):
            return
        if key == "backbone_config":
            obj.set(key, self.backbone(value, spec.model_type, spec.init_kwargs))
            return
        given = value if isinstance(value, dict) else dict(spec.init_kwargs)
        ref = spec.cls
        if ref.any_auto:
            wanted = value.get("model_type", spec.model_type) if isinstance(value, dict) else spec.model_type
            ref = ClassRef(None, wanted)
        obj.set(key, self.build(ref, given))

    def backbone(self, value, default_type, default_kwargs):
        if isinstance(value, ConfigObj):
            return value
        if value is None:
            return self.build(ClassRef(None, default_type), default_kwargs or {}) if default_type else None
        if isinstance(value, dict):
            model_type = value.get("model_type")
            return self.build(ClassRef(None, model_type), value) if isinstance(model_type, str) else UNKNOWN
        return UNKNOWN

    def store_extra(self, obj, kwargs):
        for k, v in kwargs.items():
            if isinstance(k, str):
                obj.set(k, v)

    # -- statements ------------------------------------------------------------------------
    def run(self, fn: ast.FunctionDef, module: Module, obj: ConfigObj, rest, kwargs: dict):
        a = fn.args
        args = a.posonlyargs + a.args
        env = {"self": obj, "__rest__": rest, "__fn__": fn.name, "__module__": module}
        defaults = [None] * (len(args) - len(a.defaults)) + list(a.defaults)
        for arg, d in list(zip(args, defaults)) + list(zip(a.kwonlyargs, a.kw_defaults)):
            if arg.arg == "self":
                continue
            if arg.arg in kwargs:
                env[arg.arg] = kwargs.pop(arg.arg)
            else:
                env[arg.arg] = self.expr(d, env) if d is not None else UNKNOWN
        if a.kwarg:
            env[a.kwarg.arg] = kwargs
        try:
            self.block(fn.body, env)
        except _Return as r:
            return r.value
        return None

    def block(self, body, env):
        for s in body:
            self.statement(s, env)

    def statement(self, s, env):
        if isinstance(s, ast.Assign):
            value = self.expr(s.value, env)
            for t in s.targets:
                self.store(t, value, env)
        elif isinstance(s, ast.AnnAssign):
            if s.value is not None:
                self.store(s.target, self.expr(s.value, env), env)
        elif isinstance(s, ast.AugAssign):
            self.store(s.target, UNKNOWN, env)
        elif isinstance(s, ast.Expr):
            self.expr(s.value, env)
        elif isinstance(s, ast.If):
            self.branch(s, env)
        elif isinstance(s, ast.Return):
            raise _Return(self.expr(s.value, env) if s.value else None)
        elif isinstance(s, ast.Raise):
            raise _Raised()
        elif isinstance(s, ast.For):
            items = self.expr(s.iter, env)
            for item in (list(items)[:64] if isinstance(items, (list, tuple, dict)) else [UNKNOWN]):
                self.store(s.target, item, env)
                self.block(s.body, env)
        elif isinstance(s, (ast.With, ast.Try)):
            self.block(s.body, env)
        elif isinstance(s, ast.FunctionDef):
            env[s.name] = LocalFunction(s, env)

    def run_local(self, local: "LocalFunction", args: list, kwargs: dict):
        """Call a function defined inside a method; it sees the names of that method."""
        names = [a.arg for a in local.node.args.args]
        env = {**local.env, **dict(zip(names, args)), **{k: v for k, v in kwargs.items() if k in names}}
        try:
            self.block(local.node.body, env)
        except _Return as r:
            return r.value
        return None

    def branch(self, s: ast.If, env):
        test = self.truth(self.expr(s.test, env))
        if test is not UNKNOWN:
            self.block(s.body if test else s.orelse, env)
            return
        obj = env["self"]
        before_attrs, before_env = dict(obj.attrs), dict(env)
        results = []
        for body in (s.body, s.orelse):
            obj.attrs, local = dict(before_attrs), dict(before_env)
            try:
                self.block(body, local)
                results.append((obj.attrs, local))
            except _Raised:
                continue
        if not results:
            raise _Raised()
        obj.attrs = _join([r[0] for r in results])
        env.update(_join([r[1] for r in results]))

    def store(self, target, value, env):
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, ast.Attribute):
            base = self.expr(target.value, env)
            if isinstance(base, ConfigObj):
                base.set(target.attr, value)
        elif isinstance(target, ast.Subscript):
            base, key = self.expr(target.value, env), self.expr(target.slice, env)
            if isinstance(base, dict) and isinstance(key, (str, int)):
                base[key] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            known = isinstance(value, (list, tuple)) and len(value) == len(target.elts)
            for i, t in enumerate(target.elts):
                self.store(t, value[i] if known else UNKNOWN, env)

    # -- expressions: see config_expr.py -----------------------------------------------------
    def expr(self, n, env):
        from .config_expr import evaluate
        return evaluate(self, n, env)

    def literal(self, node: ast.expr, module: Module):
        value = self.expr(node, {"__module__": module})
        return plain_copy(value)

    @staticmethod
    def truth(value):
        if value is UNKNOWN:
            return UNKNOWN
        if isinstance(value, (ConfigObj, ClassRef, Spec)):
            return True
        return bool(value)


def _join(states: list[dict]) -> dict:
    out = {}
    for name in {k for s in states for k in s}:
        values = [s.get(name, UNKNOWN) for s in states]
        first = values[0]
        same = all(v is first or (not isinstance(v, ConfigObj) and v == first) for v in values)
        if not same:
            configs = [v for v in values if isinstance(v, ConfigObj)]
            same_class = len(configs) == len(values) and len({repr(v) for v in values}) == 1
            first = configs[0] if same_class else UNKNOWN
        out[name] = first
    return out
