#pragma once
// What lies below a node of the expression DAG.

#include "formula/expr.h"

#include <vector>

namespace gelint::scan::lower {

/// Nodes reachable from `root`, ascending.
std::vector<formula::NodeId> reachable(const formula::Expr& dag, formula::NodeId root);

bool transcendental(formula::Op op);

/// True when a node below computes something that an activation is made of.
bool nonlinear(const formula::Expr& dag, formula::NodeId root);

/// True when `part` is below `whole`.
bool contains(const formula::Expr& dag, formula::NodeId whole, formula::NodeId part);

} // namespace gelint::scan::lower
