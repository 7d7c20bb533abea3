"""From raw slots to the `slots` and `gates` objects of one configuration class."""
from __future__ import annotations

import json
import re
from collections import defaultdict

from .naming import component_of, qualifier_of_key, snake, strip_prefix

_POOLER = re.compile(r"pooler|classifier|head|classif|summary", re.I)
_VISION = re.compile(r"vision|image|visual|pixel|video|vit\b", re.I)
_AUDIO = re.compile(r"audio|speech|code2wav|mel|wav", re.I)


def is_gate(raw, name: str) -> bool:
    """A sigmoid, tanh or softplus that gates, caps or normalises instead of activating a layer."""
    act = raw.site.act
    if name == "router":
        return True
    if not act.is_gate:
        return False
    where = " ".join(c for _a, c in raw.path[-2:]) + "." + raw.site.attr
    if act.formula == "tanh" and _POOLER.search(where) and raw.site.attr:
        return False
    if act.formula == "tanh" and re.search(r"pooler|classificationhead", where, re.I):
        return False
    return True


def record(slots, raw) -> dict:
    """One slot as JSON, without its name."""
    from .slots import condition_json
    act = raw.site.act
    out: dict = {}
    base_len = 0
    if raw.read is not None:
        out["read"] = raw.read
        full = act.key.cfg.path + (act.key.name,)
        base_len = len(full) - len(raw.read.split("."))
        if isinstance(act.key.fallback, str):
            out["fallback"] = act.key.fallback
    else:
        out["formula"] = act.formula or "unknown"
    out["written"] = act.written[:100]
    out["class"] = raw.mod.node.name
    out["file"], out["line"] = raw.site.path, raw.site.line
    out["gating"] = raw.use.gating
    modifiers = [m for m in act.modifiers if not m.startswith("parameter:")] + list(raw.use.modifiers)
    if raw.use.calls == 2 and raw.site.attr:
        modifiers.append("twice")
    if modifiers:
        out["modifiers"] = modifiers
    parameters = [m[len("parameter:"):].split("=") for m in act.modifiers if m.startswith("parameter:")]
    if parameters:
        out["parameters"] = {k: float(v) for k, v in parameters}
    if raw.read is None and raw.conditions:
        keyed = [c for c in raw.conditions if c.key is not None]
        base_len = len(raw.mod.ctx.path) if raw.mod.ctx is not None and raw.mod.ctx.cls is not None else 0
        if keyed:
            depth = min(len(c.key.cfg.path) for c in keyed)
            base_len = min(base_len, depth)
    when = condition_json(slots.configs, raw.conditions, base_len)
    if when:
        out["when"] = when
    if act.names:
        out["names"] = {k: v for k, v in act.names if isinstance(k, str)}
    return out


def _identity(r: dict) -> str:
    return json.dumps([r.get("read"), r.get("formula"), r.get("names"), r.get("gating"), r.get("fallback"),
                       r.get("modifiers")], sort_keys=True)


def _component(slots, raw, name: str, owner) -> str:
    alone = component_of(name)
    if alone and slots.configs.subs_of(owner):
        return alone
    if raw.mod.ctx is not None and raw.mod.ctx.rewrites_activation() and len(raw.path) > 1:
        return raw.path[1][0]
    if raw.ctx_path:
        return re.sub(r"_config$", "", raw.ctx_path[0])
    if slots.configs.subs_of(owner):
        classes = " ".join(c for _a, c in raw.path[1:]) or raw.mod.node.name
        prefixes = slots._prefixes(raw.mod.module)
        text = " ".join(strip_prefix(c, prefixes[:1]) for c in classes.split())
        if _AUDIO.search(text):
            return "audio"
        if _VISION.search(text):
            return "vision"
        if re.search(r"Text|LanguageModel|language_model", text):
            return "text"
    return ""


def assemble(slots, key: str, raws: list) -> dict:
    owner = raws[0].owner
    groups: dict[str, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    gates: dict[str, dict] = {}
    for raw in raws:
        name = slots.name(raw)
        if is_gate(raw, name):
            r = record(slots, raw)
            label = snake(strip_prefix(raw.mod.node.name, slots._prefixes(raw.mod.module))) or "model"
            label = f"{label}.{raw.site.attr or raw.site.method}"
            old = gates.get(label)
            if old is None or (r["file"], r["line"]) < (old["file"], old["line"]):
                gates[label] = {k: r[k] for k in ("read", "formula", "written", "class", "file", "line") if k in r}
            continue
        r = record(slots, raw)
        component = _component(slots, raw, name, owner)
        if component:
            r["component"] = component
        groups[(component, name)][_identity(r)].append((r, raw))
    out: dict[str, dict] = {}
    for (component, name), identities in sorted(groups.items()):
        merged = [_merge(v) for v in identities.values()]
        merged.sort(key=lambda m: (-m[2], m[0]["file"], m[0]["line"]))
        for i, (r, raw, _n) in enumerate(merged):
            label = name
            if i and _exclusive(out.get(name), r):
                label = f"{name}:{_alternative(slots, r, raw)}"
            if label in out:
                label = _distinct(slots, r, raw, name, component, out)
            out[label] = r
    result: dict = {"slots": dict(sorted(out.items()))}
    if gates:
        result["gates"] = dict(sorted(gates.items()))
    return result


def _merge(items: list) -> tuple:
    """Sites with one answer become one slot; an unconditional one wins over a conditional one."""
    free = [x for x in items if "when" not in x[0]]
    pool = free or items
    pool.sort(key=lambda x: (x[0]["file"], x[0]["line"]))
    r, raw = pool[0]
    if not free:
        whens = {json.dumps(x[0]["when"], sort_keys=True) for x in items}
        if len(whens) > 1 and _complementary(whens):
            r = {k: v for k, v in r.items() if k != "when"}
    return r, raw, len({(x[0]["file"], x[0]["line"], x[0]["class"]) for x in items})


def _complementary(whens: set[str]) -> bool:
    parsed = [json.loads(w) for w in whens]
    if len(parsed) != 2 or any("key" not in p for p in parsed):
        return False
    a, b = parsed
    return a["key"] == b["key"] and {json.dumps(a.get("equals")), json.dumps(b.get("equals"))} == {"true", "false"}


def _exclusive(a: dict | None, b: dict) -> bool:
    """Two slots of which a configuration has one: their conditions test one key for different values."""
    wa, wb = (a or {}).get("when"), b.get("when")
    return bool(wa and wb and wa != wb and wa.get("key") and wa.get("key") == wb.get("key")
                and a.get("component") == b.get("component"))


def _alternative(slots, r: dict, raw) -> str:
    own = snake(strip_prefix(raw.mod.node.name, slots._prefixes(raw.mod.module)))
    return re.sub(r"[^a-z0-9_]+", "_", own).strip("_") or "other"


def _distinct(slots, r: dict, raw, name: str, component: str, taken: dict) -> str:
    """Another name for a slot whose natural name is taken by a different answer."""
    candidates = []
    if r.get("read"):
        q = qualifier_of_key(r["read"])
        if q and q not in name:
            candidates.append(f"{q}_{name}")
    prefixes = slots._prefixes(raw.mod.module)
    own = snake(strip_prefix(raw.mod.node.name, prefixes)) or name
    if component and component not in own:
        candidates.append(f"{component}_{name}")
    candidates += [own, f"{own}_{raw.site.attr or raw.site.method}"]
    for c in candidates:
        c = re.sub(r"[^a-z0-9_]+", "_", c.lower()).strip("_")
        if c and c not in taken:
            return c
    i = 2
    while f"{candidates[-1]}_{i}" in taken:
        i += 1
    return f"{candidates[-1]}_{i}"
