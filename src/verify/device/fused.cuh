#pragma once
// Fused activation kernels at the speed of a copy: plain, bias + activation, gated (activation(gate)·up). 16 bytes per
// access, several independent loads per thread.
//
// 128 threads a block and no cache hints: of the shapes and hints tried on an H200 these run at the speed of
// cudaMemcpy; streaming hints and larger blocks cost 2 to 8 %. The arithmetic is f32. The time in which a 16-bit element is
// copied has room for 31 instructions (132 multiprocessors, 4 x 32 lanes, 1.98 GHz, 1.0 ms for 2^30 elements), and what an
// element needs besides its formula takes about 8: erf takes 13 to 15 here. 20, with a second use of the special-function
// unit, ran at 94 to 97 % of a copy in f16 with a bias; so did a division by the number of columns for every group.
//
// Rounding: bias + x is rounded to the type before the activation, and activation(gate) before the product, as separate
// kernels of a tensor library round.

#include "verify/sweep_core.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace gelint::verify::fused {

namespace core = gelint::verify::core;

enum Op { plain, bias, gated };

__device__ inline float exp2_fast(float x) {
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
__device__ inline float reciprocal_fast(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}

/// Φ(-a)·e^(a²/2) as r·P(r), r = 1/(a + 4), interpolated at Chebyshev nodes of t = 1 − 8r = (a − 4)/(a + 4) on 0 ≤ a ≤ 15
/// with mpmath at 50 digits, and written in t: in r its terms would cancel. Relative error 1.4e-8.
__device__ inline float scaled_tail(float r) {
  const float t = fmaf(-8.0f, r, 1.0f);
  float p = -0.0001255583856f;
  p = fmaf(p, t, 0.0001889965194f);
  p = fmaf(p, t, 0.001566881688f);
  p = fmaf(p, t, -0.003520972824f);
  p = fmaf(p, t, -0.007525402418f);
  p = fmaf(p, t, 0.06040618551f);
  p = fmaf(p, t, -0.1865233068f);
  p = fmaf(p, t, 0.3871366831f);
  p = fmaf(p, t, -0.6078965941f);
  p = fmaf(p, t, 0.7552851386f);
  return p * r;
}

/// log2 Φ(-a) for the 16-bit types, whose precision it needs and no more: minimax polynomials, the error weighted by what a
/// rounding of a·Φ(-a) hides (linear programming over 900 Chebyshev nodes, HiGHS, values from mpmath at 40 digits). Beyond
/// the interval a·Φ(-a) is below half the least subnormal. f16: 0 ≤ a ≤ 6, 5e-4 ulp of the result at most before
/// roundings; bf16: 0 ≤ a ≤ 14, 2e-3 ulp, with k_up added. One exponential and no reciprocal: half the instructions of
/// the form above.
template <int T> __device__ inline float log2_tail(float a) {
  float p;
  if constexpr (T == core::k_bf16) {
    p = 6.163117238777716e-11f;
    p = fmaf(p, a, -6.042852440657498e-09f);
    p = fmaf(p, a, 2.576147153376951e-07f);
    p = fmaf(p, a, -6.356911853799829e-06f);
    p = fmaf(p, a, 0.00010189485328737646f);
    p = fmaf(p, a, -0.0011303976643830538f);
    p = fmaf(p, a, 0.009070128202438354f);
    p = fmaf(p, a, -0.05482228845357895f);
    p = fmaf(p, a, -0.4578210413455963f);
    p = fmaf(p, a, -1.1514300107955933f);
    p = fmaf(p, a, 23.00001335144043f);
  } else {
    p = 1.455654938808948e-07f;
    p = fmaf(p, a, -3.4860856885643443e-06f);
    p = fmaf(p, a, 3.318981180200353e-05f);
    p = fmaf(p, a, -0.000129371284856461f);
    p = fmaf(p, a, -0.0003203731030225754f);
    p = fmaf(p, a, 0.007358201779425144f);
    p = fmaf(p, a, -0.05274089053273201f);
    p = fmaf(p, a, -0.45911136269569397f);
    p = fmaf(p, a, -1.1511194705963135f);
    p = fmaf(p, a, -0.9999996423721313f);
  }
  return p;
}

/// max(x, 0), NaN for NaN.
__device__ inline float positive_part(float x) {
  float r;
  asm("max.NaN.f32 %0, %1, 0f00000000;" : "=f"(r) : "f"(x));
  return r;
}

/// x·w(x) with w(-x) = 1 − w(x) is max(x, 0) − |x|·w(-|x|): one form for both signs, in which the negative tail keeps its
/// digits. The weight carries a factor of 2^24, which keeps it away from the subnormal numbers that the fast exponential
/// flushes; only the last operation rounds there. f16 underflows long before. -inf gives 0.
template <int T, int F> __device__ inline float activation(float x) {
  const float k_up = T == core::k_f16 ? 0.0f : 24.0f, k_down = T == core::k_f16 ? 1.0f : 1.0f / 16777216.0f;
  // Every weight is 0 at the limit, and infinity times 0 would be NaN.
  const float a = fminf(fabsf(x), F != core::f_gelu_erf || T == core::k_f32 ? 200.0f : T == core::k_f16 ? 6.0f : 14.0f);
  float weight;
  if constexpr (F == core::f_gelu_erf && T == core::k_f32) {
    const float r = reciprocal_fast(a + 4.0f);
    weight = exp2_fast(fmaf(a * a, -0.72134752f, k_up)) * scaled_tail(r);
  } else if constexpr (F == core::f_gelu_erf) {
    weight = exp2_fast(log2_tail<T>(a)); // k_up is in its constant
  } else {
    // σ(-z) = e^-z / (1 + e^-z), z times log2(e): 2√(2/π)·(a + 0.044715a³), 1.702a or a.
    const float z = F == core::f_gelu_tanh    ? a * fmaf(0.102943244f, a * a, 2.30220819f)
                    : F == core::f_gelu_quick ? 2.45546696f * a
                                              : 1.44269504f * a;
    const float e = exp2_fast(k_up - z);
    weight = e * reciprocal_fast(fmaf(e, k_down, 1.0f));
  }
  return fmaf(a * weight, -k_down, positive_part(x));
}

template <int T> __device__ inline unsigned add2(unsigned a, unsigned b) {
  unsigned r;
  if constexpr (T == core::k_bf16)
    asm("add.rn.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  else
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
template <int T> __device__ inline unsigned mul2(unsigned a, unsigned b) {
  unsigned r;
  if constexpr (T == core::k_bf16)
    asm("mul.rn.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  else
    asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
template <int T> __device__ inline float2 unpack2(unsigned w) {
  if constexpr (T == core::k_bf16)
    return {__uint_as_float(w << 16), __uint_as_float(w & 0xffff0000u)};
  else
    return __half22float2(*reinterpret_cast<const __half2*>(&w));
}
template <int T> __device__ inline unsigned pack2(float low, float high) {
  unsigned r;
  if constexpr (T == core::k_bf16)
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}

/// The activation of a 32-bit word: one f32 or two 16-bit values.
template <int T, int F> __device__ inline unsigned activate(unsigned w) {
  if constexpr (T == core::k_f32)
    return __float_as_uint(activation<T, F>(__uint_as_float(w)));
  else {
    const float2 v = unpack2<T>(w);
    return pack2<T>(activation<T, F>(v.x), activation<T, F>(v.y));
  }
}

template <int T, Op O, int F> __device__ inline unsigned word(unsigned x, unsigned other) {
  if constexpr (O == plain)
    return activate<T, F>(x);
  else if constexpr (T == core::k_f32)
    return O == bias ? activate<T, F>(__float_as_uint(__uint_as_float(x) + __uint_as_float(other)))
                     : __float_as_uint(__uint_as_float(activate<T, F>(x)) * __uint_as_float(other));
  else
    return O == bias ? activate<T, F>(add2<T>(x, other)) : mul2<T>(activate<T, F>(x), other);
}

constexpr int k_threads = 128;
/// Groups per thread, measured: two where the arithmetic of a 16-bit erf has to overlap the loads.
template <int T, Op O, int F>
constexpr int k_unroll = T != core::k_f32 && F == core::f_gelu_erf && O != gated ? 2 : 1;

/// Division of numbers below 2^31 by a divisor that a launch knows: a multiplication and a shift (Granlund & Montgomery,
/// 1994). With l = ⌈log2 d⌉ and m = ⌈2^(31 + l) / d⌉, n·m >> (31 + l) is ⌊n/d⌋.
struct Divisor {
  unsigned divisor, factor, shift;
  explicit Divisor(unsigned d) : divisor(d), shift(31) {
    while ((1ull << (shift - 31)) < d)
      ++shift;
    factor = static_cast<unsigned>(((1ull << shift) + d - 1) / d);
  }
  __device__ unsigned quotient(unsigned n) const {
    return static_cast<unsigned>(static_cast<unsigned long long>(n) * factor >> shift);
  }
};

/// Blocks for n groups. A thread takes U groups that are 128 apart, or with a bias of `columns` groups, U rows apart.
template <Op O, int U> inline unsigned blocks(unsigned n, unsigned columns) {
  const unsigned long long wide = O == bias ? columns : 1, tile = wide * U;
  const unsigned long long threads = (n + tile - 1) / tile * wide;
  return static_cast<unsigned>((threads + k_threads - 1) / k_threads);
}

/// n groups of 16 bytes. `other`: up for gated, a bias of `columns` groups for bias. All pointers aligned to 16 bytes.
template <int T, Op O, int F, int U = k_unroll<T, O, F>>
__global__ void __launch_bounds__(k_threads)
    apply(const uint4* __restrict__ in, const uint4* __restrict__ other, uint4* __restrict__ out, unsigned n,
          Divisor columns) {
  unsigned at = blockIdx.x * (O == bias ? k_threads : k_threads * U) + threadIdx.x, step = k_threads;
  uint4 x[U], y[U] = {}, shared = {};
  if constexpr (O == bias) {
    const unsigned row = columns.quotient(at), column = at - row * columns.divisor;
    at = row * U * columns.divisor + column; // below n for every thread but those of the last rows
    step = columns.divisor;
    shared = __ldg(other + column);
  }
#pragma unroll
  for (int i = 0; i < U; ++i)
    if (unsigned k = at + i * step; k < n) {
      x[i] = in[k];
      if constexpr (O == gated)
        y[i] = other[k];
      if constexpr (O == bias)
        y[i] = shared;
    }
#pragma unroll
  for (int i = 0; i < U; ++i)
    if (unsigned k = at + i * step; k < n)
      out[k] = {word<T, O, F>(x[i].x, y[i].x), word<T, O, F>(x[i].y, y[i].y), word<T, O, F>(x[i].z, y[i].z),
                word<T, O, F>(x[i].w, y[i].w)};
}

/// The pattern of a value of the 16-bit type.
__device__ inline unsigned encode(int t, double v) {
  if (t == core::k_bf16)
    return __bfloat16_as_ushort(__float2bfloat16_rn(static_cast<float>(v))); // v is a bf16 value: exact
  return __half_as_ushort(__float2half_rn(static_cast<float>(v)));
}

} // namespace gelint::verify::fused
