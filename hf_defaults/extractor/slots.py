"""Stage B: every activation slot that the modeling code of a configuration class owns."""
from __future__ import annotations

import ast
from collections import Counter, defaultdict

from .config_classes import ConfigClass
from .configs import Configs
from .gating import Gating
from .naming import slot_name
from .slot_table import assemble
from .source import Module, SourceTree, base_names
from .symbols import Symbols
from .values import Cfg, ClassVal, Condition, Mod, Site
from .walk import Walker, _Raise


class RawSlot:
    """One activation found in the walk, with its owner resolved."""

    def __init__(self, owner: ConfigClass, read: str | None, site: Site, mod: Mod, path, conditions,
                 use, ctx_path):
        self.owner, self.read, self.site, self.mod = owner, read, site, mod
        self.path, self.conditions, self.use, self.ctx_path = path, conditions, use, ctx_path


class Slots:
    def __init__(self, tree: SourceTree, configs: Configs, symbols: Symbols):
        self.tree, self.configs, self.symbols = tree, configs, symbols
        self.raw: dict[str, list[RawSlot]] = defaultdict(list)
        self.unresolved: list[tuple] = []
        self.unreached: list[tuple] = []
        self.unused: list[tuple] = []
        self.failed: list[tuple] = []
        self.dead: list[tuple] = []      # reads of a key that the configuration class does not have
        self._gating: dict[int, Gating] = {}
        self._loads: dict[str, Counter] = {}
        self._seen: set = set()
        self._prefix_cache: dict[str, list[str]] = {}

    def run(self) -> None:
        for path in self.tree.files("modeling_"):
            module = self.tree.module(path)
            try:
                self.file(module)
            except RecursionError:
                self.failed.append((path, "recursion"))

    def table(self) -> dict[str, dict]:
        """Configuration key -> {"slots": ..., "gates": ...}."""
        return {key: assemble(self, key, raws) for key, raws in sorted(self.raw.items())}

    # -- one file --------------------------------------------------------------------------
    def file(self, module: Module) -> None:
        walker = Walker(self.symbols, self.configs)
        self._seen.clear()  # keyed by instances that live as long as this walker
        roots = [(n, self.config_of(module, n)) for n in module.classes.values() if self.is_model(module, n)]
        for node, cls in roots:
            if cls is not None:
                self.walk_root(walker, module, node, cls)
        for node in module.classes.values():
            if (module.path, node.name) in walker.reached or self.is_model(module, node):
                continue
            if not self.mentions_activation(node) or "Function" in base_names(node):
                continue
            cls = self.guess_config(module, node)
            if cls is None:
                self.unreached.append((module.path, node.lineno, node.name))
                continue
            self.walk_root(walker, module, node, cls)
        self.unresolved += walker.unresolved

    def walk_root(self, walker: Walker, module: Module, node, cls: ConfigClass) -> None:
        from .values import Cfg
        cfg = Cfg(cls)
        try:
            root = walker.instantiate(ClassVal(module, node), [cfg], {}, cfg)
        except _Raise:
            self.failed.append((module.path, node.name))
            return
        if root is not None:
            self.collect(root, cfg, [("", node.name)], (), set(), walker)

    def is_model(self, module: Module, node: ast.ClassDef, depth: int = 0) -> bool:
        for b in base_names(node):
            if b in ("PreTrainedModel",):
                return True
            found = self.tree.find_class(module, b)
            if found and found[1] is not node and depth < 6 and self.is_model(found[0], found[1], depth + 1):
                return True
        return False

    def config_of(self, module: Module, node: ast.ClassDef, depth: int = 0) -> ConfigClass | None:
        index = self.configs.index
        for s in node.body:
            name = None
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and s.target.id == "config":
                name = s.annotation
            elif isinstance(s, ast.Assign) and any(
                    isinstance(t, ast.Name) and t.id == "config_class" for t in s.targets):
                name = s.value
            if name is not None:
                found = self._config_name(module, name)
                if found:
                    return found
        init = next((s for s in node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
        if init:
            for a in init.args.args[1:]:
                if a.annotation is not None and a.arg == "config":
                    found = self._config_name(module, a.annotation)
                    if found:
                        return found
        for b in base_names(node):
            found = self.tree.find_class(module, b)
            if found and found[1] is not node and depth < 6:
                cls = self.config_of(found[0], found[1], depth + 1)
                if cls:
                    return cls
        del index
        return None

    def _config_name(self, module: Module, annotation: ast.expr) -> ConfigClass | None:
        for n in ast.walk(annotation):
            name = n.id if isinstance(n, ast.Name) else n.value if isinstance(n, ast.Constant) else None
            if isinstance(name, str) and name.endswith("Config") and name not in ("PreTrainedConfig",
                                                                                "PretrainedConfig"):
                found = self.configs.index.resolve(module, name)
                if found:
                    return found
        return None

    def guess_config(self, module: Module, node: ast.ClassDef) -> ConfigClass | None:
        """Configuration of a class that no model instantiates: its annotation, else the folder's only one."""
        cls = self.config_of(module, node)
        if cls:
            return cls
        folder = [c for c in self.configs.index.all() if c.module.folder == module.folder]
        return folder[0] if len(folder) == 1 else None

    @staticmethod
    def mentions_activation(node: ast.ClassDef) -> bool:
        text = ast.unparse(node)
        return any(w in text for w in ("ACT2FN", "GELU", "gelu", "SiLU", "silu", "ReLU", "relu", "get_activation"))

    # -- collecting ------------------------------------------------------------------------
    def collect(self, mod: Mod, ctx: Cfg, path, conditions, stack, walker: Walker) -> None:
        key = (id(mod), tuple(p[0] for p in path[-4:]), conditions)
        if key in self._seen or id(mod) in stack or len(path) > 24:
            return
        self._seen.add(key)
        if mod.ctx is not None and (
                mod.ctx.path != ctx.path or mod.ctx.rewrites_activation() and not ctx.rewrites_activation()):
            ctx = self.rewritten(mod.ctx)
            if ctx.cls is not None and mod.ctx.path != ():
                path = [(path[-1][0], mod.node.name)]
                conditions = ()
        if ctx.cls is None and self.is_model(mod.module, mod.node) and self.config_of(mod.module, mod.node):
            return  # a model of its own: its slots belong to its configuration class
        for site in mod.sites:
            self.add(mod, site, ctx, path, conditions, walker)
        for attr, child, conds in mod.children:
            self.collect(child, ctx, path + [(attr, child.node.name)], conditions + tuple(conds),
                         stack | {id(mod)}, walker)

    @staticmethod
    def rewritten(ctx: Cfg) -> Cfg:
        """A configuration whose activation key the parent's code overwrites belongs to the parent."""
        if ctx.rewrites_activation() and ctx.parents:
            return Cfg(None, ctx.path, ctx.parents, ctx.written)
        return ctx

    def add(self, mod: Mod, site: Site, ctx: Cfg, path, conditions, walker: Walker) -> None:
        gating = self.gating(mod, walker)
        use = gating.attribute(site.attr) if site.attr else gating.line(site.line)
        if site.attr and not self.is_loaded(mod, site):
            self.unused.append((site.path, site.line, mod.node.name, site.act.written))
            return
        owner, base = self.owner(ctx)
        if owner is None:
            return
        read = None
        if site.act.key is not None:
            full = site.act.key.cfg.path + (site.act.key.name,)
            if full[:len(base)] != base:
                owner, base = self.common(ctx, full)
                if owner is None:
                    return
            read = ".".join(full[len(base):])
            if len(full) == len(base) + 1 and site.act.key.fallback is None \
                    and not self.configs.has_attribute(owner, full[-1]):
                self.dead.append((site.path, site.line, mod.node.name, self.configs.index.key_of(owner), read))
                return
        ctx_path = ctx.path[len(base):]
        self.raw[self.configs.index.key_of(owner)].append(
            RawSlot(owner, read, site, mod, list(path), tuple(conditions) + tuple(site.conditions), use, ctx_path))

    @staticmethod
    def owner(ctx: Cfg) -> tuple[ConfigClass | None, tuple]:
        """The nearest configuration of a known class on the way up from ctx."""
        if ctx.cls is not None:
            return ctx.cls, ctx.path
        for p in reversed(ctx.parents):
            if p.cls is not None:
                return p.cls, p.path
        return None, ()

    @staticmethod
    def common(ctx: Cfg, full) -> tuple[ConfigClass | None, tuple]:
        for p in reversed(ctx.parents + (ctx,)):
            if p.cls is not None and full[:len(p.path)] == p.path:
                return p.cls, p.path
        return None, ()

    def gating(self, mod: Mod, walker: Walker) -> Gating:
        if id(mod.node) not in self._gating:
            self._gating[id(mod.node)] = Gating([v.node for v in walker.mro(ClassVal(mod.module, mod.node))])
        return self._gating[id(mod.node)]

    def is_loaded(self, mod: Mod, site: Site) -> bool:
        """Some code of the file reads the attribute; an activation nobody calls is no slot."""
        if mod.module.path not in self._loads:
            self._loads[mod.module.path] = Counter(
                n.attr for n in ast.walk(mod.module.tree)
                if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load))
        loads = self._loads[mod.module.path]
        if loads[site.attr] > 0 or site.attr == "item" or site.attr.isdigit():
            return True
        if ".children()" in ast.unparse(mod.node):
            return True
        return "getattr(self" in ast.unparse(mod.node) or "Sequential" in base_names(mod.node)

    def name(self, raw: RawSlot) -> str:
        hint = raw.use.arguments[0] if raw.use.arguments else ""
        prefixes = self._prefixes(raw.mod.module)
        return slot_name(raw.path, raw.site.attr, hint, prefixes)

    def _prefixes(self, module: Module) -> list[str]:
        """Prefixes of class names in the file: from its configuration classes, 'XVision' from XVisionConfig."""
        if module.path in self._prefix_cache:
            return self._prefix_cache[module.path]
        out = []
        for c in self.configs.index.all():
            if c.module.folder == module.folder and c.name.endswith("Config"):
                out.append(c.name[:-len("Config")])
        for name in module.classes:
            if name.endswith("PreTrainedModel"):
                out.append(name[:-len("PreTrainedModel")])
        self._prefix_cache[module.path] = sorted(set(out), key=len)
        return self._prefix_cache[module.path]


def _truth(configs: Configs, c: Condition) -> tuple[str, object]:
    """`if config.key:` as a comparison, by the type of the key's default."""
    obj = configs.default_object(c.key.cfg.cls) if c.key.cfg.cls else None
    default = obj.attrs.get(c.key.name) if obj else None
    true = c.op == "truthy"
    if isinstance(default, bool):
        return "equals", true
    if isinstance(default, (int, float)):
        return ("not_equals" if true else "equals"), 0
    return ("not_null" if true else "is_null"), True


def condition_json(configs: Configs, conditions: tuple[Condition, ...], base_len: int) -> dict | None:
    """The `when` object of a slot; tests on anything but the configuration are left out."""
    out = []
    for c in conditions:
        if c.op == "expr":
            text = str(c.value)
            item = {"layers" if "layer_idx" in text or "layer_id" in text else "expr": text}
            if "config." in text and len(text) < 200 and item not in out:
                out.append(item)
            continue
        if c.key is None or c.key.name.startswith("_"):
            continue
        key = ".".join((c.key.cfg.path + (c.key.name,))[base_len:])
        item: dict = {"key": key}
        if c.op in ("truthy", "falsy"):
            op, value = _truth(configs, c)
            item[op] = value
        elif c.op in ("is_null", "not_null"):
            item[c.op] = True
        elif c.op in ("in", "not_in"):
            item[c.op] = list(c.value)
        else:
            item[c.op] = c.value if isinstance(c.value, (str, bool, int, float)) else str(c.value)
        if item not in out:
            out.append(item)
    if not out:
        return None
    return out[0] if len(out) == 1 else {"all": out}
