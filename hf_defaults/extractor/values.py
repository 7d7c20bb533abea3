"""Values of the symbolic walk over modeling code.

A configuration is a path from the root model's configuration; a value read from it is a Key; an
activation is an Act. Whatever the walk does not follow is OPAQUE.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from .config_classes import ConfigClass, is_activation_key
from .source import Module


class _Opaque:
    def __repr__(self):
        return "OPAQUE"


OPAQUE = _Opaque()


@dataclass(frozen=True)
class Const:
    value: object


@dataclass(frozen=True, eq=False)
class Cfg:
    """A configuration object: `cls` is None for a sub-config chosen by its model_type."""

    cls: ConfigClass | None
    path: tuple[str, ...] = ()
    parents: tuple = ()          # Cfg values of every prefix of `path`, the root first
    written: tuple = ()          # (key, value) pairs stored by the modeling code itself

    def rewrites_activation(self) -> bool:
        """The modeling code overwrites an activation key of this (copied) configuration."""
        return any(is_activation_key(k) for k, _v in self.written)

    def fingerprint(self):
        return ("cfg", self.cls.name if self.cls else None, self.path, self.written)


@dataclass(frozen=True)
class Key:
    """A value read from a configuration: its path is that of the configuration plus the key."""

    cfg: Cfg
    name: str
    fallback: object = None

    def fingerprint(self):
        return ("key", self.cfg.path, self.name, self.fallback)


@dataclass(frozen=True)
class Act:
    """An activation: either a registry lookup with `key`, or a fixed `formula`."""

    written: str
    formula: str | None = None
    key: Key | None = None
    names: tuple = ()            # (name, formula) pairs of a module-local registry
    modifiers: tuple = ()
    is_gate: bool = False        # sigmoid, tanh, softplus, glu: a gate unless a slot says otherwise

    def fingerprint(self):
        return ("act", self.written, self.formula, self.key.fingerprint() if self.key else None)


@dataclass(frozen=True)
class ActClass:
    """A class or function whose call yields an activation (nn.GELU before it is called)."""

    name: str

    def fingerprint(self):
        return ("actclass", self.name)


@dataclass(frozen=True)
class Choice:
    """Alternatives of a branch; each with the condition under which it is taken."""

    options: tuple               # of (condition, value)

    def fingerprint(self):
        return ("choice",) + tuple((str(c), fingerprint(v)) for c, v in self.options)


@dataclass(frozen=True)
class Registry:
    """A module-local dictionary: name -> value."""

    label: str
    items: tuple

    def get(self, key):
        return dict(self.items).get(key)


@dataclass
class Seq:
    """A list (ModuleList, Sequential, a plain list) of values."""

    items: list


@dataclass(frozen=True, eq=False)
class ClassVal:
    module: Module
    node: object

    def fingerprint(self):
        return ("class", self.module.path, self.node.name)


@dataclass(frozen=True, eq=False)
class FuncVal:
    module: Module
    node: object
    bound: object = None

    def fingerprint(self):
        return ("func", self.module.path, self.node.name)


@dataclass
class Site:
    """One place where an activation is stored or applied, inside one module instance."""

    act: Act
    attr: str                    # attribute it is stored in, or "" when applied in place
    method: str
    line: int
    path: str
    conditions: tuple = ()
    count: int = 1


@dataclass
class Mod:
    """A module instance: its class, attributes, own activation sites and children."""

    module: Module
    node: object
    ctx: Cfg | None
    attrs: dict = field(default_factory=dict)
    sites: list = field(default_factory=list)
    children: list = field(default_factory=list)   # (attribute, Mod, conditions)

    def fingerprint(self):
        return ("mod", self.module.path, self.node.name, id(self))


def fingerprint(v) -> object:
    if hasattr(v, "fingerprint"):
        return v.fingerprint()
    if isinstance(v, Const):
        return ("const", repr(v.value))
    if isinstance(v, Seq):
        return ("seq",) + tuple(fingerprint(i) for i in v.items[:6])
    if isinstance(v, Registry):
        return ("registry", v.label)
    return "?"


@dataclass(frozen=True)
class Condition:
    """`key` read from a configuration compared with a value; or the text of the test."""

    key: Key | None
    op: str                      # equals, not_equals, in, not_in, is_null, not_null, expr
    value: object = None

    def negated(self) -> "Condition":
        table = {"equals": "not_equals", "not_equals": "equals", "in": "not_in", "not_in": "in",
                 "is_null": "not_null", "not_null": "is_null", "truthy": "falsy", "falsy": "truthy"}
        if self.op in table:
            if self.op == "equals" and isinstance(self.value, bool):
                return Condition(self.key, "equals", not self.value)
            return Condition(self.key, table[self.op], self.value)
        text = str(self.value)
        return Condition(None, "expr", text[4:-1] if text.startswith("not (") else f"not ({text})")

    def __str__(self):
        return f"{self.key.name if self.key else ''} {self.op} {self.value}"
