#include "formula/formula.h"

#include "formula/formula_math.h"

#include <array>
#include <limits>
#include <map>
#include <mutex>

namespace gelint::formula {

namespace {

constexpr std::array<std::string_view, k_formula_count + 2> k_names = {
    "gelu_erf",   "gelu_tanh", "gelu_quick", "gelu_erf_clip10", "silu", "relu",    "relu2",
    "relu6",      "leaky_relu", "hardswish", "mish",            "sigmoid", "tanh", "laplace",
    "sqrtsoftplus", "prelu",   "xielu",      "identity",        "other", "unknown"};

Gap compute_gap(Formula a, Formula b) {
  auto distance = [&](double x) { return std::fabs(eval(a, x) - eval(b, x)); };
  // Step 2^-9: the narrowest peak of any pair (erf against tanh near ±2.7) is more than a thousand steps wide.
  constexpr double k_step = 1.0 / 512, k_limit = 20;
  Gap best;
  for (double x = -k_limit; x <= k_limit; x += k_step)
    if (double d = distance(x); d > best.max_abs_diff)
      best = {d, x};
  if (best.max_abs_diff == 0)
    return best;
  const double k_golden = 0.61803398874989484820;
  double lo = std::max(-k_limit, best.at - k_step), hi = std::min(k_limit, best.at + k_step);
  for (int i = 0; i < 60 && hi - lo > 1e-12; ++i) {
    double p = hi - k_golden * (hi - lo), q = lo + k_golden * (hi - lo);
    (distance(p) < distance(q) ? lo : hi) = distance(p) < distance(q) ? p : q;
  }
  if (double x = 0.5 * (lo + hi), d = distance(x); d > best.max_abs_diff)
    best = {d, x};
  return best;
}

} // namespace

std::string_view to_string(Formula f) { return k_names[static_cast<size_t>(f)]; }

std::optional<Formula> formula_from_string(std::string_view name) {
  for (size_t i = 0; i < k_names.size(); ++i)
    if (k_names[i] == name)
      return static_cast<Formula>(i);
  return std::nullopt;
}

bool is_gelu_family(Formula f) {
  switch (f) {
  case Formula::gelu_erf:
  case Formula::gelu_tanh:
  case Formula::gelu_quick:
  case Formula::gelu_erf_clip10:
    return true;
  default:
    return false;
  }
}

double eval(Formula f, double x) {
  switch (f) {
  case Formula::gelu_erf: return math::gelu_erf(x);
  case Formula::gelu_tanh: return math::gelu_tanh(x);
  case Formula::gelu_quick: return math::gelu_quick(x);
  case Formula::gelu_erf_clip10: return math::gelu_erf_clip10(x);
  case Formula::silu: return math::silu(x);
  case Formula::relu: return math::relu(x);
  case Formula::relu2: return math::relu2(x);
  case Formula::relu6: return math::relu6(x);
  case Formula::leaky_relu: return math::leaky_relu(x, 0.01);
  case Formula::hardswish: return math::hardswish(x);
  case Formula::mish: return math::mish(x);
  case Formula::sigmoid: return math::sigmoid(x);
  case Formula::tanh: return std::tanh(x);
  case Formula::laplace: return math::laplace(x);
  case Formula::sqrtsoftplus: return math::sqrtsoftplus(x);
  case Formula::prelu: return math::leaky_relu(x, 0.25);
  case Formula::xielu: return math::xielu(x);
  case Formula::identity: return x;
  case Formula::other:
  case Formula::unknown: break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Gap gap(Formula a, Formula b) {
  if (a == b || a > Formula::identity || b > Formula::identity)
    return {};
  if (a > b)
    std::swap(a, b);
  // An audit asks for the same few pairs once per row.
  static std::mutex mutex;
  static std::map<std::pair<Formula, Formula>, Gap> cache;
  std::lock_guard lock(mutex);
  auto [it, fresh] = cache.try_emplace({a, b});
  if (fresh)
    it->second = compute_gap(a, b);
  return it->second;
}

} // namespace gelint::formula
