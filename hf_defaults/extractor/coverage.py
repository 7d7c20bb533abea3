"""Report: which (model type, slot) pairs have a formula, and why the rest have none."""
from __future__ import annotations

import ast
from collections import Counter, defaultdict

from . import compose
from .source import dotted


def markdown(extraction, document: dict) -> str:
    every = {m: compose.pairs(document, m) for m in document["model_types"]}
    resolved = sum(1 for ps in every.values() for p in ps if p.formula)
    open_pairs = [p for ps in every.values() for p in ps if not p.formula]
    with_defaults = sum(1 for m, key in document["model_types"].items()
                        if _has_keys(document, key, ()))
    none = [m for m, ps in every.items() if not ps]
    own = sum(len(c.get("slots", {})) for c in document["configs"].values())
    formulas = Counter(p.formula for ps in every.values() for p in ps if p.formula)
    lines = [
        f"# Coverage of transformers {document['transformers']}", "",
        "Made by `python3 -m hf_defaults.extractor reports`. A pair is a model type of CONFIG_MAPPING and one of its",
        "slots, those of its default sub-configurations included; it is resolved when a file that declares nothing",
        "gets a formula.", "",
        "| what | count |", "|---|---|",
        f"| model types in CONFIG_MAPPING | {len(every)} |",
        f"| of them with at least one activation key and its default (sub-configurations counted) | {with_defaults} |",
        f"| of them with at least one slot | {len(every) - len(none)} |",
        f"| configuration classes | {len(document['configs'])} |",
        f"| slots owned by a configuration class | {own} |",
        f"| (model type, slot) pairs | {resolved + len(open_pairs)} |",
        f"| resolved to a formula | {resolved} |",
        f"| open, listed below | {len(open_pairs)} |", "",
        "Resolved pairs by formula: " + ", ".join(f"{k} {v}" for k, v in formulas.most_common()) + ".", "",
        "## Open pairs, by reason", ""]
    reasons: dict[str, list[str]] = defaultdict(list)
    for p in open_pairs:
        reasons[p.reason].append(f"{p.model_type}/{p.slot}")
    for reason, items in sorted(reasons.items(), key=lambda kv: (-len(kv[1]), kv[0])):
        lines.append(f"- {reason} ({len(items)}): {', '.join(sorted(items))}")
    lines += ["", f"## Model types without a slot ({len(none)})", "",
              "Nothing in their modeling file names an activation, or they have no modeling file; the reason is what",
              "the folder holds.", ""]
    for m in none:
        lines.append(f"- {m}: {_why_none(extraction, document, m)}")
    s = extraction.slots
    lookups, missed = registry_lookups(extraction)
    lines += ["", "## Registry lookups in the modeling files", "",
              f"`ACT2FN[...]`, `ACT2CLS[...]` and `get_activation(...)` appear on {lookups} lines; {lookups - len(missed)} of them",
              "are behind a slot or a gate or in one of the lists below. The others are in branches that no caller of the same",
              "release takes (an `activation` argument left at None) or in classes that nothing builds:", ""]
    lines += [f"- `{p}:{line}`" for p, line in missed] or ["- none"]
    lines += _list("Reads of a key that the configuration class does not have (no slot is claimed)",
                   [f"`{p}:{line}` {c}: {o}.{k}" for p, line, c, o, k in s.dead])
    lines += _list("Activations stored in an attribute that no code reads (no slot)",
                   [f"`{p}:{line}` {c}: `{w}`" for p, line, c, w in s.unused])
    lines += _list("Lookups whose key the walk could not follow", [f"`{p}:{line}` {c}: `{w}`"
                                                                 for p, line, c, w in s.unresolved])
    lines += _list("Classes with an activation that no model class builds and whose configuration is unknown",
                   [f"`{p}:{line}` {c}" for p, line, c in s.unreached])
    return "\n".join(lines).rstrip() + "\n"


def registry_lookups(extraction) -> tuple[int, list[tuple[str, int]]]:
    """(lines with a lookup in the registry, those that the walk never came to)."""
    s = extraction.slots
    seen = {(r.site.path, r.site.line) for raws in s.raw.values() for r in raws}
    seen |= {(p, line) for p, line, *_rest in s.dead + s.unused + s.unresolved}
    total = set()
    for path in extraction.tree.files("modeling_"):
        for n in ast.walk(extraction.tree.module(path).tree):
            if isinstance(n, ast.stmt) and not hasattr(n, "body"):
                lines = {line for line in range(n.lineno, n.end_lineno + 1) if (path, line) in seen}
                for c in ast.walk(n):
                    name = dotted(c.value) if isinstance(c, ast.Subscript) else dotted(c.func) if isinstance(c, ast.Call) else ""
                    if name in ("ACT2FN", "ACT2CLS", "get_activation"):
                        total.add((path, c.lineno))
                        seen |= {(path, c.lineno)} if lines else set()
    return len(total), sorted(total - seen)


def _list(title: str, items: list[str]) -> list[str]:
    items = sorted(set(items))
    return ["", f"## {title} ({len(items)})", ""] + [f"- {i}" for i in items] if items else []


def _has_keys(document, key, seen) -> bool:
    c = document["configs"][key]
    if c.get("keys"):
        return True
    for sub in c.get("subs", {}).values():
        child = compose.config_of_sub(document, sub)
        if child and child not in seen and _has_keys(document, child, seen + (key,)):
            return True
    return False


def _why_none(extraction, document, model_type: str) -> str:
    c = document["configs"][document["model_types"][model_type]]
    folder = "/".join(c["file"].split("/")[:-1])
    files = [p for p in extraction.tree.paths if p.startswith(folder + "/modeling_")
             and "_tf_" not in p and "_flax_" not in p]
    if not files:
        return "no modeling file in its folder"
    gates = c.get("gates", {})
    text = "".join(extraction.tree.wheel.read(extraction.tree.root + p) or "" for p in files)
    if "AutoModel.from_config" in text and not c.get("subs"):
        return "wraps another model through AutoModel"
    if "timm" in text:
        return "the activation lives in timm"
    if gates:
        return "only gates (" + ", ".join(sorted({g.get("formula", g.get("read", "?")) for g in gates.values()})) + ")"
    words = ("ACT2FN", "gelu", "silu", "relu", "GELU", "SiLU", "ReLU")
    if not any(w in text for w in words):
        return "no activation in its modeling file"
    return "the folder's activations belong to other configuration classes of it"
