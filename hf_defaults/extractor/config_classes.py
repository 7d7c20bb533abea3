"""Configuration classes of one release: where they are and what they declare."""
from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from .source import Module, SourceTree, base_names, method

# Keys that name or choose an activation. Keys read by a slot or by a slot's condition are added
# to this set afterwards, whatever they are called.
KEY = re.compile(r"(^|_)(act|acts|activation|activations|afn|actfn|nonlinearity)(_|$)|"
                 r"(gelu|silu|relu|swish|swiglu|geglu|glu)(_|$)|activation|feed_forward_proj")
NOT_KEY = re.compile(r"dropout|sparsity|checkpoint|quant|slope|(^|_)(act_dim|max_act|num_act)|altup|limit|"
                     r"alpha|beta|action|threshold|_p$|prob|bias")
BASES = {"PretrainedConfig", "PreTrainedConfig"}


def is_activation_key(name: str) -> bool:
    return bool(KEY.search(name)) and not NOT_KEY.search(name)


@dataclass
class ConfigClass:
    name: str
    module: Module
    node: ast.ClassDef
    bases: list["ConfigClass"] = field(default_factory=list)
    model_type: str | None = None
    attribute_map: dict[str, str] = field(default_factory=dict)
    fields: dict[str, tuple[ast.expr | None, int]] = field(default_factory=dict)  # own, not inherited
    _declared: dict | None = None
    strings: set | None = None      # string constants and attribute names of its code, once asked for
    mentioned: set | None = None

    def mro(self) -> list["ConfigClass"]:
        out = [self]
        for b in self.bases:
            out += [c for c in b.mro() if c not in out]
        return out

    def find_method(self, name: str) -> tuple["ConfigClass", ast.FunctionDef] | None:
        for c in self.mro():
            m = method(c.node, name)
            if m:
                return c, m
        return None

    def class_attr(self, name: str) -> tuple["ConfigClass", ast.expr] | None:
        for c in self.mro():
            if name in c.fields and c.fields[name][0] is not None:
                return c, c.fields[name][0]
        return None

    def declared(self) -> dict[str, tuple[ast.expr | None, int, str]]:
        """As `declared_now`, kept: a class does not change once its module is parsed."""
        if self._declared is None:
            self._declared = self.declared_now()
        return self._declared

    def declared_now(self) -> dict[str, tuple[ast.expr | None, int, str]]:
        """Key -> (default expression, line, declared|inherited), base classes overlaid by this one."""
        out: dict[str, tuple[ast.expr | None, int, str]] = {}
        for c in reversed(self.mro()):
            how = "declared" if c is self else "inherited"
            for name, (value, line) in c.fields.items():
                out[name] = (value, line, how)
            init = method(c.node, "__init__")
            if init:
                a = init.args
                args = a.posonlyargs + a.args
                defaults = [None] * (len(args) - len(a.defaults)) + list(a.defaults)
                for arg, d in list(zip(args, defaults)) + list(zip(a.kwonlyargs, a.kw_defaults)):
                    if arg.arg != "self":
                        out[arg.arg] = (d, arg.lineno, how)
        for name in ("model_type", "sub_configs", "sub_configs_defaults", "attribute_map",
                     "base_config_key", "is_composition"):
            out.pop(name, None)
        return out


class ConfigIndex:
    """All configuration classes of a release, and CONFIG_MAPPING."""

    def __init__(self, tree: SourceTree):
        self.tree = tree
        self.by_name: dict[str, list[ConfigClass]] = {}
        self._by_node: dict[int, ConfigClass] = {}
        self._all: list[ConfigClass] = []
        for path in tree.files("configuration_"):
            module = tree.module(path)
            for node in module.classes.values():
                if self._is_config(module, node):
                    self._add(module, node)
        for c in self.all():
            self._link(c)
        self.model_types = self._mapping()
        self._type_of_name: dict[str, str] = {}
        for model_type, name in self.model_types.items():
            self._type_of_name.setdefault(name, model_type)

    def all(self) -> list[ConfigClass]:
        if len(self._all) != sum(len(v) for v in self.by_name.values()):
            self._all = [c for name in sorted(self.by_name) for c in self.by_name[name]]
        return self._all

    def _is_config(self, module: Module, node: ast.ClassDef, depth: int = 0) -> bool:
        for b in base_names(node):
            if b in BASES:
                return True
            found = self.tree.find_class(module, b) if depth < 5 else None
            if found and found[1] is not node and self._is_config(found[0], found[1], depth + 1):
                return True
        return False

    def _add(self, module: Module, node: ast.ClassDef) -> None:
        c = ConfigClass(node.name, module, node)
        for s in node.body:
            if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
                c.fields[s.targets[0].id] = (s.value, s.lineno)
            elif isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name):
                c.fields[s.target.id] = (s.value, s.lineno)
        for key in ("model_type", "attribute_map"):
            value = c.fields.get(key, (None, 0))[0]
            if value is not None:
                try:
                    setattr(c, key, ast.literal_eval(value))
                except ValueError:
                    pass
        self.by_name.setdefault(c.name, []).append(c)
        self._by_node[id(node)] = c

    def _link(self, c: ConfigClass) -> None:
        for b in base_names(c.node):
            found = self.tree.find_class(c.module, b)
            base = self._by_node.get(id(found[1])) if found else None
            if base and base is not c:
                c.bases.append(base)
        if c.model_type is None:
            for b in c.mro()[1:]:
                if b.model_type and not c.model_type:
                    c.model_type = b.model_type
        if not c.attribute_map:
            for b in c.mro()[1:]:
                if b.attribute_map and not c.attribute_map:
                    c.attribute_map = b.attribute_map

    def key_of(self, c: ConfigClass) -> str:
        """Name in the table: the class name, or "folder:Class" when several folders define it."""
        same = self.by_name.get(c.name, [])
        if len(same) <= 1:
            return c.name
        folder = c.module.folder.split("/")[-1]
        twins = [x for x in same if x.module.folder == c.module.folder]
        return f"{folder}:{c.name}" if same[0] is not c or len(twins) > 1 else c.name

    def of_model_type(self, model_type: str) -> ConfigClass | None:
        name = self.model_types.get(model_type)
        found = self.by_name.get(name, []) if name else []
        for c in found:
            if c.model_type == model_type:
                return c
        return found[0] if found else None

    def resolve(self, module: Module, name: str) -> ConfigClass | None:
        found = self.tree.find_class(module, name)
        if found:
            return self._by_node.get(id(found[1]))
        same = self.by_name.get(name, [])
        near = [c for c in same if c.module.folder == module.folder]
        return (near or same or [None])[0]

    def _mapping(self) -> dict[str, str]:
        """CONFIG_MAPPING_NAMES of the auto folder: a literal, later updates and re-assignments."""
        out: dict[str, str] = {}
        for path in ("models/auto/auto_mappings.py", "models/auto/configuration_auto.py"):
            module = self.tree.module(path)
            if module is None:
                continue
            for s in module.tree.body:
                target = value = None
                if isinstance(s, ast.Assign) and len(s.targets) == 1:
                    target, value = s.targets[0], s.value
                elif isinstance(s, ast.AnnAssign):
                    target, value = s.target, s.value
                elif isinstance(s, ast.Expr) and isinstance(s.value, ast.Call):
                    f = s.value.func
                    if isinstance(f, ast.Attribute) and f.attr == "update":
                        target, value = f.value, s.value
                if isinstance(target, ast.Name) and target.id == "CONFIG_MAPPING_NAMES" and value:
                    for pair in _string_pairs(value):
                        out[pair[0]] = pair[1]
        return dict(sorted(out.items()))


def _string_pairs(node: ast.AST):
    for n in ast.walk(node):
        if isinstance(n, ast.Tuple) and len(n.elts) == 2:
            parts = n.elts
        elif isinstance(n, ast.Dict):
            for k, v in zip(n.keys, n.values):
                if isinstance(k, ast.Constant) and isinstance(v, ast.Constant):
                    yield k.value, v.value
            continue
        else:
            continue
        if all(isinstance(p, ast.Constant) and isinstance(p.value, str) for p in parts):
            yield parts[0].value, parts[1].value
