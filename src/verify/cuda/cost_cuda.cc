// Arms of a cost measurement on a GPU: the candidate in one vectorised elementwise kernel, compiled at run time.

#include "verify/backend.h"
#include "verify/cost.h"
#include "verify/cuda/session.h"
#include "verify/emit_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace gelint::verify {

using formula::Type;

namespace {

constexpr unsigned k_block = 128;
constexpr uint64_t k_least_work = 1u << 27; // elements of one timing: some milliseconds of launches

/// One 16-byte group per thread, as the fused kernels do (device/fused.cuh). The candidate returns values of the type,
/// so that packing them is exact.
constexpr std::string_view k_kernel = R"(
__device__ inline unsigned gelint_word(unsigned w) {
#if GELINT_TYPE == 2
  return __float_as_uint(candidate_a(__uint_as_float(w)));
#elif GELINT_TYPE == 1
  return __float_as_uint(candidate_a(__uint_as_float(w << 16))) >> 16 |
         (__float_as_uint(candidate_a(__uint_as_float(w & 0xffff0000u))) & 0xffff0000u);
#else
  float a, b;
  unsigned r;
  asm("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }" : "=f"(a), "=f"(b) : "r"(w));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(candidate_a(b)), "f"(candidate_a(a)));
  return r;
#endif
}
extern "C" __global__ void __launch_bounds__(128) gelint_cost(const uint4* in, uint4* out, unsigned n) {
  unsigned k = blockIdx.x * 128u + threadIdx.x;
  if (k < n) {
    uint4 v = in[k];
    out[k] = make_uint4(gelint_word(v.x), gelint_word(v.y), gelint_word(v.z), gelint_word(v.w));
  }
}
)";

class CudaStopwatch final : public Stopwatch {
public:
  explicit CudaStopwatch(std::unique_ptr<cuda::Session> s) : s_(std::move(s)) {}
  ~CudaStopwatch() override {
    for (CUevent e : {begin_, end_})
      if (e)
        s_->driver().EventDestroy(e);
  }

  std::string_view backend() const override { return "cuda"; }
  uint64_t most_elements() const override { return uint64_t{1} << 30; }

  Result<int> prepare(const Candidate& c, Type type, uint64_t elements) override {
    static_assert(core::k_f16 == 0 && core::k_bf16 == 1 && core::k_f32 == 2, "the kernel's text");
    std::string source = fmt::format("#include \"verify/sweep_core.h\"\n#define GELINT_TYPE {}\n", core_type(type));
    source += emit_cuda_prelude();
    source += emit_cuda(c.expr, "candidate_a");
    source += k_kernel;
    Result<CUfunction> f = s_->kernel(source, c.fast_math, "gelint_cost");
    if (!f)
      return f.error();
    if (Status s = fill(type, elements); !s)
      return s.error();
    for (CUevent* e : {&begin_, &end_})
      if (!*e)
        if (CUresult r = s_->driver().EventCreate(e, CU_EVENT_DEFAULT); r != CUDA_SUCCESS)
          return cuda::driver_error(s_->driver(), r, "creating a timer");
    arms_.push_back(*f);
    return static_cast<int>(arms_.size()) - 1;
  }

  Result<double> run(int arm) override {
    const cuda::Driver& d = s_->driver();
    const auto passes = static_cast<unsigned>(std::max<uint64_t>(1, k_least_work / elements_));
    CUdeviceptr in = in_.at(), out = out_.at();
    auto n = static_cast<unsigned>(bytes_ / 16);
    void* arguments[] = {&in, &out, &n};
    if (CUresult r = d.EventRecord(begin_, nullptr); r != CUDA_SUCCESS)
      return cuda::driver_error(d, r, "timing a kernel");
    for (unsigned i = 0; i < passes; ++i)
      if (Status s = s_->enqueue(arms_[static_cast<size_t>(arm)], (n + k_block - 1) / k_block, k_block, arguments); !s)
        return s.error();
    if (CUresult r = d.EventRecord(end_, nullptr); r != CUDA_SUCCESS)
      return cuda::driver_error(d, r, "timing a kernel");
    if (Status s = s_->synchronize(); !s)
      return s.error();
    float ms = 0;
    if (CUresult r = d.EventElapsedTime(&ms, begin_, end_); r != CUDA_SUCCESS)
      return cuda::driver_error(d, r, "timing a kernel");
    return static_cast<double>(ms) / passes;
  }

private:
  /// Every arm reads and writes the same memory.
  Status fill(Type type, uint64_t elements) {
    if (elements == elements_ && type == type_)
      return {};
    std::vector<float> x = cost_inputs(type, elements);
    std::vector<uint16_t> half;
    const void* from = x.data();
    bytes_ = elements * (type == Type::f32 ? 4 : 2);
    if (type != Type::f32) {
      half.resize(elements);
      for (uint64_t i = 0; i < elements; ++i)
        half[i] = pattern(type, x[i]);
      from = half.data();
    }
    in_ = {}, out_ = {};
    Result<cuda::Memory> in = s_->allocate(bytes_), out = s_->allocate(bytes_);
    if (!in)
      return in.error();
    if (!out)
      return out.error();
    in_ = std::move(*in), out_ = std::move(*out);
    elements_ = elements, type_ = type;
    if (Status s = s_->upload(in_, from, bytes_); !s)
      return s;
    return s_->fill(out_, 0);
  }

  /// Pattern of a value that the 16-bit type holds.
  static uint16_t pattern(Type type, float v) {
    uint32_t b;
    std::memcpy(&b, &v, 4);
    if (type == Type::bf16)
      return static_cast<uint16_t>(b >> 16);
    uint32_t sign = b >> 16 & 0x8000u, e = b >> 23 & 255u;
    if (e >= 113)
      return static_cast<uint16_t>(sign | (e - 112) << 10 | (b >> 13 & 1023u));
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::fabs(v) * 16777216.0f));
  }

  std::unique_ptr<cuda::Session> s_;
  cuda::Memory in_, out_;
  uint64_t elements_ = 0, bytes_ = 0;
  Type type_ = Type::f32;
  CUevent begin_ = nullptr, end_ = nullptr;
  std::vector<CUfunction> arms_;
};

} // namespace

Result<std::unique_ptr<Stopwatch>> make_cuda_stopwatch() {
  Result<std::unique_ptr<cuda::Session>> session = cuda::Session::open();
  if (!session)
    return session.error();
  return std::unique_ptr<Stopwatch>(std::make_unique<CudaStopwatch>(std::move(*session)));
}

} // namespace gelint::verify
