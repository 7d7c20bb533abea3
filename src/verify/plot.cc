#include "verify/plot.h"

#include <cmath>
#include <limits>

namespace gelint::verify {
namespace {

constexpr double k_reach = 8;
constexpr int k_columns = 300; // two units of the drawing each
constexpr int k_samples = 256; // of a column, f32

class Columns {
public:
  Columns(formula::Formula reference, formula::Type type) : f_(static_cast<int>(reference)), t_(core_type(type)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    plot_.x0 = -k_reach, plot_.x1 = k_reach;
    for (auto* v : {&plot_.x, &plot_.implemented, &plot_.required, &plot_.ulp})
      v->assign(k_columns, nan);
  }

  void add(double x, double y) {
    if (!(x >= -k_reach && x < k_reach))
      return;
    auto column = static_cast<size_t>((x + k_reach) / (2 * k_reach) * k_columns);
    double r = core::reference(f_, x), d = std::fabs(y - r);
    double ulp = std::isfinite(y) ? d * core::power_of_two(core::mantissa_bits(t_) - core::spacing_exponent(t_, r))
                                  : std::numeric_limits<double>::infinity();
    if (std::isnan(plot_.ulp[column]) || ulp > plot_.ulp[column])
      plot_.ulp[column] = ulp;
    if (std::isnan(plot_.x[column]) || d > std::fabs(plot_.implemented[column] - plot_.required[column])) {
      plot_.x[column] = x;
      plot_.implemented[column] = y;
      plot_.required[column] = r;
    }
  }

  report::Plot take(bool every_input) {
    plot_.every_input = every_input;
    return std::move(plot_);
  }

private:
  report::Plot plot_;
  int f_, t_;
};

} // namespace

Result<report::Plot> plot_of(Backend& backend, const Candidate& c, formula::Formula reference, formula::Type type) {
  if (reference > formula::Formula::identity)
    return report::Plot{};
  Columns columns(reference, type);
  if (type != formula::Type::f32) {
    Result<std::vector<float>> y = backend.outputs(c, type);
    if (!y)
      return y.error();
    for (uint32_t p = 0; p < y->size(); ++p)
      columns.add(value_of(type, p), static_cast<double>((*y)[p]));
    return columns.take(true);
  }
  std::vector<double> x, y;
  for (int i = 0; i < k_columns * k_samples; ++i)
    x.push_back(static_cast<float>(-k_reach + 2 * k_reach * (i + 0.5) / (k_columns * k_samples)));
  y.resize(x.size());
  formula::eval_typed_many(c.expr, x, 1, y);
  for (size_t i = 0; i < x.size(); ++i)
    columns.add(x[i], y[i]);
  return columns.take(false);
}

} // namespace gelint::verify
