#include "scan/lower_role.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gelint::scan::lower {

namespace {

constexpr std::array k_points{-5.3, -3.1, -2.2, -1.3, -0.7, -0.2, 0.15, 0.6, 1.1, 1.9, 2.6, 4.2, 6.5};

bool near(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b))
    return !std::isfinite(a) && !std::isfinite(b);
  return std::fabs(a - b) <= 1e-7 * (1 + std::fabs(a) + std::fabs(b));
}

} // namespace

Role role_of(const formula::Expr& e) {
  constexpr size_t n = k_points.size();
  using Curve = std::array<double, n>;
  auto at = [&](const Curve& x, double s) {
    Curve y;
    formula::eval_ideal_many(e, x, s, y);
    return y;
  };
  auto moved = [](auto f) {
    Curve x = k_points;
    for (double& v : x)
      v = f(v);
    return x;
  };
  auto same = [](const Curve& a, const Curve& b, double scale = 1) {
    for (size_t i = 0; i < n; ++i)
      if (!near(a[i], scale * b[i]))
        return false;
    return true;
  };
  Curve y0 = at(k_points, 0), y1 = at(k_points, 1);
  if (std::none_of(y1.begin(), y1.end(), [](double v) { return std::isfinite(v); }))
    return Role::none;
  // Each role is held against three values of the symbol; the tests that need new points come last.
  constexpr std::array<double, 3> values{0.5, 1.5, -0.75};
  std::array<Curve, 3> ys;
  for (size_t k = 0; k < 3; ++k)
    ys[k] = at(k_points, values[k]);
  auto all = [&](auto test) {
    for (size_t k = 0; k < 3; ++k)
      if (!test(values[k], ys[k]))
        return false;
    return true;
  };
  if (all([&](double, const Curve& y) { return same(y, y1); }))
    return Role::scale; // has no influence
  bool offset = all([&](double, const Curve& y) {
    for (size_t i = 0; i < n; ++i)
      if (!std::isfinite(y[i]) || !near(y[i] - y0[i], y[0] - y0[0]))
        return false;
    return true;
  });
  if (all([&](double s, const Curve& y) { return same(y, at(moved([s](double x) { return x + s; }), 0)); }) ||
      all([&](double s, const Curve& y) { return same(y, at(moved([s](double x) { return x - s; }), 0)); }))
    return Role::shift;
  if (offset)
    return Role::offset;
  if (all([&](double s, const Curve& y) { return same(y, y1, s); }))
    return Role::factor;
  if (all([&](double s, const Curve& y) { return same(y, y0, 1 + s); }))
    return Role::one_more; // f(x)·(s + 1)
  if (all([&](double s, const Curve& y) { return same(y, y1, 1 / s); }))
    return Role::divisor;
  if (all([&](double s, const Curve& y) { return same(y, at(moved([s](double x) { return x * s; }), 1)); }) ||
      all([&](double s, const Curve& y) { return same(y, at(moved([s](double x) { return x / s; }), 1)); }))
    return Role::scale;
  return Role::none;
}

bool affine_in_gate(const formula::Expr& e) {
  constexpr std::array<double, 4> values{-0.75, 0.5, 1.5, 2.5};
  std::array<std::array<double, k_points.size()>, values.size()> y;
  for (size_t k = 0; k < values.size(); ++k)
    formula::eval_ideal_many(e, k_points, values[k], y[k]);
  for (size_t i = 0; i < k_points.size(); ++i) {
    const double slope = y[2][i] - y[1][i];
    for (size_t k = 0; k < values.size(); ++k)
      if (const double expected = y[1][i] + (values[k] - values[1]) * slope; std::isfinite(expected) && std::isfinite(y[k][i]) && !near(y[k][i], expected))
        return false;
  }
  return true;
}

} // namespace gelint::scan::lower
