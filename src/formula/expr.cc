#include "formula/expr.h"

#include <array>
#include <bit>
#include <cmath>

namespace gelint::formula {

namespace {

constexpr std::array<std::string_view, 10> k_types = {"f64", "f32", "f16", "bf16", "f8",
                                                      "i64", "i32", "u32", "bool", "weak"};

struct OpInfo {
  std::string_view name;
  int arity;
};
constexpr std::array k_ops = std::to_array<OpInfo>({
    {"const", 0}, {"x", 0}, {"g", 0}, {"param", 0},
    {"neg", 1}, {"abs", 1}, {"exp", 1}, {"exp2", 1}, {"expm1", 1}, {"log", 1}, {"log2", 1}, {"log1p", 1},
    {"sqrt", 1}, {"rsqrt", 1}, {"recip", 1}, {"tanh", 1}, {"erf", 1}, {"erfc", 1}, {"sinh", 1}, {"cosh", 1},
    {"sigmoid", 1}, {"normcdf", 1}, {"softplus", 1}, {"floor", 1}, {"ceil", 1}, {"round", 1}, {"trunc", 1},
    {"sign", 1}, {"not", 1}, {"cast", 1}, {"tanh_approx", 1}, {"exp_approx", 1}, {"bits_of_f32", 1},
    {"f32_of_bits", 1}, {"f16_table", 1},
    {"add", 2}, {"sub", 2}, {"mul", 2}, {"div", 2}, {"pow", 2}, {"min", 2}, {"max", 2}, {"fmod", 2},
    {"ldexp", 2}, {"atan2", 2}, {"lt", 2}, {"le", 2}, {"gt", 2}, {"ge", 2}, {"eq", 2}, {"ne", 2}, {"and", 2},
    {"or", 2}, {"bit_and", 2}, {"bit_or", 2}, {"bit_xor", 2}, {"shl", 2}, {"shr", 2},
    {"fma", 3}, {"select", 3},
});
static_assert(k_ops.size() == static_cast<size_t>(Op::select) + 1);

uint64_t hash_of(const Node& n) {
  uint64_t h = static_cast<uint64_t>(n.op) | static_cast<uint64_t>(n.type) << 8;
  for (uint64_t part : {std::bit_cast<uint64_t>(n.value), uint64_t{n.a}, uint64_t{n.b}, uint64_t{n.c}})
    h = (h ^ part) * 0x9e3779b97f4a7c15u + (h >> 29);
  return h;
}

bool same(const Node& p, const Node& q) {
  // By bits: -0 and 0 are different constants, a NaN equals itself.
  return p.op == q.op && p.type == q.type && p.a == q.a && p.b == q.b && p.c == q.c &&
         std::bit_cast<uint64_t>(p.value) == std::bit_cast<uint64_t>(q.value);
}

/// A copy of `e` whose node types are `retype(node)`; operand indices are remapped as nodes merge.
template <class F> Expr retyped(const Expr& e, F retype) {
  Expr out;
  std::vector<NodeId> ids(e.size());
  auto mapped = [&](NodeId id) { return id == k_no_node ? id : ids[id]; };
  for (NodeId i = 0; i < e.size(); ++i) {
    const Node& n = e[i];
    Type t = retype(n);
    if (n.op == Op::constant)
      ids[i] = out.constant(n.value, t);
    else if (arity(n.op) == 0)
      ids[i] = out.leaf(n.op, t, n.value);
    else
      ids[i] = out.make(n.op, t, mapped(n.a), mapped(n.b), mapped(n.c));
  }
  if (!e.empty())
    out.set_root(ids[e.root()]);
  return out;
}

} // namespace

std::string_view to_string(Type t) { return k_types[static_cast<size_t>(t)]; }
std::string_view to_string(Op op) { return k_ops[static_cast<size_t>(op)].name; }
int arity(Op op) { return k_ops[static_cast<size_t>(op)].arity; }

std::optional<Op> op_from_string(std::string_view name) {
  for (size_t i = 0; i < k_ops.size(); ++i)
    if (k_ops[i].name == name)
      return static_cast<Op>(i);
  return std::nullopt;
}

bool is_float(Type t) {
  return t == Type::f64 || t == Type::f32 || t == Type::f16 || t == Type::bf16 || t == Type::f8 || t == Type::weak;
}
bool is_integer(Type t) { return !is_float(t); }

NodeId Expr::constant(double value, Type type) { return leaf(Op::constant, type, value); }

NodeId Expr::leaf(Op op, Type type, double value) {
  Node n{op, type, value};
  uint64_t h = hash_of(n);
  for (auto [it, end] = index_.equal_range(h); it != end; ++it)
    if (same(nodes_[it->second], n))
      return it->second;
  nodes_.push_back(n);
  index_.emplace(h, static_cast<NodeId>(nodes_.size() - 1));
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId Expr::make(Op op, Type type, NodeId a, NodeId b, NodeId c) {
  Node n{op, type, 0, a, b, c};
  uint64_t h = hash_of(n);
  for (auto [it, end] = index_.equal_range(h); it != end; ++it)
    if (same(nodes_[it->second], n))
      return it->second;
  nodes_.push_back(n);
  index_.emplace(h, static_cast<NodeId>(nodes_.size() - 1));
  return static_cast<NodeId>(nodes_.size() - 1);
}

bool Expr::depends_on(NodeId id, Op leaf) const {
  if (id == k_no_node || id >= nodes_.size())
    return false;
  // Operands come before their users, so one sweep downwards marks everything below `id`.
  std::vector<bool> reached(id + 1, false);
  reached[id] = true;
  for (NodeId i = id + 1; i-- > 0;) {
    if (!reached[i])
      continue;
    const Node& n = nodes_[i];
    if (n.op == leaf)
      return true;
    for (NodeId o : {n.a, n.b, n.c})
      if (o != k_no_node)
        reached[o] = true;
  }
  return false;
}

Expr bind_weak(const Expr& e, Type t) {
  return retyped(e, [t](const Node& n) { return n.type == Type::weak && n.op != Op::constant ? t : n.type; });
}

Expr with_input_type(const Expr& e, Type t) {
  return retyped(e, [t](const Node& n) { return n.op == Op::input || n.op == Op::gate ? t : n.type; });
}

} // namespace gelint::formula
