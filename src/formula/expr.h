#pragma once
// The expression DAG that code is lowered to: one elementwise function of x (and, when gated, of a second factor g).
// Nodes are hash-consed and topologically ordered: every operand index is smaller than its user's.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gelint::formula {

/// The type an operation is computed in and rounded to. `weak` is a literal that takes its partner's type; an
/// input or an operation of type `weak` has the tensor's own type, which only a run knows (see bind_weak).
enum class Type : uint8_t { f64, f32, f16, bf16, f8, i64, i32, u32, boolean, weak };
std::string_view to_string(Type t);

enum class Op : uint8_t {
  // leaves
  constant, input, gate, parameter, // parameter: a free scalar (alpha of leaky_relu) with its value in `value`
  // unary
  neg, abs, exp, exp2, expm1, log, log2, log1p, sqrt, rsqrt, recip, tanh, erf, erfc, sinh, cosh, sigmoid, normcdf,
  softplus, floor, ceil, round, trunc, sign, logical_not, cast,
  tanh_approx, exp_approx, // hardware approximations: evaluated as tanh and exp, reported as GL405
  bits_of_f32, f32_of_bits, // reinterpretation, for polynomial exponentials
  f16_table, // a look-up: the operand is the table's fill expression over the input rounded to f16; rounds to f16
  // binary
  add, sub, mul, div, pow, min, max, fmod, ldexp, atan2,
  lt, le, gt, ge, eq, ne, logical_and, logical_or, bit_and, bit_or, bit_xor, shl, shr,
  // ternary
  fma, select,
};
std::string_view to_string(Op op);
std::optional<Op> op_from_string(std::string_view name);
int arity(Op op);

using NodeId = uint32_t;
inline constexpr NodeId k_no_node = 0xffffffffu;

struct Node {
  Op op;
  Type type;        ///< result type
  double value = 0; ///< constant and parameter
  NodeId a = k_no_node, b = k_no_node, c = k_no_node;
  bool operator==(const Node&) const = default;
};

/// A DAG with one root. Builders below fold nothing: what the code computes is kept as written.
class Expr {
public:
  NodeId constant(double value, Type type);
  NodeId leaf(Op op, Type type, double value = 0);
  NodeId make(Op op, Type type, NodeId a, NodeId b = k_no_node, NodeId c = k_no_node);
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }
  NodeId root() const { return root_; }
  void set_root(NodeId id) { root_ = id; }
  bool empty() const { return root_ == k_no_node; }
  /// True when the node depends on `leaf` (input or gate).
  bool depends_on(NodeId id, Op leaf) const;

private:
  std::vector<Node> nodes_;
  std::unordered_multimap<uint64_t, NodeId> index_; // hash of a node → its ids
  NodeId root_ = k_no_node;
};

bool is_float(Type t); ///< f64, f32, f16, bf16, f8 and weak
bool is_integer(Type t); ///< i64, i32, u32, boolean

/// d rounded to nearest even in the type, subnormals and overflow to infinity included; f8 is E4M3 without infinities
/// (overflow gives NaN). f64 and weak return d; integers truncate towards zero and wrap.
double round_to(Type t, double d);

/// The same function with every weak input, gate and operation given the type `t`; weak constants stay literals.
Expr bind_weak(const Expr& e, Type t);

/// The same function over an input of type `t`: the input (and gate) leaf is retyped, nothing else.
Expr with_input_type(const Expr& e, Type t);

/// f(x, g) with every operation in double and casts ignored: the formula the code means.
double eval_ideal(const Expr& e, double x, double g = 1.0);

/// f(x, g) with every operation rounded to its node's type: what the code returns. x is rounded to the input's type.
double eval_typed(const Expr& e, double x, double g = 1.0);

/// Many points at once, much faster per point: out[i] = f(x[i], g). Sizes must agree.
void eval_ideal_many(const Expr& e, std::span<const double> x, double g, std::span<double> out);
void eval_typed_many(const Expr& e, std::span<const double> x, double g, std::span<double> out);

/// Every node that the root is made of at every point, in double: out[node][i]; empty for the other nodes.
std::vector<std::vector<double>> eval_ideal_nodes(const Expr& e, std::span<const double> x, double g);

/// One line, stable, e.g. "x:f32; t1 = mul:f32 x x; t2 = const:f32 0.044715; t3 = mul:f32 t1 t2; return t3". Constants
/// are printed with 17 digits. Round-trips through parse_expr; travels in the audit JSON.
std::string to_text(const Expr& e);
/// nullopt and `error` set when the text is malformed, or too long to be code (it may come from an edited file): more than
/// 20,000 operations or 8 look-up tables.
std::optional<Expr> parse_expr(std::string_view text, std::string* error);

} // namespace gelint::formula
