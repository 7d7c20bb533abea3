"""Expressions of the symbolic walk."""
from __future__ import annotations

import ast

from .inline import inline_formula
from .source import dotted
from .symbols import FUNCTIONALS, functional, make_functional, make_module, torch_class
from .values import (OPAQUE, Act, ActClass, Cfg, Choice, ClassVal, Condition, Const, FuncVal, Key, Mod,
                     Registry, Seq)

_CONTAINERS = {"nn.Sequential", "nn.ModuleList", "nn.ModuleDict", "torch.nn.Sequential",
               "torch.nn.ModuleList", "OrderedDict", "collections.OrderedDict", "list", "tuple",
               "nn.ParameterList", "torch.nn.ModuleDict"}


def evaluate(w, n, f):  # noqa: C901 - one case per syntax form
    if isinstance(n, ast.Constant):
        return Const(n.value)
    if isinstance(n, ast.Name):
        return name_value(w, n.id, f)
    if isinstance(n, ast.Attribute):
        return attribute(w, n, f)
    if isinstance(n, ast.Subscript):
        return subscript(w, n, f)
    if isinstance(n, ast.Call):
        return call(w, n, f)
    if isinstance(n, (ast.List, ast.Tuple, ast.Set)):
        out = []
        for e in n.elts:
            v = w.expr(e.value if isinstance(e, ast.Starred) else e, f)
            out += v.items if isinstance(e, ast.Starred) and isinstance(v, Seq) else [v]
        return Seq(out)
    if isinstance(n, ast.Dict):
        items = []
        for k, v in zip(n.keys, n.values):
            value = w.expr(v, f)
            if k is None:
                items += list(value.items) if isinstance(value, Registry) else []
            else:
                key = w.expr(k, f)
                items.append((key.value if isinstance(key, Const) else ast.unparse(k), value))
        return Registry(ast.unparse(n)[:60], tuple(items))
    if isinstance(n, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
        return comprehension(w, n, f)
    if isinstance(n, ast.DictComp):
        comprehension_targets(w, n, f)
        return Seq([w.expr(n.value, f)])
    if isinstance(n, ast.IfExp):
        test = test_conditions(w, n.test, f)
        if isinstance(test, bool):
            return w.expr(n.body if test else n.orelse, f)
        negated = (test[0].negated(),) if len(test) == 1 else (
            Condition(None, "expr", f"not ({ast.unparse(n.test)})"),)
        return choice([(tuple(test), w.expr(n.body, f)), (negated, w.expr(n.orelse, f))])
    if isinstance(n, ast.BoolOp):
        values = [w.expr(v, f) for v in n.values]
        if isinstance(n.op, ast.Or):
            first = values[0]
            return values[-1] if isinstance(first, Const) and not first.value else first
        return OPAQUE
    if isinstance(n, ast.BinOp):
        return binop(w, n, f)
    if isinstance(n, ast.UnaryOp):
        v = w.expr(n.operand, f)
        if isinstance(n.op, ast.Not) and isinstance(v, Const):
            return Const(not v.value)
        return OPAQUE
    if isinstance(n, ast.Compare):
        w.expr(n.left, f)
        return OPAQUE
    if isinstance(n, ast.Lambda):
        return FuncVal(f.module, n, dict(f.env))
    if isinstance(n, ast.NamedExpr):
        value = w.expr(n.value, f)
        f.env[n.target.id] = value
        return value
    if isinstance(n, (ast.Starred, ast.Await)):
        return w.expr(n.value, f)
    return OPAQUE


def choice(options):
    flat = []
    for conds, v in options:
        if isinstance(v, Choice):
            flat += [(tuple(conds) + tuple(c), x) for c, x in v.options]
        else:
            flat.append((tuple(conds), v))
    if all(v is OPAQUE for _c, v in flat):
        return OPAQUE
    return Choice(tuple(flat[:12]))


def name_value(w, name, f):
    if name in f.env:
        return f.env[name]
    if name == "self":
        return f.mod if f.mod is not None else OPAQUE
    found = w.symbols.lookup(f.module, name)
    if found is not None:
        return found
    if name in f.module.assigns:
        value = f.module.assigns[name]
        if isinstance(value, (ast.Dict, ast.Constant, ast.List, ast.Tuple, ast.Name, ast.Attribute)):
            from .walk import Frame
            scope = Frame(f.module, {}, None, [], False, "<module>")
            out = w.expr(value, scope)
            return Registry(name, out.items) if isinstance(out, Registry) else out
    return OPAQUE


def attribute(w, n, f):
    text = dotted(n)
    if text and functional(text):
        return ActClass("F." + text.split(".")[-1])
    if text and torch_class(text):
        return ActClass("nn." + text.split(".")[-1])
    base = w.expr(n.value, f)
    return member(w, base, n.attr, f)


def member(w, base, attr, f):
    if isinstance(base, Cfg):
        return cfg_member(w, base, attr)
    if isinstance(base, Mod):
        if attr in base.attrs:
            return base.attrs[attr]
        if attr == "config":
            return base.ctx or OPAQUE
        for c in w.mro(ClassVal(base.module, base.node)):
            for s in c.node.body:
                if isinstance(s, ast.FunctionDef) and s.name == attr:
                    return FuncVal(c.module, s, base)
                if isinstance(s, ast.Assign) and any(isinstance(t, ast.Name) and t.id == attr for t in s.targets):
                    return w.expr(s.value, f)
        return OPAQUE
    if isinstance(base, Choice):
        return choice([(c, member(w, v, attr, f)) for c, v in base.options])
    if isinstance(base, Key) and base.cfg.cls is None:
        return Key(Cfg(None, base.cfg.path + (base.name,), base.cfg.parents + (base.cfg,)), attr)
    return OPAQUE


def cfg_member(w, cfg: Cfg, attr: str):
    for key, value in cfg.written:
        if key == attr:
            return Const(value)
    chain = cfg.parents + (cfg,)
    if cfg.cls is not None:
        is_sub, cls = w.configs.sub_class(cfg.cls, attr)
        if is_sub:
            return Cfg(cls, cfg.path + (attr,), chain)
        declared = cfg.cls.declared()
        if attr in declared or attr in cfg.cls.attribute_map:
            return Key(cfg, attr)
    if attr == "per_layer_config":  # the same keys, layer by layer
        return Seq([cfg])
    if attr.endswith("_config") and attr not in ("quantization_config",):
        return Cfg(None, cfg.path + (attr,), chain)
    return Key(cfg, attr)


def subscript(w, n, f):
    base = w.expr(n.value, f)
    if isinstance(base, ActClass) and base.name in ("ACT2FN", "ACT2CLS"):
        return registry_act(w, w.expr(n.slice, f), ast.unparse(n), f, n.lineno)
    if isinstance(n.slice, ast.Slice):
        return base if isinstance(base, Seq) else OPAQUE
    key = w.expr(n.slice, f)
    if isinstance(base, Registry):
        return registry_item(w, base, key, ast.unparse(n), f, n.lineno)
    if isinstance(base, Seq) and base.items:
        if isinstance(key, Const) and isinstance(key.value, int) and -len(base.items) <= key.value < len(base.items):
            return base.items[key.value]
        return base.items[0] if not isinstance(base.items[0], Const) else OPAQUE
    if isinstance(base, (Key, Cfg)) and isinstance(key, Const) and isinstance(key.value, str):
        return dict_key(base, key.value)
    return OPAQUE


def dict_key(base, name, fallback=None):
    """config.ffn_act_fn["name"], module_config.get("activation", "silu")."""
    if isinstance(base, Cfg):
        return Key(base, name, fallback)
    cfg = Cfg(None, base.cfg.path + (base.name,), base.cfg.parents + (base.cfg,))
    return Key(cfg, name, fallback)


def registry_item(w, base: Registry, key, written, f, line):
    items = dict(base.items)
    if isinstance(key, Const):
        return items.get(key.value, OPAQUE)
    acts = {k: w.as_act(v) if isinstance(v, ActClass) else v for k, v in items.items()}
    if acts and all(isinstance(v, Act) for v in acts.values()) and isinstance(key, Key):
        act = Act(written, None, key, tuple((k, v.formula) for k, v in acts.items()))
        if f.in_place:
            w.site(f, act, line)
        return act
    if isinstance(key, Key) and 1 < len(items) <= 8 and not key.name.startswith("_attn"):
        return choice([((Condition(key, "equals", k),), v) for k, v in items.items()])
    if items:
        return next(iter(items.values()))
    return OPAQUE


def registry_act(w, key, written, f, line):
    act = None
    if isinstance(key, Const) and isinstance(key.value, str):
        entry = w.symbols.act2fn.names.get(key.value)
        act = Act(written, entry["formula"] if entry else "unknown")
    elif isinstance(key, Key):
        act = Act(written, None, key)
    elif isinstance(key, Choice):
        known = [(c, v) for c, v in key.options if v is not OPAQUE and not (
            isinstance(v, Const) and not isinstance(v.value, str))]
        return choice([(c, registry_act(w, v, written, f, line)) for c, v in known or key.options])
    elif isinstance(key, (Act, ActClass)):
        return key
    else:
        if f.mod is not None:
            w.unresolved.append((f.module.path, line, f.mod.node.name, written))
        return Act(written, "unknown")
    if f.in_place and act is not None:
        w.site(f, act, line)
    return act


def comprehension_targets(w, n, f):
    for g in n.generators:
        items = w.expr(g.iter, f)
        item = items.items[0] if isinstance(items, Seq) and len(items.items) == 1 else OPAQUE
        w.store(g.target, item, f, n.lineno)


def comprehension(w, n, f):
    items = w.expr(n.generators[0].iter, f)
    if isinstance(items, Seq) and 1 < len(items.items) <= 6 and len(n.generators) == 1:
        out = []
        for item in items.items:
            w.store(n.generators[0].target, item, f, n.lineno)
            out.append(w.expr(n.elt, f))
        return Seq(out)
    comprehension_targets(w, n, f)
    return Seq([w.expr(n.elt, f)])


def binop(w, n, f):
    if f.in_place and f.mod is not None and isinstance(n.op, ast.Mult):
        found = inline_formula(w, n, f)
        if found:
            w.site(f, found, n.lineno)
            return OPAQUE
    a, b = w.expr(n.left, f), w.expr(n.right, f)
    if isinstance(n.op, ast.Mult) and isinstance(a, Seq):
        return a
    if isinstance(n.op, ast.Add) and isinstance(a, Seq) and isinstance(b, Seq):
        return Seq(a.items + b.items)
    if isinstance(a, Const) and isinstance(b, Const):
        try:
            return Const({ast.Add: lambda: a.value + b.value, ast.Mult: lambda: a.value * b.value,
                          ast.Sub: lambda: a.value - b.value, ast.Div: lambda: a.value / b.value,
                          ast.Pow: lambda: a.value ** b.value}[type(n.op)]())
        except Exception:  # noqa: BLE001
            return OPAQUE
    return OPAQUE


# -- tests ---------------------------------------------------------------------------------
def test_conditions(w, n, f):  # noqa: C901
    """True or False when the test is decided, else the list of conditions it stands for."""
    if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Not):
        inner = test_conditions(w, n.operand, f)
        if isinstance(inner, bool):
            return not inner
        return [inner[0].negated()] if len(inner) == 1 else [Condition(None, "expr", ast.unparse(n))]
    if isinstance(n, ast.BoolOp):
        parts = [test_conditions(w, v, f) for v in n.values]
        if isinstance(n.op, ast.And):
            if any(p is False for p in parts):
                return False
            out = [c for p in parts if not isinstance(p, bool) for c in p]
            return out or True
        if any(p is True for p in parts):
            return True
        open_parts = [p for p in parts if not isinstance(p, bool)]
        if len(open_parts) == 1:
            return open_parts[0]
        return [Condition(None, "expr", ast.unparse(n))] if open_parts else False
    if isinstance(n, ast.Call) and dotted(n.func) == "isinstance" and len(n.args) == 2:
        value = w.expr(n.args[0], f)
        kind = ast.unparse(n.args[1])
        if isinstance(value, (Key, Const)) and kind == "str":
            return True if isinstance(value, Key) else isinstance(value.value, str)
        if isinstance(value, Cfg) and value.cls is not None:
            return kind.split(".")[-1] in [c.name for c in value.cls.mro()] or kind in ("PreTrainedConfig",
                                                                                       "PretrainedConfig")
        if isinstance(value, (Act, ActClass)) and kind == "str":
            return False
        return [Condition(None, "expr", ast.unparse(n))]
    if isinstance(n, ast.Call) and dotted(n.func) == "hasattr" and len(n.args) == 2:
        value, name = w.expr(n.args[0], f), w.expr(n.args[1], f)
        if isinstance(value, Cfg) and value.cls is not None and isinstance(name, Const):
            return w.configs.has_attribute(value.cls, name.value)
        return [Condition(None, "expr", ast.unparse(n))]
    if isinstance(n, ast.Compare) and len(n.ops) == 1:
        return compare_conditions(w, n, f)
    value = w.expr(n, f)
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Key):
        return [Condition(value, "truthy")]
    if isinstance(value, (Mod, ClassVal, Act, Cfg)):
        return True
    return [Condition(None, "expr", ast.unparse(n))]


def compare_conditions(w, n, f):
    a, b = w.expr(n.left, f), w.expr(n.comparators[0], f)
    op = n.ops[0]
    if isinstance(a, Const) and isinstance(b, Const):
        table = {ast.Eq: lambda: a.value == b.value, ast.NotEq: lambda: a.value != b.value,
                 ast.Is: lambda: a.value is b.value, ast.IsNot: lambda: a.value is not b.value,
                 ast.Gt: lambda: a.value > b.value, ast.Lt: lambda: a.value < b.value,
                 ast.GtE: lambda: a.value >= b.value, ast.LtE: lambda: a.value <= b.value}
        if type(op) in table:
            try:
                return bool(table[type(op)]())
            except TypeError:
                pass
    if isinstance(b, Const) and b.value is None and isinstance(a, (Act, ActClass, Mod, ClassVal, Cfg, Seq)):
        return isinstance(op, ast.IsNot)
    if isinstance(a, Key) and isinstance(b, Const):
        if b.value is None:
            return [Condition(a, "is_null" if isinstance(op, (ast.Is, ast.Eq)) else "not_null")]
        if isinstance(op, (ast.Eq, ast.Is)):
            return [Condition(a, "equals", b.value)]
        if isinstance(op, (ast.NotEq, ast.IsNot)):
            return [Condition(a, "not_equals", b.value)]
    if isinstance(a, Key) and isinstance(b, Seq) and isinstance(op, (ast.In, ast.NotIn)) \
            and all(isinstance(i, Const) for i in b.items):
        return [Condition(a, "in" if isinstance(op, ast.In) else "not_in", tuple(i.value for i in b.items))]
    if isinstance(a, Const) and isinstance(b, (Seq, Registry)) and isinstance(op, (ast.In, ast.NotIn)):
        values = [i.value for i in b.items if isinstance(i, Const)] if isinstance(b, Seq) else [k for k, _v in b.items]
        return (a.value in values) == isinstance(op, ast.In)
    return [Condition(None, "expr", ast.unparse(n))]


# -- calls ---------------------------------------------------------------------------------
def arguments(w, n, f):
    args: list = []
    for a in n.args:
        v = w.expr(a.value if isinstance(a, ast.Starred) else a, f)
        if isinstance(a, ast.Starred):
            args += v.items if isinstance(v, Seq) else [v]
        else:
            args.append(v)
    kwargs: dict = {}
    for k in n.keywords:
        v = w.expr(k.value, f)
        if k.arg is None:
            kwargs.update({kk: vv for kk, vv in v.items if isinstance(kk, str)} if isinstance(v, Registry) else {})
        else:
            kwargs[k.arg] = v
    return args, kwargs


def call(w, n, f):
    from .walk_call import call_value
    return call_value(w, n, f)
