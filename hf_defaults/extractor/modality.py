"""What kind of input a configuration's model takes, for the name of its component."""
from __future__ import annotations

import ast
import re

from .config_classes import ConfigClass
from .configs import Configs
from .source import SourceTree

_TEXT_TASKS = re.compile(r"CAUSAL_LM|MASKED_LM|SEQ_TO_SEQ_CAUSAL_LM|MULTIPLE_CHOICE|NEXT_SENTENCE|"
                         r"TOKEN_CLASSIFICATION|SEQUENCE_CLASSIFICATION|QUESTION_ANSWERING_MAPPING|TEXT_ENCODING")
_VISION_TASKS = re.compile(r"IMAGE_CLASSIFICATION|OBJECT_DETECTION|SEGMENTATION|DEPTH|MASKED_IMAGE|"
                           r"VIDEO_CLASSIFICATION|BACKBONE|KEYPOINT|IMAGE_TO_IMAGE|MODEL_FOR_IMAGE_MAPPING")
_AUDIO_TASKS = re.compile(r"AUDIO|CTC|SPEECH|TEXT_TO_WAVEFORM|TEXT_TO_SPECTROGRAM")
_MULTI_TASKS = re.compile(r"IMAGE_TEXT_TO_TEXT|VISION_2_SEQ|VISUAL_QUESTION|ZERO_SHOT|MULTIMODAL_LM|DOCUMENT")


class Modality:
    def __init__(self, tree: SourceTree, configs: Configs):
        self.configs = configs
        self.tree = tree
        self._inputs: dict[str, str] = {}
        self.tasks: dict[str, set[str]] = {}
        module = tree.module("models/auto/modeling_auto.py")
        for name, value in (module.assigns if module else {}).items():
            if not name.endswith("_MAPPING_NAMES"):
                continue
            kind = next((k for k, p in (("multimodal", _MULTI_TASKS), ("audio", _AUDIO_TASKS),
                                        ("vision", _VISION_TASKS), ("text", _TEXT_TASKS)) if p.search(name)), None)
            if not kind:
                continue
            for n in ast.walk(value):
                if isinstance(n, ast.Tuple) and n.elts and isinstance(n.elts[0], ast.Constant):
                    self.tasks.setdefault(str(n.elts[0].value), set()).add(kind)

    def of(self, c: ConfigClass) -> str:
        name = c.name[:-len("Config")] if c.name.endswith("Config") else c.name
        subs = self.configs.subs_of(c)
        kinds = {k for s in subs for k, p in (("text", "text"), ("vision", "vision|image|visual|video"),
                                              ("audio", "audio|speech")) if re.search(p, s)}
        words = any(re.search(r"text|llm|language|thinker|decoder|generator|vlm", s) for s in subs)
        if kinds == {"vision", "audio"} and not words:
            return "text"  # the model itself is the language model (phi4_multimodal)
        if len(kinds) > 1 or kinds and ("vision" in kinds or "audio" in kinds):
            return "multimodal"
        if re.search(r"Vision|Image|Visual|Video|Swin|ResNet|Pixel|ViT|Sam\d?\w*(Mask|Prompt|Detr)", name):
            return "vision"
        if re.search(r"Audio|Speech|Wav|Codec|Tokenizer(En|De)coder|Mel|Vocoder|HifiGan|Code2Wav|Acoustic", name):
            return "audio"
        if re.search(r"Text(?!Net)|LanguageModel|Talker", name):
            return "text"
        tasks = self.tasks.get(c.model_type or "", set())
        for kind in ("multimodal", "audio", "vision", "text"):
            if kind in tasks:
                return kind
        first = self._main_input(c)
        if first:
            return first
        base = c.fields.get("base_config_key", (None, 0))[0]
        key = base.value if isinstance(base, ast.Constant) else ""
        for kind in ("vision", "audio", "text"):
            if kind in str(key):
                return kind
        return "other"

    def _main_input(self, c: ConfigClass) -> str:
        """By the `main_input_name` or the first forward argument of the folder's model classes."""
        folder = c.module.folder
        if folder not in self._inputs:
            text = "".join(self.tree.wheel.read(self.tree.root + p) or "" for p in self.tree.paths
                           if p.startswith(folder + "/modeling_") and "_tf_" not in p and "_flax_" not in p)
            hits = {"vision": len(re.findall(r"\bpixel_values\b", text)),
                    "audio": len(re.findall(r"\b(input_values|input_features|audio_values)\b", text)),
                    "text": len(re.findall(r"\binput_ids\b", text))}
            best = max(hits, key=lambda k: hits[k])
            self._inputs[folder] = best if hits[best] > 4 else ""
        return self._inputs[folder]
