#pragma once
// Rounding of doubles to narrower types, inline so that a loop over points has no branch on the type.

#include "formula/expr.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gelint::formula {

/// Explicit mantissa bits, exponent of the least normal number, greatest finite value, whether there are infinities.
template <Type T> struct Narrow;
template <> struct Narrow<Type::f16> {
  static constexpr int mantissa = 10, emin = -14;
  static constexpr double max = 65504.0;
  static constexpr bool has_inf = true;
};
template <> struct Narrow<Type::bf16> {
  static constexpr int mantissa = 7, emin = -126;
  static constexpr double max = 3.3895313892515355e38;
  static constexpr bool has_inf = true;
};
template <> struct Narrow<Type::f8> {
  static constexpr int mantissa = 3, emin = -6;
  static constexpr double max = 448.0;
  static constexpr bool has_inf = false;
};

/// d to nearest even in the type. Normal numbers: half a unit is added to the bits that fall away, less one when the last
/// kept bit is even; a carry moves the exponent as it must. Below them the grid is even, and adding 1.5·2^52 units lets the
/// adder do it (T. J. Dekker's trick, 1971).
template <Type T> inline double round_narrow(double d) {
  using N = Narrow<T>;
  constexpr int dropped = 52 - N::mantissa;
  constexpr uint64_t unit = uint64_t{1} << dropped;
  const double normal = std::bit_cast<double>(uint64_t{1023 + N::emin} << 52), magnitude = std::fabs(d);
  if (magnitude < normal) {
    const double shifter = std::bit_cast<double>(uint64_t{1023 + 52 + N::emin - N::mantissa} << 52) * 1.5;
    return std::copysign((d + shifter) - shifter, d);
  }
  const uint64_t bits = std::bit_cast<uint64_t>(d);
  const double r = std::bit_cast<double>((bits + (unit / 2 - 1) + (bits >> dropped & 1)) & ~(unit - 1));
  const double beyond = N::has_inf ? std::copysign(std::numeric_limits<double>::infinity(), d)
                                   : std::numeric_limits<double>::quiet_NaN();
  return d != d ? d : std::fabs(r) > N::max ? beyond : r;
}

inline double round_f32(double d) { return static_cast<double>(static_cast<float>(d)); }

/// Calls work(round) with the rounding of the type; one that does nothing for f64, weak and the integer types.
template <class W> void with_rounding(Type t, bool typed, W work) {
  switch (typed ? t : Type::f64) {
  case Type::f32: return work(round_f32);
  case Type::f16: return work(round_narrow<Type::f16>);
  case Type::bf16: return work(round_narrow<Type::bf16>);
  case Type::f8: return work(round_narrow<Type::f8>);
  default: return work([](double d) { return d; });
  }
}

inline int64_t wrap(Type t, int64_t v) {
  switch (t) {
  case Type::i32: return static_cast<int32_t>(v);
  case Type::u32: return static_cast<uint32_t>(v);
  case Type::boolean: return v != 0;
  default: return v;
  }
}

inline int64_t to_integer(Type t, double d) {
  if (t == Type::boolean)
    return d != 0;
  if (std::isnan(d))
    return 0;
  // Out of range is undefined in C++; saturating is what the GPU conversions do.
  double lo = t == Type::i64 ? -0x1p63 : t == Type::i32 ? -0x1p31 : 0;
  double hi = t == Type::i64 ? 0x1p63 : t == Type::i32 ? 0x1p31 - 1 : 0x1p32 - 1;
  d = std::trunc(d);
  if (d <= lo)
    return static_cast<int64_t>(lo);
  if (d >= hi)
    return t == Type::i64 ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(hi);
  return static_cast<int64_t>(d);
}

/// fma rounded once to a type narrower than double: the sum is rounded to odd first (Boldo & Melquiond, 2008).
inline double fma_to(Type t, double a, double b, double c) {
  if (t == Type::f64 || t == Type::weak)
    return std::fma(a, b, c);
  if (t == Type::f32 && a == static_cast<float>(a) && b == static_cast<float>(b) && c == static_cast<float>(c))
    return std::fmaf(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
  double s = std::fma(a, b, c);
  if (!std::isfinite(s))
    return round_to(t, s);
  double p = a * b; // exact for operands of at most 26 bits
  double bb = s - p, error = (p - (s - bb)) + (c - bb);
  uint64_t bits = std::bit_cast<uint64_t>(s);
  if (error != 0 && (bits & 1) == 0)
    s = std::bit_cast<double>((error > 0) == (s > 0) ? bits + 1 : bits - 1);
  return round_to(t, s);
}

} // namespace gelint::formula
