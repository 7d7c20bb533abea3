// Device forms of GELU.
#pragma once

#include <cuda_fp16.h>

namespace mini::cuda {

__device__ __forceinline__ float gelu(float x) {
  const float c = 0.7978845608028654f;
  return 0.5f * x * (1.0f + tanhf(c * (x + 0.044715f * x * x * x)));
}

__device__ __forceinline__ float gelu_erf(float x) { return x * normcdff(x); }

// One instruction, about eleven correct bits.
__device__ __forceinline__ float tanh_fast(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ float gelu_fast(float x) {
  return 0.5f * x * (1.0f + tanh_fast(0.79788456f * x * (1.0f + 0.044715f * x * x)));
}

// All steps in half precision.
__device__ __forceinline__ __half gelu_half(__half x) {
  const __half cube = __hmul(__hmul(x, x), x);
  const __half u = __hmul(__float2half(0.79788456f), __hfma(__float2half(0.044715f), cube, x));
  const __half t = __float2half(tanhf(__half2float(u)));
  return __hmul(__hmul(__float2half(0.5f), x), __hadd(__float2half(1.0f), t));
}

} // namespace mini::cuda
