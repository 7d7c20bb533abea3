#pragma once
// A tanh, erf or logistic function that the code approximates by arithmetic of its own.

#include "formula/expr.h"

#include <span>
#include <vector>

namespace gelint::formula {

/// The same expression with its approximated function exact: the innermost node that stays within 1e-3 of tanh, erf, Φ
/// or the logistic function of one of its own parts at every point becomes that function; one expression for each part
/// that it follows so. Of several functions the one that fits best counts. Nothing outside of the node is touched, so a
/// constant that is off stays off. `points` are values of x; the gate is 1.
std::vector<Expr> with_exact_functions(const Expr& e, std::span<const double> points);

} // namespace gelint::formula
