// A call in the code: what is called, and with which values. The bodies are entered in lower_invoke.cc.

#include "scan/lower_callee.h"
#include "scan/lower_interp.h"

namespace gelint::scan::lower {

Value Interp::eval_call(CXCursor e) {
  CXCursor decl = clang_getCursorReferenced(e);
  CXType type = clang_getCursorType(e);
  std::vector<CXCursor> kids = children(e);
  std::vector<CXCursor> args;
  int n = clang_Cursor_getNumArguments(e);
  for (int i = 0; i < n; ++i)
    args.push_back(clang_Cursor_getArgument(e, static_cast<unsigned>(i)));
  // The callee is the first child with a value, except in constructions.
  CXCursor callee = clang_getNullCursor();
  for (CXCursor k : kids)
    if (!is_reference(kind_of(k)) && !(kind_of(k) == CXCursor_CallExpr && spelling(k) == "__cudaPushCallConfiguration")) {
      callee = k;
      break;
    }
  if (kind_of(e) != CXCursor_CallExpr) {
    std::vector<CXCursor> o = operands(e);
    args.assign(o.begin() + 1, o.end());
  }
  std::string name = spelling(e);
  if (!is_null(decl) && kind_of(decl) == CXCursor_Constructor)
    return construct(e, type, args);
  bool leading_type = !kids.empty() && (kind_of(kids[0]) == CXCursor_TypeRef || kind_of(kids[0]) == CXCursor_TemplateRef ||
                                        kind_of(kids[0]) == CXCursor_NamespaceRef);
  if (is_null(decl) && name.empty() && leading_type) {
    if (args.empty())
      args = operands(e);
    CXCursor owner = constructed_class(kids);
    CXCursorKind ok = is_null(owner) ? CXCursor_NoDeclFound : kind_of(owner);
    if (args.empty() && (ok == CXCursor_ClassTemplate || ok == CXCursor_StructDecl || ok == CXCursor_ClassDecl)) {
      Cell c;
      c.path = spelling(owner);
      c.type.shape = Shape::record;
      c.decl = owner;
      c.local = true;
      return Value::object(new_cell(c));
    }
    return construct(e, type, args); // T(x) in a template
  }
  if (name.empty() && is_null(decl))
    name = dependent_operator(kids);
  if (operator_name(name)) {
    CXCursor peeled = is_null(callee) ? callee : peel(callee);
    // In a.x * b the first child is an operand, not the callee.
    bool explicit_call =
        !is_null(peeled) && kind_of(peeled) == CXCursor_MemberRefExpr && operator_name(spelling(peeled));
    if (explicit_call) { // x.operator()(y)
      std::vector<CXCursor> o = operands(peeled);
      args.insert(args.begin(), o.empty() ? peeled : o[0]);
    }
    return eval_operator_call(e, decl, name, args);
  }

  CXCursor peeled = is_null(callee) ? callee : peel(callee);
  // Methods.
  if (!is_null(peeled) && kind_of(peeled) == CXCursor_MemberRefExpr) {
    CXCursor method = clang_getCursorReferenced(peeled);
    std::vector<CXCursor> o = operands(peeled);
    std::string method_name = !is_null(method) ? spelling(method) : spelling(peeled);
    if (method_name.empty())
      method_name = callee_text(e);
    if (!is_null(method) && kind_of(method) == CXCursor_FieldDecl) {
      std::vector<Value> values; // a callable member
      for (CXCursor a : args)
        values.push_back(eval(a));
      return call_value(eval_member(peeled), std::move(values), e);
    }
    CellId receiver = this_;
    std::vector<Value> values;
    if (!o.empty()) {
      bool arrow = type_info(clang_getCursorType(o[0])).shape == Shape::pointer;
      Value base = arrow ? eval(o[0]) : Value::object(lvalue(o[0]));
      receiver = base.kind == Value::Kind::pointer ? target(base, TypeInfo{}) : base.cell;
    }
    if (receiver == k_no_cell)
      receiver = new_cell({k_no_cell, "", "this", {Shape::record, Type::f32, false, false, false, false, 0}, -1, false, false,
                           clang_getNullCursor()});
    if (!is_null(method) && kind_of(method) == CXCursor_ConversionFunction && args.empty()) {
      CXCursor def = definition_of(method);
      TypeInfo to = type_info(type);
      if (is_null(def) || in_system_header(def) || to.shape != Shape::number)
        return cast_value(Value::object(receiver), type);
      return call_definition(def, receiver, {}, e);
    }
    // One-line accessors of containers and smart pointers.
    static const std::set<std::string> pointers{"data",  "begin", "cbegin", "get", "data_ptr", "mutable_data",
                                                "const_data_ptr", "mutable_data_ptr", "get_pointer", "data_as"};
    CXCursor def = is_null(method) ? method : definition_of(method);
    bool user_body = !is_null(def) && !in_system_header(def);
    int given = 1;
    for (CXCursor a : args)
      given += !default_argument(a);
    OpModels::Match model = embedded_op_models().find(method_name, given, true);
    if (!user_body && !model.model && pointers.count(method_name))
      return Value::pointer(child(receiver, "*", TypeInfo{}), number(0, Type::i64));
    if (!user_body && (method_name == "at" || method_name == "front" || method_name == "value")) {
      NodeId at = args.empty() ? number(0, Type::i64) : as_number(eval(args[0]));
      return Value::object(element(child(receiver, "*", TypeInfo{}), at, type_info(type)));
    }
    if (user_body) {
      std::vector<CXCursor> params = parameters_of(def);
      for (size_t i = 0; i < args.size(); ++i) {
        CXTypeKind pk = i < params.size() ? clang_getCursorType(params[i]).kind : CXType_Invalid;
        bool ref = pk == CXType_LValueReference || pk == CXType_RValueReference;
        values.push_back(default_argument(args[i]) ? Value{} : ref ? Value::object(lvalue(args[i])) : eval(args[i]));
      }
      if (Value to = virtual_target(peeled, method, def, receiver); to.kind == Value::Kind::choice)
        return call_value(to, std::move(values), e);
      return call_definition(def, receiver, std::move(values), e);
    }
    if (model.model && !model.qualified && namesake_of_library(method, type))
      model = {};
    values.push_back(Value::object(receiver));
    for (CXCursor a : args)
      values.push_back(default_argument(a) ? Value{} : eval(a));
    if (model.model)
      if (std::optional<Value> v = apply_model(model, method_name, values, e))
        return *v;
    if (!is_null(method)) {
      std::vector<Value> plain(values.begin() + 1, values.end());
      if (std::optional<Value> v = call_summary(method, qualified_name(method), plain))
        return *v;
    }
    std::vector<CXCursor> params = is_null(method) ? std::vector<CXCursor>{} : parameters_of(method);
    for (size_t i = 0; i < args.size() && i < params.size(); ++i) {
      CXType p = clang_getCursorType(params[i]);
      if (p.kind == CXType_LValueReference && !clang_isConstQualifiedType(clang_getPointeeType(p)) && kind_of(args[i]) == CXCursor_DeclRefExpr)
        values[i + 1] = Value::object(lvalue(args[i]));
    }
    return call_unknown(is_null(method) ? method_name : qualified_name(method), method, values, e);
  }

  std::string qualified = !is_null(decl) && is_function(kind_of(decl)) ? qualified_name(decl) : "";
  if (qualified.empty() && !is_null(peeled))
    qualified = callee_in_tree(peeled);
  if (qualified.empty())
    qualified = callee_text(e);
  if (std::optional<Value> v = call_builtin(qualified, args, e))
    return *v;
  // Calls through variables, members of function type, lambdas called in place.
  bool through_value = is_null(decl) ? !is_null(peeled) && kind_of(peeled) == CXCursor_LambdaExpr
                                     : !is_function(kind_of(decl));
  if (!is_null(decl) && kind_of(decl) == CXCursor_OverloadedDeclRef)
    through_value = false;
  if (through_value && !is_null(callee)) {
    Value f = eval(callee);
    std::vector<Value> values;
    for (CXCursor a : args)
      values.push_back(eval(a));
    if (f.kind == Value::Kind::pointer)
      f = read(target(f, TypeInfo{}));
    return call_value(f, std::move(values), e);
  }

  CXCursor def = is_null(decl) || !is_function(kind_of(decl)) ? clang_getNullCursor() : definition_of(decl);
  int given = 0;
  for (CXCursor a : args)
    given += !default_argument(a);
  OpModels::Match model = embedded_op_models().find(qualified, given, false);
  bool user_body = !is_null(def) && !in_system_header(def);
  if (model.model && !model.qualified && is_null(def) && namesake_of_library(decl, type))
    model = {};
  if (is_null(def) && !is_null(peeled)) {
    def = candidate_of(peeled, args.size());
    user_body = !is_null(def);
  }
  bool resolved = !is_null(decl) && is_function(kind_of(decl));
  Value specialised;
  if (!is_null(peeled) && !resolved && !model.model && (is_null(def) || kind_of(def) == CXCursor_FunctionTemplate))
    specialised = specialisation(peeled, qualified, args.size());
  if (!resolved && model.model && !model.qualified && is_null(def))
    specialised = found_by_argument(e, qualified, args.size());
  if (specialised.kind == Value::Kind::function) {
    def = specialised.cursor;
    user_body = true;
  } else if (specialised.kind == Value::Kind::choice) {
    def = clang_getNullCursor();
  } else if (is_null(def) && !model.model && !resolved) {
    // A name in dependent or broken code.
    for (CXCursor candidate : around_.named(last_name(qualified)))
      if (parameters_of(candidate).size() == args.size() && ends_with_name(qualified_name(candidate), qualified)) {
        def = candidate;
        user_body = true;
        break;
      }
  }
  if (!is_null(def) && !is_null(peeled))
    bind_template_arguments(peeled, def);
  std::vector<CXCursor> params;
  if (!is_null(def))
    params = parameters_of(def);
  else if (!is_null(decl))
    params = parameters_of(decl);
  std::vector<Value> values;
  bool modelled = model.model && (model.qualified || !user_body) && specialised.kind != Value::Kind::choice;
  for (size_t i = 0; i < args.size(); ++i) {
    CXTypeKind pk = i < params.size() ? clang_getCursorType(params[i]).kind : CXType_Invalid;
    bool ref = !modelled && (pk == CXType_LValueReference || pk == CXType_RValueReference);
    values.push_back(default_argument(args[i]) ? Value{} : ref ? Value::object(lvalue(args[i])) : eval(args[i]));
  }
  if (depth_ == 0)
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i].is_number())
        note_trace(values[i].node, args[i], "", args[i]);
  if (modelled)
    if (std::optional<Value> v = apply_model(model, qualified, values, e))
      return *v;
  if (specialised.kind == Value::Kind::choice)
    return call_value(specialised, std::move(values), e);
  if (!user_body)
    if (std::optional<Value> v = call_algorithm(last_name(qualified), values, e))
      return *v;
  if (!is_null(def)) {
    Value out = call_definition(def, k_no_cell, values, e);
    run_unused(values); // a loop over threads whose body could not be read
    return out;
  }
  if (std::optional<Value> v = call_summary(decl, qualified, values))
    return *v;
  return call_unknown(qualified, decl, values, e);
}

/// f<op_gelu, T>: the explicit arguments become the values of the pattern's parameters, for as long as no other call
/// of it says otherwise. Only needed where the body that is run is the pattern.
void Interp::bind_template_arguments(CXCursor callee, CXCursor def) {
  // Names written in an instantiated body still refer to the pattern's parameters.
  if (kind_of(def) != CXCursor_FunctionTemplate)
    def = clang_getSpecializedCursorTemplate(def);
  if (is_null(def) || kind_of(def) != CXCursor_FunctionTemplate)
    return;
  std::vector<CXCursor> arguments;
  for (CXCursor c : children(callee)) {
    CXCursorKind k = kind_of(c);
    if (k != CXCursor_NamespaceRef && k != CXCursor_OverloadedDeclRef)
      arguments.push_back(c);
  }
  size_t i = 0;
  for (CXCursor p : children(def)) {
    CXCursorKind k = kind_of(p);
    if (k != CXCursor_NonTypeTemplateParameter && k != CXCursor_TemplateTypeParameter &&
        k != CXCursor_TemplateTemplateParameter)
      continue;
    if (i >= arguments.size())
      return;
    CXCursor a = arguments[i++];
    if (k != CXCursor_NonTypeTemplateParameter || !is_expression(a))
      continue;
    Value v = eval(a);
    variables_[p] = temporary(v, clang_getCursorType(p));
  }
}

Value Interp::construct(CXCursor e, CXType type, const std::vector<CXCursor>& args) {
  TypeInfo info = type_info(type);
  if (info.shape == Shape::number || (info.shape == Shape::unknown && args.size() <= 1)) {
    if (args.empty())
      return Value::number(number(0, info.known ? info.type : Type::weak));
    Value v = eval(args[0]);
    return info.shape == Shape::number ? cast_value(v, type) : v;
  }
  CXCursor ctor = clang_getCursorReferenced(e);
  CXCursor def = is_null(ctor) ? ctor : definition_of(ctor);
  if (!is_null(ctor)) {
    int given = 0;
    for (CXCursor a : args)
      given += !default_argument(a);
    std::string name = qualified_name(ctor);
    OpModels::Match m = embedded_op_models().find(name, given, false);
    if (m.model && m.qualified) {
      std::vector<Value> values;
      for (CXCursor a : args)
        values.push_back(default_argument(a) ? Value{} : eval(a));
      if (std::optional<Value> v = apply_model(m, name, values, e))
        return *v;
    }
  }
  if (args.size() == 1) {
    // Copies, conversions to a tensor, wrapping in std::function.
    CXCursor from_decl = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(args[0])));
    CXCursor to_decl = clang_getTypeDeclaration(clang_getCanonicalType(type));
    if (is_null(def) || in_system_header(def) || clang_equalCursors(from_decl, to_decl)) {
      Value v = eval(args[0]);
      return v.view && !clang_equalCursors(from_decl, to_decl) ? read(v.cell) : v; // what is made of a view is a copy
    }
  }
  Cell c;
  c.path = record_name(type);
  c.type = info;
  c.decl = clang_getTypeDeclaration(clang_getCanonicalType(type));
  c.local = true;
  CellId id = new_cell(c);
  if (!is_null(def) && !in_system_header(def)) {
    std::vector<CXCursor> params = parameters_of(def);
    std::vector<Value> values;
    for (size_t i = 0; i < args.size(); ++i) {
      CXTypeKind pk = i < params.size() ? clang_getCursorType(params[i]).kind : CXType_Invalid;
      bool ref = pk == CXType_LValueReference || pk == CXType_RValueReference;
      values.push_back(default_argument(args[i]) ? Value{} : ref ? Value::object(lvalue(args[i])) : eval(args[i]));
    }
    call_definition(def, id, values, e);
    // A class that keeps its number where it cannot be seen: a tensor made of a scalar.
    bool scalar = !values.empty() && values[0].is_number() && type_info(clang_getCursorType(args[0])).shape == Shape::number;
    for (size_t i = 1; i < args.size(); ++i)
      scalar = scalar && default_argument(args[i]);
    if (scalar && !last_stored_below(id))
      return values[0];
  } else if (args.size() > 1) {
    for (CXCursor a : args)
      eval(a);
  }
  return Value::object(id);
}

} // namespace gelint::scan::lower
