"""The stored tables: merge patches, their chain, and what the project says of Gemma 1 by release."""
import json
import unittest

from support import ROOT
from hf_defaults.extractor import compose, tables, wheels

FOLDER = ROOT / "hf_defaults" / "tables"


class Patch(unittest.TestCase):
    def test_examples_of_the_rfc(self):
        # RFC 7386, appendix A (those without arrays of changes).
        for base, patch, want in (({"a": "b"}, {"a": "c"}, {"a": "c"}), ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
                                  ({"a": "b"}, {"a": None}, {}), ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
                                  ({"a": ["b"]}, {"a": "c"}, {"a": "c"}), ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
                                  ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}})):
            self.assertEqual(tables.merge_apply(base, patch), want)

    def test_difference_applied_gives_the_target(self):
        a = {"k": {"x": 1, "y": {"z": [1, 2]}}, "gone": 1, "same": "s"}
        b = {"k": {"x": 2, "y": {"w": 1}}, "same": "s", "new": {"n": False}}
        self.assertEqual(tables.merge_apply(a, tables.merge_diff(a, b)), b)


def holds_null(value) -> bool:
    if isinstance(value, dict):
        return any(holds_null(v) for v in value.values())
    return any(holds_null(v) for v in value) if isinstance(value, list) else value is None


class Stored(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.documents = {v: tables.load(FOLDER, v) for v in wheels.TRANSFORMERS}

    def test_every_release_is_whole_and_without_nulls(self):
        for version, d in self.documents.items():
            self.assertEqual((d["schema"], d["transformers"]), (tables.SCHEMA, version))
            self.assertFalse(holds_null(d), version)
            for model_type, key in d["model_types"].items():
                self.assertIn(key, d["configs"], model_type)
            for key, c in d["configs"].items():
                for name, sub in c.get("subs", {}).items():
                    self.assertIn(sub.get("class", key), d["configs"], f"{key}.{name}")

    def test_differences_are_what_the_command_writes(self):
        # Recomputing each difference from the two whole tables gives the stored file byte for byte.
        versions = wheels.TRANSFORMERS
        for newer, older in zip(versions, versions[1:]):
            text = tables.dump(tables.diff_document(self.documents[newer], self.documents[older]))
            self.assertEqual(text, tables.path_of(FOLDER, older, False).read_text(encoding="utf-8"), older)

    def test_gemma_1_reader_by_release(self):
        # The switches: pull request 29402 (4.39) and commit 2c47618c1a (4.48) of huggingface/transformers.
        for version, d in self.documents.items():
            slots = d["configs"]["GemmaConfig"]["slots"]
            middle = version in ("4.39.3", "4.47.1")
            self.assertEqual(slots["mlp"]["read"], "hidden_activation" if middle else "hidden_act", version)
            if middle:
                null = [r for n, r in slots.items() if n.startswith("mlp:")]
                self.assertEqual([r["formula"] for r in null], ["gelu_tanh"])
        self.assertEqual(self.documents["4.38.2"]["configs"]["GemmaConfig"]["keys"]["hidden_act"]["default"], "gelu")

    def test_gemma_1_rewrites_gelu_in_the_newest(self):
        # models/gemma/configuration_gemma.py of 5.24.0, __post_init__; absent in every pinned older release.
        for version, d in self.documents.items():
            key = d["configs"]["GemmaConfig"]["keys"]["hidden_act"]
            self.assertEqual(key.get("rewrites"), {"gelu": "gelu_pytorch_tanh"} if version == "5.24.0" else None, version)

    def test_registry_additions(self):
        has = {v: set(d["act2fn"]) for v, d in self.documents.items()}
        self.assertNotIn("prelu", has["4.48.0"])
        self.assertIn("prelu", has["4.57.6"])
        self.assertIn("xielu", has["4.57.6"])
        self.assertNotIn("sqrtsoftplus", has["5.3.0"])
        self.assertIn("sqrtsoftplus", has["5.10.4"])
        newest = self.documents[wheels.TRANSFORMERS[0]]["act2fn"]
        self.assertEqual(newest["gelu_fast"]["formula"], "gelu_tanh")
        self.assertEqual(newest["gelu_accurate"]["formula"], "gelu_tanh")
        self.assertEqual(newest["quick_gelu"]["formula"], "gelu_quick")

    def test_coverage(self):
        d = self.documents[wheels.TRANSFORMERS[0]]
        every = [p for m in d["model_types"] for p in compose.pairs(d, m)]
        self.assertGreaterEqual(len(d["model_types"]), 800)
        self.assertGreaterEqual(sum(p.formula is not None for p in every), 1000)

    def test_known_slots(self):
        # Each line restates a fact of the public source named beside it (models/<folder>/modeling_<folder>.py).
        d = self.documents[wheels.TRANSFORMERS[0]]
        expected = {("siglip_vision_model", "vision.mlp"): "gelu_tanh", ("clip_vision_model", "vision.mlp"): "gelu_quick",
                    ("gemma3", "text.mlp"): "gelu_tanh", ("gemma3", "vision.mlp"): "gelu_tanh",
                    ("llava", "vision.mlp"): "gelu_quick", ("llava", "projector"): "gelu_erf",
                    ("qwen2_vl", "vision.merger"): "gelu_erf", ("qwen2_vl", "vision.mlp"): "gelu_quick",
                    ("minicpmv4_6", "vision.window_merger"): "gelu_tanh", ("minicpmv4_6", "vision.downsample_merger"): "gelu_erf",
                    ("llama4", "vision.mlp"): "gelu_erf", ("openai-gpt", "text.mlp"): "gelu_tanh", ("bloom", "text.mlp"): "gelu_tanh",
                    ("esm", "text.mlp"): "gelu_erf", ("recurrent_gemma", "text.y_branch"): "gelu_tanh",
                    ("gemma3n", "text.per_layer_gate"): "gelu_tanh", ("gpt_oss", "text.experts"): "gelu_quick",
                    ("whisper", "audio.conv"): "gelu_erf", ("starcoder2", "text.mlp"): "gelu_tanh"}
        for (model_type, slot), formula in expected.items():
            found = {p.formula for p in compose.pairs(d, model_type) if p.slot == slot}
            self.assertEqual(found, {formula}, f"{model_type} {slot}: {[p.slot for p in compose.pairs(d, model_type)]}")


class Ports(unittest.TestCase):
    def test_rows(self):
        for package, version in wheels.PORTS.items():
            d = json.loads((ROOT / "hf_defaults" / "ports" / f"{package}.json").read_text(encoding="utf-8"))
            self.assertEqual((d["schema"], d["port"], d["version"]), ("gelint-port/1", package, version))
            for r in d["rows"]:
                self.assertIn(r["known_by"], ("evaluated", "read"))
        rows = {(r["model_type"], r["slot"]): r["formula"]
                for r in json.loads((ROOT / "hf_defaults" / "ports" / "mlx-vlm.json").read_text(encoding="utf-8"))["rows"]}
        # ml-explore's own files: nn.gelu in starcoder2, GELU(approx="fast") in llama4, swapped pair in qwen3_vl_moe.
        self.assertEqual(rows["starcoder2", "text.mlp"], "gelu_erf")
        self.assertEqual(rows["llama4", "vision.mlp"], "gelu_quick")
        self.assertEqual((rows["qwen3_vl_moe", "vision.mlp"], rows["qwen3_vl_moe", "vision.merger"]), ("gelu_erf", "gelu_tanh"))


if __name__ == "__main__":
    unittest.main()
