#pragma once
// The text that a sweep compiles.

#include "formula/formula.h"
#include "verify/paths.h"

#include <string>

namespace gelint::verify::cuda {

/// Candidates a and b (b null: a again) around the sweep kernels, for a type and a reference formula.
std::string sweep_source(const Candidate& a, const Candidate* b, formula::Formula reference, formula::Type type);

} // namespace gelint::verify::cuda
