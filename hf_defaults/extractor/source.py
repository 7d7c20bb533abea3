"""Parsed modules of one release: configuration and modeling files, their classes and imports."""
from __future__ import annotations

import ast
import posixpath
from dataclasses import dataclass, field

from .wheels import Wheel

ROOT = "transformers/"


@dataclass
class Module:
    """One parsed Python file. `path` is relative to the package ("models/bert/modeling_bert.py")."""

    path: str
    tree: ast.Module
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    assigns: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)  # name -> (module, original)

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)


def _statements(body: list[ast.stmt]):
    """Top-level statements, those under `if`/`try` included (optional dependencies)."""
    for s in body:
        yield s
        if isinstance(s, ast.If):
            yield from _statements(s.body)
            yield from _statements(s.orelse)
        elif isinstance(s, ast.Try):
            yield from _statements(s.body)
            for h in s.handlers:
                yield from _statements(h.body)


def parse_module(path: str, text: str) -> Module:
    tree = ast.parse(text)
    m = Module(path, tree)
    for s in _statements(tree.body):
        if isinstance(s, ast.ClassDef):
            m.classes.setdefault(s.name, s)
        elif isinstance(s, ast.FunctionDef):
            m.functions.setdefault(s.name, s)
        elif isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            m.assigns[s.targets[0].id] = s.value
        elif isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and s.value is not None:
            m.assigns[s.target.id] = s.value
        elif isinstance(s, ast.ImportFrom):
            base = _resolve_relative(path, s.level, s.module or "")
            for a in s.names:
                m.imports[a.asname or a.name] = (base, a.name)
        elif isinstance(s, ast.Import):
            for a in s.names:
                m.imports[a.asname or a.name.split(".")[0]] = (a.name if a.asname else a.name.split(".")[0], "")
    return m


def _resolve_relative(path: str, level: int, module: str) -> str:
    """'..bert.modeling_bert' seen from models/x/modeling_x.py -> 'models/bert/modeling_bert'."""
    if level == 0:
        if module.startswith("transformers."):
            return module[len("transformers."):].replace(".", "/")
        return module if not module.startswith("transformers") else ""
    folder = posixpath.dirname(path)
    for _ in range(level - 1):
        folder = posixpath.dirname(folder)
    tail = module.replace(".", "/")
    return posixpath.normpath(posixpath.join(folder, tail)) if tail else folder


class SourceTree:
    """Lazily parsed files of one release of transformers."""

    def __init__(self, wheel: Wheel, root: str = ROOT):
        self.wheel = wheel
        self.root = root
        self._cache: dict[str, Module | None] = {}
        self.paths = [n[len(root):] for n in wheel.names() if n.startswith(root) and n.endswith(".py")]
        self._set = set(self.paths)
        self._by_folder: dict[str, list[str]] = {}
        for p in self.paths:
            self._by_folder.setdefault(posixpath.dirname(p), []).append(p)

    def module(self, path: str) -> Module | None:
        if path not in self._cache:
            text = self.wheel.read(self.root + path) if path in self._set else None
            self._cache[path] = parse_module(path, text) if text is not None else None
        return self._cache[path]

    def files(self, prefix: str) -> list[str]:
        """Sorted paths models/*/<prefix>*.py, the auto folder and deprecated copies excluded last."""
        out = []
        for p in self.paths:
            parts = p.split("/")
            if parts[0] == "models" and len(parts) >= 3 and parts[-1].startswith(prefix):
                if parts[1] != "auto" and "_tf_" not in parts[-1] and "_flax_" not in parts[-1]:
                    out.append(p)
        return sorted(out)

    def find_class(self, module: Module, name: str) -> tuple[Module, ast.ClassDef] | None:
        """A class by the name it has in `module`: defined there, or imported from a sibling file."""
        if name in module.classes:
            return module, module.classes[name]
        if name not in module.imports:
            return None
        base, original = module.imports[name]
        return self.find_in(base, original)

    def find_in(self, base: str, name: str) -> tuple[Module, ast.ClassDef] | None:
        candidates = [base + ".py"]
        folder = base if base in self._by_folder else posixpath.dirname(base)
        if folder.startswith("models/"):
            candidates += [p for p in self._by_folder.get(folder, ())
                           if posixpath.basename(p).startswith(("modeling_", "configuration_"))
                           and "_tf_" not in p and "_flax_" not in p]
        for p in candidates:
            m = self.module(p)
            if m and name in m.classes:
                return m, m.classes[name]
        return None

    def find_function(self, module: Module, name: str) -> tuple[Module, ast.FunctionDef] | None:
        if name in module.functions:
            return module, module.functions[name]
        if name in module.imports:
            base, original = module.imports[name]
            m = self.module(base + ".py")
            if m and original in m.functions:
                return m, m.functions[original]
        return None


def dotted(node: ast.AST) -> str:
    """'nn.functional.gelu' for an attribute chain of names, else ''."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
        return ".".join(reversed(parts))
    return ""


def base_names(cls: ast.ClassDef) -> list[str]:
    out = []
    for b in cls.bases:
        if isinstance(b, ast.Subscript):
            b = b.value
        name = dotted(b)
        if name:
            out.append(name.split(".")[-1])
    return out


def method(cls: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    for s in cls.body:
        if isinstance(s, ast.FunctionDef) and s.name == name:
            return s
    return None
