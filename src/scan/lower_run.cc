// The outermost runs: a function, a lambda, a call, an expression.

#include "scan/lower_interp.h"

#include <algorithm>

namespace gelint::scan::lower {

Value Interp::run(CXCursor def, const std::vector<std::optional<Value>>& arguments) {
  stack_.push_back(def);
  result_ = Value::nothing();
  result_type_ = clang_getCursorResultType(def);
  CXCursorKind k = kind_of(def);
  if (k == CXCursor_CXXMethod || k == CXCursor_ConversionFunction || k == CXCursor_FunctionTemplate) {
    CXCursorKind owner = kind_of(clang_getCursorSemanticParent(def));
    if (owner == CXCursor_ClassDecl || owner == CXCursor_StructDecl || owner == CXCursor_ClassTemplate ||
        owner == CXCursor_ClassTemplatePartialSpecialization) {
      Cell c;
      c.path = "this";
      c.type.shape = Shape::record;
      this_ = new_cell(c);
    }
  }
  std::vector<CXCursor> params = parameters_of(def);
  for (size_t i = 0; i < params.size(); ++i) {
    CXType type = clang_getCursorType(params[i]);
    Cell c;
    c.path = spelling(params[i]);
    if (!clang_isInvalidDeclaration(params[i])) // of a type that is declared nowhere clang makes int
      c.type = type_info(type);
    c.param = static_cast<int>(i);
    c.decl = params[i];
    CellId id = new_cell(c);
    variables_[params[i]] = id;
    if (i < arguments.size() && arguments[i])
      store_.put(id, *arguments[i], ++sequence_);
  }
  CXCursor body = body_of(def);
  if (!is_null(body))
    exec(body);
  return result_;
}

Value Interp::run_lambda(CXCursor lambda) {
  stack_.push_back(lambda);
  result_ = Value::nothing();
  CXCursor body = clang_getNullCursor();
  int i = 0;
  for (CXCursor c : children(lambda)) {
    if (kind_of(c) == CXCursor_CompoundStmt) {
      body = c;
    } else if (kind_of(c) == CXCursor_ParmDecl) {
      Cell cell;
      cell.path = spelling(c);
      cell.type = type_info(clang_getCursorType(c));
      cell.param = i++;
      cell.decl = c;
      variables_[c] = new_cell(cell);
    }
  }
  if (!is_null(body))
    exec(body);
  return result_;
}

Value Interp::run_expression(CXCursor e) { return eval(e); }

Value Interp::run_call(CXCursor call) { return eval(call); }

Value Interp::run_functor(const Value& object) {
  CXCursor owner = cell(object.cell).decl;
  for (int pass = 0; pass < 2 && !is_null(owner); ++pass) {
    for (CXCursor m : children(owner))
      if ((kind_of(m) == CXCursor_CXXMethod || kind_of(m) == CXCursor_FunctionTemplate) && spelling(m) == "operator()")
        if (CXCursor def = definition_of(m); !is_null(def))
          return run_method(object, def);
    owner = clang_getSpecializedCursorTemplate(owner);
  }
  return Value::nothing();
}

Value Interp::run_method(const Value& object, CXCursor def) { return call_definition(def, object.cell, {}, def); }

Value Interp::run_declared_object(CXCursor decl) {
  if (is_expression(decl))
    return eval(decl);
  for (CXCursor c : children(decl))
    if (is_expression(c))
      return eval(c);
  CXType type = clang_getCursorType(decl);
  return run_constructor(clang_getTypeDeclaration(clang_getCanonicalType(type)), {}, decl);
}

Value Interp::run_constructor(CXCursor owner, const std::vector<CXCursor>& arguments, CXCursor at) {
  auto default_of = [](CXCursor parameter) {
    for (CXCursor k : children(parameter))
      if (is_expression(k))
        return k;
    return clang_getNullCursor();
  };
  for (CXCursor m : children(owner)) {
    if (kind_of(m) != CXCursor_Constructor || is_null(definition_of(m)))
      continue;
    std::vector<CXCursor> params = parameters_of(m); // of the declaration: it has the defaults
    if (params.size() < arguments.size() ||
        std::any_of(params.begin() + static_cast<long>(arguments.size()), params.end(), [&](CXCursor p) { return is_null(default_of(p)); }))
      continue;
    CXType type = clang_getCursorType(owner);
    Cell c;
    c.path = record_name(type);
    c.type = type_info(type);
    c.decl = owner;
    c.local = true;
    CellId id = new_cell(c);
    std::vector<Value> values;
    for (size_t i = 0; i < params.size(); ++i)
      values.push_back(eval(i < arguments.size() ? arguments[i] : default_of(params[i])));
    call_definition(definition_of(m), id, std::move(values), at);
    return Value::object(id);
  }
  return Value::nothing();
}

} // namespace gelint::scan::lower
