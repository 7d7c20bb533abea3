#include "decide/severity.h"

namespace gelint::decide {

std::string severity_of(double gap, formula::Precision precision) {
  if (!(gap > 0))
    return "none";
  bool half = precision == formula::Precision::input || precision == formula::Precision::f16_table;
  constexpr double k_bf16_step = 0x1p-7; // on [1, 2), where the gaps of the GELU family are largest
  if (gap < 1e-3)
    return "low";
  if (gap < 5e-2)
    return half && gap < k_bf16_step ? "low" : "medium";
  return "high";
}

} // namespace gelint::decide
