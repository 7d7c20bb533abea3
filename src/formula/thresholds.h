#pragma once
// Where an expression changes its mind: the points at which one of its comparisons flips.

#include "formula/expr.h"

#include <span>
#include <vector>

namespace gelint::formula {

/// The arguments at which a comparison on the way to the root flips, found between neighbours of `grid` (ascending) and by
/// bisection; `along` is the leaf that is varied (input or gate), the other one is held at `fixed`. Ascending, at most 32.
std::vector<double> thresholds_of(const Expr& e, std::span<const double> grid, Op along, double fixed);

/// Points that tell what happens at thresholds: beside each one, on it, and in the middle between neighbours.
std::vector<double> points_around(const std::vector<double>& thresholds);

} // namespace gelint::formula
