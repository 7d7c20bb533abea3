#pragma once
// The one definition of each formula, in double precision, shared by the CPU and CUDA code.
//
// Forms are chosen so that the negative tail keeps its relative accuracy: gelu_erf through erfc (1 + erf cancels
// below x ≈ -1) and gelu_tanh through the logistic function (1 + tanh cancels likewise).
// Limits: f(+inf) = +inf for the unbounded ones; f(-inf) = -0 for the GELU family, silu and mish, which is the limit
// from above of the negative tail; NaN gives NaN.

// The run-time compiler of CUDA has the functions built in and no <cmath>.
#if !defined(__CUDACC_RTC__)
#include <cmath>
#endif

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define GELINT_HD __host__ __device__ inline
#else
#define GELINT_HD inline
#endif

namespace gelint::formula::math {

inline constexpr double k_sqrt_half = 0.70710678118654752440;     // √½
inline constexpr double k_two_sqrt_2_over_pi = 1.59576912160573071176; // 2·√(2/π)
inline constexpr double k_gelu_cubic = 0.044715;                   // Hendrycks & Gimpel, arXiv:1606.08415
inline constexpr double k_quick_alpha = 1.702;                     // ibid.

/// 1/(1+e^-x) without overflow for either sign.
GELINT_HD double sigmoid(double x) {
  if (x >= 0)
    return 1.0 / (1.0 + exp(-x));
  double e = exp(x);
  return e / (1.0 + e);
}

/// x·σ(z) where σ underflows before x stops being finite: keeps -inf·0 from becoming NaN. Below -700, σ(z) = e^z is
/// near the subnormal numbers and is applied in two halves, so that only the product rounds there.
GELINT_HD double times_sigmoid(double x, double z) {
  if (z < -700.0) {
    double half = exp(0.5 * z);
    return half == 0 ? copysign(0.0, x) : (x * half) * half;
  }
  return x * sigmoid(z);
}

GELINT_HD double gelu_erf(double x) {
  double phi = 0.5 * erfc(-x * k_sqrt_half);
  return phi == 0 ? copysign(0.0, x) : x * phi;
}
GELINT_HD double gelu_tanh(double x) {
  return times_sigmoid(x, k_two_sqrt_2_over_pi * x * (1.0 + k_gelu_cubic * x * x));
}
GELINT_HD double gelu_quick(double x) { return times_sigmoid(x, k_quick_alpha * x); }
GELINT_HD double gelu_erf_clip10(double x) {
  double y = gelu_erf(x);
  return y > 10.0 ? 10.0 : y; // the lower bound never acts: min gelu_erf ≈ -0.16997
}
GELINT_HD double silu(double x) { return times_sigmoid(x, x); }
GELINT_HD double relu(double x) { return x > 0 ? x : (x != x ? x : 0.0); }
GELINT_HD double relu2(double x) { return relu(x) * relu(x); }
GELINT_HD double relu6(double x) { return x > 6.0 ? 6.0 : relu(x); }
GELINT_HD double leaky_relu(double x, double slope) { return x < 0 ? slope * x : x; }
GELINT_HD double hardswish(double x) {
  double r = relu6(x + 3.0) / 6.0;
  return r == 0 ? copysign(0.0, x) : x * r;
}
/// log(1 + e^x) without overflow.
GELINT_HD double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }
/// x·tanh(softplus(x)) = x·(n)/(n+2), n = e^x·(e^x + 2): no cancellation on the negative side.
GELINT_HD double mish(double x) {
  if (x > 40.0)
    return x;
  if (x < -700.0)
    return times_sigmoid(x, x); // both are x·e^x there
  double e = exp(x);
  double n = e * (e + 2.0);
  return x * (n / (n + 2.0));
}
GELINT_HD double laplace(double x) {
  // μ = 0.707107, σ = 0.282095 as in transformers' LaplaceActivation (MEGA, arXiv:2209.10655).
  return 0.5 * erfc(-(x - 0.707107) / (0.282095 * 1.41421356237309504880));
}
GELINT_HD double sqrtsoftplus(double x) {
  // For very negative x softplus(x) = e^x to double precision and sqrt halves the exponent.
  return x < -40.0 ? exp(0.5 * x) : sqrt(softplus(x));
}
/// transformers' XIELUActivation at its initial parameters: α_p = α_n = 0.8, β = 0.5, eps = -1e-6. Its negative side,
/// (expm1(min(x, eps)) − x)·α_n + β·x, is collected in x: the two large terms would cancel, to NaN at -inf.
GELINT_HD double xielu(double x) {
  const double alpha_p = 0.8, alpha_n = 0.8, beta = 0.5, beta_minus_alpha_n = -0.3, eps = -1e-6;
  if (x > 0)
    return alpha_p * x * x + beta * x;
  double m = x < eps ? x : eps;
  return expm1(m) * alpha_n + beta_minus_alpha_n * x;
}

} // namespace gelint::formula::math
