#include "kernels/row_kernels.h"

namespace mini::kernels {

void dequantise_row(const signed char* src, float scale, float* dst, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    dst[i] = static_cast<float>(src[i]) * scale;
}

void gelu_new_row(const float* src, float* dst, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float x = src[i];
    const float cube = x * x * x;
    const float u = 0.7978845608f * (x + 0.044175f * cube);
    dst[i] = 0.5f * x * (1.0f + tanhf(u));
  }
}

} // namespace mini::kernels
