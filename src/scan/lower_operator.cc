// Built-in operators and casts.

#include "scan/lower_interp.h"

#include <fmt/format.h>

#include <cmath>

namespace gelint::scan::lower {

namespace {

std::optional<Op> binary_op(CXBinaryOperatorKind k) {
  switch (k) {
  case CXBinaryOperator_Mul:
  case CXBinaryOperator_MulAssign: return Op::mul;
  case CXBinaryOperator_Div:
  case CXBinaryOperator_DivAssign: return Op::div;
  case CXBinaryOperator_Rem:
  case CXBinaryOperator_RemAssign: return Op::fmod;
  case CXBinaryOperator_Add:
  case CXBinaryOperator_AddAssign: return Op::add;
  case CXBinaryOperator_Sub:
  case CXBinaryOperator_SubAssign: return Op::sub;
  case CXBinaryOperator_Shl:
  case CXBinaryOperator_ShlAssign: return Op::shl;
  case CXBinaryOperator_Shr:
  case CXBinaryOperator_ShrAssign: return Op::shr;
  case CXBinaryOperator_And:
  case CXBinaryOperator_AndAssign: return Op::bit_and;
  case CXBinaryOperator_Or:
  case CXBinaryOperator_OrAssign: return Op::bit_or;
  case CXBinaryOperator_Xor:
  case CXBinaryOperator_XorAssign: return Op::bit_xor;
  case CXBinaryOperator_LT: return Op::lt;
  case CXBinaryOperator_GT: return Op::gt;
  case CXBinaryOperator_LE: return Op::le;
  case CXBinaryOperator_GE: return Op::ge;
  case CXBinaryOperator_EQ: return Op::eq;
  case CXBinaryOperator_NE: return Op::ne;
  case CXBinaryOperator_LAnd: return Op::logical_and;
  case CXBinaryOperator_LOr: return Op::logical_or;
  default: return std::nullopt;
  }
}

/// The bits and sign of an integer type that is narrower than int; 0: it is none.
int narrow_bits(CXType t, bool* is_signed) {
  switch (clang_getCanonicalType(t).kind) {
  case CXType_SChar:
  case CXType_Char_S: *is_signed = true; return 8;
  case CXType_UChar:
  case CXType_Char_U: *is_signed = false; return 8;
  case CXType_Short: *is_signed = true; return 16;
  case CXType_UShort: *is_signed = false; return 16;
  default: return 0;
  }
}

/// What is left of a number in so many bits.
double wrapped(double v, int bits, bool is_signed) {
  const double range = std::ldexp(1.0, bits);
  double r = std::fmod(std::trunc(v), range);
  if (r < 0)
    r += range;
  return is_signed && r >= range / 2 ? r - range : r;
}

} // namespace

Value Interp::cast_value(Value v, CXType to, bool reinterpret, bool truncate) {
  TypeInfo t = type_info(to);
  if (v.kind == Value::Kind::choice && t.shape == Shape::number)
    v = Value::number(as_number(v));
  switch (t.shape) {
  case Shape::number: {
    if (v.kind == Value::Kind::pointer)
      return t.type == Type::boolean ? Value::number(truth(v)) : v; // addresses stay addresses
    if (v.kind == Value::Kind::text || v.kind == Value::Kind::function || v.kind == Value::Kind::nothing)
      return v;
    NodeId n = as_number(v);
    if (t.lanes || reinterpret) {
      // Registers of integers hold whatever was loaded.
      if (is_integer(t.type) != is_integer(dag_[n].type) || (t.lanes && dag_[n].type == Type::boolean))
        return Value::number(n);
    }
    if (!truncate && is_integer(t.type) && t.type != Type::boolean && is_floating(dag_[n].type) &&
        dag_[n].op != Op::constant)
      return Value::number(n);
    Value out = Value::number(t.type == Type::boolean ? truth(Value::number(n)) : convert(n, t.type));
    if (bool is_signed = false; int bits = narrow_bits(to, &is_signed))
      if (std::optional<double> k = constant_of(out.node); k && is_integer(t.type) && wrapped(*k, bits, is_signed) != *k)
        return Value::number(number(wrapped(*k, bits, is_signed), t.type));
    out.text = v.text;
    return out;
  }
  default: return v;
  }
}

Value Interp::eval_cast(CXCursor e) {
  std::vector<CXCursor> o = operands(e);
  CXType type = clang_getCursorType(e);
  // A parenthesised list of several arguments constructs.
  if (o.size() > 1 && kind_of(e) == CXCursor_CXXFunctionalCastExpr)
    return construct(e, type, o);
  if (o.empty()) {
    TypeInfo t = type_info(type);
    return Value::number(number(0, t.known ? t.type : Type::i32));
  }
  CXCursor inner = o.back();
  CXTypeKind from = clang_getCanonicalType(clang_getCursorType(inner)).kind;
  if (from == CXType_ConstantArray || from == CXType_IncompleteArray)
    if (type_info(type).shape == Shape::pointer && kind_of(inner) != CXCursor_StringLiteral)
      return decay(lvalue(inner), clang_getCursorType(inner));
  if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference)
    return read_as(lvalue(inner), type);
  Value v = eval(inner);
  bool bit = kind_of(e) == CXCursor_CXXReinterpretCastExpr;
  TypeInfo source = type_info(clang_getCursorType(inner));
  return cast_value(v, type, bit, !bit && !(source.known && is_integer(source.type)));
}

/// i32 or u32 for a register of such lanes. An operator on one works on the bits, whatever was loaded.
static std::optional<Type> word_lanes(CXType type) {
  CXType c = clang_getCanonicalType(type);
  if (c.kind != CXType_Vector)
    return std::nullopt;
  CXTypeKind element = clang_getElementType(c).kind;
  return element == CXType_Int    ? std::optional(Type::i32)
         : element == CXType_UInt ? std::optional(Type::u32)
                                  : std::nullopt;
}

Value Interp::arithmetic(Op op, const Value& a, const Value& b, CXType type) {
  // One of two addresses.
  auto addresses = [](const Value& v) {
    return v.kind == Value::Kind::choice &&
           (v.a->kind == Value::Kind::pointer || v.b->kind == Value::Kind::pointer || v.a->kind == Value::Kind::choice);
  };
  if (addresses(a) && b.is_number() && (op == Op::add || op == Op::sub)) {
    Value out = a;
    out.a = std::make_shared<Value>(arithmetic(op, *a.a, b, type));
    out.b = std::make_shared<Value>(arithmetic(op, *a.b, b, type));
    return out;
  }
  if (addresses(a) || addresses(b))
    if (op >= Op::lt && op <= Op::ne)
      return Value::number(index_symbol(fmt::format("addresses {} compared", addresses(a) ? a.node : b.node)));
  // Addresses.
  const Value* p = a.kind == Value::Kind::pointer ? &a : b.kind == Value::Kind::pointer ? &b : nullptr;
  TypeInfo want = type_info(type);
  if (p) {
    const Value& other = p == &a ? b : a;
    if (other.kind == Value::Kind::pointer)
      return Value::number(index_symbol(fmt::format("pointers {} {}", a.cell, b.cell)));
    if ((op == Op::add || op == Op::sub) && other.is_number()) {
      Value out = *p;
      NodeId offset = convert(other.node, Type::i64);
      if (out.node == k_no_node)
        out.node = number(0, Type::i64);
      out.node = binary(op, out.node, offset);
      return out;
    }
    if (op >= Op::lt && op <= Op::ne) {
      std::optional<double> zero = other.is_number() ? constant_of(other.node) : std::nullopt;
      if (zero && *zero == 0) {
        NodeId set = truth(*p);
        return Value::number(op == Op::eq ? unary(Op::logical_not, set) : set);
      }
      return Value::number(index_symbol(fmt::format("pointer {} compared", p->cell)));
    }
    if (want.shape == Shape::pointer || op == Op::bit_and)
      return *p;
  }
  if (op == Op::logical_and || op == Op::logical_or)
    return Value::number(binary(op, truth(a), truth(b), Type::boolean));
  if (a.kind == Value::Kind::text || b.kind == Value::Kind::text) {
    if (a.kind == b.kind && (op == Op::eq || op == Op::ne))
      return Value::number(number((a.text == b.text) == (op == Op::eq), Type::boolean));
    const Value& known = a.kind == Value::Kind::text ? a : b;
    const Value& other = a.kind == Value::Kind::text ? b : a;
    return Value::number(index_symbol(fmt::format("{} {} {}", other.cell, op == Op::ne ? "!=" : "==", known.text)));
  }
  NodeId x = as_number(a), y = as_number(b);
  bool compare = op >= Op::lt && op <= Op::ne;
  if (!compare && want.shape == Shape::number && want.known && !want.lanes &&
      !(is_integer(want.type) && is_floating(dag_[x].type))) {
    // clang has put the conversions of the operands into the tree, except in dependent code.
    if (op != Op::shl && op != Op::shr) {
      x = convert(x, want.type);
      y = convert(y, want.type);
    }
    return Value::number(binary(op, x, y, want.type));
  }
  if (std::optional<Type> word = word_lanes(type)) {
    x = bits(x, *word);
    y = bits(y, *word);
  }
  Type common = common_type(dag_[x].type, dag_[y].type);
  if (op != Op::shl && op != Op::shr && common != Type::weak) {
    // A literal beside a value of unknown type takes that type.
    if (dag_[x].op == Op::constant)
      x = convert(x, common);
    if (dag_[y].op == Op::constant)
      y = convert(y, common);
  }
  return Value::number(binary(op, x, y));
}

Value Interp::eval_unary(CXCursor e) {
  std::vector<CXCursor> o = operands(e);
  if (o.size() != 1)
    return eval_by_tokens(e);
  CXType type = clang_getCursorType(e);
  switch (clang_getCursorUnaryOperatorKind(e)) {
  case CXUnaryOperator_Deref: return read_as(lvalue(e), type);
  case CXUnaryOperator_AddrOf: {
    CXCursor target_cursor = peel(o[0]);
    if (kind_of(target_cursor) == CXCursor_DeclRefExpr) {
      CXCursor decl = clang_getCursorReferenced(target_cursor);
      if (!is_null(decl) && is_function(kind_of(decl)))
        return eval(o[0]);
    }
    // &p[i] and &*p are p + i: later subscripts count from there.
    if (kind_of(target_cursor) == CXCursor_ArraySubscriptExpr) {
      std::vector<CXCursor> s = operands(target_cursor);
      if (s.size() == 2) {
        Value base = eval(s[0]);
        if (base.kind == Value::Kind::pointer)
          return arithmetic(Op::add, base, eval(s[1]), clang_getCursorType(s[0]));
      }
    }
    return Value::pointer(lvalue(o[0]));
  }
  case CXUnaryOperator_PreInc:
  case CXUnaryOperator_PostInc:
  case CXUnaryOperator_PreDec:
  case CXUnaryOperator_PostDec: {
    CXUnaryOperatorKind k = clang_getCursorUnaryOperatorKind(e);
    bool pre = k == CXUnaryOperator_PreInc || k == CXUnaryOperator_PreDec;
    bool plus = k == CXUnaryOperator_PreInc || k == CXUnaryOperator_PostInc;
    Value old = eval(o[0]);
    Value fresh = arithmetic(plus ? Op::add : Op::sub, old, Value::number(number(1, Type::i32)), type);
    assign_cell(lvalue(o[0]), fresh);
    return pre ? fresh : old;
  }
  case CXUnaryOperator_Minus: {
    NodeId n = as_number(eval(o[0]));
    if (std::optional<Type> word = word_lanes(type))
      return Value::number(unary(Op::neg, bits(n, *word)));
    TypeInfo t = type_info(type);
    return Value::number(unary(Op::neg, n, t.known && t.shape == Shape::number && !is_integer(t.type)
                                               ? std::optional(t.type)
                                               : std::nullopt));
  }
  case CXUnaryOperator_Not: {
    NodeId n = as_number(eval(o[0]));
    Type t = is_integer(dag_[n].type) ? dag_[n].type : Type::i32;
    return Value::number(dag_.make(Op::bit_xor, t, n, number(t == Type::u32 ? 4294967295.0 : -1, t)));
  }
  case CXUnaryOperator_LNot: return Value::number(unary(Op::logical_not, truth(eval(o[0]))));
  case CXUnaryOperator_Plus:
  case CXUnaryOperator_Extension: return eval(o[0]);
  default: return eval(o[0]);
  }
}

Value Interp::eval_binary(CXCursor e) {
  std::vector<CXCursor> o = operands(e);
  if (o.size() != 2)
    return eval_by_tokens(e);
  CXType type = clang_getCursorType(e);
  CXBinaryOperatorKind k = clang_getCursorBinaryOperatorKind(e);
  if (k == CXBinaryOperator_Comma) {
    eval(o[0]);
    return eval(o[1]);
  }
  if (k == CXBinaryOperator_Assign) {
    Value v = eval(o[1]);
    assign(o[0], v, o[1]);
    return v;
  }
  std::optional<Op> op = binary_op(k);
  if (!op)
    return eval_by_tokens(e);
  if (kind_of(e) == CXCursor_CompoundAssignOperator) {
    Value right = eval(o[1]);
    Value left = read_as(lvalue(o[0]), clang_getCursorType(o[0]));
    // float += double is computed in double.
    CXType wide = type;
    TypeInfo lt = type_info(clang_getCursorType(o[0])), rt = type_info(clang_getCursorType(o[1]));
    if (lt.known && rt.known && lt.shape == Shape::number && rt.shape == Shape::number &&
        common_type(lt.type, rt.type) == rt.type)
      wide = clang_getCursorType(o[1]);
    Value v = arithmetic(*op, left, right, wide);
    assign(o[0], cast_value(v, clang_getCursorType(o[0])), e);
    return v;
  }
  Value left = eval(o[0]);
  if (k == CXBinaryOperator_LAnd || k == CXBinaryOperator_LOr) {
    std::optional<double> known = constant_of(truth(left));
    if (known && (*known != 0) == (k == CXBinaryOperator_LOr))
      return Value::number(number(*known != 0, Type::boolean));
  }
  return arithmetic(*op, left, eval(o[1]), type);
}

} // namespace gelint::scan::lower
