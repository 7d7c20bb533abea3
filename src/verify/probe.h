#pragma once
// Which formula a closed library computes: run it on every 16-bit input and compare. Evidence for the epilogues and modes
// that rules/ name.

#include "report/report.h"
#include "verify/backend.h"

#include <string>
#include <vector>

namespace gelint::verify {

/// Outputs of one entry of a library.
struct ProbeRun {
  std::string product; ///< "cuBLASLt 13.0.2"
  std::string entry;   ///< "CUBLASLT_EPILOGUE_GELU"
  formula::Type type = formula::Type::f16; ///< of input and output
  std::vector<float> x, y;
  double seconds = 0;
  std::string failure; ///< why there are no outputs; then x and y are empty
};

/// The inputs of a probe: every value of a 16-bit type, by pattern; for f32 the values of all f16 patterns.
std::vector<float> probe_inputs(formula::Type type);

/// A verification row: `verdict` is the formula that every finite output agrees with, `other` when none does; outputs that
/// are not finite where the formula is are counted and named apart. Agreement:
/// |y − r| ≤ 5e-5 + 2·u·|r| with u the unit roundoff of the type: below the gap of erf and tanh (4.7e-4, where |r| is
/// 0.009), above the error of a hardware tanh (1.1e-5 relative) in an epilogue.
report::VerifyRow identify(const ProbeRun& run);

/// cuBLASLt's GELU epilogues, cuDNN's GELU and swish modes: each for f16, bf16 and f32. A library that is not there gives
/// one run with its failure.
Result<std::vector<ProbeRun>> probe_cuda_libraries();

/// CUDA's own functions in GELU forms, swept over all inputs of f32: erff, erfcf, normcdff, tanhf, tanh.approx, expf with
/// and without fast-math.
Result<std::vector<report::VerifyRow>> probe_intrinsics(Backend& gpu);

} // namespace gelint::verify
