#pragma once
// The vocabulary of formulas. Names of activations are never formulas: see names.h.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gelint::formula {

/// `other`: evaluated, matches none. `unknown`: not evaluated.
enum class Formula : uint8_t {
  gelu_erf,        ///< x·Φ(x)
  gelu_tanh,       ///< x·σ(2·√(2/π)·(x + 0.044715·x³))
  gelu_quick,      ///< x·σ(1.702·x)
  gelu_erf_clip10, ///< gelu_erf clipped to [-10, 10]
  silu,
  relu,
  relu2,
  relu6,
  leaky_relu, ///< slope 0.01, torch's default
  hardswish,
  mish,
  sigmoid,
  tanh,
  laplace, ///< 0.5·(1 + erf((x − √½)/(√2·0.282095)))
  sqrtsoftplus,
  prelu,  ///< learned slope; evaluated at torch's initial 0.25
  xielu,  ///< learned parameters; evaluated at the initial values of transformers' XIELUActivation
  identity,
  other,
  unknown,
};

inline constexpr int k_formula_count = static_cast<int>(Formula::identity) + 1; ///< without other, unknown

std::string_view to_string(Formula f);
std::optional<Formula> formula_from_string(std::string_view name);

/// The formulas that `scan` lists without --all-activations.
bool is_gelu_family(Formula f);

/// f(x) in double, in the careful form (formula_math.h). `other` and `unknown` give NaN.
double eval(Formula f, double x);

/// Largest |a(x) − b(x)| over the finite range where both are evaluated, and where; from a dense fixed grid on
/// [-20, 20] refined by golden section. 0 for a == b.
struct Gap {
  double max_abs_diff = 0;
  double at = 0;
};
Gap gap(Formula a, Formula b);

} // namespace gelint::formula
