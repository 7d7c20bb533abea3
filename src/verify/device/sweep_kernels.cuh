// The sweep kernels, compiled at run time around two candidates. The including source defines
//   GELINT_TYPE      core::k_f16, k_bf16 or k_f32
//   GELINT_FORMULA   number of the reference formula
//   candidate_a(float), candidate_b(float)   from a value of the type to a value of the type
// Nothing is read but the index, and nothing of the size of the sweep is stored.

#include "verify/sweep_core.h"

namespace core = gelint::verify::core;

// Neighbouring patterns per thread: enough that the one extra evaluation for the order check costs little, few enough
// that a warp stays within one branch of the reference.
#ifndef GELINT_RUN
#define GELINT_RUN (GELINT_TYPE == core::k_f32 ? 128 : 4)
#endif
#define GELINT_BLOCK 256

__device__ inline bool finite_float(float v) { return fabsf(v) <= 3.4028234663852886e38f; }

extern "C" __global__ void __launch_bounds__(GELINT_BLOCK) gelint_sweep(core::Metrics* out, double atol, double rtol) {
  const core::u64 runs = core::pattern_count(GELINT_TYPE) / GELINT_RUN;
  core::Metrics m = core::no_metrics();
  core::Metrics seed = core::no_metrics();
  for (int i = 0; i < 8; ++i) {
    core::u32 p = core::seed_pattern(GELINT_TYPE, i);
    float x = core::decode(GELINT_TYPE, p);
    core::count(seed, GELINT_TYPE, p, x, candidate_a(x), core::reference(GELINT_FORMULA, static_cast<double>(x)), atol, rtol);
  }
  m.abs = seed.abs;
  m.ulp = seed.ulp;
  const bool halved = core::above_halved_bound(m.abs.value, m.ulp.value);
  for (core::u64 r = static_cast<core::u64>(blockIdx.x) * GELINT_BLOCK + threadIdx.x; r < runs;
       r += static_cast<core::u64>(gridDim.x) * GELINT_BLOCK) {
    core::u32 p = static_cast<core::u32>(r * GELINT_RUN);
    const float first = core::decode(GELINT_TYPE, p), last = core::decode(GELINT_TYPE, p + GELINT_RUN - 1);
    // What holds for the whole run is found once: where the formula is a plain multiple of x …
    const float factor = core::plain_factor(GELINT_FORMULA, first, last, halved);
    const bool plain = factor >= 0.0f;
    // … and which way it goes: outputs are compared after a multiplication by ±1, or 0 where it turns or inputs are not
    // finite (then all of the run's are not).
    const float after = core::decode(GELINT_TYPE, p + GELINT_RUN), end = finite_float(after) ? after : last;
    const bool upwards = end > first, finite = finite_float(first) && finite_float(last);
    const int direction = core::direction(GELINT_FORMULA, upwards ? first : end, upwards ? end : first);
    const float turn = !finite ? 0.0f : static_cast<float>(upwards ? direction : -direction);
    float x = first, y = candidate_a(x), ordered = turn * y;
    core::u32 falls = 0;
#pragma unroll 4
    for (int k = 0; k < GELINT_RUN; ++k, ++p) {
      float xn = core::decode(GELINT_TYPE, p + 1), yn = candidate_a(xn), ordered_n = turn * yn;
      if (!(plain && y == factor * x))
        core::count(m, GELINT_TYPE, p, x, y, core::reference(GELINT_FORMULA, static_cast<double>(x)), atol, rtol);
      falls += ordered_n < ordered; // false for a NaN
      x = xn;
      y = yn;
      ordered = ordered_n;
    }
    // The last comparison went to the next run's first input; an infinity is none.
    if (finite && turn != 0.0f && !finite_float(x))
      falls -= turn * y < turn * candidate_a(last);
    if (finite && turn == 0.0f) {
      falls = 0;
      float x0 = first, y0 = candidate_a(x0);
      for (core::u32 q = p - GELINT_RUN + 1; q <= p; ++q) {
        float x1 = core::decode(GELINT_TYPE, q), y1 = candidate_a(x1);
        if (finite_float(x1))
          falls += core::out_of_order(GELINT_FORMULA, x0, x1, y0, y1);
        x0 = x1;
        y0 = y1;
      }
    }
    m.order_faults += falls;
    m.inputs += GELINT_RUN;
  }
  __shared__ core::Metrics shared[GELINT_BLOCK];
  shared[threadIdx.x] = m;
  __syncthreads();
  for (int half = GELINT_BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      core::merge(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = shared[0];
}

struct PairMetrics {
  core::u64 inputs, differing, nan_differs;
  core::Extreme abs;
};

extern "C" __global__ void __launch_bounds__(GELINT_BLOCK) gelint_compare(PairMetrics* out) {
  const core::u64 total = core::pattern_count(GELINT_TYPE);
  PairMetrics m = {0, 0, 0, {0.0, 0xffffffffu}};
  for (core::u64 i = static_cast<core::u64>(blockIdx.x) * GELINT_BLOCK + threadIdx.x; i < total;
       i += static_cast<core::u64>(gridDim.x) * GELINT_BLOCK) {
    core::u32 p = static_cast<core::u32>(i);
    float x = core::decode(GELINT_TYPE, p), a = candidate_a(x), b = candidate_b(x);
    m.inputs += 1;
    if (a == b)
      continue;
    bool p_nan = a != a, q_nan = b != b;
    m.nan_differs += p_nan != q_nan;
    m.differing += !(p_nan && q_nan);
    if (finite_float(a) && finite_float(b))
      core::raise(m.abs, fabs(static_cast<double>(a) - static_cast<double>(b)), p);
  }
  __shared__ PairMetrics shared[GELINT_BLOCK];
  shared[threadIdx.x] = m;
  __syncthreads();
  for (int half = GELINT_BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      PairMetrics& s = shared[threadIdx.x];
      const PairMetrics& o = shared[threadIdx.x + half];
      s.inputs += o.inputs;
      s.differing += o.differing;
      s.nan_differs += o.nan_differs;
      core::raise(s.abs, o.abs.value, o.abs.pattern);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = shared[0];
}

// 16-bit types only: the caller has room for 65,536 floats.
extern "C" __global__ void __launch_bounds__(GELINT_BLOCK) gelint_outputs(float* out) {
  core::u32 p = blockIdx.x * GELINT_BLOCK + threadIdx.x;
  if (p < 65536)
    out[p] = candidate_a(core::decode(GELINT_TYPE, p));
}
