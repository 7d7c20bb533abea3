"""The hand-written rows: shape, sources, and references to classes that exist (needs PyYAML)."""
import sys
import unittest

from support import ROOT
from hf_defaults.extractor import compose, formulas, overlay, tables, wheels

try:
    import yaml
except ImportError:
    print("skipped: PyYAML is not installed")
    sys.exit(77)

FILES = sorted((ROOT / "hf_defaults" / "overlay").glob("*.yaml"))
KNOWN = set(formulas.FORMULAS) | {"prelu", "xielu", "other"}


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = [(f.name, section, row) for f in FILES
                    for section, rows in (yaml.safe_load(f.read_text(encoding="utf-8")) or {}).items()
                    if isinstance(rows, list) for row in rows]
        cls.document = overlay.with_families(tables.load(ROOT / "hf_defaults" / "tables", wheels.TRANSFORMERS[0]),
                                             ROOT / "hf_defaults" / "overlay")

    def test_every_row_has_a_source(self):
        for name, section, row in self.rows:
            self.assertGreater(len(row.get("source", "")), 20, f"{name} {section} {row.get('class', row)}")

    def test_formulas_and_classes_exist(self):
        for _name, section, row in self.rows:
            for slot in row.get("slots", {}).values():
                self.assertTrue(section == "patches" or "formula" in slot or "read" in slot, row)
                self.assertIn(slot.get("formula", "silu"), KNOWN)
                for formula in slot.get("names", {}).values():
                    self.assertIn(formula, KNOWN)
            if section == "families":
                for sub in row.get("subs", {}).values():
                    self.assertIn(sub.get("class", row["class"]), self.document["configs"])
                    self.assertIn(sub.get("when_missing", "llama"), self.document["model_types"])

    def test_families_are_many_and_unique(self):
        classes = [row["class"] for _n, section, row in self.rows if section == "families"]
        self.assertGreaterEqual(len(classes), 30)
        self.assertEqual(len(classes), len(set(classes)))

    def test_decisions_of_remote_families(self):
        # One family per kind: fixed in code, declared in a nested object, default of a named tower, from the model's file.
        expected = {("moondream1", "text.mlp"): "gelu_tanh", ("moondream3", "text.experts"): "gelu_erf",
                    ("deepseek_vl_v2", "vision.mlp"): "gelu_tanh", ("phi3_v", "vision.mlp"): "gelu_quick",
                    ("molmo", "vision.mlp"): "gelu_quick", ("youtu_vl", "vision.mlp"): "gelu_tanh",
                    ("jvlm", "vision.mlp"): "gelu_tanh", ("minicpmo", "vision.mlp"): "gelu_tanh",
                    ("internvl_chat", "vision.mlp"): "gelu_erf", ("kimi_vl", "vision.mlp"): "gelu_tanh",
                    ("phi-msft", "text.mlp"): "gelu_tanh", ("bunny-llama", "vision.mlp"): "gelu_tanh",
                    ("nemotron-nas", "text.mlp"): "silu", ("llama_nemotron_vl", "vision.mlp"): "gelu_tanh",
                    ("plbert", "text.mlp"): "gelu_tanh", ("qwen", "text.mlp"): "silu"}
        for (model_type, slot), formula in expected.items():
            found = {p.formula for p in compose.pairs(self.document, model_type) if p.slot.split(":")[0] == slot}
            self.assertEqual(found, {formula}, f"{model_type} {slot}: {[p.slot for p in compose.pairs(self.document, model_type)]}")


if __name__ == "__main__":
    unittest.main()
