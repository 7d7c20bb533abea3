#pragma once
// How much a mismatch matters numerically.

#include "formula/classify.h"

#include <string>

namespace gelint::decide {

/// "none", "low", "medium", "high", from the largest gap of the two formulas and the type that the
/// site evaluates in. erf against tanh (4.7e-4) is low: systematic, but below one rounding step of
/// a 16-bit activation at its worst place (bf16 has a step of 2^-7 = 7.8e-3 on [1, 2), f16
/// of 9.8e-4). quick against either (2.0e-2) is medium, SiLU against a GELU (0.19) high. A gap that
/// the type's own rounding covers is one grade lower.
std::string severity_of(double max_abs_diff, formula::Precision precision);

} // namespace gelint::decide
