// A table of one activation over every half-precision input: the input is rounded to 16 bits and
// looked up.
#pragma once

#include <array>
#include <cstddef>

#include "core/half.h"

namespace mini::kernels {

class half_table {
public:
  static const half_table& gelu();

  float operator()(float x) const { return half_to_float(values_[float_to_half(x)]); }

private:
  half_table();

  std::array<half_bits, 65536> values_;
};

// dst[i] = gelu(src[i]) through the table.
void gelu_table_row(const float* src, float* dst, std::size_t n);

} // namespace mini::kernels
