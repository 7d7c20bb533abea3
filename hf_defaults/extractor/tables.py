"""The table of one release, its line-oriented JSON form, and merge patches between releases."""
from __future__ import annotations

import json
from pathlib import Path

from .act2fn import Act2Fn
from .config_classes import ConfigIndex
from .configs import Configs
from .modality import Modality
from .slots import Slots
from .source import SourceTree
from .symbols import Symbols
from .wheels import Wheel

SCHEMA = "gelint-hf/1"
DIFF_SCHEMA = "gelint-hf-diff/1"
MADE_BY = "python3 -m hf_defaults.extractor tables"


class Extraction:
    """Everything read from one wheel; the reports use its parts."""

    def __init__(self, wheel: Wheel, version: str):
        self.version = version
        self.tree = SourceTree(wheel)
        self.act2fn = Act2Fn(self.tree)
        self.index = ConfigIndex(self.tree)
        self.configs = Configs(self.index)
        self.slots = Slots(self.tree, self.configs, Symbols(self.tree, self.act2fn))
        self.slots.run()

    def document(self) -> dict:
        slots = self.slots.table()
        modality = Modality(self.tree, self.configs)
        configs: dict[str, dict] = {}
        for c in self.index.all():
            key = self.index.key_of(c)
            if key in configs:
                continue
            entry: dict = {"file": c.module.path, "line": c.node.lineno, "modality": modality.of(c)}
            if c.model_type:
                entry["model_type"] = c.model_type
            if c.attribute_map:
                entry["attribute_map"] = dict(sorted(c.attribute_map.items()))
            own = slots.get(key, {"slots": {}})
            keys = self.configs.keys_of(c, _keys_needed(own["slots"]) | set(entry.get("attribute_map", {}))
                                        & _activation_names(own["slots"]))
            if keys:
                entry["keys"] = keys
            subs = self.configs.subs_of(c)
            if subs:
                entry["subs"] = dict(sorted(subs.items()))
            if own["slots"]:
                entry["slots"] = own["slots"]
            if own.get("gates"):
                entry["gates"] = own["gates"]
            configs[key] = entry
        return {"schema": SCHEMA, "transformers": self.version, "made_by": MADE_BY,
                "act2fn": dict(sorted(self.act2fn.names.items())),
                "model_types": self.model_types(), "configs": dict(sorted(configs.items()))}

    def model_types(self) -> dict[str, str]:
        out = {}
        for model_type in self.index.model_types:
            c = self.index.of_model_type(model_type)
            if c:
                out[model_type] = self.index.key_of(c)
        return dict(sorted(out.items()))


def _activation_names(slots: dict) -> set[str]:
    return {s["read"] for s in slots.values() if "read" in s}


def _keys_needed(slots: dict) -> set[str]:
    """Keys of the same configuration that a slot reads or whose value a slot depends on."""
    out: set[str] = set()
    for s in slots.values():
        if "read" in s and "." not in s["read"]:
            out.add(s["read"])
        out |= set(s.get("parameters", ()))
        when = s.get("when", {})
        for w in when.get("all", [when]):
            if "key" in w and "." not in w["key"]:
                out.add(w["key"])
    return out


# -- JSON ----------------------------------------------------------------------------------
def _line(value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def dump(document: dict) -> str:
    """One line per entry of every large object, so that a change shows as one changed line."""
    parts = []
    for key, value in document.items():
        if key in ("act2fn", "model_types", "configs") and isinstance(value, dict):
            inner = ",\n".join(f"{_line(k)}:{_line(v)}" for k, v in value.items())
            parts.append(f"{_line(key)}:{{\n{inner}\n}}")
        elif key == "rows":
            parts.append(f"{_line(key)}:[\n" + ",\n".join(_line(v) for v in value) + "\n]")
        elif key == "patch":
            parts.append(f"{_line(key)}:{dump(value).rstrip()}")
        else:
            parts.append(f"{_line(key)}:{_line(value)}")
    return "{" + ",\n".join(parts) + "}\n"


def merge_diff(base, target):
    """RFC 7386 patch that turns base into target; neither may hold a null."""
    if not isinstance(base, dict) or not isinstance(target, dict):
        return target
    patch = {}
    for k, v in target.items():
        if k not in base:
            patch[k] = v
        elif base[k] != v:
            patch[k] = merge_diff(base[k], v)
    for k in base:
        if k not in target:
            patch[k] = None
    return dict(sorted(patch.items()))


def merge_apply(base, patch):
    """RFC 7386."""
    if not isinstance(patch, dict):
        return patch
    out = dict(base) if isinstance(base, dict) else {}
    for k, v in patch.items():
        if v is None:
            out.pop(k, None)
        else:
            out[k] = merge_apply(out.get(k), v)
    return out


def diff_document(base: dict, target: dict) -> dict:
    return {"schema": DIFF_SCHEMA, "transformers": target["transformers"], "base": base["transformers"],
            "made_by": MADE_BY, "patch": merge_diff(base, target)}


def path_of(folder: Path, version: str, whole: bool) -> Path:
    return folder / f"transformers-{version}{'' if whole else '.diff'}.json"


def load(folder: Path, version: str) -> dict:
    """The whole table of a version, patches applied along the chain."""
    whole = path_of(folder, version, True)
    if whole.exists():
        return json.loads(whole.read_text(encoding="utf-8"))
    diff = json.loads(path_of(folder, version, False).read_text(encoding="utf-8"))
    return merge_apply(load(folder, diff["base"]), diff["patch"])
