// Fused activation kernels against a copy: bandwidth at N elements with the L2 flushed before each run, and an
// exhaustive check of what they return. Prints JSON lines; exits with 1 when a value is wrong.
// Usage: fused_bench [--check|--time] [log2 of N, default 30]
//
// Bytes are counted once per tensor read or written. Each run of a kernel is followed by one of a copy, the faster of
// cudaMemcpyAsync and of this program's copy kernels for the type, and the share of a copy is the median of the ratios of
// such neighbours: the device has spells in which everything, the copy too, is some per cent slower.

#include "verify/device/fused.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace core = gelint::verify::core;
namespace fused = gelint::verify::fused;

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t status_ = (call);                                                                                      \
    if (status_ != cudaSuccess) {                                                                                      \
      std::fprintf(stderr, "fused_bench: %s: %s (line %d)\n", #call, cudaGetErrorString(status_), __LINE__);           \
      std::exit(2);                                                                                                    \
    }                                                                                                                  \
  } while (0)

template <int U>
__global__ void __launch_bounds__(128) copy(const uint4* __restrict__ in, uint4* __restrict__ out, unsigned n) {
  const unsigned at = blockIdx.x * (128 * U) + threadIdx.x;
  uint4 x[U];
#pragma unroll
  for (int i = 0; i < U; ++i)
    if (at + i * 128 < n)
      x[i] = in[at + i * 128];
#pragma unroll
  for (int i = 0; i < U; ++i)
    if (at + i * 128 < n)
      out[at + i * 128] = x[i];
}

/// Normal values, mean 0: what an MLP sees. Box-Muller on a hash of the index.
__device__ inline float normal(unsigned i, unsigned stream) {
  unsigned h = i * 2654435761u + stream * 0x9e3779b9u;
  h ^= h >> 15, h *= 2246822519u, h ^= h >> 13, h *= 3266489917u, h ^= h >> 16;
  unsigned g = h * 2654435761u;
  g ^= g >> 15, g *= 2246822519u, g ^= g >> 13;
  float u = (h + 1.0f) * 2.3283064e-10f, v = g * 2.3283064e-10f;
  return sqrtf(-2.0f * logf(fminf(u, 1.0f))) * cospif(2.0f * v);
}
template <int T> __global__ void fill_normal(void* out, size_t n, unsigned stream) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) {
    float v = normal(static_cast<unsigned>(i), stream);
    if (T == core::k_f32)
      static_cast<float*>(out)[i] = v;
    else
      static_cast<unsigned short*>(out)[i] =
          static_cast<unsigned short>(fused::encode(T, core::round_to_type(T, static_cast<double>(v))));
  }
}
__global__ void fill_patterns32(unsigned* out, unsigned first, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    out[i] = first + static_cast<unsigned>(i);
}
__global__ void fill_patterns16(unsigned short* out, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    out[i] = static_cast<unsigned short>(i);
}

struct Check {
  unsigned long long wrong;   // beyond what is promised: see beyond()
  unsigned long long inexact; // 16-bit: not the correctly rounded value
  unsigned long long max_abs, max_ulp; // bits: a positive double orders as its bits
};

/// What an output may be off by. 16-bit types: half an ulp, and a fiftieth for the error of the f32 arithmetic; a product
/// of a value that was rounded the other way, up to three ulp. f32: torch.testing.assert_close's tolerance.
__device__ inline bool beyond(int t, int op, double ulp, double d, double r) {
  if (t == core::k_f32)
    return !(d <= 1e-5 + 1.3e-6 * fabs(r));
  return !(ulp <= (op == fused::gated ? 3.0 : 0.52));
}

/// Against f64, rounded where the kernel rounds: sum to the type, activation to the type before the product.
template <int T> __global__ void check(const void* in, const void* other, const void* out, size_t n, unsigned columns, int f,
                                       int op, Check* result) {
  Check c = {0, 0, 0, 0};
  auto value = [](const void* from, size_t i) {
    return static_cast<double>(core::decode(T, T == core::k_f32 ? static_cast<const unsigned*>(from)[i]
                                                                : static_cast<const unsigned short*>(from)[i]));
  };
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) {
    double x = value(in, i), y = value(out, i);
    if (op == fused::bias)
      x = core::round_to_type(T, x + value(other, i % columns));
    if (!(fabs(x) <= 3.4028234663852886e38))
      continue;
    double r = core::reference(f, x);
    if (op == fused::gated)
      r = core::round_to_type(T, r) * value(other, i);
    double rounded = core::round_to_type(T, r);
    if (fabs(rounded) > 3.4028234663852886e38) {
      c.wrong += y != rounded;
      continue;
    }
    double d = fabs(y - r), ulp = d * core::power_of_two(core::mantissa_bits(T) - core::spacing_exponent(T, r));
    c.wrong += beyond(T, op, ulp, d, r);
    c.inexact += T != core::k_f32 && y != rounded;
    if (d == d) {
      c.max_abs = max(c.max_abs, static_cast<unsigned long long>(__double_as_longlong(d)));
      c.max_ulp = max(c.max_ulp, static_cast<unsigned long long>(__double_as_longlong(ulp)));
    }
  }
  if (c.wrong)
    atomicAdd(&result->wrong, c.wrong);
  if (c.inexact)
    atomicAdd(&result->inexact, c.inexact);
  atomicMax(&result->max_abs, c.max_abs);
  atomicMax(&result->max_ulp, c.max_ulp);
}

struct Bench {
  size_t n = 0;
  uint4 *x = nullptr, *other = nullptr, *y = nullptr;
  void* scratch = nullptr;
  size_t scratch_bytes = size_t{256} << 20;
  cudaEvent_t begin = nullptr, end = nullptr;
  bool checks = true, times = true;
  unsigned long long wrong = 0;

  using Work = std::function<void()>;
  Work copy; ///< the faster one for the type, `copy_bytes` read and written
  double copy_bytes = 0;

  /// Milliseconds, the L2 flushed before.
  float once(const Work& work) {
    CHECK(cudaMemsetAsync(scratch, 0x5a, scratch_bytes));
    CHECK(cudaEventRecord(begin));
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms;
  }

  /// Median milliseconds.
  double time(const Work& work, int runs = 11) {
    std::vector<double> ms;
    for (int i = 0; i < runs + 2; ++i)
      if (double t = static_cast<double>(once(work)); i >= 2)
        ms.push_back(t);
    return median(ms);
  }

  static double median(std::vector<double>& v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  }

  struct Share {
    double ms, copy_ms, of_copy, low, high; ///< medians; quartiles of of_copy
  };
  /// Pairs of a run and a copy, each first in turn.
  Share share(const Work& work, double bytes, int runs = 21) {
    std::vector<double> ms, copies, ratios;
    for (int i = 0; i < runs + 2; ++i) {
      double t = 0, c = 0;
      if (i % 2)
        c = static_cast<double>(once(copy)), t = static_cast<double>(once(work));
      else
        t = static_cast<double>(once(work)), c = static_cast<double>(once(copy));
      if (i < 2)
        continue;
      ms.push_back(t), copies.push_back(c), ratios.push_back(bytes / t / (copy_bytes / c));
    }
    const double m = median(ms), c = median(copies), r = median(ratios);
    return {m, c, r, ratios[ratios.size() / 4], ratios[ratios.size() - 1 - ratios.size() / 4]};
  }
};

constexpr unsigned k_columns = 4096; // of the bias

template <int T, fused::Op O, int F, int U> void launch(const Bench& b, size_t n) {
  const unsigned per = T == core::k_f32 ? 4 : 8, groups = static_cast<unsigned>(n / per);
  fused::apply<T, O, F, U><<<fused::blocks<O, U>(groups, k_columns / per), fused::k_threads>>>(
      b.x, b.other, b.y, groups, fused::Divisor(k_columns / per));
}

const char* k_types[] = {"f16", "bf16", "f32"};
const char* k_ops[] = {"plain", "bias", "geglu"};

/// Plain: every input of the type. The others: normal values.
template <int T, fused::Op O, int F> void verify(Bench& b, const char* name) {
  Check *device, c = {0, 0, 0, 0};
  CHECK(cudaMalloc(&device, sizeof c));
  CHECK(cudaMemset(device, 0, sizeof c));
  const size_t element = T == core::k_f32 ? 4 : 2;
  size_t n = O != fused::plain ? std::min<size_t>(b.n, size_t{1} << 26)
             : T == core::k_f32 ? std::min<size_t>(b.n, size_t{1} << 28)
                                : size_t{1} << 20; // each pattern sixteen times
  // All 2^32 inputs of f32, unless a small size asks for a quick look (under a sanitizer).
  const unsigned long long total = O == fused::plain && T == core::k_f32 && b.n >= size_t{1} << 26 ? core::pattern_count(T) : n;
  unsigned long long inputs = 0;
  for (unsigned long long first = 0; first < total; first += n, inputs += n) {
    if (O != fused::plain) {
      fill_normal<T><<<1024, 256>>>(b.x, n, 1);
      fill_normal<T><<<1024, 256>>>(b.other, n, 2);
    } else if (T == core::k_f32)
      fill_patterns32<<<1024, 256>>>(reinterpret_cast<unsigned*>(b.x), static_cast<unsigned>(first), n);
    else
      fill_patterns16<<<1024, 256>>>(reinterpret_cast<unsigned short*>(b.x), n);
    CHECK(cudaMemset(b.y, 0xff, n * element)); // unwritten elements would show as NaN
    launch<T, O, F, fused::k_unroll<T, O, F>>(b, n);
    check<T><<<1024, 256>>>(b.x, b.other, b.y, n, k_columns, F, O, device);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&c, device, sizeof c, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  double max_abs, max_ulp;
  __builtin_memcpy(&max_abs, &c.max_abs, 8);
  __builtin_memcpy(&max_ulp, &c.max_ulp, 8);
  b.wrong += c.wrong;
  std::printf("{\"check\": \"%s\", \"dtype\": \"%s\", \"formula\": \"%s\", \"inputs\": %llu, \"wrong\": %llu, "
              "\"inexact\": %llu, \"max_abs\": %.3g, \"max_ulp\": %.4g}\n",
              k_ops[O], k_types[T], name, inputs, c.wrong, c.inexact, max_abs, max_ulp);
}

template <int T, fused::Op O, int F> void measure(Bench& b, const char* name) {
  const size_t element = T == core::k_f32 ? 4 : 2;
  const double bytes = static_cast<double>(b.n * element) * (O == fused::gated ? 3 : 2);
  const Bench::Share shares[] = {b.share([&] { launch<T, O, F, 1>(b, b.n); }, bytes), b.share([&] { launch<T, O, F, 2>(b, b.n); }, bytes),
                                 b.share([&] { launch<T, O, F, 4>(b, b.n); }, bytes), b.share([&] { launch<T, O, F, 8>(b, b.n); }, bytes)};
  const int unroll = fused::k_unroll<T, O, F>;
  const Bench::Share& s = shares[unroll == 8 ? 3 : unroll / 2]; // the kernel as it is used; the others for comparison
  std::printf("{\"op\": \"%s\", \"dtype\": \"%s\", \"formula\": \"%s\", \"engine\": \"gelint\", \"n\": %zu, \"ms\": %.4f, "
              "\"copy_ms\": %.4f, \"TB/s\": %.3f, \"of_copy\": %.4f, \"of_copy_quartiles\": [%.4f, %.4f], \"unroll\": %d, "
              "\"of_copy_by_unroll\": [%.4f, %.4f, %.4f, %.4f]}\n",
              k_ops[O], k_types[T], name, b.n, s.ms, s.copy_ms, bytes / s.ms / 1e9, s.of_copy, s.low, s.high, unroll,
              shares[0].of_copy, shares[1].of_copy, shares[2].of_copy, shares[3].of_copy);
  std::fflush(stdout);
}

template <int T, int F> void formula(Bench& b, const char* name) {
  if (b.checks) {
    verify<T, fused::plain, F>(b, name);
    verify<T, fused::bias, F>(b, name);
    verify<T, fused::gated, F>(b, name);
  }
  if (!b.times)
    return;
  fill_normal<T><<<4096, 256>>>(b.x, b.n, 1);
  fill_normal<T><<<4096, 256>>>(b.other, b.n, 2);
  measure<T, fused::plain, F>(b, name);
  measure<T, fused::bias, F>(b, name);
  measure<T, fused::gated, F>(b, name);
}

template <int T> void type(Bench& b) {
  if (b.times) {
    const size_t bytes = b.n * (T == core::k_f32 ? 4 : 2);
    const auto n = static_cast<unsigned>(bytes / 16);
    const Bench::Work copies[] = {[&b, bytes] { CHECK(cudaMemcpyAsync(b.y, b.x, bytes, cudaMemcpyDeviceToDevice)); },
                                  [&b, n] { copy<1><<<(n + 127) / 128, 128>>>(b.x, b.y, n); },
                                  [&b, n] { copy<2><<<(n + 255) / 256, 128>>>(b.x, b.y, n); }};
    const double ms[] = {b.time(copies[0]), b.time(copies[1]), b.time(copies[2])};
    const size_t best = static_cast<size_t>(std::min_element(ms, ms + 3) - ms);
    b.copy = copies[best];
    b.copy_bytes = 2.0 * static_cast<double>(bytes);
    std::printf("{\"copy\": \"%s\", \"bytes\": %zu, \"memcpy_ms\": %.4f, \"kernel_ms\": %.4f, \"TB/s\": %.3f}\n", k_types[T],
                2 * bytes, ms[0], std::min(ms[1], ms[2]), b.copy_bytes / ms[best] / 1e9);
  }
  formula<T, core::f_gelu_erf>(b, "gelu_erf");
  formula<T, core::f_gelu_tanh>(b, "gelu_tanh");
  formula<T, core::f_gelu_quick>(b, "gelu_quick");
  formula<T, core::f_silu>(b, "silu");
}

int main(int argc, char** argv) {
  Bench b;
  int log2n = 30;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "--check")
      b.times = false;
    else if (a == "--time")
      b.checks = false;
    else
      log2n = std::atoi(argv[i]);
  }
  if (log2n < 20 || log2n > 32) {
    std::fprintf(stderr, "usage: fused_bench [--check|--time] [log2 of the number of elements, 20 to 32]\n");
    return 2;
  }
  b.n = size_t{1} << log2n;
  cudaDeviceProp device;
  int driver = 0, runtime = 0;
  CHECK(cudaGetDeviceProperties(&device, 0));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("{\"device\": \"%s\", \"multiprocessors\": %d, \"l2_bytes\": %d, \"driver_cuda\": %d, \"runtime\": %d, \"nvcc\": "
              "\"%d.%d.%d\"}\n", device.name, device.multiProcessorCount, device.l2CacheSize, driver, runtime,
              __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__);
  const size_t bytes = std::max(b.n * 4, size_t{1} << 28); // a check needs 2^26 elements
  for (uint4** p : {&b.x, &b.other, &b.y}) {
    CHECK(cudaMalloc(p, bytes));
    CHECK(cudaMemset(*p, 0, bytes));
  }
  CHECK(cudaMalloc(&b.scratch, b.scratch_bytes));
  CHECK(cudaEventCreate(&b.begin));
  CHECK(cudaEventCreate(&b.end));
  fill_normal<core::k_f32><<<4096, 256>>>(b.x, b.n, 1);
  // Times first: the checks are heavy in f64 and leave the device warm.
  const bool checks = b.checks;
  for (bool checking : {false, true}) {
    if (checking ? !checks : !b.times)
      continue;
    b.checks = checking;
    b.times = !checking;
    type<core::k_bf16>(b);
    type<core::k_f16>(b);
    type<core::k_f32>(b);
  }
  CHECK(cudaDeviceSynchronize());
  for (void* p : {static_cast<void*>(b.x), static_cast<void*>(b.other), static_cast<void*>(b.y), b.scratch})
    CHECK(cudaFree(p));
  CHECK(cudaEventDestroy(b.begin));
  CHECK(cudaEventDestroy(b.end));
  return b.wrong ? 1 : 0;
}
