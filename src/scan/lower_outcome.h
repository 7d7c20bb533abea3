#pragma once
// From a finished run to a LoweredFunction.

#include "scan/lower_solve.h"

namespace gelint::scan::lower {

/// Names and place of a function, lambda, call or expression.
void describe(CXCursor c, LoweredFunction& f);

/// Chooses the output (the return value, or what was stored through a parameter), solves it and fills `f`.
void finish(Interp& run, const Value& returned, const LowerOptions& options, LoweredFunction& f);

/// Fills f.inner from what was computed on the way. `whole`: what the function computes, known to be another formula;
/// k_no_node where that is not known.
void inner_formulas(Interp& run, LoweredFunction& f, NodeId whole = k_no_node);

/// f(i) of a global array that the run filled, over the value that the index stands for.
std::optional<formula::Expr> table_fill(Interp& run, CXCursor array);

void from_summary(const FunctionSummary& s, const LowerOptions& options, LoweredFunction& f);

} // namespace gelint::scan::lower
