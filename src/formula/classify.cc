// Which canonical formula an expression computes: evaluation in double at fixed points.
//
// The points. A step of 1/8 over [-12, 12], moved off the round numbers by 1/64 so that branches at integers are seen
// from both sides, plus points beside 0 and where pairs of formulas differ most (±2.7 erf/tanh, ±2.27 erf/quick, ±1.97
// tanh/silu, ±3 hardswish, 6 relu6, above 10 the clipped form). 12 keeps a naive e^{2u} finite in double (u(12) = 71).
//
// The tolerance, 1e-4 + 1e-5·|x|. The closest two formulas of the vocabulary are gelu_erf and gelu_tanh, 4.73e-4 apart
// at ±2.70, so an expression can be within tolerance (1.27e-4 there) of one of them only. The polynomial and rational
// approximations in use stay well below (erf by Abramowitz & Stegun 7.1.26: 1.5e-7 in erf, so 9e-7 in GELU at 12;
// constants cut to four digits, 0.7978: 4e-5), and a wrong digit stays above (0.044175 for 0.044715: 2.8e-4). The term in
// |x| covers implementations that saturate: a relative error of 1e-5 where the formula is x itself.

#include "formula/classify.h"

#include "formula/approximation.h"
#include "formula/thresholds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gelint::formula {

namespace {

/// A wrong constant moves a formula by no more than this over the probe range: 0.8 for √(2/π) moves gelu_tanh by 8e-4,
/// 1.7 for 1.702 moves gelu_quick by 3e-4, a cubic coefficient off by a third moves gelu_tanh by 8e-3; the nearest
/// different formula of the family (gelu_quick to gelu_erf) is 2e-2 away.
constexpr double k_near_miss = 1e-2;

/// A formula whose tanh, erf or logistic function is approximated by design stays within this of it.
constexpr double k_approximated = 1e-3;

double tolerance(double x) { return 1e-4 + 1e-5 * std::fabs(x); }

const std::vector<double>& probes() {
  static const std::vector<double> points = [] {
    std::vector<double> p;
    for (int i = -96; i <= 95; ++i)
      p.push_back(i / 8.0 + 1.0 / 64);
    for (double x : {1e-3, 0.05, 0.3, 1.0, 1.97, 2.27, 2.7, 2.999, 3.001, 5.999, 6.001, 9.999, 10.5, 11.3, 12.0}) {
      p.push_back(x);
      p.push_back(-x);
    }
    std::sort(p.begin(), p.end());
    return p;
  }();
  return points;
}

/// Inputs beyond the probes, on both sides: up to just below the largest half (65504), where code may saturate by right.
constexpr double k_largest = 6e4;
/// Up to here every match is evaluated, thresholds or not.
constexpr double k_far = 400;

/// The probes with ever wider steps up to ±k_largest: where the thresholds are sought.
const std::vector<double>& wide_grid() {
  static const std::vector<double> points = [] {
    std::vector<double> p = probes();
    for (double x = 12.6; x < k_largest; x *= 1.07) {
      p.push_back(x);
      p.push_back(-x);
    }
    std::sort(p.begin(), p.end());
    return p;
  }();
  return points;
}

/// Between and beyond the probes, where a match must hold: around every threshold and at large inputs.
std::vector<double> further_points(const Expr& e, Op along, double fixed) {
  std::vector<double> out = points_around(thresholds_of(e, wide_grid(), along, fixed));
  for (double x : wide_grid())
    if (std::fabs(x) > 12 && std::fabs(x) <= k_far)
      out.push_back(x);
  return out;
}

/// An intermediate that overflows far out (e^{2u} of a tanh written out) is the concern of GL402 and GL403.
bool overflows(double x, double y) { return std::fabs(x) > 12 && !std::isfinite(y); }

using Curve = std::vector<double>;

const std::array<Curve, k_formula_count>& canonical() {
  static const std::array<Curve, k_formula_count> curves = [] {
    std::array<Curve, k_formula_count> c;
    for (int f = 0; f < k_formula_count; ++f)
      for (double x : probes())
        c[static_cast<size_t>(f)].push_back(eval(static_cast<Formula>(f), x));
    return c;
  }();
  return curves;
}

Curve curve(const Expr& e, double g) {
  Curve y(probes().size());
  eval_ideal_many(e, probes(), g, y);
  return y;
}

/// Learned slopes: a parameter leaf, x for x > 0 and one constant slope below.
bool is_prelu(const Expr& e, const Curve& y) {
  if (!e.depends_on(e.root(), Op::parameter))
    return false;
  const std::vector<double>& x = probes();
  double slope = y.front() / x.front();
  if (!(std::fabs(slope) < 1))
    return false;
  for (size_t i = 0; i < x.size(); ++i)
    if (!(std::fabs(y[i] - (x[i] > 0 ? x[i] : slope * x[i])) <= tolerance(x[i])))
      return false;
  return true;
}

/// min(x, 7)·σ(1.702·min(x, 7)) and its like: constant from some point on, one formula up to there. That formula is the
/// nearest, whatever the distance behind the point.
void note_plateau(const Curve& y, Fingerprint& out) {
  const std::vector<double>& x = probes();
  size_t first = y.size() - 1;
  while (first > 0 && std::fabs(y[first - 1] - y.back()) <= 1e-9 * (1 + std::fabs(y.back())))
    --first;
  if (first + 8 > y.size() || x[first] <= 1)
    return;
  for (int f = 0; f < k_formula_count; ++f) {
    const Curve& want = canonical()[static_cast<size_t>(f)];
    bool same = true, bends = false;
    double worst = 0, at = 0;
    for (size_t i = 0; i < y.size(); ++i) {
      double d = std::fabs(y[i] - want[i]);
      same = same && (i >= first || d <= tolerance(x[i]));
      bends = bends || (x[i] < 0 && std::fabs(want[i]) > 0.05 && std::fabs(want[i] - x[i]) > 0.05);
      if (d > worst)
        worst = d, at = x[i];
    }
    if (same && bends) {
      out.nearest = static_cast<Formula>(f);
      out.distance = worst;
      out.at = at;
      out.near_miss = false;
      return;
    }
  }
}

Fingerprint fingerprint(const Curve& y) {
  const std::vector<double>& x = probes();
  Fingerprint out;
  out.formula = Formula::other;
  out.distance = std::numeric_limits<double>::infinity();
  double best_score = std::numeric_limits<double>::infinity(); // in units of the tolerance
  bool finite = std::all_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); });
  for (int f = 0; f < k_formula_count; ++f) {
    const Curve& want = canonical()[static_cast<size_t>(f)];
    double worst = 0, at = x.front(), score = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      double d = std::fabs(y[i] - want[i]);
      if (!std::isfinite(d))
        continue;
      if (d > worst)
        worst = d, at = x[i];
      score = std::max(score, d / tolerance(x[i]));
    }
    if (score < best_score && finite && score <= 1) {
      best_score = score;
      out.formula = static_cast<Formula>(f);
      out.deviation = worst;
    }
    if (worst < out.distance) {
      out.distance = worst;
      out.at = at;
      out.nearest = static_cast<Formula>(f);
    }
  }
  if (out.formula != Formula::other) {
    out.nearest = out.formula;
    out.distance = out.deviation;
  } else if (!finite) {
    // Where it is not a number is what the reader needs, not where the rest differs most.
    for (size_t i = 0; i < x.size(); ++i)
      if (!std::isfinite(y[i])) {
        out.at = x[i];
        break;
      }
    bool any = std::any_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); });
    if (!any)
      out.nearest = Formula::unknown;
  } else {
    note_plateau(y, out);
  }
  out.near_miss = out.formula == Formula::other && finite && out.distance <= k_near_miss;
  return out;
}

/// What a branch or a limit of the code does between two probes or beyond them: a match must hold beside every constant
/// that x, or what is computed from it, is compared with or limited to, and at large inputs.
/// `along` is the leaf that the formula is read from; the other one is held at `fixed`.
void hold_at_thresholds(const Expr& e, Op along, double fixed, Fingerprint& out) {
  if (out.formula == Formula::other || out.formula == Formula::unknown || out.formula == Formula::prelu)
    return;
  const Formula want = out.formula;
  for (double x : further_points(e, along, fixed)) {
    double y = along == Op::input ? eval_ideal(e, x, fixed) : eval_ideal(e, fixed, x), wanted = eval(want, x);
    double d = std::fabs(y - wanted);
    // 1 + tanh(u) of an approximation that saturates at -1 + 2^-24 leaves x * 2^-25, not 0.
    if (d <= std::max({tolerance(x), 1e-5 * std::fabs(wanted), 1e-6 * std::fabs(x)}) || overflows(x, y))
      continue;
    out.formula = Formula::other;
    if (!std::isfinite(d) || d > out.distance) {
      out.distance = std::isfinite(d) ? d : std::numeric_limits<double>::infinity();
      out.at = x;
    }
    out.near_miss = out.distance <= k_near_miss;
  }
}

/// The same value at every point: not a function of x.
bool flat(const Curve& y) {
  return std::all_of(y.begin(), y.end(), [&](double v) { return std::isfinite(v) && v == y[0]; });
}

bool close(double a, double b, double scale) { return std::fabs(a - b) <= 1e-6 * (1 + std::fabs(scale)) + 1e-9; }

/// y(g) = scale(g)·y(1) at every probe.
bool scales(const Curve& y, const Curve& base, double factor) {
  for (size_t i = 0; i < y.size(); ++i)
    if (!close(y[i], factor * base[i], factor * base[i]))
      return false;
  return true;
}

} // namespace

std::string_view to_string(Gating g) { return g == Gating::glu ? "glu" : "none"; }

std::string_view to_string(Precision p) {
  constexpr std::array<std::string_view, 6> k_names = {"f64", "f32", "input", "f16_table", "mixed", "unknown"};
  return k_names[static_cast<size_t>(p)];
}

namespace {

/// `activated`: what the formula was read off, at a gate of 1.
Fingerprint as_written(const Expr& e, Curve* activated = nullptr) {
  Curve unused;
  Curve& y1 = activated ? *activated : unused;
  if (e.empty() || (!e.depends_on(e.root(), Op::input) && !e.depends_on(e.root(), Op::gate)))
    return {};
  if (!e.depends_on(e.root(), Op::gate)) {
    y1 = curve(e, 1);
    if (flat(y1))
      return {};
    Fingerprint out = fingerprint(y1);
    hold_at_thresholds(e, Op::input, 1, out);
    if (out.formula == Formula::other && is_prelu(e, y1))
      out.formula = out.nearest = Formula::prelu, out.near_miss = false, out.distance = 0;
    return out;
  }
  y1 = curve(e, 1);
  Curve y2 = curve(e, 2.5), y3 = curve(e, -1.5);
  // f(x)·g, the usual case.
  if (scales(y2, y1, 2.5) && scales(y3, y1, -1.5)) {
    Fingerprint out = fingerprint(y1);
    hold_at_thresholds(e, Op::input, 1, out);
    // x·g alone says nothing about which factor is the activated one; the activation may be of the gate.
    out.gating = Gating::glu;
    return out;
  }
  // f(x)·(g + 1), as some experts write it: -1 gives 0.
  Curve zero = curve(e, -1), base = curve(e, 0);
  if (scales(zero, base, 0) && scales(y1, base, 2) && scales(y2, base, 3.5)) {
    Fingerprint out = fingerprint(y1 = base);
    hold_at_thresholds(e, Op::input, 0, out);
    out.gating = Gating::glu;
    return out;
  }
  // x·f(g): the leaves are the other way round. Linear in x at each of several gates; then f is read off the gate.
  Curve f_of_g;
  bool linear = true;
  for (double g : probes()) {
    std::array<double, 3> at = {1.0, 2.5, -1.5}, v{};
    eval_ideal_many(e, at, g, v);
    linear = linear && close(v[1], 2.5 * v[0], v[1]) && close(v[2], -1.5 * v[0], v[2]);
    f_of_g.push_back(v[0]);
  }
  if (linear)
    y1 = f_of_g;
  Fingerprint out = fingerprint(y1);
  if (linear)
    hold_at_thresholds(e, Op::gate, 1, out);
  if (linear)
    out.gating = Gating::glu;
  else if (out.formula != Formula::other) {
    // It depends on the gate in another way: at g = 1 it happens to be a formula, elsewhere it is not.
    out.nearest = out.formula, out.formula = Formula::other, out.near_miss = false;
  }
  return out;
}

/// Largest |y − f| in units of max(1, |x|): a function that saturates short of 1 is off in proportion to x.
double relative_distance(const Curve& y, Formula f) {
  const std::vector<double>& x = probes();
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i)
    worst = std::max(worst, std::fabs(y[i] - canonical()[static_cast<size_t>(f)][i]) / std::max(1.0, std::fabs(x[i])));
  return worst;
}

/// x·(1 + t)/2 where t stays a half's rounding short of -1: far out on the left, where the formula is 0, it leaves a part
/// of x. An approximation that is exact to half precision does; a constant that is off leaves nothing there.
bool saturates_short(const Curve& y, const Fingerprint& f) {
  const double x = probes().front(), left = std::fabs(y.front() - eval(f.nearest, x));
  return left >= 0.5 * f.distance && left <= k_approximated * std::fabs(x);
}

} // namespace

Fingerprint classify(const Expr& e) {
  Curve y;
  Fingerprint out = as_written(e, &y);
  if (out.near_miss && out.distance > k_approximated && saturates_short(y, out))
    out.near_miss = false;
  if (!out.near_miss || out.distance > k_approximated)
    return out;
  for (const Expr& exact : with_exact_functions(e, probes())) {
    Fingerprint meant = as_written(exact);
    if (meant.formula == Formula::other || meant.gating != out.gating)
      continue;
    double own = relative_distance(y, meant.formula), distance = 0, at = 0;
    bool nearest = true;
    for (int f = 0; f < k_formula_count; ++f)
      nearest = nearest && (f == static_cast<int>(meant.formula) || relative_distance(y, static_cast<Formula>(f)) >= 2 * own);
    for (size_t i = 0; i < y.size(); ++i)
      if (double d = std::fabs(y[i] - canonical()[static_cast<size_t>(meant.formula)][i]); d > distance)
        distance = d, at = probes()[i];
    // Between the probes as well: what it branches on is approximated on both sides.
    for (double x : further_points(e, Op::input, 1)) {
      double there = eval_ideal(e, x, 1);
      nearest = nearest && (overflows(x, there) ||
                            std::fabs(there - eval(meant.formula, x)) <= k_approximated * std::max(1.0, std::fabs(x)));
    }
    if (!nearest || distance > k_approximated)
      continue;
    out.formula = out.nearest = meant.formula;
    out.deviation = out.distance = distance;
    out.at = at;
    out.near_miss = false;
    break;
  }
  return out;
}

} // namespace gelint::formula
