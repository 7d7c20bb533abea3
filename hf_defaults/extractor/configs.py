"""Stage A: every configuration class with its activation keys, defaults and sub-config tree."""
from __future__ import annotations

import ast

from .config_classes import ConfigClass, ConfigIndex, is_activation_key
from .config_run import UNKNOWN, ClassRef, ConfigObj, Runner, _Raised

PROBE = "gelint_probe_type"
FLAT = "gelint_probe_name"
_FLAT_KEYS = ("hidden_act", "hidden_activation", "activation_function")


def json_value(value, expr: ast.expr | None = None):
    """A JSON value for a Python default; None and what is no literal become {"py": ...}."""
    if value is None:
        return {"py": "None"}
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, dict) and value and all(
            isinstance(v, (str, bool, int, float)) for v in value.values()):
        return dict(value)
    if isinstance(value, (list, tuple)) and all(isinstance(v, (str, bool, int, float)) for v in value):
        return list(value)
    return {"py": ast.unparse(expr) if expr is not None else "?"}


def _pops(c: ConfigClass, name: str) -> bool:
    return any(name in _strings(b) for b in c.mro())


PROBES = ("gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "quick_gelu", "silu", "swish", "relu")


def _attributes(c: ConfigClass) -> set:
    """Attributes that the class's own code mentions."""
    if c.mentioned is None:
        c.mentioned = {n.attr for n in ast.walk(c.node) if isinstance(n, ast.Attribute)}
    return c.mentioned


def _strings(c: ConfigClass) -> set:
    if c.strings is None:
        c.strings = {n.value for n in ast.walk(c.node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return c.strings


def _stored_at(c: ConfigClass, name: str) -> int:
    """Line where the class's own code stores `self.<name>`; that of the class when it does not."""
    for b in c.mro():
        for n in ast.walk(b.node):
            if isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.ctx, ast.Store):
                return n.lineno
    return c.node.lineno


class Configs:
    """Tables of all classes; slot extraction adds keys through `keys_of(..., extra)`."""

    def __init__(self, index: ConfigIndex):
        self.index = index
        self.runner = Runner(index)
        self._default: dict[int, ConfigObj | None] = {}
        self._subs: dict[int, dict] = {}
        self._keyed: dict[str, ConfigClass] = {}

    def default_object(self, c: ConfigClass, **kwargs) -> ConfigObj | None:
        """The object that `C(**kwargs)` builds, None when building it raises."""
        if not kwargs and id(c) in self._default:
            return self._default[id(c)]
        try:
            obj = self.runner.build(ClassRef(c), dict(kwargs))
        except (_Raised, RecursionError):
            obj = None
        if not kwargs:
            self._default[id(c)] = obj
        return obj

    def keys_of(self, c: ConfigClass, extra: set[str] = frozenset()) -> dict:
        declared = c.declared()
        obj = self.default_object(c)
        out = {}
        names = {k for k in declared if is_activation_key(k) or k in extra}
        if obj:
            names |= {k for k, v in obj.attrs.items()
                      if (is_activation_key(k) or k in extra) and not isinstance(v, ConfigObj)}
        for name in sorted(names):
            target = c.attribute_map.get(name, name)
            expr, line, how = declared.get(name) or (None, _stored_at(c, name), "derived")
            value = obj.attrs.get(target, UNKNOWN) if obj else UNKNOWN
            if name in declared and expr is not None:
                literal = self.runner.literal(expr, self._owner(c, name).module)
                if value is UNKNOWN and literal is not UNKNOWN:
                    value = literal
                elif value is not UNKNOWN and value != literal:
                    how = "derived"
            elif name in declared and value is UNKNOWN and expr is None:
                continue  # a required argument has no default
            if isinstance(value, ConfigObj):
                continue
            if value is UNKNOWN and name not in declared:
                continue
            out[name] = {"default": json_value(None if value is UNKNOWN else value, expr)
                         if value is not UNKNOWN else json_value(UNKNOWN, expr),
                         "line": line, "how": how}
            changed = self.rewrites(c, name, value) if name == target and isinstance(value, str) else {}
            if changed:
                out[name]["rewrites"] = changed
        return out

    def rewrites(self, c: ConfigClass, name: str, default: str) -> dict[str, str]:
        """Names that the class itself replaces by another when a file gives them (Gemma, 5.24: "gelu").

        {"*": name} when whatever a file says ends as that name.
        """
        if not any(name in _attributes(b) for b in c.mro()):
            return {}
        out = {}
        for given in PROBES:
            obj = self.default_object(c, **{name: given})
            got = obj.attrs.get(name) if obj else None
            if isinstance(got, str) and got != given:
                out[given] = got
        if len(out) >= len(PROBES) - 1 and len(set(out.values())) == 1:
            return {"*": next(iter(out.values()))}
        return out

    def _owner(self, c: ConfigClass, name: str) -> ConfigClass:
        for b in c.mro():
            if name in b.fields or (b.node and any(
                    isinstance(s, ast.FunctionDef) and s.name == "__init__"
                    and name in [a.arg for a in s.args.args + s.args.kwonlyargs] for s in b.node.body)):
                return b
        return c

    # -- sub-configs -----------------------------------------------------------------------
    def sub_names(self, c: ConfigClass) -> list[str]:
        names: list[str] = []
        for attr in ("sub_configs_defaults", "sub_configs"):
            found = c.class_attr(attr)
            if found and isinstance(found[1], ast.Dict):
                for k in found[1].keys:
                    if isinstance(k, ast.Constant) and k.value not in names:
                        names.append(k.value)
        obj = self.default_object(c)
        for source in (obj, self.default_object(c, **{n: {"model_type": PROBE} for n in c.declared()
                                                       if n.endswith(("_config", "encoder", "decoder"))})):
            if source:
                for k, v in source.attrs.items():
                    if isinstance(v, ConfigObj) and k not in names:
                        names.append(k)
        if c.name in ("EncoderDecoderConfig", "SpeechEncoderDecoderConfig", "VisionEncoderDecoderConfig"):
            names += [n for n in ("encoder", "decoder") if n not in names]
        return names

    def subs_of(self, c: ConfigClass) -> dict:
        if id(c) in self._subs:
            return self._subs[id(c)]
        out: dict = {}
        self._subs[id(c)] = out
        declared = c.declared()
        missing = self.default_object(c)
        flat = self.default_object(c, **{k: FLAT for k in _FLAT_KEYS if k not in declared})
        for name in self.sub_names(c):
            entry: dict = {}
            probe = self._sub(c, name, {"model_type": PROBE, "name_or_path": ""})
            bare = self._sub(c, name, {"name_or_path": ""})
            gone = missing.attrs.get(name) if missing else None
            if isinstance(probe, ConfigObj) and probe.auto == PROBE:
                entry["auto"] = True
            elif isinstance(probe, ConfigObj) and probe.info:
                entry["class"] = self.index.key_of(probe.info)
            else:
                declared_class = self._declared_class(c, name)
                if declared_class == "auto" or declared_class is None:
                    entry["auto"] = True
                else:
                    entry["class"] = self.index.key_of(declared_class)
            if isinstance(gone, ConfigObj):
                if gone.info and entry.get("auto") and not gone.auto and not gone.info.model_type:
                    entry = {"class": self.index.key_of(gone.info)}
                if entry.get("auto"):
                    entry["when_missing"] = gone.auto or (gone.info.model_type if gone.info else "?")
                    usual = self.index.of_model_type(entry["when_missing"])
                else:
                    usual = self._by_key().get(entry["class"])
                if gone.info and gone.info is not usual:
                    entry["missing_class"] = self.index.key_of(gone.info)  # not the class of that type
                overrides = {k: v for k, v in gone.given.items()
                             if is_activation_key(k) and isinstance(v, (str, bool))}
                if overrides:
                    entry["missing_overrides"] = overrides
            else:
                entry["optional"] = True
            if isinstance(bare, ConfigObj) and entry.get("auto"):
                entry["when_no_model_type"] = bare.auto or (bare.info.model_type if bare.info else "?")
            forced = self._forced(c, name, probe)
            if forced:
                entry["overrides"] = forced
            sub = flat.attrs.get(name) if flat else None
            if isinstance(sub, ConfigObj) and any(sub.attrs.get(k) == FLAT for k in _FLAT_KEYS):
                entry["flat"] = True  # built from the parent's own keys when it is missing
            if _pops(c, f"{name}_dict"):
                entry["legacy_dict"] = True  # "<name>_dict" of old files, its class's defaults included, wins
            entry["line"] = declared[name][1] if name in declared else c.node.lineno
            out[name] = entry
        return out

    def _sub(self, c: ConfigClass, name: str, given: dict):
        obj = self.default_object(c, **{name: given})
        return obj.attrs.get(name) if obj else None

    def _forced(self, c: ConfigClass, name: str, probe) -> dict:
        """Activation keys that the parent sets on the finished sub-config whatever the file says."""
        if not isinstance(probe, ConfigObj):
            return {}
        if probe.info is None:
            return {k: v for k, v in probe.attrs.items()
                    if is_activation_key(k) and isinstance(v, (str, bool)) and k not in probe.given}
        alone = self.default_object(probe.info)
        return {k: v for k, v in probe.attrs.items() if is_activation_key(k) and isinstance(v, (str, bool))
                and alone is not None and alone.attrs.get(k) != v}

    def _declared_class(self, c: ConfigClass, name: str):
        for attr in ("sub_configs_defaults", "sub_configs"):
            found = c.class_attr(attr)
            if found:
                value = self.runner.literal(found[1], found[0].module)
                ref = value.get(name) if isinstance(value, dict) else None
                ref = getattr(ref, "cls", ref)
                if isinstance(ref, ClassRef):
                    return "auto" if ref.any_auto else ref.info
        return None

    def has_attribute(self, c: ConfigClass, name: str) -> bool:
        """hasattr(C(), name): declared, stored by its code, an alias, or a property."""
        name = c.attribute_map.get(name, name)
        obj = self.default_object(c)
        return name in c.declared() or name in (obj.attrs if obj else {}) or c.find_method(name) is not None

    def sub_class(self, c: ConfigClass, name: str) -> tuple[bool, ConfigClass | None]:
        """(is a sub-config, its class when concrete or its default class when chosen by type)."""
        entry = self.subs_of(c).get(name)
        if entry is None:
            return False, None
        return True, self._by_key().get(entry.get("class", ""))

    def _by_key(self) -> dict[str, ConfigClass]:
        if not self._keyed:
            self._keyed = {self.index.key_of(c): c for c in reversed(self.index.all())}
        return self._keyed
