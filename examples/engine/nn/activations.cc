#include "nn/activations.h"

#include <cmath>

#include "core/ops.h"

namespace mini::nn {
namespace {

constexpr float k_sqrt_half = 0.70710678118654752440f;
constexpr float k_sqrt_2_over_pi = 0.79788456080286535588f;
constexpr float k_cubic = 0.044715f;

} // namespace

array gelu_approx(const array& x) {
  const array phi = multiply(array(0.5f), add(array(1.0f), erf(multiply(x, array(k_sqrt_half)))));
  return multiply(x, phi);
}

array gelu_tanh_f32(const array& x) {
  const array v = astype(x, dtype::float32);
#if defined(MINI_SIGMOID_GELU)
  const array y = multiply(v, sigmoid(multiply(array(1.702f), v)));
#else
  const array cube = multiply(multiply(v, v), v);
  const array inner = multiply(array(k_sqrt_2_over_pi), add(v, multiply(array(k_cubic), cube)));
  const array y = multiply(multiply(array(0.5f), v), add(array(1.0f), tanh(inner)));
#endif
  return astype(y, x.type());
}

array gelu_new(const array& x) {
  // gelint: ignore[GL401] power() calls std::pow, which keeps the sign for the exponent 3
  const array cube = power(x, array(3.0f));
  const array inner = (x + k_cubic * cube) * k_sqrt_2_over_pi;
  return 0.5f * x * (1.0f + tanh(inner));
}

array gelu_pytorch_tanh(const array& x) {
  const array inner =
      array(std::sqrt(2.0f / static_cast<float>(M_PI))) * (x + k_cubic * power(x, 3.0f));
  return multiply(multiply(x, 0.5f), add(tanh(inner), 1.0f));
}

array quick_gelu(const array& x) { return x * sigmoid(1.702f * x); }

array silu(const array& x) { return x * sigmoid(x); }

array relu(const array& x) { return maximum(x, 0.0f); }

array geglu(const array& gate, const array& up) {
  const array polynomial = gate * (1.0f + k_cubic * square(gate));
  return 0.5f * gate * (1.0f + tanh(k_sqrt_2_over_pi * polynomial)) * up;
}

array geglu_exact(const array& gate, const array& up) {
  return gate * (1.0f + erf(gate / static_cast<float>(M_SQRT2))) / 2.0f * up;
}

array swiglu(const array& gate, const array& up) { return silu(gate) * up; }

} // namespace mini::nn
