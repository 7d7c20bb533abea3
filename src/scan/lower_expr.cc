// Expressions: what they are worth.

#include "scan/lower_interp.h"

namespace gelint::scan::lower {

void Interp::step() {
  if (++steps_ > options_.max_steps)
    throw BudgetSpent("the body is too long to be run");
}

void Interp::note_type(const TypeInfo& t) {
  if (t.shape == Shape::number && !t.known)
    unknown_types = true;
}

Value Interp::eval(CXCursor e) {
  step();
  struct Depth {
    int& d;
    explicit Depth(int& x) : d(x) { ++d; }
    ~Depth() { --d; }
  } depth(eval_depth_);
  if (eval_depth_ > 400)
    throw BudgetSpent("an expression is nested too deeply");
  return eval_inner(e);
}

Value Interp::eval_inner(CXCursor e) {
  CXType type = clang_getCursorType(e);
  switch (kind_of(e)) {
  case CXCursor_IntegerLiteral:
  case CXCursor_FloatingLiteral:
  case CXCursor_CharacterLiteral:
  case CXCursor_CXXBoolLiteralExpr: {
    std::optional<Constant> c = evaluate(e);
    if (!c) {
      std::vector<std::string> t = tokens(e, 1);
      c = t.empty() ? std::nullopt : parse_literal(t[0]);
      if (!c && !t.empty())
        c = Constant{t[0] == "true" ? 1.0 : 0.0, true};
    }
    TypeInfo info = type_info(type);
    Type t = info.known ? info.type : c && c->integer ? Type::i32 : Type::f64;
    return Value::number(number(c ? c->value : 0, t));
  }
  case CXCursor_StringLiteral: return Value::string(string_literal(e));
  case CXCursor_CXXNullPtrLiteralExpr:
  case CXCursor_GNUNullExpr: return Value::number(number(0, Type::i64));
  case CXCursor_ParenExpr: {
    std::vector<CXCursor> o = operands(e);
    return o.empty() ? eval_by_tokens(e) : eval(o.back());
  }
  case CXCursor_UnexposedExpr:
  case CXCursor_PackExpansionExpr: return eval_unexposed(e);
  case CXCursor_DeclRefExpr: return eval_reference(e);
  case CXCursor_OverloadedDeclRef: {
    Value v = Value::function(clang_getNullCursor());
    v.text = spelling(e);
    return v;
  }
  case CXCursor_MemberRefExpr: return eval_member(e);
  case CXCursor_ArraySubscriptExpr: {
    if (std::optional<Value> v = eval_table(e))
      return *v;
    return read_as(lvalue(e), type);
  }
  case CXCursor_UnaryOperator: return eval_unary(e);
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator: return eval_binary(e);
  case CXCursor_ConditionalOperator: return eval_conditional(e);
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXReinterpretCastExpr:
  case CXCursor_CXXConstCastExpr:
  case CXCursor_CXXDynamicCastExpr:
  case CXCursor_CXXFunctionalCastExpr: return eval_cast(e);
  case CXCursor_CallExpr: {
    Value v = eval_call(e);
    // A reference to a number, as a value.
    if (v.kind == Value::Kind::object && !v.view && cell(v.cell).type.shape != Shape::record) {
      TypeInfo want = type_info(type);
      if (want.shape == Shape::number || want.shape == Shape::pointer)
        return read_as(v.cell, type);
      if (cell(v.cell).type.shape == Shape::number)
        return read(v.cell);
    }
    return v;
  }
  case CXCursor_InitListExpr: return eval_init_list(e);
  case CXCursor_CompoundLiteralExpr: {
    std::vector<CXCursor> o = operands(e);
    return o.empty() ? eval_by_tokens(e) : eval(o.back());
  }
  case CXCursor_LambdaExpr: {
    closures_[e] = Value::function(e, this_);
    capture(e);
    return closures_[e];
  }
  case CXCursor_CXXThisExpr: return this_ == k_no_cell ? eval_by_tokens(e) : Value::pointer(this_);
  case CXCursor_StmtExpr: {
    // ({ …; value; })
    std::vector<CXCursor> body = operands(e);
    if (body.empty())
      return Value::nothing();
    std::vector<CXCursor> list = children(body[0]);
    for (size_t i = 0; i + 1 < list.size(); ++i)
      exec(list[i]);
    return list.empty() || !is_expression(list.back()) ? Value::nothing() : eval(list.back());
  }
  case CXCursor_UnaryExpr: { // sizeof, alignof
    if (std::optional<Constant> c = evaluate(e))
      return Value::number(number(c->value, Type::i64));
    return Value::number(index_symbol(source_text(e)));
  }
  case CXCursor_CXXNewExpr: {
    Cell c;
    c.path = "(new)";
    c.local = true;
    return Value::pointer(new_cell(c));
  }
  case CXCursor_CXXDeleteExpr:
  case CXCursor_CXXThrowExpr: return Value::nothing();
  default: break;
  }
  if (std::optional<Value> v = eval_asm(e))
    return *v;
  std::vector<CXCursor> o = operands(e);
  if (o.size() == 1 && is_expression(o[0]))
    return eval(o[0]);
  return eval_by_tokens(e);
}

/// Something without a usable cursor: its tokens name it.
Value Interp::eval_by_tokens(CXCursor e) {
  if (std::optional<Constant> c = evaluate(e)) {
    TypeInfo t = type_info(clang_getCursorType(e));
    return Value::number(number(c->value, t.known ? t.type : c->integer ? Type::i32 : Type::f64));
  }
  std::vector<std::string> t = tokens(e, 40);
  if (t.size() == 1)
    if (std::optional<Constant> c = parse_literal(t[0]))
      return Value::number(number(c->value, c->integer ? Type::i32 : Type::f64));
  // The name of a variable whose type clang does not know: the reference is lost, the name is there.
  if (t.size() == 1)
    for (const auto& [decl, place] : variables_)
      if (clang_isInvalidDeclaration(decl) && spelling(decl) == t[0])
        return read(place);
  std::string text = source_text(e);
  TypeInfo info = type_info(clang_getCursorType(e));
  bool index = info.shape == Shape::number && info.known && is_integer(info.type);
  if (index || text.empty())
    return Value::number(index_symbol(text.empty() ? "?" : text));
  if (t.size() == 1)
    unresolved.insert(text); // a name whose declaration clang dropped: the tokens may tell
  Symbol s;
  s.name = text;
  s.type = info.type;
  s.known_type = info.known;
  s.call = text;
  auto [it, fresh] = index_symbols_.try_emplace("token " + text, k_no_node);
  if (fresh)
    it->second = symbol(std::move(s));
  return Value::number(it->second);
}

Value Interp::eval_unexposed(CXCursor e) {
  std::vector<CXCursor> o = operands(e);
  CXType type = clang_getCursorType(e);
  if (o.size() == 1) {
    CXType inner = clang_getCursorType(o[0]);
    CXType ic = clang_getCanonicalType(inner);
    TypeInfo want = type_info(type);
    if (ic.kind == CXType_ConstantArray || ic.kind == CXType_IncompleteArray || ic.kind == CXType_VariableArray ||
        ic.kind == CXType_DependentSizedArray) {
      if (kind_of(o[0]) == CXCursor_StringLiteral)
        return eval(o[0]);
      if (want.shape == Shape::pointer)
        return decay(lvalue(o[0]), inner);
    }
    Value v = eval(o[0]);
    TypeInfo source = type_info(inner);
    return want.shape == Shape::unknown ? v : cast_value(v, type, false, !(source.known && is_integer(source.type)));
  }
  if (o.size() > 1) {
    // A call that clang could not resolve keeps its callee and arguments as children.
    std::vector<std::string> t = tokens(e, 2);
    if (t.size() == 2 && t[1] == "(" && kind_of(o[0]) != CXCursor_LambdaExpr)
      return eval_call(e);
    Value last = Value::nothing();
    for (CXCursor c : o)
      if (is_expression(c))
        last = eval(c);
    return last;
  }
  return eval_by_tokens(e);
}

/// A global array subscripted by the value itself: a look-up table, known by the loop that fills it.
std::optional<Value> Interp::eval_table(CXCursor e) {
  std::vector<CXCursor> o = operands(e);
  if (o.size() != 2)
    return std::nullopt;
  CXCursor base = peel(o[0]);
  if (kind_of(base) != CXCursor_DeclRefExpr && kind_of(base) != CXCursor_MemberRefExpr)
    return std::nullopt;
  CXCursor decl = clang_getCursorReferenced(base);
  if (is_null(decl) || kind_of(decl) != CXCursor_VarDecl || is_function(kind_of(clang_getCursorSemanticParent(decl))))
    return std::nullopt;
  NodeId at = as_number(eval(o[1]));
  if (!depends_on_data(at))
    return std::nullopt;
  const formula::Expr* fill = around_.table(decl);
  if (!fill)
    return unknown_result("the table " + spelling(decl), clang_getCursorType(e), {Value::number(at)});
  TypeInfo t = type_info(clang_getCursorType(e));
  while (dag_[at].op == Op::cast && (is_integer(dag_[at].type) || dag_[at].type == Type::f16))
    at = dag_[at].a;
  // Halves read as words are the halves themselves.
  NodeId x = dag_[at].op == Op::parameter && is_integer(dag_[at].type) ? dag_.leaf(Op::parameter, Type::f16, dag_[at].value)
                                                                       : convert(at, Type::f16);
  NodeId value = splice(*fill, x, number(1, Type::f32));
  return Value::number(t.type == Type::f32 ? dag_.make(Op::f16_table, Type::f32, value)
                                           : dag_.make(Op::f16_table, Type::f16, value));
}

Value Interp::eval_reference(CXCursor e) {
  CXCursor decl = clang_getCursorReferenced(e);
  CXType type = clang_getCursorType(e);
  if (is_null(decl))
    return eval_by_tokens(e);
  switch (kind_of(decl)) {
  case CXCursor_EnumConstantDecl: {
    Value v = Value::number(number(static_cast<double>(clang_getEnumConstantDeclValue(decl)), Type::i32));
    v.text = spelling(decl);
    return v;
  }
  case CXCursor_VarDecl:
  case CXCursor_ParmDecl:
  case CXCursor_FieldDecl: {
    CXType dt = clang_getCanonicalType(clang_getCursorType(decl));
    if (dt.kind == CXType_ConstantArray || dt.kind == CXType_IncompleteArray)
      if (kind_of(decl) == CXCursor_VarDecl)
        return Value::pointer(variable(decl), number(0, Type::i64));
    return read_as(variable(decl), type);
  }
  case CXCursor_NonTypeTemplateParameter:
    if (auto it = variables_.find(decl); it != variables_.end())
      return read(it->second);
    if (std::optional<Constant> c = evaluate(e))
      return Value::number(number(c->value, Type::i32));
    if (type_info(type).shape == Shape::function) {
      Value v = Value::function(clang_getNullCursor());
      v.text = k_function_value + spelling(decl);
      return v;
    }
    return Value::number(index_symbol(spelling(decl)));
  default: break;
  }
  if (is_function(kind_of(decl)) || kind_of(decl) == CXCursor_OverloadedDeclRef) {
    Value v = Value::function(decl);
    v.text = spelling(decl);
    if (kind_of(decl) == CXCursor_OverloadedDeclRef)
      for (CXCursor c : children(e))
        if (kind_of(c) == CXCursor_OverloadedDeclRef) {
          v.text = spelling(c);
          v.cursor = clang_getNullCursor();
          // A template named with its arguments: the first pattern that has a body.
          for (unsigned i = 0, n = clang_getNumOverloadedDecls(c); i < n && is_null(v.cursor); ++i)
            v.cursor = definition_of(clang_getOverloadedDecl(c, i));
          if (!is_null(v.cursor))
            bind_template_arguments(e, v.cursor);
        }
    return v;
  }
  return eval_by_tokens(e);
}

Value Interp::eval_member(CXCursor e) {
  CXCursor decl = clang_getCursorReferenced(e);
  if (!is_null(decl)) {
    if (kind_of(decl) == CXCursor_VarDecl || kind_of(decl) == CXCursor_EnumConstantDecl)
      return eval_reference(e);
    if (is_function(kind_of(decl))) {
      std::vector<CXCursor> o = operands(e);
      Value v = Value::function(decl, o.empty() ? this_ : lvalue(o[0]));
      v.text = spelling(decl);
      return v;
    }
  }
  CellId c = lvalue(e);
  CXType type = clang_getCursorType(e);
  CXType ct = clang_getCanonicalType(type);
  if (ct.kind == CXType_ConstantArray || ct.kind == CXType_IncompleteArray)
    return Value::pointer(c, number(0, Type::i64));
  return read_as(c, type);
}

Value Interp::eval_init_list(CXCursor e) {
  CXType type = clang_getCursorType(e);
  TypeInfo info = type_info(type);
  std::vector<CXCursor> o = operands(e);
  if (info.shape == Shape::number || info.shape == Shape::unknown) {
    if (o.empty())
      return Value::number(number(0, info.known ? info.type : Type::i32));
    if (info.lanes && info.known && info.bytes > 0)
      return lane_list(o, type);
    if (o.size() == 1 || info.lanes)
      return cast_value(eval(o[0]), type);
  }
  Cell c;
  c.path = "{}";
  c.type = info;
  c.local = true;
  CellId id = new_cell(c);
  std::vector<CXCursor> fields;
  if (info.shape == Shape::record)
    for (CXCursor f : children(clang_getTypeDeclaration(clang_getCanonicalType(type))))
      if (kind_of(f) == CXCursor_FieldDecl)
        fields.push_back(f);
  for (size_t i = 0; i < o.size() && i < 4096; ++i) {
    Value v = eval(o[i]);
    CXType part_type = clang_getCursorType(o[i]);
    CellId part;
    if (info.shape == Shape::record && i < fields.size()) {
      part_type = clang_getCursorType(fields[i]);
      bool is_union = kind_of(clang_getTypeDeclaration(clang_getCanonicalType(type))) == CXCursor_UnionDecl;
      part = child(id, is_union ? ".(union)" : "." + spelling(fields[i]), part_type);
    } else {
      part = element(id, number(static_cast<double>(i), Type::i64), type_info(part_type));
    }
    if (v.kind == Value::Kind::object)
      copy_object(v.cell, part);
    else
      store_.put(part, v, ++sequence_);
  }
  return Value::object(id);
}

Value Interp::eval_conditional(CXCursor e) {
  std::vector<CXCursor> o = operands(e);
  if (o.size() < 3)
    return o.size() == 2 ? eval(o[1]) : eval_by_tokens(e);
  NodeId c = truth(eval(o[0]));
  if (std::optional<double> k = constant_of(c))
    return eval(*k != 0 ? o[1] : o[2]);
  conditions_.emplace(c, Condition{o[0], {}});
  Store::Mark mark = store_.branch();
  Value a = eval(o[1]);
  Store::Changes after_a = store_.undo(mark);
  mark = store_.branch();
  Value b = eval(o[2]);
  Store::Changes after_b = store_.undo(mark);
  merge(c, after_a, after_b);
  CXType type = clang_getCursorType(e);
  Value v = merge_values(c, a, b);
  return type_info(type).shape == Shape::number ? cast_value(v, type) : v;
}

} // namespace gelint::scan::lower
