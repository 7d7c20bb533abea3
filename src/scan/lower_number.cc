// Arithmetic on nodes. Integer arithmetic on constants is folded, because paths and subscripts depend on it; floating
// point is kept as written, because its rounding is what is reported.

#include "scan/lower_interp.h"

#include <bit>
#include <cmath>

namespace gelint::scan::lower {

namespace {

std::optional<double> fold_binary(Op op, double a, double b, bool integer) {
  auto ia = static_cast<long long>(a), ib = static_cast<long long>(b);
  switch (op) {
  case Op::add: return a + b;
  case Op::sub: return a - b;
  case Op::mul: return a * b;
  case Op::div:
    if (b == 0)
      return std::nullopt;
    return integer ? std::trunc(a / b) : a / b;
  case Op::fmod:
    if (b == 0)
      return std::nullopt;
    return std::fmod(a, b);
  case Op::min: return std::fmin(a, b);
  case Op::max: return std::fmax(a, b);
  case Op::pow: return std::pow(a, b);
  case Op::lt: return a < b;
  case Op::le: return a <= b;
  case Op::gt: return a > b;
  case Op::ge: return a >= b;
  case Op::eq: return a == b;
  case Op::ne: return a != b;
  case Op::logical_and: return a != 0 && b != 0;
  case Op::logical_or: return a != 0 || b != 0;
  case Op::bit_and: return static_cast<double>(ia & ib);
  case Op::bit_or: return static_cast<double>(ia | ib);
  case Op::bit_xor: return static_cast<double>(ia ^ ib);
  case Op::shl: return ib >= 0 && ib < 62 ? std::optional(a * std::ldexp(1.0, static_cast<int>(ib))) : std::nullopt;
  case Op::shr: return ib >= 0 && ib < 62 ? std::optional(static_cast<double>(ia >> ib)) : std::nullopt;
  default: return std::nullopt;
  }
}

std::optional<double> fold_unary(Op op, double a) {
  switch (op) {
  case Op::neg: return -a;
  case Op::abs: return std::fabs(a);
  case Op::sqrt: return std::sqrt(a);
  case Op::rsqrt: return 1 / std::sqrt(a);
  case Op::recip: return 1 / a;
  case Op::exp: return std::exp(a);
  case Op::exp2: return std::exp2(a);
  case Op::log: return std::log(a);
  case Op::log2: return std::log2(a);
  case Op::floor: return std::floor(a);
  case Op::ceil: return std::ceil(a);
  case Op::trunc: return std::trunc(a);
  case Op::logical_not: return a == 0;
  default: return std::nullopt;
  }
}

bool is_compare(Op op) { return op >= Op::lt && op <= Op::logical_or; }

} // namespace

NodeId Interp::number(double v, Type t) { return dag_.constant(v, t); }

std::optional<double> Interp::constant_of(NodeId n) {
  if (n >= k_true_)
    return std::nullopt;
  auto it = constants_.find(n);
  if (it != constants_.end())
    return it->second;
  const formula::Node node = dag_[n];
  std::optional<double> out;
  if (node.op == Op::constant) {
    out = node.value;
  } else if (formula::arity(node.op) > 0) {
    std::optional<double> a = constant_of(node.a);
    std::optional<double> b = formula::arity(node.op) > 1 ? constant_of(node.b) : a;
    std::optional<double> c = formula::arity(node.op) > 2 ? constant_of(node.c) : a;
    if (node.op == Op::logical_and && ((a && *a == 0) || (b && *b == 0)))
      out = 0;
    else if (node.op == Op::logical_or && ((a && *a != 0) || (b && *b != 0)))
      out = 1;
    else if (node.op == Op::select && a && (*a != 0 ? b : c))
      out = *a != 0 ? b : c;
    else if (a && b && c) {
      if (node.op == Op::cast)
        out = is_integer(node.type) ? (node.type == Type::boolean ? *a != 0 : std::trunc(*a)) : *a;
      else if (formula::arity(node.op) == 1)
        out = fold_unary(node.op, *a);
      else if (formula::arity(node.op) == 2)
        out = fold_binary(node.op, *a, *b, is_integer(node.type));
    }
  }
  constants_[n] = out;
  return out;
}

NodeId Interp::convert(NodeId n, Type to) {
  if (n >= k_true_)
    return n;
  const formula::Node node = dag_[n];
  if (node.type == to)
    return n;
  if (node.op == Op::constant) {
    double v = node.value;
    if (to == Type::boolean)
      v = v != 0;
    else if (is_integer(to) && is_floating(node.type))
      v = std::trunc(v);
    else if (to == Type::u32 && v < 0)
      v += 4294967296.0;
    else if (to == Type::i32 && v > 2147483647.0 && v <= 4294967295.0)
      v -= 4294967296.0;
    return number(v, to);
  }
  // Widening an integer changes nothing that matters here and keeps subscripts comparable.
  if (is_integer(node.type) && is_integer(to) && to != Type::boolean && !depends_on_data(n))
    return n;
  return dag_.make(Op::cast, to, n);
}

NodeId Interp::unary(Op op, NodeId a, std::optional<Type> type) {
  Type t = type ? *type : op == Op::logical_not ? Type::boolean : dag_[a].type;
  if (is_integer(t) || op == Op::logical_not)
    if (std::optional<double> c = constant_of(a))
      if (std::optional<double> v = fold_unary(op, *c))
        return number(*v, t);
  if (op == Op::neg && dag_[a].op == Op::constant)
    return number(-dag_[a].value, t);
  if (op == Op::logical_not && dag_[a].op == Op::logical_not)
    return dag_[a].a;
  return dag_.make(op, t, a);
}

NodeId Interp::binary(Op op, NodeId a, NodeId b, std::optional<Type> type) {
  Type common = common_type(dag_[a].type, dag_[b].type);
  Type t = type ? *type : is_compare(op) ? Type::boolean : common;
  std::optional<double> ca = constant_of(a), cb = constant_of(b);
  if (op == Op::logical_and || op == Op::logical_or) {
    bool absorbing = op == Op::logical_or;
    for (auto [c, other] : {std::pair{ca, b}, std::pair{cb, a}})
      if (c)
        return (*c != 0) == absorbing ? number(absorbing, Type::boolean) : convert(other, Type::boolean);
  }
  if (ca && cb && (is_integer(t) && (is_compare(op) || is_integer(common))))
    if (std::optional<double> v = fold_binary(op, *ca, *cb, is_integer(common))) {
      double w = t == Type::u32 ? static_cast<double>(static_cast<uint32_t>(static_cast<int64_t>(*v))) : *v;
      return number(w, t);
    }
  // Subscripts: i + 0 and i * 1 are i.
  if (is_integer(t) && !is_compare(op)) {
    if (cb && ((*cb == 0 && (op == Op::add || op == Op::sub)) || (*cb == 1 && (op == Op::mul || op == Op::div))))
      return a;
    if (ca && ((*ca == 0 && op == Op::add) || (*ca == 1 && op == Op::mul)))
      return b;
  }
  return dag_.make(op, t, a, b);
}

NodeId Interp::select(NodeId c, NodeId a, NodeId b) {
  if (a == b)
    return a;
  if (std::optional<double> v = constant_of(c))
    return *v != 0 ? a : b;
  return dag_.make(Op::select, common_type(dag_[a].type, dag_[b].type), c, a, b);
}

bool Interp::depends_on_data(NodeId n) {
  if (n >= k_true_)
    return false;
  auto it = data_.find(n);
  if (it != data_.end())
    return it->second;
  const formula::Node node = dag_[n];
  bool out = false;
  if (node.op == Op::parameter)
    out = !symbols_[static_cast<size_t>(node.value)].index;
  else
    for (NodeId k : {node.a, node.b, node.c})
      out = out || (k != k_no_node && depends_on_data(k));
  data_[n] = out;
  return out;
}

/// Choices share their arms, so that a body of many branches makes few values and many paths: each is read once.
NodeId Interp::read_choice(const Value& v, NodeId (Interp::*read)(const Value&)) {
  step();
  const ChoiceKey key{v.node, v.a.get(), v.b.get(), read == &Interp::truth};
  if (auto it = chosen_.find(key); it != chosen_.end())
    return it->second;
  struct Level { // forgets when the outermost ends: what is stored may change from there on
    Interp& in;
    explicit Level(Interp& i) : in(i) { ++in.choices_open_; }
    ~Level() {
      if (--in.choices_open_ == 0)
        in.chosen_.clear();
    }
  } level(*this);
  const NodeId a = (this->*read)(*v.a), b = (this->*read)(*v.b);
  const NodeId n = select(v.node, a, b);
  chosen_.emplace(key, n);
  return n;
}

NodeId Interp::as_number(const Value& v) {
  switch (v.kind) {
  case Value::Kind::number: return v.node;
  case Value::Kind::pointer:
  case Value::Kind::object: {
    TypeInfo t;
    t.shape = Shape::number;
    if (v.kind == Value::Kind::pointer) {
      const TypeInfo& base = cell(v.cell).type;
      t.type = base.type;
      t.known = base.known;
    }
    CellId c = v.kind == Value::Kind::pointer ? target(v, t) : v.cell;
    if (std::optional<Value> s = last_stored_below(c))
      return s->node;
    if (std::optional<Value> s = stored(c); s && s->is_number())
      return s->node;
    if (std::optional<Value> s = stored(c); s && s->kind == Value::Kind::object && s->cell != c)
      return as_number(*s);
    if (std::optional<Value> s = sibling(c); s && s->is_number())
      return s->node;
    if (std::optional<Value> s = sibling(c); s && s->kind == Value::Kind::object && s->cell != c)
      return as_number(*s);
    auto it = cell_symbol_.find(c);
    if (it == cell_symbol_.end()) {
      const Cell& info = cell(c);
      if (info.type.shape != Shape::number)
        tensor_types = true;
      Symbol s;
      s.name = info.path;
      s.cell = c;
      s.type = info.type.type;
      s.known_type = info.type.known;
      s.undef = info.local && info.type.shape == Shape::number;
      it = cell_symbol_.emplace(c, symbol(std::move(s))).first;
    }
    return it->second;
  }
  case Value::Kind::choice: return read_choice(v, &Interp::as_number);
  default: break;
  }
  Symbol s;
  s.name = v.kind == Value::Kind::text ? "a string" : v.kind == Value::Kind::undef ? "(not assigned)" : "?";
  s.undef = v.kind == Value::Kind::undef;
  s.index = v.kind == Value::Kind::text || v.kind == Value::Kind::function;
  return symbol(std::move(s));
}

NodeId Interp::truth(const Value& v) {
  if (v.is_number())
    return dag_[v.node].type == Type::boolean ? v.node
                                              : binary(Op::ne, v.node, number(0, dag_[v.node].type), Type::boolean);
  if (v.kind == Value::Kind::pointer) {
    const Cell& c = cell(v.cell);
    // The address of a variable is never null; a pointer from outside may be.
    if (c.key != "*")
      return number(1, Type::boolean);
    Symbol s;
    s.name = c.path;
    s.type = Type::boolean;
    s.known_type = true;
    s.index = true;
    auto [it, fresh] = index_symbols_.try_emplace("null? " + std::to_string(v.cell), k_no_node);
    if (fresh)
      it->second = symbol(std::move(s));
    return it->second;
  }
  if (v.kind == Value::Kind::function || v.kind == Value::Kind::text)
    return v.kind == Value::Kind::function && is_null(v.cursor) ? index_symbol("set? " + v.text)
                                                                : number(1, Type::boolean);
  if (v.kind == Value::Kind::object)
    return index_symbol("object " + std::to_string(v.cell));
  if (v.kind == Value::Kind::choice)
    return read_choice(v, &Interp::truth);
  return index_symbol("?");
}

/// The same 32 bits as the other type; the half types are kept as values, which is what their bits are used for here.
NodeId Interp::bits(NodeId n, Type to) {
  Type from = dag_[n].type;
  if (from == to || from == Type::boolean) // a lane of a mask has all bits set, or none
    return n;
  if (from == Type::f32 && is_integer(to)) {
    if (dag_[n].op == Op::f32_of_bits)
      return dag_[n].a;
    return dag_.make(Op::bits_of_f32, to, n);
  }
  if (is_integer(from) && to == Type::f32) {
    if (dag_[n].op == Op::bits_of_f32)
      return dag_[n].a;
    if (dag_[n].op == Op::constant && std::abs(dag_[n].value) <= 4294967295.0)
      return number(std::bit_cast<float>(static_cast<uint32_t>(static_cast<int64_t>(dag_[n].value))), to);
    // A value from outside that is a float wherever it is used: parameters of an operator in an array of words.
    if (dag_[n].op == Op::parameter)
      return dag_.leaf(Op::parameter, to, dag_[n].value);
    return dag_.make(Op::f32_of_bits, to, n);
  }
  return n;
}

} // namespace gelint::scan::lower
