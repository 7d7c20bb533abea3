// Sweeps on a GPU: the candidate is emitted as CUDA source around the kernels of device/sweep_kernels.cuh, compiled at
// run time, and reduced on the device to one record per block.

#include "verify/backend.h"
#include "verify/cuda/session.h"
#include "verify/cuda/source.h"

#include <fmt/format.h>

namespace gelint::verify {

using formula::Formula;
using formula::Type;

namespace {

constexpr unsigned k_block = 256; // GELINT_BLOCK

struct PairMetrics { // of device/sweep_kernels.cuh
  core::u64 inputs, differing, nan_differs;
  core::Extreme abs;
};

class CudaBackend final : public Backend {
public:
  explicit CudaBackend(std::unique_ptr<cuda::Session> session) : s_(std::move(session)) {}

  std::string_view name() const override { return "cuda"; }
  std::string description() const override { return s_->description(); }
  bool runs_approximations() const override { return true; }

  Result<SweepResult> sweep(const Candidate& c, Formula reference, Type type, Tolerance tolerance,
                            const Progress& progress) override {
    if (reference > Formula::identity)
      return Error{.message = "there is no reference for an unknown formula"};
    Result<CUfunction> f = s_->kernel(cuda::sweep_source(c, nullptr, reference, type), c.fast_math, "gelint_sweep");
    if (!f)
      return f.error();
    Result<unsigned> grid_size = grid(*f, type, type == Type::f32 ? 128 : 4);
    if (!grid_size)
      return grid_size.error();
    unsigned blocks = *grid_size; // GELINT_RUN
    Result<cuda::Memory> out = s_->allocate(blocks * sizeof(core::Metrics));
    if (!out)
      return out.error();
    CUdeviceptr at = out->at();
    void* arguments[] = {&at, &tolerance.atol, &tolerance.rtol};
    Result<double> seconds = s_->launch(*f, blocks, k_block, arguments);
    if (!seconds)
      return seconds.error();
    std::vector<core::Metrics> parts(blocks);
    if (Status s = s_->download(parts.data(), *out, blocks * sizeof(core::Metrics)); !s)
      return s.error();
    SweepResult result;
    result.metrics = core::no_metrics();
    for (const core::Metrics& m : parts)
      core::merge(result.metrics, m);
    if (Status s = complete(result.metrics.inputs, type); !s)
      return s.error();
    result.seconds = *seconds;
    if (progress)
      progress(result.metrics.inputs, result.metrics.inputs);
    return result;
  }

  Result<PairResult> compare(const Candidate& a, const Candidate& b, Type type, const Progress&) override {
    // One module holds both; a fast-math candidate is compared on its outputs for the 16-bit types only.
    if (a.fast_math != b.fast_math)
      return compare_apart(a, b, type);
    Result<CUfunction> f = s_->kernel(cuda::sweep_source(a, &b, Formula::identity, type), a.fast_math, "gelint_compare");
    if (!f)
      return f.error();
    Result<unsigned> grid_size = grid(*f, type, 1);
    if (!grid_size)
      return grid_size.error();
    unsigned blocks = *grid_size;
    Result<cuda::Memory> out = s_->allocate(blocks * sizeof(PairMetrics));
    if (!out)
      return out.error();
    CUdeviceptr at = out->at();
    void* arguments[] = {&at};
    Result<double> seconds = s_->launch(*f, blocks, k_block, arguments);
    if (!seconds)
      return seconds.error();
    std::vector<PairMetrics> parts(blocks);
    if (Status s = s_->download(parts.data(), *out, blocks * sizeof(PairMetrics)); !s)
      return s.error();
    PairResult result;
    result.abs = {0, 0xffffffffu};
    for (const PairMetrics& m : parts) {
      result.inputs += m.inputs;
      result.differing += m.differing;
      result.nan_differs += m.nan_differs;
      core::raise(result.abs, m.abs.value, m.abs.pattern);
    }
    result.seconds = *seconds;
    if (Status s = complete(result.inputs, type); !s)
      return s.error();
    return result;
  }

  Result<std::vector<float>> outputs(const Candidate& c, Type type) override {
    if (type == Type::f32)
      return Error{.message = "the outputs of 2^32 inputs are not stored"};
    Result<CUfunction> f =
        s_->kernel(cuda::sweep_source(c, nullptr, Formula::identity, type), c.fast_math, "gelint_outputs");
    if (!f)
      return f.error();
    std::vector<float> y(65536);
    Result<cuda::Memory> out = s_->allocate(y.size() * sizeof(float));
    if (!out)
      return out.error();
    CUdeviceptr at = out->at();
    void* arguments[] = {&at};
    if (Result<double> r = s_->launch(*f, 65536 / k_block, k_block, arguments); !r)
      return r.error();
    if (Status s = s_->download(y.data(), *out, y.size() * sizeof(float)); !s)
      return s.error();
    return y;
  }

private:
  /// A kernel that did not write its records must not pass for one that found nothing.
  static Status complete(uint64_t inputs, Type type) {
    if (uint64_t all = core::pattern_count(core_type(type)); inputs != all)
      return Error{.message = fmt::format("the device returned {} of {} inputs", inputs, all), .mend = "use --backend cpu"};
    return {};
  }

  /// As many blocks as are resident at once, or fewer when there is less work.
  Result<unsigned> grid(CUfunction f, Type type, uint64_t per_thread) {
    Result<int> blocks = s_->resident_blocks(f, static_cast<int>(k_block));
    if (!blocks)
      return blocks.error();
    uint64_t resident = static_cast<uint64_t>(s_->multiprocessors()) * static_cast<uint64_t>(*blocks);
    uint64_t work = core::pattern_count(core_type(type)) / (per_thread * k_block);
    return static_cast<unsigned>(std::max<uint64_t>(1, std::min(resident, work)));
  }

  Result<PairResult> compare_apart(const Candidate& a, const Candidate& b, Type type) {
    PairResult result;
    if (type == Type::f32)
      return result; // told apart by their sweeps against the reference
    Result<std::vector<float>> y = outputs(a, type), z = outputs(b, type);
    if (!y)
      return y.error();
    if (!z)
      return z.error();
    for (uint32_t p = 0; p < 65536; ++p) {
      float v = (*y)[p], w = (*z)[p];
      result.inputs += 1;
      result.nan_differs += (v != v) != (w != w);
      result.differing += v != w && (v == v || w == w);
      if (std::isfinite(v) && std::isfinite(w))
        core::raise(result.abs, std::fabs(static_cast<double>(v) - static_cast<double>(w)), p);
    }
    return result;
  }

  std::unique_ptr<cuda::Session> s_;
};

} // namespace

Result<std::unique_ptr<Backend>> make_cuda_backend() {
  Result<std::unique_ptr<cuda::Session>> session = cuda::Session::open();
  if (!session)
    return session.error();
  return std::unique_ptr<Backend>(std::make_unique<CudaBackend>(std::move(*session)));
}

} // namespace gelint::verify
