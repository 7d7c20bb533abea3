#include "demo/reference.h"

#include <cmath>

namespace mini::demo {

double reference_erf(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }

double reference_tanh(double x) {
  const double u = std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1.0 + std::tanh(u));
}

double reference_quick(double x) { return x / (1.0 + std::exp(-1.702 * x)); }

double reference_silu(double x) { return x / (1.0 + std::exp(-x)); }

} // namespace mini::demo
