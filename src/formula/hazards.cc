// Precision path and numerical hazards of an expression (GL401 to GL405).

#include "formula/classify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace gelint::formula {

namespace {

std::vector<bool> reached(const Expr& e) {
  std::vector<bool> used(e.size(), false);
  if (e.empty())
    return used;
  used[e.root()] = true;
  for (NodeId i = e.root() + 1; i-- > 0;)
    if (used[i])
      for (NodeId o : {e[i].a, e[i].b, e[i].c})
        if (o != k_no_node)
          used[o] = true;
  return used;
}

Type input_type(const Expr& e) {
  for (NodeId i = 0; i < e.size(); ++i)
    if (e[i].op == Op::input)
      return e[i].type;
  return Type::f64;
}

/// The sub-expression at `id` as an expression of its own.
Expr at_node(const Expr& e, NodeId id) {
  Expr part = e;
  part.set_root(id);
  return part;
}

double greatest_finite(Type t) {
  switch (t) {
  case Type::f16: return 65504.0;
  case Type::bf16: return 3.3895313892515355e38;
  case Type::f8: return 448.0;
  case Type::f64: return std::numeric_limits<double>::max();
  default: return std::numeric_limits<float>::max();
  }
}

/// Least |x| on the given side for which `bad` holds, in the input's type: a geometric grid, then bisection down to
/// neighbours. 0 when it holds nowhere on the grid.
template <class F> double threshold(Type input, double side, F bad) {
  double limit = greatest_finite(input), before = 0;
  for (double x = 0.25; x <= limit; x *= 1.25) {
    if (!bad(side * x)) {
      before = x;
      continue;
    }
    double lo = before, hi = x;
    for (int i = 0; i < 200 && hi - lo > std::ldexp(hi, -20); ++i) {
      double mid = 0.5 * (lo + hi);
      (bad(side * mid) ? hi : lo) = mid;
    }
    return hi;
  }
  return bad(side * limit) ? limit : 0;
}

bool is_exponential(Op op) {
  return op == Op::exp || op == Op::exp2 || op == Op::expm1 || op == Op::sinh || op == Op::cosh || op == Op::exp_approx;
}

void pow_hazards(const Expr& e, const std::vector<bool>& used, std::vector<Hazard>& out) {
  for (NodeId i = 0; i < e.size(); ++i) {
    const Node& n = e[i];
    if (!used[i] || n.op != Op::pow || !e.depends_on(n.a, Op::input))
      continue;
    // An even literal exponent is safe wherever pow is exp(y·log|x|).
    if (e[n.b].op == Op::constant && std::fmod(e[n.b].value, 2.0) == 0)
      continue;
    Expr base = at_node(e, n.a);
    bool negative = false;
    for (double x = -8; x <= 8 && !negative; x += 0.25)
      negative = eval_ideal(base, x, 1) < 0;
    if (!negative)
      continue;
    std::string exponent = e[n.b].op == Op::constant ? fmt::format("{}", e[n.b].value) : "a variable";
    out.push_back({HazardKind::pow_negative_base,
                   fmt::format("pow with the exponent {} on a base that is negative for some inputs: NaN where pow is "
                               "computed as exp2(y*log2(x)), as several shader and fast-math libraries do",
                               exponent),
                   0});
    return;
  }
}

/// The first value that is infinite at x.
std::string what_overflows(const Expr& e, const std::vector<bool>& used, double x) {
  for (NodeId i = 0; i < e.size(); ++i) {
    const Node& n = e[i];
    if (!used[i] || !e.depends_on(i, Op::input) || !std::isinf(eval_typed(at_node(e, i), x, 1)))
      continue;
    if (is_exponential(n.op))
      return "the exponential overflows";
    if (n.op == Op::cast && n.type == Type::f16)
      return "a value is rounded to f16, where it is infinite,";
    return "an intermediate value overflows";
  }
  return "the exponential overflows";
}

void exp_hazard(const Expr& e, const std::vector<bool>& used, std::vector<Hazard>& out) {
  bool any = false;
  for (NodeId i = 0; i < e.size(); ++i)
    any = any || (used[i] && is_exponential(e[i].op) && e.depends_on(i, Op::input));
  if (!any)
    return;
  // Harmless where the infinity divides (x / (1 + e^-x)); a hazard where the result stops being the formula.
  Type input = input_type(e);
  auto bad = [&](double x) {
    double y = eval_typed(e, x, 1);
    if (std::isnan(y))
      return true;
    double want = eval_ideal(e, x, 1);
    return std::isinf(y) && std::isfinite(want) && std::fabs(want) <= greatest_finite(input) / 2;
  };
  double up = threshold(input, 1, bad), down = threshold(input, -1, bad);
  if (up == 0 && down == 0)
    return;
  const double first = up == 0 ? down : down == 0 ? up : std::min(up, down);
  if (first > 1e30) // no activation is that large: x times a factor above 1 overflows there
    return;
  const double at = first == up ? up : -down;
  auto outcome = [&](double x) {
    return fmt::format("{} from x = {:.6g} {}", std::isnan(eval_typed(e, x, 1)) ? "NaN" : "infinite", x, x > 0 ? "upwards" : "downwards");
  };
  std::string detail = fmt::format("{} and the result is {}", what_overflows(e, used, at), outcome(at));
  if (up > 0 && down > 0) // a table of halves ends on both sides
    detail += fmt::format(", {}", outcome(first == up ? -down : up));
  out.push_back({HazardKind::exp_overflow, detail, first});
}

void cube_hazard(const Expr& e, const std::vector<bool>& used, std::vector<Hazard>& out) {
  double least = 0;
  bool weak = false;
  for (NodeId i = 0; i < e.size(); ++i) {
    const Node& n = e[i];
    bool power = n.op == Op::mul || n.op == Op::pow || n.op == Op::fma;
    bool half = n.type == Type::f16 || n.type == Type::weak;
    if (!used[i] || !power || !half || !e.depends_on(i, Op::input))
      continue;
    Expr part = bind_weak(at_node(e, i), Type::f16);
    // A cube, not a product that stays below c·x²: at x = 64 a cube is 262144 and a square 4096.
    if (std::fabs(eval_ideal(part, 64, 1)) < 16 * std::fabs(eval_ideal(part, 16, 1)) * 2)
      continue;
    auto bad = [&](double x) { return std::isinf(eval_typed(part, x, 1)); };
    for (double side : {1.0, -1.0})
      if (double t = threshold(Type::f16, side, bad); t > 0 && (least == 0 || t < least))
        least = t, weak = n.type == Type::weak;
  }
  if (least == 0)
    return;
  Expr bound = bind_weak(e, Type::f16);
  auto nan = [&](double x) { return std::isnan(eval_typed(bound, x, 1)); };
  double bad_up = threshold(Type::f16, 1, nan), bad_down = threshold(Type::f16, -1, nan);
  std::string outcome = "the tanh saturates, so the result stays finite";
  if (bad_up > 0 || bad_down > 0)
    outcome = fmt::format("the result is NaN from |x| = {:.6g}",
                          bad_up == 0 ? bad_down : bad_down == 0 ? bad_up : std::min(bad_up, bad_down));
  out.push_back({HazardKind::cube_overflows_f16,
                 fmt::format("{}x\u00b3 overflows f16 from |x| = {:.6g}; {}",
                             weak ? "when the tensor is f16, " : "", least, outcome),
                 least});
}

} // namespace

Precision precision_of(const Expr& e) {
  if (e.empty())
    return Precision::unknown;
  std::vector<bool> used = reached(e);
  Type input = input_type(e);
  bool seen[static_cast<size_t>(Type::weak) + 1] = {};
  int kinds = 0;
  for (NodeId i = 0; i < e.size(); ++i) {
    const Node& n = e[i];
    if (!used[i])
      continue;
    if (n.op == Op::f16_table)
      return Precision::f16_table;
    if (arity(n.op) == 0 || n.op == Op::cast || is_integer(n.type))
      continue;
    // Arithmetic on literals alone (0.5 * sqrt(2/π)) is done once, not per input.
    if (!e.depends_on(i, Op::input) && !e.depends_on(i, Op::gate))
      continue;
    kinds += !seen[static_cast<size_t>(n.type)];
    seen[static_cast<size_t>(n.type)] = true;
  }
  if (kinds == 0)
    return input == Type::f64 ? Precision::f64 : input == Type::f32 ? Precision::f32 : Precision::input;
  if (kinds > 1)
    return Precision::mixed;
  if (seen[static_cast<size_t>(Type::f64)])
    return Precision::f64;
  if (seen[static_cast<size_t>(Type::f32)])
    return Precision::f32;
  for (Type t : {Type::f16, Type::bf16, Type::f8})
    if (seen[static_cast<size_t>(t)])
      return input == t || input == Type::weak ? Precision::input : Precision::mixed;
  return Precision::input; // all weak: the tensor's own type
}

std::vector<Hazard> hazards_of(const Expr& e, bool fast_math) {
  std::vector<Hazard> out;
  if (e.empty())
    return out;
  std::vector<bool> used = reached(e);
  pow_hazards(e, used, out);
  exp_hazard(e, used, out);
  cube_hazard(e, used, out);
  bool table = false, approximate = false;
  for (NodeId i = 0; i < e.size(); ++i) {
    table = table || (used[i] && e[i].op == Op::f16_table);
    approximate = approximate || (used[i] && (e[i].op == Op::tanh_approx || e[i].op == Op::exp_approx));
  }
  if (table)
    out.push_back({HazardKind::f16_table,
                   "looked up in a half-precision table: the input and the result are rounded to f16", 0});
  if (approximate)
    out.push_back({HazardKind::approximate, "uses a hardware approximation of tanh or exp", 0});
  else if (fast_math)
    out.push_back({HazardKind::approximate, "compiled with fast-math: tanh, exp and division are approximations", 0});
  return out;
}

} // namespace gelint::formula
