// Places: what an expression names that can be stored into, and assignment to it.

#include "scan/lower_interp.h"

namespace gelint::scan::lower {

CellId Interp::lvalue(CXCursor e) {
  step();
  if (++eval_depth_ > 400)
    throw BudgetSpent("an expression is nested too deeply");
  CellId c = lvalue_inner(e);
  --eval_depth_;
  return c;
}

CellId Interp::lvalue_inner(CXCursor e) {
  CXType type = clang_getCursorType(e);
  switch (kind_of(e)) {
  case CXCursor_DeclRefExpr: {
    CXCursor decl = clang_getCursorReferenced(e);
    if (!is_null(decl) && (kind_of(decl) == CXCursor_VarDecl || kind_of(decl) == CXCursor_ParmDecl))
      return variable(decl);
    break;
  }
  case CXCursor_ParenExpr:
  case CXCursor_UnexposedExpr: {
    std::vector<CXCursor> o = operands(e);
    if (o.size() == 1)
      return lvalue(o[0]);
    break;
  }
  case CXCursor_MemberRefExpr: {
    CXCursor decl = clang_getCursorReferenced(e);
    if (!is_null(decl) && kind_of(decl) == CXCursor_VarDecl)
      return variable(decl);
    std::vector<CXCursor> o = operands(e);
    CellId base = k_no_cell;
    CXType base_type{};
    if (o.empty()) {
      if (this_ == k_no_cell)
        this_ = new_cell({k_no_cell, "", "this", {Shape::record, Type::f32, false, false, false, false, 0}, -1, false, false,
                          clang_getNullCursor()});
      base = this_;
    } else {
      base_type = clang_getCursorType(o[0]);
      TypeInfo bt = type_info(base_type);
      if (bt.shape == Shape::pointer) {
        TypeInfo pointee = type_info(clang_getPointeeType(clang_getCanonicalType(base_type)));
        base = target(eval(o[0]), pointee);
        base_type = clang_getPointeeType(clang_getCanonicalType(base_type));
      } else {
        base = lvalue(o[0]);
      }
    }
    std::string name = spelling(e);
    if (name.empty()) {
      std::vector<std::string> t = tokens(e);
      name = t.empty() ? "?" : t.back();
    }
    TypeInfo bt = base_type.kind ? type_info(base_type) : TypeInfo{};
    if (bt.shape == Shape::number) // a lane, or the bits of a half type
      return bt.lanes ? child(base, "." + name, type) : base;
    // The members of a union are one place.
    if (!is_null(decl)) {
      CXCursor owner = clang_getCursorSemanticParent(decl);
      if (kind_of(owner) == CXCursor_UnionDecl) {
        TypeInfo t = type_info(type);
        auto found = children_.find({base, ".(union)"});
        return found != children_.end() ? found->second : child(base, ".(union)", t);
      }
    }
    CellId member = child(base, "." + name, type);
    if (o.empty() && base == this_ && !is_null(decl) && kind_of(decl) == CXCursor_FieldDecl)
      default_member(member, decl);
    return member;
  }
  case CXCursor_ArraySubscriptExpr: {
    std::vector<CXCursor> o = operands(e);
    if (o.size() != 2)
      break;
    CXType bt = clang_getCanonicalType(clang_getCursorType(o[0]));
    NodeId offset = as_number(eval(o[1]));
    TypeInfo t = type_info(type);
    if (type_info(bt).shape == Shape::number)
      return element(lvalue(o[0]), offset, t);
    Value base = eval(o[0]);
    if (base.kind == Value::Kind::pointer) {
      NodeId at = base.node == k_no_node ? offset : binary(Op::add, base.node, offset);
      // p[0] is *p, but the first element of an array in a union is not the whole union.
      if (base.node == k_no_node && cell(base.cell).key != ".(union)")
        if (std::optional<double> k = constant_of(offset); k && *k == 0)
          return base.cell;
      return element(base.cell, at, t);
    }
    if (base.kind == Value::Kind::object)
      return element(base.cell, offset, t);
    if (base.kind == Value::Kind::choice)
      return target(arithmetic(Op::add, base, Value::number(offset), clang_getCursorType(o[0])), t);
    // A null pointer that is read all the same was set by something that could not be followed.
    if (base.is_number() && constant_of(base.node))
      return element(child(lvalue(o[0]), "*", t), offset, t);
    return temporary(base, type);
  }
  case CXCursor_UnaryOperator: {
    std::vector<CXCursor> o = operands(e);
    CXUnaryOperatorKind k = clang_getCursorUnaryOperatorKind(e);
    if (o.size() == 1 && k == CXUnaryOperator_Deref)
      return target(eval(o[0]), type_info(type));
    if (o.size() == 1 && (k == CXUnaryOperator_PreInc || k == CXUnaryOperator_PreDec)) {
      eval(e);
      return lvalue(o[0]);
    }
    break;
  }
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator: {
    std::vector<CXCursor> o = operands(e);
    CXBinaryOperatorKind k = clang_getCursorBinaryOperatorKind(e);
    if (o.size() == 2 && k == CXBinaryOperator_Comma) {
      eval(o[0]);
      return lvalue(o[1]);
    }
    if (o.size() == 2 && (k == CXBinaryOperator_Assign || kind_of(e) == CXCursor_CompoundAssignOperator)) {
      eval(e);
      return lvalue(o[0]);
    }
    break;
  }
  case CXCursor_CXXReinterpretCastExpr:
  case CXCursor_CXXConstCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CStyleCastExpr: {
    std::vector<CXCursor> o = operands(e);
    CXTypeKind target_kind = type.kind;
    bool glvalue = target_kind == CXType_LValueReference || target_kind == CXType_RValueReference ||
                   kind_of(e) == CXCursor_CXXReinterpretCastExpr || kind_of(e) == CXCursor_CXXConstCastExpr;
    if (!o.empty() && glvalue && type_info(type).shape != Shape::pointer)
      return lvalue(o.back());
    break;
  }
  default: break;
  }
  Value v = kind_of(e) == CXCursor_CallExpr ? eval_call(e) : eval(e);
  if (v.kind == Value::Kind::object)
    return v.cell;
  return temporary(v, type);
}

void Interp::assign(CXCursor target_cursor, Value v, CXCursor at) {
  CellId c = lvalue(target_cursor);
  if (v.view)
    v = read(v.cell);
  CXType type = clang_getCursorType(target_cursor);
  TypeInfo t = type_info(type);
  if (t.shape == Shape::number && t.known && !t.lanes && (v.is_number() || v.kind == Value::Kind::object))
    v = cast_value(v, type);
  const Cell& info = cell(c);
  if (v.is_number() && info.type.shape == Shape::number && info.type.known && t.known && !info.type.lanes &&
      !t.lanes) {
    // Written through a pointer to another type: the bits are kept.
    if ((info.type.type == Type::f32) != (t.type == Type::f32) &&
        (is_integer(info.type.type) || is_integer(t.type)))
      v.node = bits(v.node, info.type.type);
  }
  if (v.is_number())
    note_trace(v.node, target_cursor, kind_of(peel(target_cursor)) == CXCursor_DeclRefExpr ? spelling(peel(target_cursor)) : "",
               at);
  assign_cell(c, std::move(v));
}

void Interp::assign_cell(CellId c, Value v) { write(c, std::move(v)); }

void Interp::note_trace(NodeId n, CXCursor at, const std::string& symbol, CXCursor expression) {
  if (depth_ > 0 || traces_.size() > 400 || !depends_on_data(n))
    return;
  // The result of one call is that callee's formula, not this body's.
  CXCursor inner = peel(expression);
  while (kind_of(inner) == CXCursor_CStyleCastExpr || kind_of(inner) == CXCursor_CXXStaticCastExpr ||
         kind_of(inner) == CXCursor_CXXFunctionalCastExpr) {
    std::vector<CXCursor> o = operands(inner);
    if (o.empty())
      break;
    inner = peel(o.back());
  }
  if (kind_of(inner) == CXCursor_CallExpr && spelling(inner).rfind("operator", 0) != 0)
    return;
  if (kind_of(inner) == CXCursor_DeclRefExpr || kind_of(inner) == CXCursor_MemberRefExpr)
    return;
  traces_.push_back({n, at, symbol});
}

} // namespace gelint::scan::lower
