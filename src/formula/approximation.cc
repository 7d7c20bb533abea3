// Engines write tanh as a clipped rational function (Lambert's continued fraction, minimax fits). Clipped at |u| = 5, where
// tanh is still 9.1e-5 short of 1, GELU is 1.6e-4 away from its tanh form near x = 3.9: more than the tolerance of a match,
// less than half of the way to the exact form (4.7e-4). A wrong constant can be as small. What tells them apart is where
// the deviation comes from: made exact, the approximated function leaves none, the wrong constant stays.

#include "formula/approximation.h"

#include "formula/formula_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace gelint::formula {

namespace {

/// Of the function itself. tanh clipped at 4 is 6.7e-4 off; the logistic function differs from Φ(x/1.702) by 9.5e-3.
constexpr double k_bound = 1e-3;
/// An activation is a short computation, and the search is quadratic.
constexpr size_t k_most_nodes = 400;

struct Function {
  Op op;
  bool negated; ///< of −u
  double (*f)(double);
};
constexpr std::array<Function, 5> k_functions = {{
    {Op::tanh, false, [](double u) { return std::tanh(u); }},
    {Op::erf, false, [](double u) { return std::erf(u); }},
    {Op::sigmoid, false, [](double u) { return math::sigmoid(u); }},
    {Op::sigmoid, true, [](double u) { return math::sigmoid(-u); }},
    {Op::normcdf, false, [](double u) { return 0.5 * std::erfc(-u * math::k_sqrt_half); }},
}};

/// Nodes that `n` is made of.
std::vector<char> parts_of(const Expr& e, NodeId n) {
  std::vector<char> seen(n + 1, 0);
  seen[n] = 1;
  for (NodeId i = n + 1; i-- > 0;)
    if (seen[i])
      for (NodeId k : {e[i].a, e[i].b, e[i].c})
        if (k != k_no_node)
          seen[k] = 1;
  return seen;
}

/// Largest |value − f(argument)|; k_bound or more when it does not follow.
double deviation(std::span<const double> value, std::span<const double> argument, double (*f)(double)) {
  double worst = 0;
  for (size_t i = 0; i < value.size() && worst < k_bound; ++i)
    worst = std::max(worst, std::fabs(value[i] - f(argument[i])));
  return worst;
}

Expr replaced(const Expr& e, NodeId n, const Function& f, NodeId u) {
  Expr out;
  std::vector<NodeId> map(e.size(), k_no_node);
  for (NodeId i = 0; i < e.size(); ++i) {
    const Node& node = e[i];
    auto at = [&](NodeId k) { return k == k_no_node ? k : map[k]; };
    if (i == n)
      map[i] = out.make(f.op, node.type, f.negated ? out.make(Op::neg, node.type, map[u]) : map[u]);
    else if (arity(node.op) == 0)
      map[i] = node.op == Op::constant ? out.constant(node.value, node.type) : out.leaf(node.op, node.type, node.value);
    else
      map[i] = out.make(node.op, node.type, at(node.a), at(node.b), at(node.c));
  }
  out.set_root(map[e.root()]);
  return out;
}

} // namespace

std::vector<Expr> with_exact_functions(const Expr& e, std::span<const double> points) {
  if (e.empty() || e.size() > k_most_nodes)
    return {};
  std::vector<std::vector<double>> values = eval_ideal_nodes(e, points, 1);
  auto usable = [&](NodeId i) {
    return !values[i].empty() && is_float(e[i].type) && std::all_of(values[i].begin(), values[i].end(), [](double v) { return std::isfinite(v); });
  };
  // Operands come before their users: the first node that follows a function is the innermost.
  for (NodeId n = 0; n <= e.root(); ++n) {
    if (arity(e[n].op) == 0 || !usable(n))
      continue;
    auto [least, most] = std::minmax_element(values[n].begin(), values[n].end());
    // What hardly moves follows anything.
    if (*most - *least < 0.5 || *most > 1 + k_bound || *least < -1 - k_bound)
      continue;
    std::vector<char> part = parts_of(e, n);
    struct Fit {
      NodeId u;
      const Function* f;
    };
    std::vector<Fit> fits;
    const Function* best = nullptr;
    double least_deviation = k_bound;
    for (NodeId u = 0; u < n; ++u) {
      if (!part[u] || e[u].op == Op::constant || !usable(u))
        continue;
      for (const Function& f : k_functions)
        if (double d = deviation(values[n], values[u], f.f); d < k_bound) {
          fits.push_back({u, &f});
          if (d < least_deviation)
            least_deviation = d, best = &f;
        }
    }
    std::vector<Expr> out;
    for (const Fit& fit : fits)
      if (fit.f->op == best->op)
        out.push_back(replaced(e, n, *fit.f, fit.u));
    if (!out.empty())
      return out;
  }
  return {};
}

} // namespace gelint::formula
