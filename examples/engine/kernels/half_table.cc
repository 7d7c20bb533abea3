#include "kernels/half_table.h"

#include "kernels/scalar.h"

namespace mini::kernels {

half_table::half_table() {
  for (unsigned i = 0; i < values_.size(); ++i) {
    const float x = half_to_float(static_cast<half_bits>(i));
    values_[i] = float_to_half(gelu_erf_f32(x));
  }
}

const half_table& half_table::gelu() {
  static const half_table table;
  return table;
}

void gelu_table_row(const float* src, float* dst, std::size_t n) {
  const half_table& table = half_table::gelu();
  for (std::size_t i = 0; i < n; ++i)
    dst[i] = table(src[i]);
}

} // namespace mini::kernels
