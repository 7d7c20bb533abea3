// Activations as function objects, for the loops that are written once for every element type.
#pragma once

#include <cmath>
#include <cstddef>

namespace mini::nn {

template <typename T> struct gelu_erf_op {
  T operator()(T x) const { return x * T(0.5) * (T(1) + std::erf(x * T(0.70710678118654752440))); }
};

template <typename T> struct gelu_tanh_op {
  static constexpr T k_alpha = T(0.7978845608028654);
  static constexpr T k_beta = T(0.044715);

  T operator()(T x) const {
    const T u = k_alpha * x * (T(1) + k_beta * x * x);
    return T(0.5) * x * (T(1) + std::tanh(u));
  }
};

// out[r][c] = act(in[r][c] + bias[c])
template <typename T, template <typename> class Activation>
void bias_activation(const T* in, const T* bias, T* out, std::size_t rows, std::size_t cols) {
  const Activation<T> act{};
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      out[r * cols + c] = act(in[r * cols + c] + bias[c]);
    }
  }
}

} // namespace mini::nn
