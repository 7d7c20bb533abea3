// Software conversions between float and the two 16-bit formats (round to nearest, ties to even).
#pragma once

#include <cstdint>
#include <cstring>

namespace mini {

using half_bits = std::uint16_t;

inline std::uint32_t bits_of(float f) {
  std::uint32_t u;
  std::memcpy(&u, &f, sizeof u);
  return u;
}

inline float float_of(std::uint32_t u) {
  float f;
  std::memcpy(&f, &u, sizeof f);
  return f;
}

inline half_bits float_to_half(float f) {
  const std::uint32_t u = bits_of(f);
  const std::uint32_t sign = (u >> 16) & 0x8000u;
  const std::uint32_t rest = u & 0x7fffffffu;
  if (rest > 0x7f800000u)
    return static_cast<half_bits>(sign | 0x7e00u); // NaN
  if (rest >= 0x477ff000u)
    return static_cast<half_bits>(sign | 0x7c00u); // rounds to infinity
  if (rest < 0x38800000u) {                        // subnormal or zero
    const int shift = 126 - static_cast<int>(rest >> 23);
    if (shift > 24)
      return static_cast<half_bits>(sign);
    const std::uint32_t mantissa = (rest & 0x7fffffu) | 0x800000u;
    const std::uint32_t kept = mantissa >> shift;
    const std::uint32_t lost = mantissa & ((1u << shift) - 1u);
    const std::uint32_t tie = 1u << (shift - 1);
    return static_cast<half_bits>(sign | (kept + (lost > tie || (lost == tie && (kept & 1u)))));
  }
  const std::uint32_t rounded = rest - 0x38000000u + 0xfffu + ((rest >> 13) & 1u);
  return static_cast<half_bits>(sign | (rounded >> 13));
}

inline float half_to_float(half_bits h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
  const std::uint32_t exponent = (h >> 10) & 0x1fu;
  const std::uint32_t mantissa = h & 0x3ffu;
  if (exponent == 0x1fu)
    return float_of(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float value = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
  return float_of(sign | ((exponent + 112u) << 23) | (mantissa << 13));
}

inline std::uint16_t float_to_bfloat(float f) {
  const std::uint32_t u = bits_of(f);
  if ((u & 0x7fffffffu) > 0x7f800000u)
    return static_cast<std::uint16_t>((u >> 16) | 0x40u);
  return static_cast<std::uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}

inline float bfloat_to_float(std::uint16_t b) {
  return float_of(static_cast<std::uint32_t>(b) << 16);
}

} // namespace mini
