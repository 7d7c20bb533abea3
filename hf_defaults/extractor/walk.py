"""Symbolic walk of modeling code: instantiates a model class on paper and notes its activations."""
from __future__ import annotations

import ast

from .config_classes import ConfigClass
from .configs import Configs
from .source import base_names, dotted, method
from .symbols import Symbols
from .values import (OPAQUE, Act, ActClass, Cfg, Choice, ClassVal, Condition, Const, FuncVal, Key, Mod,
                     Registry, Seq, Site, fingerprint)

STOP = {"PreTrainedModel", "Module", "nn.Module", "ABC", "GenerationMixin", "object", "BackboneMixin"}
SKIP_METHODS = {"__init__", "_init_weights", "post_process", "get_input_embeddings", "tie_weights",
                "set_input_embeddings", "prepare_inputs_for_generation", "generate", "loss_function",
                "init_weights", "from_pretrained", "extra_repr", "compute_loss"}
MAX_DEPTH = 26


class _Raise(Exception):
    pass


class Frame:
    """One function being walked: its names, its module, the instance and the conditions."""

    def __init__(self, module, env, self_mod, conditions, in_place, method_name):
        self.module, self.env, self.mod = module, env, self_mod
        self.conditions = conditions        # list of Condition
        self.in_place = in_place            # forward mode: calls of functionals are sites
        self.method = method_name
        self.returns: list = []
        self.bases: list = []
        self.depth = 0


class Walker:
    def __init__(self, symbols: Symbols, configs: Configs):
        self.symbols = symbols
        self.configs = configs
        self.memo: dict = {}
        self.depth = 0
        self.reached: set[tuple[str, str]] = set()
        self.unresolved: list[tuple] = []

    # -- instances -------------------------------------------------------------------------
    def root(self, module, node, cls: ConfigClass) -> Mod | None:
        """Instance of a model class whose configuration is `cls`."""
        self.memo = {}
        cfg = Cfg(cls)
        return self.instantiate(ClassVal(module, node), [cfg], {}, cfg)

    def mro(self, value: ClassVal) -> list[ClassVal]:
        out, queue = [], [value]
        while queue and len(out) < 12:
            v = queue.pop(0)
            out.append(v)
            for b in base_names(v.node):
                if b in STOP:
                    continue
                found = self.symbols.tree.find_class(v.module, b)
                if found and found[1] is not v.node and not found[0].path.startswith(("modeling_utils", "utils")):
                    queue.append(ClassVal(*found))
        return out

    def instantiate(self, value: ClassVal, args, kwargs, ctx) -> Mod | None:
        key = (value.fingerprint(), tuple(fingerprint(a) for a in args),
               tuple(sorted((k, str(fingerprint(v))) for k, v in kwargs.items())),
               ctx.fingerprint() if ctx else None)
        if key in self.memo:
            return self.memo[key]
        if self.depth > MAX_DEPTH:
            return None
        given = next((a for a in list(args) + list(kwargs.values()) if isinstance(a, Cfg)), None)
        mod = Mod(value.module, value.node, given or ctx)
        self.memo[key] = mod
        self.reached.add((value.module.path, value.node.name))
        self.depth += 1
        try:
            chain = self.mro(value)
            self.run_init(mod, chain, args, kwargs)
            self.run_methods(mod, chain)
        finally:
            self.depth -= 1
        return mod

    def run_init(self, mod, chain, args, kwargs, conditions=()):
        for i, c in enumerate(chain):
            init = method(c.node, "__init__")
            if init:
                frame = Frame(c.module, {}, mod, list(conditions), False, "__init__")
                frame.bases = chain[i + 1:]
                self.bind(init, frame, args, kwargs, skip_self=True)
                try:
                    self.block(init.body, frame)
                except _Raise:
                    pass
                return

    def run_methods(self, mod, chain):
        done = set(SKIP_METHODS)
        for c in chain:
            for s in c.node.body:
                if not isinstance(s, ast.FunctionDef) or s.name in done:
                    continue
                done.add(s.name)
                if s.name.startswith(("_init", "loss", "compute_")) or "loss" in s.name:
                    continue
                frame = Frame(c.module, {}, mod, [], True, s.name)
                self.bind(s, frame, [], {}, skip_self=True, alone=True)
                try:
                    self.block(s.body, frame)
                except _Raise:
                    pass  # a method whose rest always raises has been walked up to there

    def bind(self, fn, frame, args, kwargs, skip_self=False, alone=False):
        """Names of a call's parameters. `alone`: the method is walked without a caller, so a default
        says nothing about the value it gets."""
        a = fn.args
        names = [p.arg for p in a.posonlyargs + a.args]
        if skip_self and names and names[0] in ("self", "cls"):
            names = names[1:]
        positional = len(names)
        defaults = dict(zip(names[len(names) - len(a.defaults):], a.defaults)) if a.defaults else {}
        defaults.update({p.arg: d for p, d in zip(a.kwonlyargs, a.kw_defaults) if d is not None})
        names += [p.arg for p in a.kwonlyargs]
        rest = {k: one_config(v) for k, v in kwargs.items()}
        args = [one_config(v) for v in args]
        for i, name in enumerate(names):
            if i < len(args) and i < positional:
                frame.env[name] = args[i]
            elif name in rest:
                frame.env[name] = rest.pop(name)
            elif name in defaults and (not alone or self.keeps_default(defaults[name])):
                frame.env[name] = self.expr(defaults[name], frame)
            else:
                frame.env[name] = OPAQUE
        if a.vararg:
            frame.env[a.vararg.arg] = Seq(list(args[positional:]))
        if a.kwarg:
            frame.env[a.kwarg.arg] = Registry("kwargs", tuple(rest.items()))

    @staticmethod
    def keeps_default(node) -> bool:
        """A forward parameter's default is a fact only for activation names, not for None or flags."""
        return isinstance(node, ast.Constant) and isinstance(node.value, (str, float))

    # -- statements ------------------------------------------------------------------------
    def block(self, body, f: Frame):
        for s in body:
            self.statement(s, f)

    def statement(self, s, f: Frame):
        if isinstance(s, ast.Assign):
            value = self.expr(s.value, f)
            for t in s.targets:
                self.store(t, value, f, s.lineno)
        elif isinstance(s, ast.AnnAssign):
            if s.value is not None:
                self.store(s.target, self.expr(s.value, f), f, s.lineno)
        elif isinstance(s, ast.AugAssign):
            self.expr(s.value, f)
            value = self.expr(s.value, f) if isinstance(s.op, ast.Add) else OPAQUE
            old = f.env.get(s.target.id) if isinstance(s.target, ast.Name) else None
            if isinstance(old, Seq) and isinstance(value, Seq):
                old.items.extend(value.items)
            elif isinstance(s.target, ast.Name):
                f.env[s.target.id] = OPAQUE
        elif isinstance(s, ast.Expr):
            self.expr(s.value, f)
        elif isinstance(s, ast.Return):
            if s.value is not None:
                f.returns.append((tuple(f.conditions), self.expr(s.value, f)))
        elif isinstance(s, ast.If):
            self.branch(s, f)
        elif isinstance(s, (ast.For, ast.AsyncFor)):
            self.loop(s, f)
        elif isinstance(s, ast.While):
            self.block(s.body, f)
        elif isinstance(s, (ast.With, ast.Try)):
            self.block(s.body, f)
            if isinstance(s, ast.Try):
                self.block(s.orelse, f)
        elif isinstance(s, ast.FunctionDef):
            f.env[s.name] = FuncVal(f.module, s)
        elif isinstance(s, ast.Raise):
            raise _Raise()

    def loop(self, s, f: Frame):
        items = self.expr(s.iter, f)
        known = items.items if isinstance(items, Seq) and 0 < len(items.items) <= 4 else [OPAQUE]
        for item in known:
            self.store(s.target, item, f, s.lineno)
            self.block(s.body, f)

    def branch(self, s: ast.If, f: Frame):
        from .walk_expr import test_conditions
        test = test_conditions(self, s.test, f)
        if isinstance(test, bool):
            self.block(s.body if test else s.orelse, f)
            return
        if len(test) == 1:
            negated = [test[0].negated()]
        else:
            negated = [Condition(None, "expr", f"not ({ast.unparse(s.test)})")]
        before_env = dict(f.env)
        before_attrs = dict(f.mod.attrs) if f.mod else {}
        outcomes = []
        for conds, body in ((test, s.body), (negated, s.orelse)):
            f.env = dict(before_env)
            if f.mod:
                f.mod.attrs = dict(before_attrs)
            f.conditions.extend(conds)
            try:
                self.block(body, f)
                outcomes.append((tuple(conds), f.env, dict(f.mod.attrs) if f.mod else {}))
            except _Raise:
                pass
            finally:
                del f.conditions[-len(conds):]
        if not outcomes:
            raise _Raise()
        f.env = merge([(c, e) for c, e, _a in outcomes])
        if f.mod:
            f.mod.attrs = merge([(c, a) for c, _e, a in outcomes])

    def store(self, target, value, f: Frame, line: int):
        if isinstance(target, ast.Name):
            f.env[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.items if isinstance(value, Seq) and len(value.items) == len(target.elts) else None
            for i, t in enumerate(target.elts):
                self.store(t, items[i] if items else OPAQUE, f, line)
        elif isinstance(target, ast.Attribute):
            if isinstance(target.value, ast.Name) and target.value.id == "self" and f.mod:
                self.set_attribute(f, target.attr, value, line)
                return
            base = self.expr(target.value, f)
            if isinstance(base, Cfg) and isinstance(value, Const) and isinstance(target.value, ast.Name):
                kept = tuple(p for p in base.written if p[0] != target.attr)
                f.env[target.value.id] = Cfg(base.cls, base.path, base.parents,
                                             kept + ((target.attr, value.value),))
        elif isinstance(target, ast.Subscript):
            base = self.expr(target.value, f)
            if isinstance(base, Seq):
                base.items.append(value)

    def set_attribute(self, f: Frame, name, value, line):
        f.mod.attrs[name] = value
        self.attach(f, name, value, line, tuple(f.conditions))

    def attach(self, f: Frame, name, value, line, conditions, depth=0):
        """Record the activations and child modules inside a stored value."""
        if isinstance(value, ActClass):
            value = self.as_act(value)
        if isinstance(value, Act):
            f.mod.sites.append(Site(value, name, f.method, line, f.module.path, conditions))
        elif isinstance(value, Mod):
            if not any(c[0] == name and c[1] is value for c in f.mod.children):
                f.mod.children.append((name, value, conditions))
        elif isinstance(value, Choice):
            for conds, v in value.options:
                self.attach(f, name, v, line, conditions + tuple(conds), depth)
        elif isinstance(value, Seq) and depth < 4:
            for v in value.items:
                self.attach(f, name, v, line, conditions, depth + 1)
        elif isinstance(value, Registry) and depth < 2:
            for _k, v in value.items:
                if isinstance(v, (Act, Mod, Seq)):
                    self.attach(f, name, v, line, conditions, depth + 1)

    def as_act(self, value: ActClass):
        """A bare reference to an activation function used as a value."""
        from .symbols import FUNCTIONALS, make_functional
        last = value.name.split(".")[-1]
        if value.name.startswith("F.") and last in FUNCTIONALS:
            return make_functional(last, {}, value.name)
        return value

    # -- expressions: see walk_expr.py -------------------------------------------------------
    def expr(self, n, f: Frame):
        from .walk_expr import evaluate
        return evaluate(self, n, f)

    def site(self, f: Frame, act: Act, line: int, attr: str = ""):
        if f.mod is None:
            return
        for s in f.mod.sites:
            if s.line == line and s.path == f.module.path and s.act == act and s.attr == attr:
                return
        f.mod.sites.append(Site(act, attr, f.method, line, f.module.path, tuple(f.conditions)))


def one_config(value):
    """Of alternative configurations the first of a known class: they differ in how they are stored."""
    if isinstance(value, Choice) and any(isinstance(v, Cfg) for _c, v in value.options):
        configs = [v for _c, v in value.options if isinstance(v, Cfg)]
        return next((v for v in configs if v.cls is not None), configs[0])
    return value


def merge(outcomes):
    """Join the states of two branches; where they differ the value becomes a Choice."""
    if len(outcomes) == 1:
        return outcomes[0][1]
    (c1, a), (c2, b) = outcomes
    out = {}
    for name in list(a) + [n for n in b if n not in a]:
        va, vb = a.get(name), b.get(name)
        if va is vb or va is None or vb is None:
            out[name] = va if va is not None else vb
        elif fingerprint(va) == fingerprint(vb):
            out[name] = va
        elif OPAQUE in (va, vb) and not isinstance(va, (Act, Mod, Seq, Key, Cfg, Choice, ClassVal)) \
                and not isinstance(vb, (Act, Mod, Seq, Key, Cfg, Choice, ClassVal)):
            out[name] = OPAQUE
        else:
            options = []
            for conds, v in ((c1, va), (c2, vb)):
                if isinstance(v, Choice):
                    options += [(tuple(conds) + tuple(c), x) for c, x in v.options][:8]
                else:
                    options.append((tuple(conds), v))
            out[name] = Choice(tuple(options[:12]))
    return out
