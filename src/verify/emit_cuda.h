#pragma once
// An expression as CUDA C++, for the run-time compiler. Needs no CUDA: it is text.

#include "formula/expr.h"

#include <string>
#include <string_view>

namespace gelint::verify {

/// A device function `float NAME(float x)` with the helpers it needs. The argument and the result hold values of the
/// expression's input and root type. f32 operations are plain operators (compile with --fmad=false to keep each rounding),
/// those of f16 and bf16 are computed in f32 and rounded, which is one rounding for +, −, ·, / and √ since f32 has
/// more than twice their bits. The gate is 1.
std::string emit_cuda(const formula::Expr& e, std::string_view name);

/// The helper functions that emitted code calls; once per source.
std::string_view emit_cuda_prelude();

} // namespace gelint::verify
