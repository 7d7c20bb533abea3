"""Composition of a model type's slots over its default sub-configurations.

The reports use it; the resolver of gelint does the same from a real file.
"""
from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Pair:
    model_type: str
    slot: str
    formula: str | None     # None when nothing says what the slot evaluates
    reason: str             # hard-coded, default of Class.key, or why it is open
    record: dict
    config: str


def component(name: str) -> str:
    """'vision' for vision_config, 'qformer' for qformer_config, 'encoder' for encoder."""
    return name[:-len("_config")] if name.endswith("_config") else name


def join(prefix: str, part: str) -> str:
    """A "vision" inside a thinker is "vision"; any other nesting keeps its path ("talker.text")."""
    return f"{prefix}.{part}" if prefix and prefix != "thinker" else part


def config_of_sub(document: dict, sub: dict) -> str | None:
    if "missing_class" in sub:
        return sub["missing_class"]
    if "class" in sub:
        return sub["class"]
    return document["model_types"].get(sub.get("when_missing") or sub.get("when_no_model_type") or "")


def lookup(document: dict, key: str, path: str, overrides: dict | None = None):
    """Default value at a dotted path from a configuration class; LookupError text when there is none."""
    c = document["configs"][key]
    head, _, rest = path.partition(".")
    if rest:
        sub = c.get("subs", {}).get(head)
        if sub is not None:
            child = config_of_sub(document, sub)
            if child is None:
                raise LookupError(f"sub-configuration {head} has no default type")
            return lookup(document, child, rest, sub.get("missing_overrides"))
        value = c.get("keys", {}).get(head, {}).get("default")
        if isinstance(value, dict) and rest in value:
            return value[rest]
        raise LookupError(f"{head} is no sub-configuration with a default")
    name = c.get("attribute_map", {}).get(head, head)
    if overrides and name in overrides:
        return overrides[name]
    for n in (name, head):
        if n in c.get("keys", {}):
            return c["keys"][n]["default"]
    raise LookupError(f"{key} has no key {head}")


def formula_of(document: dict, key: str, slot: dict, overrides: dict | None = None) -> tuple[str | None, str]:
    """What the slot evaluates when a file declares nothing."""
    if "formula" in slot:
        if slot["formula"] == "unknown":
            return None, f"the walk could not follow `{slot['written']}`"
        return slot["formula"], "hard-coded"
    try:
        value = lookup(document, key, slot["read"], overrides)
    except LookupError as e:
        if "fallback" in slot:
            value = slot["fallback"]
        else:
            return None, str(e)
    if not isinstance(value, str):
        text = value.get("py", value) if isinstance(value, dict) else value
        if "fallback" in slot and text == "None":
            value = slot["fallback"]
        else:
            return None, f"default of `{slot['read']}` is {text}: no activation unless a file names one"
    table = slot.get("names") or {k: v["formula"] for k, v in document["act2fn"].items()}
    if value not in table:
        return None, f"default of `{slot['read']}` is \"{value}\", which the registry does not know"
    return table[value], f"default of {key}.{slot['read']}"


def pairs(document: dict, model_type: str) -> list[Pair]:
    out: list[Pair] = []
    _walk(document, model_type, document["model_types"][model_type], "", None, out, ())
    return out


def _walk(document, model_type, key, prefix, overrides, out, seen) -> None:
    if key in seen or len(seen) > 5:
        return
    c = document["configs"][key]
    own = prefix or c["modality"]
    for name, slot in c.get("slots", {}).items():
        local = slot.get("local", name.split(":")[0])
        first = slot.get("component") or own
        if prefix and slot.get("component") and slot["component"] != local:
            first = f"{prefix}.{slot['component']}" if slot["component"] != prefix else prefix
        full = local if first == local else f"{first}.{local}"
        if ":" in name:
            full += ":" + name.split(":")[1]
        formula, reason = formula_of(document, key, slot, overrides)
        out.append(Pair(model_type, full, formula, reason, slot, key))
    for name, sub in c.get("subs", {}).items():
        child = config_of_sub(document, sub)
        if child:
            _walk(document, model_type, child, join(prefix, component(name)),
                  {**sub.get("missing_overrides", {}), **sub.get("overrides", {})}, out, seen + (key,))
