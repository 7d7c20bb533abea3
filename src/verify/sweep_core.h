#pragma once
// What a sweep measures: one definition for the CPU backend and for the kernels that are compiled at run time, so that
// both count the same things. No standard headers: the run-time compiler has none.
//
// Definitions. For an input x, y is the candidate's output, r the formula in f64 (formula_math.h), R = r rounded to
// nearest even in the type.
//   differing     y ≠ R as numbers (−0 equals 0); a NaN or infinity on one side only differs
//   max abs       largest |y − r| over inputs where y and R are finite
//   max ulp       largest |y − r| / ulp(r), ulp(r) the spacing of the type at r, at least that of its subnormals; a
//                 fraction, as in JAX's accuracy tables, so 0.5 is a correctly rounded result
//   nan made      y is NaN and r is not; nan lost the other way round; inf made and lost likewise with R
//   sign faults   y·r < 0
//   order faults  between neighbouring finite inputs, y moves strictly against the direction of the formula, which is
//                 known from its turning point
//   over          |y − r| > atol + rtol·|r|, or nan made or lost at a finite input, or inf made or lost

#include "formula/formula_math.h"

namespace gelint::verify::core {

using u32 = unsigned int;
using u64 = unsigned long long;

enum : int { k_f16 = 0, k_bf16 = 1, k_f32 = 2 };

// Explicit mantissa bits, exponent of the least normal, greatest exponent.
GELINT_HD constexpr int mantissa_bits(int t) { return t == k_f16 ? 10 : t == k_bf16 ? 7 : 23; }
GELINT_HD constexpr int min_exponent(int t) { return t == k_f16 ? -14 : -126; }
GELINT_HD constexpr int max_exponent(int t) { return t == k_f16 ? 15 : 127; }
GELINT_HD constexpr u64 pattern_count(int t) { return t == k_f32 ? 4294967296ull : 65536ull; }

GELINT_HD u64 bits_of(double d) {
#if defined(__CUDA_ARCH__)
  return static_cast<u64>(__double_as_longlong(d));
#else
  u64 b;
  __builtin_memcpy(&b, &d, 8);
  return b;
#endif
}
GELINT_HD double double_of(u64 b) {
#if defined(__CUDA_ARCH__)
  return __longlong_as_double(static_cast<long long>(b));
#else
  double d;
  __builtin_memcpy(&d, &b, 8);
  return d;
#endif
}
GELINT_HD float float_of(u32 b) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(b);
#else
  float f;
  __builtin_memcpy(&f, &b, 4);
  return f;
#endif
}

GELINT_HD u32 f32_bits_of(float f) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(f);
#else
  u32 b;
  __builtin_memcpy(&b, &f, 4);
  return b;
#endif
}

/// 2^n for n in the range of normal doubles.
GELINT_HD double power_of_two(int n) { return double_of(static_cast<u64>(n + 1023) << 52); }

/// The value of a bit pattern of the type, exact in float.
GELINT_HD float decode(int t, u32 p) {
  if (t == k_f32)
    return float_of(p);
  if (t == k_bf16)
    return float_of(p << 16);
  u32 sign = (p & 0x8000u) << 16, e = p >> 10 & 31u, m = p & 1023u;
  if (e == 0) {
    float v = static_cast<float>(m) * 5.9604644775390625e-8f; // 2^-24
    return sign ? -v : v;
  }
  return float_of(sign | (e == 31 ? 0x7f800000u : (e + 112u) << 23) | m << 13);
}

/// Exponent that sets the spacing of the type at r.
GELINT_HD int spacing_exponent(int t, double r) {
  int e = static_cast<int>(bits_of(r) >> 52 & 0x7ffu) - 1023;
  e = e < min_exponent(t) ? min_exponent(t) : e;
  return e > max_exponent(t) ? max_exponent(t) : e;
}

GELINT_HD double round_to_type(int t, double r) {
  if (t == k_f32)
    return static_cast<double>(static_cast<float>(r));
  if (!(fabs(r) < 1e300))
    return r;
  int e = spacing_exponent(t, r), m = mantissa_bits(t);
  double v = rint(r * power_of_two(m - e)) * power_of_two(e - m);
  double limit = power_of_two(max_exponent(t)) * (2.0 - power_of_two(-m));
  return fabs(v) > limit ? copysign(double_of(0x7ff0000000000000ull), r) : v;
}

// Numbers of formula::Formula that the kernels switch on; checked against the enumeration by a test.
enum : int {
  f_gelu_erf, f_gelu_tanh, f_gelu_quick, f_gelu_erf_clip10, f_silu, f_relu, f_relu2, f_relu6, f_leaky_relu,
  f_hardswish, f_mish, f_sigmoid, f_tanh, f_laplace, f_sqrtsoftplus, f_prelu, f_xielu, f_identity,
};

/// formula::eval with shortcuts where the value is known to the last bit of a double: the quadratic term near 0 (the
/// next one is below 2^-57 of the result for |x| < 2^-28), x itself or ±0 where the factor has rounded to 1 or 0. Seven
/// eighths of the f32 patterns take one, and neighbouring patterns take the same.
GELINT_HD double reference(int f, double x) {
  namespace m = gelint::formula::math;
  switch (f) {
  case f_gelu_erf:
  case f_gelu_erf_clip10:
  case f_gelu_tanh:
  case f_gelu_quick:
  case f_silu: {
    double a = fabs(x);
    if (a < 3.7252902984619140625e-9) { // 2^-28
      double c = f == f_silu ? 0.25 : f == f_gelu_quick ? 0.25 * m::k_quick_alpha : 0.39894228040143267794;
      return x * (0.5 + c * x);
    }
    if (x >= 40.0)
      return f == f_gelu_erf_clip10 ? 10.0 : x;
    if (x <= (f == f_silu || f == f_gelu_quick ? -800.0 : -40.0))
      return -0.0;
    if (f == f_gelu_tanh)
      return m::gelu_tanh(x);
    if (f == f_gelu_quick)
      return m::gelu_quick(x);
    if (f == f_silu)
      return m::silu(x);
    return f == f_gelu_erf ? m::gelu_erf(x) : m::gelu_erf_clip10(x);
  }
  case f_relu: return m::relu(x);
  case f_relu2: return m::relu2(x);
  case f_relu6: return m::relu6(x);
  case f_leaky_relu: return m::leaky_relu(x, 0.01);
  case f_hardswish: return m::hardswish(x);
  case f_mish: return m::mish(x);
  case f_sigmoid: return m::sigmoid(x);
  case f_tanh: return tanh(x);
  case f_laplace: return m::laplace(x);
  case f_sqrtsoftplus: return m::sqrtsoftplus(x);
  case f_prelu: return m::leaky_relu(x, 0.25);
  case f_xielu: return m::xielu(x);
  default: return x;
  }
}

/// Where the formula turns from falling to rising; every formula of the vocabulary has at most one such place. Found by
/// setting the derivative to zero with mpmath at 30 digits; the rest rise everywhere.
GELINT_HD double turning_point(int f) {
  switch (f) {
  case f_gelu_erf:
  case f_gelu_erf_clip10: return -0.75179152469356446;
  case f_gelu_tanh: return -0.75246142207101626;
  case f_gelu_quick: return -0.75115425544128895;
  case f_silu: return -1.27846454276107380;
  case f_mish: return -1.19243121451549521;
  case f_hardswish: return -1.5;
  case f_xielu: return -0.98082925301172624;
  default: return -double_of(0x7ff0000000000000ull);
  }
}

/// The float below or at the turning point and the one above it: comparing floats with these is comparing them with the
/// point itself, without a conversion.
GELINT_HD float turn_below(int f) {
  float t = static_cast<float>(turning_point(f));
  u32 b = f32_bits_of(t);
  return static_cast<double>(t) <= turning_point(f) ? t : float_of(b + 1u); // negative: one more is further down
}
GELINT_HD float turn_above(int f) {
  float t = static_cast<float>(turning_point(f));
  u32 b = f32_bits_of(t);
  return static_cast<double>(t) >= turning_point(f) ? t : float_of(b - 1u);
}

/// +1 where the formula rises over [a, b], -1 where it falls, 0 where it does either.
GELINT_HD int direction(int f, float a, float b) {
  // xielu is flat-cut at -1e-6 and steps at 0, as the library writes it.
  if (f == f_xielu && b > -1e-6f && a <= 0.0f)
    return 0;
  return a >= turn_above(f) ? 1 : b <= turn_below(f) ? -1 : 0;
}

struct Extreme {
  double value; ///< 0: nothing differs
  u32 pattern;  ///< the least pattern that attains it
};

GELINT_HD void raise(Extreme& e, double value, u32 pattern) {
  if (value > e.value || (value == e.value && value > 0 && pattern < e.pattern)) {
    e.value = value;
    e.pattern = pattern;
  }
}

struct Metrics {
  u64 inputs, differing, nan_made, nan_lost, inf_made, inf_lost, sign_faults, order_faults, over;
  u64 nan_made_finite; ///< of nan_made, at finite inputs
  Extreme abs, ulp;
};

GELINT_HD Metrics no_metrics() {
  Metrics m = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0.0, 0xffffffffu}, {0.0, 0xffffffffu}};
  return m;
}

GELINT_HD void merge(Metrics& a, const Metrics& b) {
  a.inputs += b.inputs;
  a.differing += b.differing;
  a.nan_made += b.nan_made;
  a.nan_lost += b.nan_lost;
  a.inf_made += b.inf_made;
  a.inf_lost += b.inf_lost;
  a.sign_faults += b.sign_faults;
  a.order_faults += b.order_faults;
  a.over += b.over;
  a.nan_made_finite += b.nan_made_finite;
  raise(a.abs, b.abs.value, b.abs.pattern);
  raise(a.ulp, b.ulp.value, b.ulp.pattern);
}

GELINT_HD bool has_shortcuts(int f) { return f == f_gelu_erf || f == f_gelu_tanh || f == f_gelu_quick || f == f_silu; }

/// What one input of the range of halved_exactly() can add to the extremes at most.
struct HalvedBound {
  static constexpr double abs = 1e-17, ulp = 0.06;
};

/// Over inputs from a to b, neighbours of one sign: the factor with which y = factor·x leaves nothing to count, -1 where
/// there is none. Nine tenths of the f32 patterns of these formulas have one, and no double is needed to see it.
///   x ≥ 40: 1, x ≤ −800: 0. The formula is that to the last bit.
///   2^-124 ≤ |x| < 2^-28: 0.5. The formula is x/2·(1 + c·x) with c < 1.71, so y is correctly rounded, and |y − r| is
///   below HalvedBound; only when the extremes are already at or above that bound, `halved`.
GELINT_HD float plain_factor(int f, float a, float b, bool halved) {
  if (!has_shortcuts(f))
    return -1.0f;
  if (a >= 40.0f && b >= 40.0f)
    return 1.0f;
  if (a <= -800.0f && b <= -800.0f)
    return 0.0f;
  float p = fabsf(a), q = fabsf(b);
  const float low = 4.70197740328915003e-38f, high = 3.7252902984619140625e-9f; // 2^-124, 2^-28
  return halved && p >= low && q >= low && p < high && q < high ? 0.5f : -1.0f;
}
GELINT_HD bool above_halved_bound(double abs_value, double ulp_value) {
  return abs_value >= HalvedBound::abs && ulp_value >= HalvedBound::ulp;
}

/// Inputs around 1, i from 0 to 7, that a sweep looks at first, for the extremes only (a second visit changes no maximum):
/// with these above the bound, the many inputs near zero need no double.
GELINT_HD u32 seed_pattern(int t, int i) {
  const u32 k = static_cast<u32>(i);
  return t == k_f32 ? 0x3f800000u + k * 0x00112345u : t == k_bf16 ? 0x3f80u + k * 0x11u : 0x3c00u + k * 0x89u;
}

/// Counts one input; not the order faults, which need a neighbour, and not `inputs`.
GELINT_HD void count(Metrics& m, int t, u32 pattern, float x, float yf, double r, double atol, double rtol) {
  double y = static_cast<double>(yf);
  double d = fabs(y - r);
  if (d == 0) // exact: nothing else can be wrong
    return;
  const float greatest = 3.4028234663852886e38f;
  // Values of the type are floats, so that comparing them needs no double.
  float rounded = t == k_f32 ? static_cast<float>(r) : static_cast<float>(round_to_type(t, r));
  if (fabsf(yf) <= greatest && fabsf(rounded) <= greatest) { // neither NaN nor infinite
    m.differing += yf != rounded;
    m.sign_faults += y * r < 0;
    m.over += d > atol + rtol * fabs(r);
    raise(m.abs, d, pattern);
    raise(m.ulp, d * power_of_two(mantissa_bits(t) - spacing_exponent(t, r)), pattern);
    return;
  }
  bool y_nan = yf != yf, r_nan = r != r;
  if (y_nan || r_nan) {
    if (y_nan == r_nan)
      return;
    bool finite = fabsf(x) <= greatest;
    m.differing += 1;
    m.nan_made += y_nan;
    m.nan_lost += r_nan;
    m.nan_made_finite += y_nan && finite;
    m.over += finite;
    return;
  }
  bool y_inf = fabsf(yf) > greatest, r_inf = fabsf(rounded) > greatest, same = yf == rounded;
  m.differing += !same;
  m.inf_made += y_inf && !r_inf;
  m.inf_lost += r_inf && !y_inf;
  m.sign_faults += y_inf && r_inf && !same;
  m.over += !same;
}

/// Outputs of two neighbouring patterns p and p + 1 of one sign, both inputs finite.
GELINT_HD bool out_of_order(int f, float x0, float x1, float y0, float y1) {
  float lo = x0 < x1 ? x0 : x1, hi = x0 < x1 ? x1 : x0;
  int expected = direction(f, lo, hi);
  if (x0 > x1)
    expected = -expected; // patterns of negative numbers run downwards
  return expected > 0 ? y1 < y0 : expected < 0 ? y1 > y0 : false;
}

} // namespace gelint::verify::core
