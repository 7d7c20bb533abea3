#pragma once
// Where sweeps run. Both backends count with sweep_core.h.

#include "formula/formula.h"
#include "support/result.h"
#include "verify/paths.h"
#include "verify/sweep_core.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gelint::verify {

/// The swept types, in the numbering of sweep_core.h. f16, bf16 or f32.
int core_type(formula::Type t);
/// The value of a pattern.
double value_of(formula::Type t, uint32_t pattern);

/// |y − r| above atol + rtol·|r| counts as `over`.
struct Tolerance {
  double atol = 1e-5, rtol = 1.3e-6; ///< torch.testing.assert_close for float32
};

struct SweepResult {
  core::Metrics metrics{};
  double seconds = 0; ///< CPU: wall time; GPU: kernel time
};

/// Two candidates against each other, without a reference.
struct PairResult {
  uint64_t inputs = 0, differing = 0, nan_differs = 0;
  core::Extreme abs{}; ///< largest |a − b| where both are finite
  double seconds = 0;
};

/// done, total inputs.
using Progress = std::function<void(uint64_t, uint64_t)>;

class Backend {
public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;   ///< "cpu", "cuda"
  virtual std::string description() const = 0; ///< "2 threads", "NVIDIA H200, driver 580.159, NVRTC 13.0"
  /// All inputs of the type against the f64 form of `reference`.
  virtual Result<SweepResult> sweep(const Candidate& c, formula::Formula reference, formula::Type type, Tolerance tolerance,
                                    const Progress& progress) = 0;
  virtual Result<PairResult> compare(const Candidate& a, const Candidate& b, formula::Type type,
                                     const Progress& progress) = 0;
  /// The 65,536 outputs of a 16-bit type, by pattern.
  virtual Result<std::vector<float>> outputs(const Candidate& c, formula::Type type) = 0;
  /// True when hardware approximations and fast-math are run, not stood in for by the exact functions.
  virtual bool runs_approximations() const = 0;
};

/// `threads` 0: as many as there are processors.
std::unique_ptr<Backend> make_cpu_backend(int threads);

/// Device 0. The error says what is missing: not built in, no driver, no device, no run-time compiler.
Result<std::unique_ptr<Backend>> make_cuda_backend();

} // namespace gelint::verify
