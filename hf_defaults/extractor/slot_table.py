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
    subs = slots.configs.subs_of(owner)
    alone = component_of(name)
    both = any("audio" in s for s in subs) and any("vision" in s for s in subs)
    if alone and subs and not (both and (_AUDIO.search(raw.mod.node.name) or _VISION.search(raw.mod.node.name))):
        return alone
    if name.endswith("merger") and any("vision" in s for s in subs):
        return "vision"
    if raw.mod.ctx is not None and raw.mod.ctx.rewrites_activation() and len(raw.path) > 1:
        names = [a for a, c in raw.path if "decoder" in a.lower() or "decoder" in c.lower()]
        return "decoder" if names else raw.path[1][0]
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
        merged.sort(key=_rank)
        for i, (r, raw, _n) in enumerate(merged):
            if _repeats_registry(slots, r, merged):
                continue
            label = name
            if i and _exclusive(out.get(name), r):
                label = f"{name}:{_alternative(slots, r, raw, name)}"
            if label in out and not i and component:
                label = f"{component}_{name}"
                r["local"] = name
            if label in out:
                label = _distinct(slots, r, raw, name, out)
            out[label] = r
    result: dict = {"slots": dict(sorted(out.items()))}
    if gates:
        result["gates"] = dict(sorted(gates.items()))
    return result


def _rank(m: tuple) -> tuple:
    """Who gets the plain name: a keyed activation of a class called MLP before anything else."""
    r, _raw, count = m
    plain = bool(re.search(r"(MLP|Mlp|FeedForward|FFN|Intermediate|DenseActDense|DecoderLayer|EncoderLayer)$",
                           r["class"]))
    return ("read" not in r, not plain, -count, r["file"], r["line"])


def _repeats_registry(slots, r: dict, merged: list) -> bool:
    """`if config.hidden_act == "xielu": self.act_fn = ACT2CLS["xielu"]()` says nothing new."""
    when = r.get("when", {})
    entry = slots.symbols.act2fn.names.get(when.get("equals")) if isinstance(when.get("equals"), str) else None
    return bool(entry and entry["formula"] == r.get("formula")
                and any(o.get("read") == when["key"] and o["class"] == r["class"] for o, _r, _n in merged))


def _merge(items: list) -> tuple:
    """Sites with one answer become one slot; an unconditional one wins over a conditional one."""
    free = [x for x in items if "when" not in x[0]]
    pool = free or items
    pool.sort(key=lambda x: (x[0]["file"], x[0]["line"]))
    r, raw = pool[0]
    if not free:
        whens = sorted({json.dumps(x[0]["when"], sort_keys=True) for x in items})
        r = {k: v for k, v in r.items() if k != "when"}
        joined = _any_of([json.loads(w) for w in whens])
        if joined:
            r["when"] = joined
    return r, raw, len({(x[0]["file"], x[0]["line"], x[0]["class"]) for x in items})


def _any_of(whens: list[dict]) -> dict | None:
    """One condition that holds when any of them does; None when that is always."""
    parts = [frozenset(json.dumps(p, sort_keys=True) for p in w.get("all", [w])) for w in whens]
    kept = [p for p in parts if not any(q < p for q in parts)]
    for a in kept:
        for b in kept:
            if len(a) == len(b) == 1 and _opposite(json.loads(min(a)), json.loads(min(b))):
                return None
            if len(a ^ b) == 2 and len(a) == len(b) and _opposite(json.loads(min(a - b)), json.loads(min(b - a))):
                rest = [json.loads(x) for x in sorted(a & b)]
                others = [p for p in kept if p not in (a, b)]
                if not others:
                    return rest[0] if len(rest) == 1 else {"all": rest}
    whens = [w for w, p in zip(whens, parts) if p in kept]
    return whens[0] if len(whens) == 1 else {"any": whens}


def _opposite(a: dict, b: dict) -> bool:
    if a == b:
        return False
    for kind in ("expr", "layers"):
        if kind in a and kind in b:
            return a[kind] == f"not ({b[kind]})" or b[kind] == f"not ({a[kind]})"
    if a.get("key") is None or a.get("key") != b.get("key"):
        return False
    pairs = (("equals", "not_equals"), ("in", "not_in"), ("is_null", "not_null"))
    if {json.dumps(a.get("equals")), json.dumps(b.get("equals"))} == {"true", "false"}:
        return True
    return any(x in a and y in b and a[x] == b[y] or x in b and y in a and b[x] == a[y] for x, y in pairs)


def _exclusive(a: dict | None, b: dict) -> bool:
    """Two slots of which a configuration has one: their conditions test one key for different values."""
    wa, wb = (a or {}).get("when"), b.get("when")
    return bool(wa and wb and wa != wb and wa.get("key") and wa.get("key") == wb.get("key")
                and a.get("component") == b.get("component"))


def _alternative(slots, r: dict, raw, name: str) -> str:
    own = snake(strip_prefix(raw.mod.node.name, slots._prefixes(raw.mod.module)))
    if own == name:
        when = r.get("when", {})
        own = "null" if when.get("is_null") else str(when.get("equals", "other"))
    return re.sub(r"[^a-z0-9_]+", "_", own.lower()).strip("_") or "other"


def _distinct(slots, r: dict, raw, name: str, taken: dict) -> str:
    """Another name for a slot whose natural name is taken by a different answer."""
    candidates = []
    if r.get("read"):
        q = qualifier_of_key(r["read"])
        if q and q not in name:
            candidates.append(f"{q}_{name}")
    own = snake(strip_prefix(raw.mod.node.name, slots._prefixes(raw.mod.module))) or name
    holder = [a for a, _c in raw.path if a and not a.isdigit()]
    candidates += [own] + [f"{h}_{name}" for h in reversed(holder[-2:])]
    candidates += [f"{own}_{raw.site.attr or raw.site.method}"]
    for c in candidates:
        c = re.sub(r"[^a-z0-9]+", "_", c.lower()).strip("_")
        if c and c not in taken:
            return c
    i = 2
    while f"{candidates[-1]}_{i}" in taken:
        i += 1
    return f"{candidates[-1]}_{i}"
