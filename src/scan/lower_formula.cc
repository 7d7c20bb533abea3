// Canonical formulas as expression nodes, for APIs whose formula is known by rule.

#include "scan/lower_ops.h"

namespace gelint::scan::lower {

using formula::Expr;
using formula::Formula;
using formula::NodeId;
using formula::Op;
using formula::Type;

namespace {

struct Builder {
  Expr& e;
  Type type;
  NodeId c(double v) { return e.constant(v, type); }
  NodeId op(Op o, NodeId a) { return e.make(o, type, a); }
  NodeId op(Op o, NodeId a, NodeId b) { return e.make(o, type, a, b); }
  NodeId mul(NodeId a, NodeId b) { return op(Op::mul, a, b); }
  NodeId mul(double a, NodeId b) { return op(Op::mul, c(a), b); }
  NodeId add(NodeId a, NodeId b) { return op(Op::add, a, b); }
  NodeId less(NodeId a, double b) { return e.make(Op::lt, Type::boolean, a, c(b)); }
  NodeId select(NodeId k, NodeId a, NodeId b) { return e.make(Op::select, type, k, a, b); }
  NodeId relu(NodeId x) { return op(Op::max, x, c(0)); }
  NodeId gelu_erf(NodeId x) {
    return mul(mul(0.5, x), add(c(1), op(Op::erf, mul(0.70710678118654752440, x))));
  }
};

} // namespace

NodeId formula_nodes(Formula f, Expr& e, NodeId x, Type type) {
  Builder b{e, type};
  switch (f) {
  case Formula::gelu_erf: return b.gelu_erf(x);
  case Formula::gelu_erf_clip10:
    return b.op(Op::max, b.op(Op::min, b.gelu_erf(x), b.c(10)), b.c(-10));
  case Formula::gelu_tanh: {
    NodeId inner = b.add(x, b.mul(0.044715, b.mul(x, b.mul(x, x))));
    return b.mul(b.mul(0.5, x), b.add(b.c(1), b.op(Op::tanh, b.mul(0.79788456080286535588, inner))));
  }
  case Formula::gelu_quick: return b.mul(x, b.op(Op::sigmoid, b.mul(1.702, x)));
  case Formula::silu: return b.mul(x, b.op(Op::sigmoid, x));
  case Formula::relu: return b.relu(x);
  case Formula::relu2: return b.mul(b.relu(x), b.relu(x));
  case Formula::relu6: return b.op(Op::min, b.relu(x), b.c(6));
  case Formula::leaky_relu: return b.select(b.less(x, 0), b.mul(0.01, x), x);
  case Formula::prelu: return b.select(b.less(x, 0), b.mul(0.25, x), x);
  case Formula::hardswish:
    return b.mul(x, b.mul(1.0 / 6.0, b.op(Op::min, b.relu(b.add(x, b.c(3))), b.c(6))));
  case Formula::mish: return b.mul(x, b.op(Op::tanh, b.op(Op::softplus, x)));
  case Formula::sigmoid: return b.op(Op::sigmoid, x);
  case Formula::tanh: return b.op(Op::tanh, x);
  case Formula::laplace: {
    // transformers' LaplaceActivation: mu 0.707107, sigma 0.282095.
    NodeId z = b.mul(1.0 / (0.282095 * 1.41421356237309504880), b.add(x, b.c(-0.707107)));
    return b.mul(0.5, b.add(b.c(1), b.op(Op::erf, z)));
  }
  case Formula::sqrtsoftplus: return b.op(Op::sqrt, b.op(Op::softplus, x));
  case Formula::xielu: {
    NodeId positive = b.add(b.mul(0.8, b.mul(x, x)), b.mul(0.5, x));
    NodeId m = b.op(Op::min, x, b.c(-1e-6));
    NodeId negative =
        b.add(b.mul(0.8, b.op(Op::sub, b.op(Op::expm1, m), x)), b.mul(0.5, x));
    return b.select(e.make(Op::gt, Type::boolean, x, b.c(0)), positive, negative);
  }
  case Formula::identity: return x;
  case Formula::other:
  case Formula::unknown: break;
  }
  return formula::k_no_node;
}

} // namespace gelint::scan::lower
