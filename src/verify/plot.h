#pragma once
// The points that a plot of a verified row draws (report/curve.h).

#include "report/report.h"
#include "verify/backend.h"

namespace gelint::verify {

/// Candidate against the f64 form of `reference` over [-8, 8], in columns. 16-bit types: of every input; f32: of 256
/// evenly spaced inputs per column, evaluated on the CPU. Fails only when the backend fails.
Result<report::Plot> plot_of(Backend& backend, const Candidate& c, formula::Formula reference, formula::Type type);

} // namespace gelint::verify
