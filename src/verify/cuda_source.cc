#include "verify/cuda/source.h"

#include "verify/backend.h"
#include "verify/emit_cuda.h"

#include <fmt/format.h>

namespace gelint::verify::cuda {

std::string sweep_source(const Candidate& a, const Candidate* b, formula::Formula reference, formula::Type type) {
  std::string out = "#include \"verify/sweep_core.h\"\n";
  out += fmt::format("#define GELINT_TYPE {}\n#define GELINT_FORMULA {}\n", core_type(type), static_cast<int>(reference));
  out += emit_cuda_prelude();
  out += emit_cuda(a.expr, "candidate_a");
  out += b ? emit_cuda(b->expr, "candidate_b") : "__device__ inline float candidate_b(float x) { return candidate_a(x); }\n";
  out += "#include \"verify/device/sweep_kernels.cuh\"\n";
  return out;
}

} // namespace gelint::verify::cuda
