#pragma once
// Formulas as code runs them: in which type, in which order, with which rounding. A candidate of a sweep is such an
// expression, or one that the scanner lowered.

#include "formula/classify.h"
#include "formula/expr.h"
#include "formula/names.h"

#include <optional>
#include <string>
#include <string_view>

namespace gelint::verify {

/// How a formula is evaluated for an input of the swept type.
enum class Path : uint8_t {
  f32,         ///< computed in f32, rounded once to the type: torch's and cuDNN's fused kernels
  input,       ///< each tensor operation rounds to the input type: ACT2FN classes written in Python, MLX graphs
  f16_table,   ///< ggml's CPU table: f16 input, f16 result, the identity and 0 beyond ±10
  tanh_approx, ///< f32 with the hardware tanh (tanh.approx.f32) and exponential
  fast_math,   ///< f32 compiled with --use_fast_math; without a GPU evaluated as f32
};
std::string_view to_string(Path p);
std::optional<Path> path_from_string(std::string_view name);

/// The path of a site's recorded precision: f32 and mixed as f32, input, f16_table; f64 and unknown as f32.
Path path_of(formula::Precision p);

/// What a sweep runs.
struct Candidate {
  std::string label;  ///< "gelu_tanh", "act2fn gelu_new", "expression of src/x.cc:12"
  formula::Expr expr; ///< input leaf and result of the swept type
  bool fast_math = false;
};

/// f in the order of torch's kernels (aten/src/ATen/native/cuda/Activation*.cu). `type`: f16, bf16 or f32. Nothing for
/// `other` and `unknown`.
std::optional<Candidate> candidate_of(formula::Formula f, Path path, formula::Type type);

/// The ACT2FN class `name` on a tensor of `type`, operation by operation where the class is written in Python:
/// scalars stay f32, each operation is computed in f32 and rounded, x³ is two products (torch's pow for the exponent 3).
std::optional<Candidate> act2fn_candidate(std::string_view name, formula::Type type);

/// A lowered expression on a tensor of `type`: its weak operations take the type, its input leaf becomes the type (code
/// that takes float gets the tensor's values), the result is rounded to it.
Candidate candidate_of(const formula::Expr& lowered, std::string label, formula::Type type);

} // namespace gelint::verify
