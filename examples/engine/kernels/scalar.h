// Scalar forms of the activations, for the CPU back end of the graph.
#pragma once

#include <cmath>

namespace mini::kernels {

constexpr float k_gelu_coef = 0.044715f;
constexpr float k_gelu_scale = 0.79788456080286535587989211986876f;
constexpr float k_quick_scale = -1.702f;

inline float gelu_f32(float x) {
  return 0.5f * x * (1.0f + tanhf(k_gelu_scale * x * (1.0f + k_gelu_coef * x * x)));
}

inline float gelu_erf_f32(float x) {
  return 0.5f * x * (1.0f + erff(x * 0.70710678118654752440084436210484f));
}

inline float gelu_quick_f32(float x) { return x * (1.0f / (1.0f + expf(k_quick_scale * x))); }

inline float silu_f32(float x) { return x / (1.0f + expf(-x)); }

// tanh from one exponential, for targets whose library has no tanh.
inline float tanh_by_exp(float u) {
  const float e = expf(2.0f * u);
  return (e - 1.0f) / (e + 1.0f);
}

inline float gelu_exp_f32(float x) {
  const float u = k_gelu_scale * (x + k_gelu_coef * x * x * x);
  return 0.5f * x * (1.0f + tanh_by_exp(u));
}

} // namespace mini::kernels
