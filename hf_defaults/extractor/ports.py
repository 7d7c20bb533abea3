"""Ports: which formula mlx-lm, mlx-vlm and mlx-audio run in each slot, with file and line."""
from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from .gating import Gating
from .naming import slot_name, snake
from .source import Module, dotted, method, parse_module
from .wheels import Wheel

_FUNCTIONS = {"gelu", "gelu_approx", "gelu_fast_approx", "silu", "relu", "relu2", "relu6", "leaky_relu",
              "mish", "hardswish", "elu"}
_CLASSES = {"GELU", "SiLU", "ReLU", "ReLU2", "ReLU6", "LeakyReLU", "Mish", "Hardswish", "ELU", "Tanh"}
_SKIP = re.compile(r"(^|/)(tests?|generate|convert|processing_|tokenizer|interpolate|kernels)|test_")


# Slots whose class name in the port says too little; the slot is that of the Hugging Face class it stands for.
ALIASES = {("mlx-vlm", "minicpmv4_6", "VitMerger"): "vision.window_merger",
           ("mlx-vlm", "minicpmv4_6", "MergerBlock"): "vision.downsample_merger"}


# Model types of files that a port loads with a folder of another name.
FOLDERS = {"moondream1": "moondream2", "bunny-llama": "llava_bunny",
           "deepseek_ocr": "deepseekocr", "phi-msft": "phixtral", "deepseek_vl": "multi_modality",
           "jvlm": "jina_vlm", "llama_nemotron_vl": "llama_nemotron_vl_embedding"}


@dataclass
class Row:
    model_type: str
    slot: str
    written: str
    expr: str            # what is evaluated
    module: str          # dotted module of the expression
    file: str
    line: int
    cls: str
    gating: str
    reads: str = ""
    formula: str = "unknown"
    known_by: str = "read"
    via: str = ""
    note: str = ""


class Port:
    """One package: its modules, by folder or file of a model type."""

    LAYOUT = {"mlx-lm": ("mlx_lm", r"^mlx_lm/models/([\w-]+)\.py$"),
              "mlx-vlm": ("mlx_vlm", r"^mlx_vlm/models/(\w+)/(\w+)\.py$"),
              "mlx-audio": ("mlx_audio", r"^mlx_audio/(?:tts|stt|sts|codec|vad|music|lid)/models/(\w+)/.*?(\w+)\.py$")}
    SHARED = {"activations", "base", "cache", "mlp", "switch_layers", "__init__", "rope_utils", "ssm", "gated_delta",
              "pipeline", "attention", "linear", "config", "utils"}

    def __init__(self, name: str, version: str, wheel: Wheel):
        self.name, self.version, self.wheel = name, version, wheel
        self.package, pattern = self.LAYOUT[name]
        self.pattern = re.compile(pattern)
        self.modules: dict[str, Module] = {}
        for path in wheel.names():
            if path.startswith(self.package + "/") and path.endswith(".py"):
                text = wheel.read(path)
                if text and ("nn." in text or "gelu" in text or "swiglu" in text):
                    try:
                        self.modules[path] = parse_port_module(path, text)
                    except SyntaxError:
                        continue

    def rows(self) -> list[Row]:
        out: list[Row] = []
        for path in sorted(self.modules):
            m = self.pattern.match(path)
            if not m or _SKIP.search(path) or (self.name == "mlx-lm" and m.group(1) in self.SHARED):
                continue
            stem = m.group(2) if m.re.groups > 1 else ""
            out += self.file_rows(self.modules[path], m.group(1), stem)
        out = unique(out)
        for source, target in sorted(self.remapping().items()):
            out += [Row(source, r.slot, r.written, r.expr, r.module, r.file, r.line, r.cls, r.gating, r.reads,
                        via=target) for r in out if r.model_type == target and not r.via]
        return out

    def remapping(self) -> dict[str, str]:
        """MODEL_REMAPPING of the package: other model types that its loader sends to a file; and FOLDERS."""
        out: dict[str, str] = dict(FOLDERS)
        for path, module in self.modules.items():
            value = module.assigns.get("MODEL_REMAPPING")
            if isinstance(value, ast.Dict) and path.count("/") <= 2:
                for k, v in zip(value.keys, value.values):
                    if isinstance(k, ast.Constant) and isinstance(v, ast.Constant) and k.value != v.value:
                        out[k.value] = v.value
        return out

    # -- one file --------------------------------------------------------------------------
    def file_rows(self, module: Module, model_type: str, stem: str) -> list[Row]:
        rows: list[Row] = []
        for node in module.classes.values():
            gating = Gating([node])
            for site in self.sites(module, node):
                written, expr, where, line, attr, hint, glu = site
                use = gating.attribute(attr) if attr else gating.line(line)
                hint = hint or (use.arguments[0] if use.arguments else "")
                slot = self.slot(module, model_type, stem, node.name, attr, hint, written)
                rows.append(Row(model_type, slot, written, expr, where, module.path, line, node.name,
                                "glu" if glu else use.gating))
        return rows

    def slot(self, module: Module, model_type: str, stem: str, cls: str, attr: str, hint: str, written: str) -> str:
        alias = ALIASES.get((self.name, model_type, cls))
        if alias:
            return alias
        component = self.component(stem, cls, model_type)
        shown = cls
        if not attr and re.search(r"\b(mlp|fc1|ffn|linear1|w1|dense_h_to_4h)\w*\(", hint):
            shown = cls + "MLP"
        name = slot_name([("", shown), (attr, shown)], attr, hint, self.prefixes(module, model_type))
        if re.search(r"Mo[eE](MLP|Block|$)|SparseMoe", cls) or written.startswith(("SwitchGLU", "SwitchMLP")):
            name = "shared_experts" if "shared" in attr else "experts"
        top = stem == model_type and self.has_sites(module, "language")
        if top and name in ("mlp", "conv", "model", "embeddings") and component in ("", "text"):
            name = "projector"
        if name == "projector" and component in ("", "text"):
            return name
        if name.endswith("merger"):
            component = "vision"
        return f"{component or 'text'}.{name}"

    def has_sites(self, module: Module, stem: str) -> bool:
        """Another file of the same folder has activations, so the text model is not in this one."""
        other = self.modules.get(f"{module.path.rsplit('/', 1)[0]}/{stem}.py")
        return other is not None and any(True for c in other.classes.values() for _s in self.sites(other, c))

    def component(self, stem: str, cls: str, model_type: str) -> str:
        text = f"{stem} {cls}"
        if self.name == "mlx-lm":
            return "text"
        if stem == "talker":
            return "talker.text"
        if re.search(r"audio|speech|whisper|conformer|code2wav|wav|tts", text, re.I) or self.name == "mlx-audio" \
                and not re.search(r"language|llm|text|talker|lm\b", text, re.I):
            return "audio"
        if re.search(r"vision|image|siglip|clip|visual", text, re.I) or re.search(r"Vi[Tt](?=[A-Z]|\b)|\bsam\b", text):
            return "vision"
        if stem in ("language", "text", "llm") or re.search(r"language|text", text, re.I):
            return "text"
        if re.search(r"qformer", text, re.I):
            return "qformer"
        if stem == model_type:
            return ""
        if self.name == "mlx-vlm" and f"mlx_vlm/models/{model_type}/language.py" not in self.wheel.names():
            return "vision"
        return "text" if self.name != "mlx-audio" else "audio"

    @staticmethod
    def prefixes(module: Module, model_type: str) -> list[str]:
        joined = "".join(p.capitalize() for p in model_type.split("_"))
        names = {joined, joined + "Vision", joined + "Text", joined + "Audio"}
        for c in module.classes:
            for p in list(names):
                if c.lower().startswith(p.lower()):
                    names.add(c[:len(p)])
        return sorted(names, key=len)

    def sites(self, module: Module, node: ast.ClassDef):
        """(written, expression, module, line, attribute, applied to, gated) of each activation in a class."""
        init = method(node, "__init__")
        stored: set[int] = set()
        for s in ast.walk(init) if init else ():
            if isinstance(s, ast.Assign) and len(s.targets) == 1 and dotted(s.targets[0]).startswith("self."):
                for n in ast.walk(s.value):
                    found = self.expression(module, n)
                    if found:
                        stored.add(id(n))
                        stored.update(id(c) for c in ast.walk(n))
                        yield (*found[:3], n.lineno, s.targets[0].attr, "", found[3])
        for fn in node.body:
            if not isinstance(fn, ast.FunctionDef):
                continue
            for n in ast.walk(fn):
                if id(n) in stored:
                    continue
                found = self.expression(module, n, calls=True)
                if found and fn is not init:
                    hint = ast.unparse(n.args[0])[:80] if isinstance(n, ast.Call) and n.args else ""
                    yield (*found[:3], n.lineno, "", hint, found[3])
                elif found and fn is init and isinstance(n, ast.Call) and "nn." in ast.unparse(n.func):
                    yield (*found[:3], n.lineno, "", "", found[3])

    def expression(self, module: Module, n: ast.AST, calls: bool = False):
        """(written, expression, module, gated) when the node is an activation of the port."""
        here = module.path[:-3].replace("/", ".")
        if isinstance(n, ast.Call):
            name = dotted(n.func)
            last = name.split(".")[-1]
            if name.startswith("nn.") and last in _FUNCTIONS and calls:
                return name, name if not n.keywords else f"partial({name}, {_kw(n)})", here, False
            if name.startswith("nn.") and last in _CLASSES and not any(
                    isinstance(a, (ast.Name, ast.Attribute)) for a in n.args):
                text = ast.unparse(n)
                return text, text, here, False
            if name in ("partial", "functools.partial") and n.args and dotted(n.args[0]).split(".")[-1] in _FUNCTIONS:
                return ast.unparse(n), ast.unparse(n), here, False
            if last in ("SwitchGLU",):
                given = [k.value for k in n.keywords if k.arg == "activation"]
                text = ast.unparse(given[0]) if given else "swiglu"
                return f"{last}({text})", text if given else "swiglu", here if given else self._shared("switch_layers"), True
            if last == "SwitchMLP":
                given = [k.value for k in n.keywords if k.arg == "activation"]
                text = ast.unparse(given[0]) if given else 'nn.GELU(approx="precise")'
                return f"{last}({text})", text, here, False
            if calls and isinstance(n.func, ast.Name):
                return self._local(module, n.func.id, here)
            if isinstance(n.func, ast.Name):
                return self._selector(module, n, here) or self._shared_class(module, n.func.id)
        elif isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load) and not calls:
            name = dotted(n)
            if name.startswith("nn.") and name.split(".")[-1] in _FUNCTIONS:
                return name, name, here, False
        return None

    def _shared(self, stem: str) -> str:
        return f"{self.package}.models.{stem}" if self.name != "mlx-audio" else f"{self.package}.lm.models.{stem}"

    def _local(self, module: Module, name: str, here: str):
        """A helper of the same file or of the package: swiglu(gate, up), gelu(x)."""
        if not re.search(r"gelu|swiglu|geglu|silu|relu|swish", name, re.I) or name in module.classes:
            return None
        if "topk" in name:  # sparsity around an activation that has a row of its own
            return None
        found = self.find_function(module, name)
        if not found:
            return None
        fn = found[1]
        required = len(fn.args.args) - len(fn.args.defaults)
        return f"{name}()", name, here, required >= 2 and not re.search(r"topk", name)

    def _selector(self, module: Module, n: ast.Call, here: str):
        """`self.act = _gelu_from_name(config.hidden_act)`: run with the default of the port's own configuration."""
        name = n.func.id
        if name not in module.functions or len(n.args) != 1 or not re.search(r"gelu|act", name, re.I):
            return None
        arg = n.args[0]
        key = arg.attr if isinstance(arg, ast.Attribute) else arg.id if isinstance(arg, ast.Name) else None
        default = self.config_default(module, key) if key else None
        return (ast.unparse(n), f"{name}({default!r})", here, False) if default else None

    def config_default(self, module: Module, key: str) -> str | None:
        """Default of a key in the port's configuration dataclasses (config.py, else the file itself)."""
        folder = module.path.rsplit("/", 1)[0]
        for path in (f"{folder}/config.py", module.path):
            other = self.modules.get(path) or self._parse(path)
            for c in other.classes.values() if other else ():
                for s in c.body:
                    if isinstance(s, ast.AnnAssign) and getattr(s.target, "id", "") == key \
                            and isinstance(s.value, ast.Constant) and isinstance(s.value.value, str):
                        return s.value.value
        return None

    def _parse(self, path: str) -> Module | None:
        text = self.wheel.read(path)
        return parse_port_module(path, text) if text else None

    def _shared_class(self, module: Module, name: str):
        """`MLP` imported from the package's mlp.py: the activation is inside that class."""
        if name not in module.imports:
            return None
        base, original = module.imports[name]
        other = self.modules.get(f"{base}.py")
        if other is None or original not in other.classes or not base.endswith("/mlp"):
            return None
        inner = list(self.sites(other, other.classes[original]))
        if not inner:
            return None
        written, expr, where, _line, _attr, _hint, glu = inner[0]
        return f"{original}: {written}", expr, where, glu or Gating([other.classes[original]]).line(_line).gating == "glu"

    def find_function(self, module: Module, name: str):
        if name in module.functions:
            return module, module.functions[name]
        if name in module.imports:
            base, original = module.imports[name]
            other = self.modules.get(f"{base}.py")
            if other and original in other.functions:
                return other, other.functions[original]
        return None


def _kw(n: ast.Call) -> str:
    return ", ".join(f"{k.arg}={ast.unparse(k.value)}" for k in n.keywords if k.arg)


def parse_port_module(path: str, text: str) -> Module:
    """Like the parser of transformers, with imports resolved inside the port's own package."""
    m = parse_module(path, text)
    for name, (base, original) in list(m.imports.items()):
        if base.startswith("mlx") and "." in base:
            m.imports[name] = (base.replace(".", "/"), original)
    return m


def unique(rows: list[Row]) -> list[Row]:
    seen: dict[tuple, Row] = {}
    for r in rows:
        seen.setdefault((r.model_type, r.slot, r.expr, r.file), r)
    names: dict[tuple, int] = {}
    out = []
    for r in seen.values():
        key = (r.model_type, r.slot)
        names[key] = names.get(key, 0) + 1
        if names[key] > 1:
            r.slot = f"{r.slot}:{snake(r.cls)}"
            if any(o.model_type == r.model_type and o.slot == r.slot for o in out):
                r.slot += f"_{r.line}"
        out.append(r)
    return out


def document(port: Port, rows: list[Row], made_by: str) -> dict:
    out = []
    for r in sorted(rows, key=lambda r: (r.model_type, r.slot, r.file, r.line)):
        row = {"model_type": r.model_type, "slot": r.slot, "formula": r.formula, "file": r.file, "line": r.line,
               "known_by": r.known_by, "written": r.written[:90], "class": r.cls, "gating": r.gating}
        if r.reads:
            row["reads"] = r.reads
        if r.note:
            row["modifiers"] = [r.note]
        if r.via:
            row["via"] = r.via
        out.append(row)
    return {"schema": "gelint-port/1", "port": port.name, "version": port.version, "made_by": made_by, "rows": out}
