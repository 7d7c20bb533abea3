#include "formula/thresholds.h"

#include <algorithm>
#include <cmath>

namespace gelint::formula {

namespace {

constexpr size_t k_most = 64;

void values(const Expr& e, std::span<const double> at, Op along, double fixed, std::span<double> out) {
  if (along == Op::input) {
    eval_ideal_many(e, at, fixed, out);
    return;
  }
  for (size_t i = 0; i < at.size(); ++i)
    out[i] = eval_ideal(e, fixed, at[i]);
}

std::vector<NodeId> below(const Expr& e) {
  std::vector<char> seen(e.size(), 0);
  seen[e.root()] = 1;
  std::vector<NodeId> out;
  for (NodeId n = e.root() + 1; n-- > 0;)
    if (seen[n]) {
      out.push_back(n);
      for (NodeId k : {e[n].a, e[n].b, e[n].c})
        if (k != k_no_node)
          seen[k] = 1;
    }
  return out;
}

} // namespace

std::vector<double> thresholds_of(const Expr& e, std::span<const double> grid, Op along, double fixed) {
  std::vector<double> out;
  Expr part = e;
  std::vector<double> truth(grid.size());
  for (NodeId n : below(e)) {
    bool compares = e[n].op >= Op::lt && e[n].op <= Op::ne, limits = e[n].op == Op::min || e[n].op == Op::max;
    if ((!compares && !limits) || !e.depends_on(n, along))
      continue;
    // "left < right" flips where the difference does; equality holds on one point only, where the difference is zero.
    part.set_root(part.make(Op::sub, Type::f64, e[n].a, e[n].b));
    values(part, grid, along, fixed, truth);
    auto value = [&](double x) {
      double v = 0;
      values(part, {&x, 1}, along, fixed, {&v, 1});
      return v;
    };
    auto flip = [&](double low, double high, bool below_zero) {
      for (int turn = 0; turn < 50; ++turn) {
        const double middle = low + (high - low) / 2;
        ((value(middle) < 0) == below_zero ? low : high) = middle;
      }
      out.push_back(high);
    };
    for (size_t i = 0; i + 1 < grid.size() && out.size() < k_most; ++i) {
      if (!std::isfinite(truth[i]) || !std::isfinite(truth[i + 1]))
        continue;
      if ((truth[i] < 0) != (truth[i + 1] < 0)) {
        flip(grid[i], grid[i + 1], truth[i] < 0);
        continue;
      }
      // There and back between two points, as "|x - 1.3| < 0.03" does: where the difference comes closest to zero.
      const bool negative = truth[i] < 0;
      if (i == 0 || !std::isfinite(truth[i - 1]) || (truth[i - 1] < 0) != negative || !(std::fabs(truth[i]) <= std::fabs(truth[i - 1])) ||
          !(std::fabs(truth[i]) <= std::fabs(truth[i + 1])) || (truth[i] == truth[i - 1] && truth[i] == truth[i + 1]))
        continue;
      const double sign = negative ? -1 : 1;
      double low = grid[i - 1], high = grid[i + 1];
      for (int turn = 0; turn < 60 && high - low > 1e-9 * (1 + std::fabs(low)); ++turn) {
        const double third = (high - low) / 3;
        if (sign * value(low + third) <= sign * value(high - third))
          high -= third;
        else
          low += third;
      }
      const double lowest = low + (high - low) / 2;
      if ((value(lowest) < 0) == negative)
        continue;
      flip(grid[i - 1], lowest, negative);
      flip(lowest, grid[i + 1], !negative);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end(), [](double a, double b) { return b - a <= 1e-9 * (1 + std::fabs(a)); }),
            out.end());
  return out;
}

std::vector<double> points_around(const std::vector<double>& thresholds) {
  std::vector<double> out;
  // A limit parts from what it limits by degrees: the outermost are looked at from further away, too.
  if (!thresholds.empty()) {
    double first = thresholds.front(), last = thresholds.back();
    out.insert(out.end(), {first - 1 - 0.1 * std::fabs(first), last + 1 + 0.1 * std::fabs(last)});
  }
  for (size_t i = 0; i < thresholds.size(); ++i) {
    double t = thresholds[i], step = 1e-6 * (1 + std::fabs(t));
    out.insert(out.end(), {t - step, t, t + step});
    if (i + 1 < thresholds.size())
      out.push_back(t + (thresholds[i + 1] - t) / 2);
  }
  return out;
}

} // namespace gelint::formula
