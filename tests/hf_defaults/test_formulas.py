"""Formulas by evaluation: the registry of the fixture tree, local functions, near misses."""
import ast
import math
import unittest

import support  # noqa: F401 - puts the repository on the path
from hf_defaults.extractor import evaluate, formulas, source


def formula(code: str):
    module = source.parse_module("x.py", code)
    return evaluate.function_formula(module, module.functions["f"])


class Local(unittest.TestCase):
    def test_spellings_of_one_formula(self):
        # Bloom's truncated constant and the factored polynomial, both the tanh form.
        self.assertEqual(formula("def f(x):\n  return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))"),
                         "gelu_tanh")
        self.assertEqual(formula("def f(x):\n  return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))"), "gelu_erf")
        self.assertEqual(formula("def f(x):\n  y = torch.sigmoid(1.702 * x)\n  return x * y"), "gelu_quick")
        self.assertEqual(formula("def f(x):\n  return x * x.sigmoid()"), "silu")
        self.assertEqual(formula("def f(x):\n  return F.relu(x).pow(2)"), "relu2")

    def test_swapped_constants_match_nothing(self):
        # https://github.com/huggingface/transformers/pull/11514: finite, plausible, wrong.
        self.assertEqual(formula("def f(x):\n  return 0.5 * x * (1 + torch.tanh(x * 0.044715 * (1 + 0.7978845608 * x * x)))"),
                         "other")

    def test_what_cannot_run_is_not_guessed(self):
        self.assertIsNone(formula("def f(x):\n  return custom_op(x)"))

    def test_class_with_stored_constant(self):
        module = source.parse_module("x.py", "class A(nn.Module):\n  def __init__(self):\n    self.alpha = 1.702\n"
                                             "  def forward(self, x):\n    return x * torch.sigmoid(self.alpha * x)\n")
        self.assertEqual(evaluate.class_formula(module, module.classes["A"]), "gelu_quick")


class Canonical(unittest.TestCase):
    def test_every_two_are_told_apart(self):
        # Independent value: |erf - tanh| is at most 4.73e-4 (published in mlx, torch and here computed again).
        self.assertAlmostEqual(formulas.distance("gelu_erf", "gelu_tanh"), 4.73e-4, delta=1e-6)
        self.assertAlmostEqual(formulas.distance("gelu_erf", "gelu_quick"), 2.03e-2, delta=1e-4)
        for name, f in formulas.FORMULAS.items():
            self.assertEqual(formulas.classify(f), name)

    def test_erf_against_the_normal_distribution(self):
        # 0.5 * (1 + erf(1/sqrt 2)) = 0.841344746...: standard normal table.
        self.assertAlmostEqual(formulas.gelu_erf(1.0), 0.8413447460685429, places=14)
        self.assertTrue(math.isclose(formulas.gelu_erf(-9.0), -9.0 * 1.1285884059538e-19, rel_tol=1e-9))


if __name__ == "__main__":
    unittest.main()
