#include "scan/lower_reach.h"

#include <algorithm>

namespace gelint::scan::lower {

using formula::Expr;
using formula::k_no_node;
using formula::NodeId;
using formula::Op;

std::vector<NodeId> reachable(const Expr& dag, NodeId root) {
  // Operands come before their users, so one downward sweep marks everything.
  std::vector<NodeId> out;
  if (root == k_no_node)
    return out;
  std::vector<char> seen(static_cast<size_t>(root) + 1, 0);
  seen[root] = 1;
  for (NodeId n = root + 1; n-- > 0;) {
    if (!seen[n])
      continue;
    out.push_back(n);
    for (NodeId k : {dag[n].a, dag[n].b, dag[n].c})
      if (k != k_no_node)
        seen[k] = 1;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool transcendental(formula::Op op) {
  switch (op) {
  case Op::exp:
  case Op::exp2:
  case Op::expm1:
  case Op::tanh:
  case Op::erf:
  case Op::erfc:
  case Op::sinh:
  case Op::cosh:
  case Op::sigmoid:
  case Op::normcdf:
  case Op::softplus:
  case Op::tanh_approx:
  case Op::exp_approx:
  case Op::f16_table: return true;
  default: return false;
  }
}

bool nonlinear(const Expr& dag, NodeId root) {
  for (NodeId n : reachable(dag, root))
    switch (dag[n].op) {
    case Op::min:
    case Op::max:
    case Op::f32_of_bits:
    case Op::ldexp: return true;
    case Op::select: return true;
    default:
      if (transcendental(dag[n].op))
        return true;
    }
  return false;
}

bool contains(const Expr& dag, NodeId whole, NodeId part) {
  std::vector<NodeId> all = reachable(dag, whole);
  return std::binary_search(all.begin(), all.end(), part);
}

} // namespace gelint::scan::lower
