#pragma once
// Where an expression changes its mind: the points at which one of its comparisons or limits flips.

#include "formula/expr.h"

#include <span>
#include <vector>

namespace gelint::formula {

/// The arguments at which a comparison on the way to the root flips, or a min or max takes its other operand, found between neighbours of `grid` (ascending) and by
/// bisection; `along` is the leaf that is varied (input or gate), the other one is held at `fixed`. Ascending, at most 64.
std::vector<double> thresholds_of(const Expr& e, std::span<const double> grid, Op along, double fixed);

/// Points that tell what happens at thresholds: beside each one, on it, in the middle between neighbours, and some way
/// beyond the outermost ones.
std::vector<double> points_around(const std::vector<double>& thresholds);

} // namespace gelint::formula
