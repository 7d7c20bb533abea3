"""Small source trees for the extractor's tests: a folder laid out like the transformers package."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from hf_defaults.extractor import tables, wheels  # noqa: E402

ACTIVATIONS = '''
import math
import torch
from torch import nn

class GELUActivation(nn.Module):
    def __init__(self):
        self.act = nn.functional.gelu
    def forward(self, input):
        return self.act(input)

class GELUTanh(nn.Module):
    def forward(self, input):
        return nn.functional.gelu(input, approximate="tanh")

class NewGELUActivation(nn.Module):
    def forward(self, input):
        return 0.5 * input * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (input + 0.044715 * torch.pow(input, 3.0))))

class QuickGELUActivation(nn.Module):
    def forward(self, input):
        return input * torch.sigmoid(1.702 * input)

ACT2CLS = {
    "gelu": GELUActivation,
    "gelu_new": NewGELUActivation,
    "gelu_pytorch_tanh": GELUTanh,
    "quick_gelu": QuickGELUActivation,
    "relu": nn.ReLU,
    "silu": nn.SiLU,
    "tanh": nn.Tanh,
}
ACT2FN = ClassInstantier(ACT2CLS)
gelu = get_activation("gelu")
gelu_new = get_activation("gelu_new")
'''

CONFIG_HEAD = "from ...configuration_utils import PreTrainedConfig\nfrom ..auto import CONFIG_MAPPING, AutoConfig\n"
MODEL_HEAD = ("import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
              "from ...activations import ACT2FN, gelu, gelu_new\nfrom ...modeling_utils import PreTrainedModel\n")


def extract(models: dict[str, tuple[str, str]], mapping: dict[str, str]) -> dict:
    """Document of a tree whose folders hold (configuration, modeling) text."""
    with tempfile.TemporaryDirectory() as tmp:
        package = Path(tmp) / "transformers"
        files = {"activations.py": ACTIVATIONS,
                 "models/auto/configuration_auto.py": f"CONFIG_MAPPING_NAMES = OrderedDict({list(mapping.items())!r})\n",
                 "models/auto/modeling_auto.py": ""}
        for name, (config, model) in models.items():
            classes = [line.split("class ")[1].split("(")[0] for line in config.splitlines() if line.startswith("class ")]
            head = MODEL_HEAD + f"from .configuration_{name} import {', '.join(classes)}\n"
            files[f"models/{name}/configuration_{name}.py"] = CONFIG_HEAD + config
            files[f"models/{name}/modeling_{name}.py"] = head + model
        for path, text in files.items():
            (package / path).parent.mkdir(parents=True, exist_ok=True)
            (package / path).write_text(text, encoding="utf-8")
        return tables.Extraction(wheels.Wheel(Path(tmp)), "0.0.0").document()


def newest_wheel():
    """The cached wheel of the newest pinned release; ends the process with 77 when there is none."""
    version = wheels.TRANSFORMERS[0]
    if wheels.find("transformers", version) is None:
        print(f"skipped: transformers {version} is not in {wheels.cache_dir()}")
        sys.exit(77)
    return wheels.open_wheel("transformers", version), version
