// The CUDA backend of a build without it.

#include "verify/backend.h"
#include "verify/cost.h"

#ifndef GELINT_HAVE_CUDA_BACKEND
namespace gelint::verify {

Result<std::unique_ptr<Backend>> make_cuda_backend() {
  return Error{.message = "this gelint was built without CUDA"};
}
Result<std::unique_ptr<Stopwatch>> make_cuda_stopwatch() {
  return Error{.message = "this gelint was built without CUDA"};
}

} // namespace gelint::verify
#endif
