// Evaluation of an expression, ideal and typed, a block of points at a time: one pass over the nodes per block keeps
// the cost of dispatch away from the points.

#include "formula/expr.h"
#include "formula/formula_math.h"
#include "formula/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

namespace gelint::formula {

namespace {

constexpr size_t k_block = 256;

struct Row {
  double d[k_block];  // float nodes
  int64_t i[k_block]; // integer nodes
};

class Evaluator {
public:
  Evaluator(const Expr& e, bool typed) : e_(e), typed_(typed), needed_(e.size(), false), filled_(e.size(), false), rows_(new Row[e.size()]) {}

  void run(NodeId root, const double* x, double g, size_t n, double* out) {
    x_ = x, g_ = g, n_ = n;
    std::fill(needed_.begin(), needed_.end(), false);
    needed_[root] = true;
    for (NodeId i = root + 1; i-- > 0;)
      if (needed_[i] && !(typed_ && e_[i].op == Op::f16_table))
        for (NodeId o : {e_[i].a, e_[i].b, e_[i].c})
          if (o != k_no_node)
            needed_[o] = true;
    for (NodeId i = 0; i <= root; ++i)
      if (needed_[i])
        node(i);
    for (size_t k = 0; k < n; ++k)
      out[k] = as_double(root, k);
  }

  bool needed(NodeId id) const { return needed_[id]; }
  double as_double(NodeId id, size_t k) const {
    return is_integer(e_[id].type) ? static_cast<double>(rows_[id].i[k]) : rows_[id].d[k];
  }

private:
  int64_t as_int(NodeId id, size_t k, Type t) const {
    return is_integer(e_[id].type) ? rows_[id].i[k] : to_integer(t, rows_[id].d[k]);
  }
  double rounded(Type t, double d) const { return typed_ ? round_to(t, d) : d; }

  /// Operand as a float op of type `t` sees it: a weak literal takes the type.
  double operand(NodeId id, size_t k, Type t) const {
    double d = as_double(id, k);
    return typed_ && e_[id].type == Type::weak && e_[id].op == Op::constant ? round_to(t, d) : d;
  }
  /// The same for all points; `slot` is where they are put when they are not there as such.
  const double* operands(NodeId id, Type t, int slot) {
    bool weak = typed_ && e_[id].type == Type::weak && e_[id].op == Op::constant;
    if (!weak && !is_integer(e_[id].type))
      return rows_[id].d;
    double* to = scratch_[slot];
    if (weak)
      std::fill_n(to, n_, round_to(t, rows_[id].d[0]));
    else
      for (size_t k = 0; k < n_; ++k)
        to[k] = static_cast<double>(rows_[id].i[k]);
    return to;
  }

  template <class F> void unary(const Node& n, Row& r, F f) {
    const double* a = operands(n.a, n.type, 0);
    with_rounding(n.type, typed_, [&](auto round) {
      for (size_t k = 0; k < n_; ++k)
        r.d[k] = round(f(a[k]));
    });
  }
  template <class F> void binary(const Node& n, Row& r, F f) {
    const double *a = operands(n.a, n.type, 0), *b = operands(n.b, n.type, 1);
    with_rounding(n.type, typed_, [&](auto round) {
      for (size_t k = 0; k < n_; ++k)
        r.d[k] = round(f(a[k], b[k]));
    });
  }
  /// x + 1.5 * 2^23 in single precision: the sum has no bits left below one, which code uses to round to a whole number and
  /// to shift that into an exponent. It is meant, also where everything else is exact.
  void shift_to_whole(const Node& n, Row& r) const {
    auto shifter = [&](NodeId id) { return id != k_no_node && e_[id].op == Op::constant && (e_[id].value == 0x1.8p23 || e_[id].value == 0x1p23); };
    if (typed_ || n.type != Type::f32 || !(n.op == Op::fma ? shifter(n.c) : shifter(n.a) || shifter(n.b)))
      return;
    for (size_t k = 0; k < n_; ++k)
      r.d[k] = static_cast<float>(r.d[k]);
  }
  template <class F> void compare(const Node& n, Row& r, F f) {
    Type ta = e_[n.a].type, tb = e_[n.b].type;
    auto put = [&](const auto* a, const auto* b) {
      for (size_t k = 0; k < n_; ++k)
        store(n.type, r, k, f(a[k], b[k]));
    };
    if (is_integer(ta) && is_integer(tb))
      return put(rows_[n.a].i, rows_[n.b].i);
    Type t = is_float(ta) && ta != Type::weak ? ta : tb;
    put(operands(n.a, t, 0), operands(n.b, t, 1));
  }
  void store(Type t, Row& r, size_t k, bool v) {
    if (is_integer(t))
      r.i[k] = v;
    else
      r.d[k] = v;
  }

  void node(NodeId id) {
    const Node& n = e_[id];
    Row& r = rows_[id];
    switch (n.op) {
    case Op::constant:
    case Op::parameter:
      if (filled_[id])
        return;
      filled_[id] = true;
      std::fill_n(r.d, k_block, n.type == Type::weak ? n.value : rounded(is_float(n.type) ? n.type : Type::f64, n.value));
      std::fill_n(r.i, k_block, wrap(n.type, to_integer(Type::i64, n.value)));
      return;
    case Op::input:
    case Op::gate:
      if (is_integer(n.type)) {
        for (size_t k = 0; k < n_; ++k) {
          double v = n.op == Op::input ? x_[k] : g_;
          r.d[k] = rounded(n.type, v);
          r.i[k] = to_integer(n.type, v);
        }
        return;
      }
      with_rounding(n.type, typed_, [&](auto round) {
        for (size_t k = 0; k < n_; ++k)
          r.d[k] = round(n.op == Op::input ? x_[k] : g_);
      });
      return;
    case Op::cast:
      if (!is_integer(n.type))
        return unary(n, r, [](double a) { return a; });
      for (size_t k = 0; k < n_; ++k)
        r.i[k] = wrap(n.type, as_int(n.a, k, n.type));
      return;
    case Op::lt: return compare(n, r, [](auto a, auto b) { return a < b; });
    case Op::le: return compare(n, r, [](auto a, auto b) { return a <= b; });
    case Op::gt: return compare(n, r, [](auto a, auto b) { return a > b; });
    case Op::ge: return compare(n, r, [](auto a, auto b) { return a >= b; });
    case Op::eq: return compare(n, r, [](auto a, auto b) { return a == b; });
    case Op::ne: return compare(n, r, [](auto a, auto b) { return a != b; });
    case Op::logical_and: return compare(n, r, [](auto a, auto b) { return a != 0 && b != 0; });
    case Op::logical_or: return compare(n, r, [](auto a, auto b) { return a != 0 || b != 0; });
    case Op::logical_not:
      for (size_t k = 0; k < n_; ++k)
        store(n.type, r, k, as_double(n.a, k) == 0);
      return;
    case Op::bits_of_f32:
      for (size_t k = 0; k < n_; ++k) {
        uint32_t bits = std::bit_cast<uint32_t>(static_cast<float>(as_double(n.a, k)));
        r.i[k] = wrap(n.type, n.type == Type::i32 ? static_cast<int32_t>(bits) : int64_t{bits});
        r.d[k] = bits;
      }
      return;
    case Op::f32_of_bits:
      for (size_t k = 0; k < n_; ++k)
        r.d[k] = std::bit_cast<float>(static_cast<uint32_t>(as_int(n.a, k, Type::i64)));
      return;
    case Op::f16_table: return table(n, r);
    case Op::select:
      if (!is_integer(n.type)) {
        const double *a = operands(n.b, n.type, 0), *b = operands(n.c, n.type, 1), *c = operands(n.a, e_[n.a].type, 2);
        with_rounding(n.type, typed_, [&](auto round) {
          for (size_t k = 0; k < n_; ++k)
            r.d[k] = round(c[k] != 0 ? a[k] : b[k]);
        });
        return;
      }
      for (size_t k = 0; k < n_; ++k) {
        NodeId from = as_double(n.a, k) != 0 ? n.b : n.c;
        r.i[k] = wrap(n.type, as_int(from, k, n.type));
      }
      return;
    default: break;
    }
    if (is_integer(n.type))
      integer_node(n, r);
    else
      float_node(n, r);
  }

  void table(const Node& n, Row& r) {
    if (!typed_) {
      for (size_t k = 0; k < n_; ++k)
        r.d[k] = as_double(n.a, k);
      return;
    }
    double x[k_block], y[k_block];
    for (size_t k = 0; k < n_; ++k)
      x[k] = round_to(Type::f16, x_[k]);
    Evaluator fill(e_, true);
    fill.run(n.a, x, g_, n_, y);
    for (size_t k = 0; k < n_; ++k)
      r.d[k] = round_to(Type::f16, y[k]);
  }

  void integer_node(const Node& n, Row& r) {
    for (size_t k = 0; k < n_; ++k) {
      // In uint64_t: wrapping is defined there.
      int64_t a = as_int(n.a, k, n.type), b = n.b == k_no_node ? 0 : as_int(n.b, k, n.type), v = a;
      auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
      int width = n.type == Type::i64 ? 64 : 32;
      switch (n.op) {
      case Op::neg: v = static_cast<int64_t>(-ua); break;
      case Op::abs: v = a < 0 ? static_cast<int64_t>(-ua) : a; break;
      case Op::sign: v = (a > 0) - (a < 0); break;
      case Op::add: v = static_cast<int64_t>(ua + ub); break;
      case Op::sub: v = static_cast<int64_t>(ua - ub); break;
      case Op::mul: v = static_cast<int64_t>(ua * ub); break;
      case Op::div: v = b == 0 ? 0 : b == -1 ? static_cast<int64_t>(-ua) : a / b; break;
      case Op::fmod: v = b == 0 || b == -1 ? 0 : a % b; break;
      case Op::min: v = std::min(a, b); break;
      case Op::max: v = std::max(a, b); break;
      case Op::bit_and: v = a & b; break;
      case Op::bit_or: v = a | b; break;
      case Op::bit_xor: v = a ^ b; break;
      case Op::shl: v = b < 0 || b >= width ? 0 : static_cast<int64_t>(ua << b); break;
      case Op::shr: v = b < 0 || b >= width ? 0 : a >> b; break;
      case Op::fma: v = static_cast<int64_t>(ua * ub + static_cast<uint64_t>(as_int(n.c, k, n.type))); break;
      case Op::floor:
      case Op::ceil:
      case Op::round:
      case Op::trunc: {
        // lrint-like: a float operand rounded to an integer type.
        double d = as_double(n.a, k);
        d = n.op == Op::floor ? std::floor(d) : n.op == Op::ceil ? std::ceil(d)
          : n.op == Op::trunc ? std::trunc(d) : std::nearbyint(d);
        v = to_integer(n.type, d);
        break;
      }
      default: v = to_integer(n.type, std::numeric_limits<double>::quiet_NaN()); break;
      }
      r.i[k] = wrap(n.type, v);
    }
  }

  void float_node(const Node& n, Row& r) {
    switch (n.op) {
    case Op::neg: return unary(n, r, [](double a) { return -a; });
    case Op::abs: return unary(n, r, [](double a) { return std::fabs(a); });
    case Op::exp:
    case Op::exp_approx: return unary(n, r, [](double a) { return std::exp(a); });
    case Op::exp2: return unary(n, r, [](double a) { return std::exp2(a); });
    case Op::expm1: return unary(n, r, [](double a) { return std::expm1(a); });
    case Op::log: return unary(n, r, [](double a) { return std::log(a); });
    case Op::log2: return unary(n, r, [](double a) { return std::log2(a); });
    case Op::log1p: return unary(n, r, [](double a) { return std::log1p(a); });
    case Op::sqrt: return unary(n, r, [](double a) { return std::sqrt(a); });
    case Op::rsqrt: return unary(n, r, [](double a) { return 1.0 / std::sqrt(a); });
    case Op::recip: return unary(n, r, [](double a) { return 1.0 / a; });
    case Op::tanh:
    case Op::tanh_approx: return unary(n, r, [](double a) { return std::tanh(a); });
    case Op::erf: return unary(n, r, [](double a) { return std::erf(a); });
    case Op::erfc: return unary(n, r, [](double a) { return std::erfc(a); });
    case Op::sinh: return unary(n, r, [](double a) { return std::sinh(a); });
    case Op::cosh: return unary(n, r, [](double a) { return std::cosh(a); });
    case Op::sigmoid: return unary(n, r, [](double a) { return math::sigmoid(a); });
    case Op::normcdf: return unary(n, r, [](double a) { return 0.5 * std::erfc(-a * math::k_sqrt_half); });
    case Op::softplus: return unary(n, r, [](double a) { return math::softplus(a); });
    case Op::floor: return unary(n, r, [](double a) { return std::floor(a); });
    case Op::ceil: return unary(n, r, [](double a) { return std::ceil(a); });
    case Op::round: return unary(n, r, [](double a) { return std::round(a); });
    case Op::trunc: return unary(n, r, [](double a) { return std::trunc(a); });
    case Op::sign: return unary(n, r, [](double a) { return a != a ? a : double((a > 0) - (a < 0)); });
    case Op::add:
      binary(n, r, [](double a, double b) { return a + b; });
      return shift_to_whole(n, r);
    case Op::sub: return binary(n, r, [](double a, double b) { return a - b; });
    case Op::mul: return binary(n, r, [](double a, double b) { return a * b; });
    case Op::div: return binary(n, r, [](double a, double b) { return a / b; });
    case Op::pow: return binary(n, r, [](double a, double b) { return std::pow(a, b); });
    case Op::min: return binary(n, r, [](double a, double b) { return std::fmin(a, b); });
    case Op::max: return binary(n, r, [](double a, double b) { return std::fmax(a, b); });
    case Op::fmod: return binary(n, r, [](double a, double b) { return std::fmod(a, b); });
    case Op::atan2: return binary(n, r, [](double a, double b) { return std::atan2(a, b); });
    case Op::ldexp:
      return binary(n, r, [](double a, double b) {
        return std::ldexp(a, static_cast<int>(std::isnan(b) ? 0 : std::clamp(b, -5000.0, 5000.0)));
      });
    case Op::fma:
      for (size_t k = 0; k < n_; ++k) {
        double a = operand(n.a, k, n.type), b = operand(n.b, k, n.type), c = operand(n.c, k, n.type);
        r.d[k] = typed_ ? fma_to(n.type, a, b, c) : std::fma(a, b, c);
      }
      shift_to_whole(n, r);
      return;
    default:
      // A bit operation with a float result: not a function of numbers.
      for (size_t k = 0; k < n_; ++k)
        r.d[k] = std::numeric_limits<double>::quiet_NaN();
    }
  }

  const Expr& e_;
  bool typed_;
  std::vector<bool> needed_, filled_;
  std::unique_ptr<Row[]> rows_; // not cleared: every needed row is written before it is read
  const double* x_ = nullptr;
  double g_ = 1;
  size_t n_ = 0;
  double scratch_[3][k_block];
};

void many(const Expr& e, bool typed, std::span<const double> x, double g, std::span<double> out) {
  if (e.empty()) {
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  Evaluator evaluator(e, typed);
  for (size_t at = 0; at < x.size(); at += k_block)
    evaluator.run(e.root(), x.data() + at, g, std::min(k_block, x.size() - at), out.data() + at);
}

} // namespace

double round_to(Type t, double d) {
  switch (t) {
  case Type::f32: return static_cast<float>(d);
  case Type::f16: return round_narrow<Type::f16>(d);
  case Type::bf16: return round_narrow<Type::bf16>(d);
  case Type::f8: return round_narrow<Type::f8>(d);
  case Type::f64:
  case Type::weak: return d;
  default: return static_cast<double>(to_integer(t, d));
  }
}

void eval_ideal_many(const Expr& e, std::span<const double> x, double g, std::span<double> out) {
  many(e, false, x, g, out);
}
void eval_typed_many(const Expr& e, std::span<const double> x, double g, std::span<double> out) {
  many(e, true, x, g, out);
}
std::vector<std::vector<double>> eval_ideal_nodes(const Expr& e, std::span<const double> x, double g) {
  std::vector<std::vector<double>> out(e.size());
  if (e.empty())
    return out;
  Evaluator evaluator(e, false);
  std::vector<double> y(k_block);
  for (size_t at = 0; at < x.size(); at += k_block) {
    size_t n = std::min(k_block, x.size() - at);
    evaluator.run(e.root(), x.data() + at, g, n, y.data());
    for (NodeId i = 0; i < e.size(); ++i)
      for (size_t k = 0; k < n && evaluator.needed(i); ++k)
        out[i].push_back(evaluator.as_double(i, k));
  }
  return out;
}
double eval_ideal(const Expr& e, double x, double g) {
  double y;
  many(e, false, {&x, 1}, g, {&y, 1});
  return y;
}
double eval_typed(const Expr& e, double x, double g) {
  double y;
  many(e, true, {&x, 1}, g, {&y, 1});
  return y;
}

} // namespace gelint::formula
