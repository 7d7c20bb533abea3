#include "verify/paths.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace gelint::verify {

using formula::Expr;
using formula::Formula;
using formula::k_no_node;
using formula::NodeId;
using formula::Op;
using formula::Type;

namespace {

constexpr std::array<std::string_view, 5> k_paths = {"f32", "input", "f16_table", "tanh_approx", "fast_math"};

/// Writes an expression over an input of `type`. With `rounding` every operation is computed in f32 and rounded to the
/// type, as a tensor library does for half types.
class Builder {
public:
  Builder(Type type, bool rounding, bool approximate = false)
      : type_(type), rounding_(rounding && type != Type::f32), approximate_(approximate) {
    input_ = e_.leaf(Op::input, type);
    x_ = rounding_ ? input_ : up(input_);
  }

  NodeId x() const { return x_; }
  NodeId c(double v) { return e_.constant(v, Type::f32); }
  NodeId op(Op o, NodeId a, NodeId b = k_no_node) {
    if (approximate_ && (o == Op::tanh || o == Op::exp))
      o = o == Op::tanh ? Op::tanh_approx : Op::exp_approx;
    NodeId r = e_.make(o, Type::f32, up(a), b == k_no_node ? b : up(b));
    return rounding_ ? e_.make(Op::cast, type_, r) : r;
  }
  NodeId mul(NodeId a, NodeId b) { return op(Op::mul, a, b); }
  NodeId add(NodeId a, NodeId b) { return op(Op::add, a, b); }
  NodeId sub(NodeId a, NodeId b) { return op(Op::sub, a, b); }
  NodeId div(NodeId a, NodeId b) { return op(Op::div, a, b); }
  NodeId select(Op compare, NodeId a, NodeId b, NodeId yes, NodeId no) {
    NodeId condition = e_.make(compare, Type::boolean, up(a), up(b));
    NodeId r = e_.make(Op::select, Type::f32, condition, up(yes), up(no));
    return rounding_ ? e_.make(Op::cast, type_, r) : r;
  }
  /// Inside one kernel of the library: f32, not rounded to the type until round().
  NodeId inside(Op o, NodeId a, NodeId b = k_no_node) {
    return e_.make(o, Type::f32, up(a), b == k_no_node ? b : up(b));
  }
  NodeId round(NodeId a) { return rounding_ ? e_.make(Op::cast, type_, a) : a; }
  /// min and max that hand a NaN on, as torch's do.
  NodeId at_least(NodeId v, double limit) { return select(Op::lt, v, c(limit), c(limit), v); }
  NodeId at_most(NodeId v, double limit) { return select(Op::gt, v, c(limit), c(limit), v); }
  NodeId table(NodeId fill) { return e_.make(Op::f16_table, Type::f16, fill); }
  Expr done(NodeId root) {
    if (e_[root].type != type_)
      root = e_.make(Op::cast, type_, root);
    e_.set_root(root);
    return e_;
  }

private:
  NodeId up(NodeId id) { return e_[id].type == Type::f32 ? id : e_.make(Op::cast, Type::f32, id); }

  Expr e_;
  Type type_;
  bool rounding_, approximate_;
  NodeId input_ = k_no_node, x_ = k_no_node;
};

/// One kernel: 1/(1 + e^-v).
NodeId sigmoid(Builder& b, NodeId v) {
  NodeId e = b.inside(Op::exp, b.inside(Op::neg, v));
  return b.round(b.inside(Op::div, b.c(1), b.inside(Op::add, b.c(1), e)));
}

NodeId cube(Builder& b, NodeId x) { return b.mul(b.mul(x, x), x); }

const double k_beta = std::sqrt(2.0 / M_PI);

NodeId relu(Builder& b, NodeId v) { return b.at_least(v, 0); }

/// torch's kernels in order. softplus has torch's threshold of 20, beyond which it is x.
NodeId native(Builder& b, Formula f) {
  NodeId x = b.x();
  switch (f) {
  case Formula::gelu_erf:
  case Formula::gelu_erf_clip10: {
    NodeId y = b.mul(b.mul(x, b.c(0.5)), b.add(b.c(1), b.op(Op::erf, b.mul(x, b.c(M_SQRT1_2)))));
    return f == Formula::gelu_erf ? y : b.at_most(b.at_least(y, -10), 10);
  }
  case Formula::gelu_tanh: {
    NodeId inner = b.mul(b.c(k_beta), b.add(x, b.mul(b.c(0.044715), cube(b, x))));
    return b.mul(b.mul(b.c(0.5), x), b.add(b.c(1), b.op(Op::tanh, inner)));
  }
  case Formula::gelu_quick: return b.div(x, b.add(b.c(1), b.op(Op::exp, b.mul(b.c(-1.702), x))));
  case Formula::silu: return b.div(x, b.add(b.c(1), b.op(Op::exp, b.op(Op::neg, x))));
  case Formula::relu: return relu(b, x);
  case Formula::relu2: return b.mul(relu(b, x), relu(b, x));
  case Formula::relu6: return b.at_most(relu(b, x), 6);
  case Formula::leaky_relu: return b.select(Op::gt, x, b.c(0), x, b.mul(x, b.c(0.01)));
  case Formula::prelu: return b.select(Op::gt, x, b.c(0), x, b.mul(x, b.c(0.25)));
  case Formula::hardswish: return b.mul(b.mul(x, b.at_most(relu(b, b.add(x, b.c(3))), 6)), b.c(1.0 / 6));
  case Formula::mish: return b.mul(x, b.op(Op::tanh, b.op(Op::log1p, b.op(Op::exp, x))));
  case Formula::sigmoid: return sigmoid(b, x);
  case Formula::tanh: return b.op(Op::tanh, x);
  case Formula::laplace: {
    NodeId z = b.div(b.sub(x, b.c(0.707107)), b.c(0.282095 * M_SQRT2));
    return b.mul(b.c(0.5), b.add(b.c(1), b.op(Op::erf, z)));
  }
  case Formula::sqrtsoftplus: {
    NodeId softplus = b.select(Op::gt, x, b.c(20), x, b.inside(Op::log1p, b.inside(Op::exp, x)));
    return b.op(Op::sqrt, softplus);
  }
  case Formula::xielu: {
    NodeId up = b.add(b.mul(b.mul(b.c(0.8), x), x), b.mul(b.c(0.5), x));
    NodeId m = b.op(Op::expm1, b.op(Op::min, x, b.c(-1e-6)));
    NodeId down = b.add(b.mul(b.sub(m, x), b.c(0.8)), b.mul(b.c(0.5), x));
    return b.select(Op::gt, x, b.c(0), up, down);
  }
  case Formula::identity:
  default: return x;
  }
}

} // namespace

std::string_view to_string(Path p) { return k_paths[static_cast<size_t>(p)]; }

std::optional<Path> path_from_string(std::string_view name) {
  for (size_t i = 0; i < k_paths.size(); ++i)
    if (k_paths[i] == name)
      return static_cast<Path>(i);
  return std::nullopt;
}

Path path_of(formula::Precision p) {
  switch (p) {
  case formula::Precision::input: return Path::input;
  case formula::Precision::f16_table: return Path::f16_table;
  default: return Path::f32;
  }
}

std::optional<Candidate> candidate_of(Formula f, Path path, Type type) {
  if (f > Formula::identity)
    return std::nullopt;
  std::string label = fmt::format("{} in {}", formula::to_string(f), to_string(path));
  if (path == Path::input) {
    // The Python class of the formula, where there is one, fixes the order.
    const char* name = f == Formula::gelu_erf ? "gelu_python" : f == Formula::gelu_tanh ? "gelu_new"
                     : f == Formula::gelu_quick ? "quick_gelu" : nullptr;
    if (name) {
      auto c = act2fn_candidate(name, type);
      c->label = label;
      return c;
    }
  }
  Builder b(type, path == Path::input, path == Path::tanh_approx);
  NodeId y = native(b, f);
  if (path == Path::f16_table) {
    NodeId looked_up = b.table(y);
    NodeId below = b.select(Op::le, b.x(), b.c(-10), b.c(0), looked_up);
    y = b.select(Op::ge, b.x(), b.c(10), b.x(), below);
  }
  return Candidate{label, b.done(y), path == Path::fast_math};
}

std::optional<Candidate> act2fn_candidate(std::string_view name, Type type) {
  const formula::ActivationName* known = formula::find_name(formula::NameSpace::act2fn, name);
  if (!known)
    return std::nullopt;
  std::string label = fmt::format("ACT2FN {}", name);
  bool by_op = known->order == formula::OpOrder::op_by_op;
  Builder b(type, by_op);
  NodeId x = b.x(), y = k_no_node;
  auto argument = [&](NodeId cubed) {
    return b.mul(b.c(k_beta), b.add(x, b.mul(b.c(0.044715), cubed)));
  };
  if (name == "gelu_python")
    y = b.mul(b.mul(x, b.c(0.5)), b.add(b.c(1), b.op(Op::erf, b.div(x, b.c(M_SQRT2)))));
  else if (name == "gelu_new" || name == "gelu_accurate")
    y = b.mul(b.mul(b.c(0.5), x), b.add(b.c(1), b.op(Op::tanh, argument(cube(b, x)))));
  else if (name == "gelu_python_tanh")
    y = b.mul(b.mul(x, b.c(0.5)), b.add(b.c(1), b.op(Op::tanh, argument(cube(b, x)))));
  else if (name == "gelu_fast") {
    NodeId inner = b.add(b.c(1), b.mul(b.mul(b.c(0.044715), x), x));
    y = b.mul(b.mul(b.c(0.5), x), b.add(b.c(1), b.op(Op::tanh, b.mul(b.mul(x, b.c(0.7978845608)), inner))));
  } else if (name == "quick_gelu")
    y = b.mul(x, sigmoid(b, b.mul(b.c(1.702), x)));
  else if (name == "gelu_10") {
    // One fused GELU, then a clip, which changes no rounding.
    Builder fused(type, false);
    return Candidate{label, fused.done(native(fused, Formula::gelu_erf_clip10))};
  } else if (name == "xielu") {
    // The learned parameters are kept in bf16 and start at softplus⁻¹ of 0.8 and 0.3; eps is a bf16 buffer.
    auto parameter = [&](double start) {
      auto bf16 = [](double v) { return formula::round_to(Type::bf16, v); };
      return formula::round_to(type, std::log1p(std::exp(bf16(std::log(bf16(std::expm1(bf16(start))))))));
    };
    double alpha_p = parameter(0.8), alpha_n = formula::round_to(type, 0.5 + parameter(0.3));
    NodeId half = b.mul(b.c(0.5), x);
    NodeId up = b.add(b.mul(b.mul(b.c(alpha_p), x), x), half);
    NodeId m = b.op(Op::expm1, b.at_most(x, formula::round_to(type, formula::round_to(Type::bf16, -1e-6))));
    NodeId down = b.add(b.mul(b.sub(m, x), b.c(alpha_n)), half);
    y = b.select(Op::gt, x, b.c(0), up, down);
  } else
    y = native(b, known->formula);
  return Candidate{label, b.done(y)};
}

Candidate candidate_of(const Expr& lowered, std::string label, Type type) {
  Expr e = formula::with_input_type(formula::bind_weak(lowered, type), type);
  if (e[e.root()].type != type)
    e.set_root(e.make(Op::cast, type, e.root()));
  return {std::move(label), std::move(e)};
}

} // namespace gelint::verify
