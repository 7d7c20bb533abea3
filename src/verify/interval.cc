#include "verify/interval.h"

#include "formula/formula_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelint::verify {

using formula::Expr;
using formula::Node;
using formula::NodeId;
using formula::Op;
using formula::Type;

namespace {

const double k_inf = std::numeric_limits<double>::infinity();

/// Half the least subnormal of f32: the absolute error that a result near zero may carry.
constexpr double k_f32_subnormal = 0x1p-150;

struct Format {
  int precision, emin; // significand bits with the hidden one, exponent of the least normal number
  double max;
};
Format format_of(Type t) {
  switch (t) {
  case Type::f16: return {11, -14, 65504.0};
  case Type::bf16: return {8, -126, 3.3895313892515355e38};
  case Type::f32: return {24, -126, std::numeric_limits<float>::max()};
  default: return {53, -1022, std::numeric_limits<double>::max()};
  }
}

/// Half the spacing of the type at v: the most that rounding moves it.
double half_spacing(const Format& f, double v) {
  int e = v == 0 || !std::isfinite(v) ? f.emin : std::max(std::ilogb(v), f.emin);
  return std::ldexp(1.0, e - f.precision);
}

/// Every value that a rounding to the type may make of the interval, and the interval itself. An exact value stays.
Interval rounded(Type t, Interval v) {
  if (t == Type::weak || (v.lo == v.hi && formula::round_to(t, v.lo) == v.lo))
    return v;
  Format f = format_of(t);
  // Beyond the greatest finite value the result is an infinity or that value.
  auto lower = [&](double d) { return d > f.max ? f.max : d - (std::isinf(d) ? 0 : half_spacing(f, d)); };
  auto upper = [&](double d) { return d < -f.max ? -f.max : d + (std::isinf(d) ? 0 : half_spacing(f, d)); };
  Interval r = {lower(v.lo), upper(v.hi)};
  if (r.hi > f.max)
    r.hi = k_inf;
  if (r.lo < -f.max)
    r.lo = -k_inf;
  return r;
}

/// Outward by a relative error of an f32 function.
Interval widened(Interval v, double relative) {
  double lo = v.lo - std::fabs(v.lo) * relative - k_f32_subnormal;
  double hi = v.hi + std::fabs(v.hi) * relative + k_f32_subnormal;
  return {std::isnan(lo) ? v.lo : lo, std::isnan(hi) ? v.hi : hi};
}

double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; } // 0·inf stands for a limit of finite values

Interval mul(Interval a, Interval b) {
  double p[] = {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}

Interval div(Interval a, Interval b) {
  if (b.lo <= 0 && b.hi >= 0)
    return {-k_inf, k_inf};
  auto inverse = [](double v) { return std::isinf(v) ? 0.0 : 1.0 / v; };
  return mul(a, {inverse(b.hi), inverse(b.lo)});
}

/// The value of a monotone function over an interval.
template <class F> Interval monotone(Interval a, F f) {
  double p = f(a.lo), q = f(a.hi);
  return {std::min(p, q), std::max(p, q)};
}

class Walker {
public:
  Walker(const Expr& e) : e_(e), v_(e.size()) {}

  Interval run(NodeId root, double x) {
    x_ = x;
    for (NodeId i = 0; i <= root; ++i)
      v_[i] = node(e_[i]);
    return v_[root];
  }

private:
  Interval operand(NodeId id, Type t) const {
    if (e_[id].op == Op::constant && e_[id].type == Type::weak)
      return rounded(t, v_[id]);
    return v_[id];
  }

  /// Elementary function of f32 or f64 precision: 2 ulp, then the rounding of a narrower type.
  template <class F> Interval function(const Node& n, F f, double relative = 0x1p-22) {
    Interval y = monotone(operand(n.a, n.type), f);
    if (n.type != Type::f64 && n.type != Type::weak)
      y = widened(y, relative);
    return rounded(n.type, y);
  }

  Interval node(const Node& n) {
    Type t = n.type;
    switch (n.op) {
    case Op::constant:
    case Op::parameter: return t == Type::weak ? Interval{n.value, n.value} : rounded(t, {n.value, n.value});
    case Op::input: return rounded(t, {x_, x_});
    case Op::gate: return {1, 1};
    case Op::cast: return rounded(t, v_[n.a]);
    case Op::neg: return {-operand(n.a, t).hi, -operand(n.a, t).lo};
    case Op::abs: {
      Interval a = operand(n.a, t);
      return a.lo >= 0 ? a : a.hi <= 0 ? Interval{-a.hi, -a.lo} : Interval{0, std::max(-a.lo, a.hi)};
    }
    case Op::add: {
      Interval a = operand(n.a, t), b = operand(n.b, t);
      return rounded(t, {a.lo + b.lo, a.hi + b.hi});
    }
    case Op::sub: {
      Interval a = operand(n.a, t), b = operand(n.b, t);
      return rounded(t, {a.lo - b.hi, a.hi - b.lo});
    }
    case Op::mul: return rounded(t, mul(operand(n.a, t), operand(n.b, t)));
    case Op::div: return rounded(t, div(operand(n.a, t), operand(n.b, t)));
    case Op::recip: return rounded(t, div({1, 1}, operand(n.a, t)));
    case Op::fma: {
      Interval p = mul(operand(n.a, t), operand(n.b, t)), c = operand(n.c, t);
      return rounded(t, {p.lo + c.lo, p.hi + c.hi});
    }
    case Op::min: {
      Interval a = operand(n.a, t), b = operand(n.b, t);
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    }
    case Op::max: {
      Interval a = operand(n.a, t), b = operand(n.b, t);
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    }
    case Op::sqrt: return rounded(t, monotone(operand(n.a, t), [](double a) { return std::sqrt(std::max(a, 0.0)); }));
    case Op::exp: return function(n, [](double a) { return std::exp(a); });
    case Op::exp_approx:
      return function(n, [](double a) { return std::exp(a); }, 0x1p-23 * (2 + 1.16 * magnitude(n.a)));
    case Op::exp2: return function(n, [](double a) { return std::exp2(a); });
    case Op::expm1: return function(n, [](double a) { return std::expm1(a); });
    case Op::log: return function(n, [](double a) { return std::log(a); });
    case Op::log2: return function(n, [](double a) { return std::log2(a); });
    case Op::log1p: return function(n, [](double a) { return std::log1p(a); });
    case Op::rsqrt: return function(n, [](double a) { return 1 / std::sqrt(a); });
    case Op::tanh: return function(n, [](double a) { return std::tanh(a); });
    case Op::tanh_approx: return function(n, [](double a) { return std::tanh(a); }, 0x1p-16);
    case Op::erf: return function(n, [](double a) { return std::erf(a); });
    case Op::erfc: return function(n, [](double a) { return std::erfc(a); });
    case Op::cosh: {
      Interval a = operand(n.a, t), y = function(n, [](double v) { return std::cosh(v); });
      return a.lo < 0 && a.hi > 0 ? Interval{std::min(y.lo, 1.0), y.hi} : y;
    }
    case Op::sign: return monotone(operand(n.a, t), [](double a) { return double((a > 0) - (a < 0)); });
    case Op::sinh: return function(n, [](double a) { return std::sinh(a); });
    case Op::sigmoid: return function(n, [](double a) { return formula::math::sigmoid(a); });
    case Op::softplus: return function(n, [](double a) { return formula::math::softplus(a); });
    case Op::normcdf:
      return function(n, [](double a) { return 0.5 * std::erfc(-a * formula::math::k_sqrt_half); });
    case Op::f16_table: return table(n);
    case Op::pow: return power(n);
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge: return compare(n);
    case Op::eq:
    case Op::ne: return equal(n);
    case Op::logical_and:
    case Op::logical_or: {
      Truth a = truth(v_[n.a]), b = truth(v_[n.b]);
      return n.op == Op::logical_and ? as_interval({a.always && b.always, a.never || b.never})
                                     : as_interval({a.always || b.always, a.never && b.never});
    }
    case Op::logical_not: {
      Truth a = truth(v_[n.a]);
      return as_interval({a.never, a.always});
    }
    case Op::select: {
      Interval c = v_[n.a], yes = operand(n.b, t), no = operand(n.c, t);
      if (c.lo == c.hi)
        return rounded(t, c.lo != 0 ? yes : no);
      return rounded(t, {std::min(yes.lo, no.lo), std::max(yes.hi, no.hi)});
    }
    default: return {-k_inf, k_inf};
    }
  }

  double magnitude(NodeId id) const { return std::max(std::fabs(v_[id].lo), std::fabs(v_[id].hi)); }

  /// What is known of a condition.
  struct Truth {
    bool always, never;
  };
  static Truth truth(Interval v) { return {v.lo > 0 || v.hi < 0, v.lo == 0 && v.hi == 0}; }
  static Interval as_interval(Truth t) { return {t.always ? 1.0 : 0.0, t.never ? 0.0 : 1.0}; }

  Interval equal(const Node& n) {
    Type t = e_[n.a].type == Type::weak ? e_[n.b].type : e_[n.a].type;
    Interval a = operand(n.a, t), b = operand(n.b, t);
    Truth same = {a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, a.lo > b.hi || b.lo > a.hi};
    return as_interval(n.op == Op::eq ? same : Truth{same.never, same.always});
  }

  /// 1, 0, or [0, 1] when the operands' roundings decide.
  Interval compare(const Node& n) {
    Type t = e_[n.a].type == Type::weak ? e_[n.b].type : e_[n.a].type;
    Interval a = operand(n.a, t), b = operand(n.b, t);
    if (n.op == Op::gt || n.op == Op::ge)
      std::swap(a, b);
    bool strict = n.op == Op::lt || n.op == Op::gt;
    bool always = strict ? a.hi < b.lo : a.hi <= b.lo, never = strict ? a.lo >= b.hi : a.lo > b.hi;
    return {always ? 1.0 : 0.0, never ? 0.0 : 1.0};
  }

  Interval power(const Node& n) {
    Interval a = operand(n.a, n.type), b = operand(n.b, n.type);
    if (b.lo != b.hi)
      return {-k_inf, k_inf};
    Interval y = monotone(a, [&](double v) { return std::pow(v, b.lo); });
    if (std::fmod(b.lo, 2) == 0 && a.lo < 0 && a.hi > 0)
      y.lo = 0;
    return rounded(n.type, n.type == Type::f64 ? y : widened(y, 0x1p-20)); // powf: 4 ulp in the same guide
  }

  Interval table(const Node& n) {
    Walker fill(e_);
    Interval y = fill.run(n.a, formula::round_to(Type::f16, x_));
    return rounded(Type::f16, y);
  }

  const Expr& e_;
  std::vector<Interval> v_;
  double x_ = 0;
};

} // namespace

std::optional<std::vector<Interval>> rounding_intervals(const Expr& e, std::span<const double> x) {
  for (NodeId i = 0; i < e.size(); ++i)
    switch (e[i].op) {
    case Op::bits_of_f32:
    case Op::f32_of_bits:
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::trunc:
    case Op::ldexp:
    case Op::fmod:
    case Op::atan2:
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::shl:
    case Op::shr: return std::nullopt;
    default:
      if (formula::is_integer(e[i].type) && e[i].type != Type::boolean)
        return std::nullopt;
    }
  std::vector<Interval> out(x.size());
  Walker walker(e);
  for (size_t i = 0; i < x.size(); ++i)
    out[i] = walker.run(e.root(), x[i]);
  return out;
}

} // namespace gelint::verify
