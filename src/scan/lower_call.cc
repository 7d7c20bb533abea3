// Calls: to bodies, to models, to summaries from other units, to nothing known.

#include "scan/lower_interp.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelint::scan::lower {

namespace {

/// The callee as written in front of the parenthesis, without template arguments: "hn::Mul", "V::erf".
std::string callee_text(CXCursor e) {
  std::string out;
  int angle = 0;
  for (const std::string& t : tokens(e, 60)) {
    if (t == "(" || t == "{")
      break;
    if (t == "<") {
      ++angle;
      continue;
    }
    if (t == ">" || t == ">>") {
      angle -= static_cast<int>(t.size());
      continue;
    }
    if (angle > 0)
      continue;
    if (t == "." || t == "->" || t == "template") {
      out.clear(); // the method's name is what remains
      continue;
    }
    out += t;
  }
  return out;
}

/// The same from the tree, which also sees what a macro brought in; empty when it has no name.
std::string callee_in_tree(CXCursor callee) {
  if (kind_of(callee) != CXCursor_OverloadedDeclRef && kind_of(callee) != CXCursor_DeclRefExpr)
    return "";
  std::string out, name = spelling(callee);
  for (CXCursor c : children(callee)) {
    if (kind_of(c) == CXCursor_NamespaceRef)
      out += spelling(c) + "::";
    if (kind_of(c) == CXCursor_OverloadedDeclRef)
      name = spelling(c);
  }
  return name.empty() ? "" : out + name;
}

bool operator_name(const std::string& name) {
  return name.rfind("operator", 0) == 0 && name.size() > 8 && !std::isalnum(static_cast<unsigned char>(name[8])) &&
         name[8] != '_';
}

/// a * b on a dependent operand, where some operator* is in sight: clang makes it a nameless call whose children, in
/// the order of the text, are the operands and the set of those operators. Empty for other calls.
std::string dependent_operator(const std::vector<CXCursor>& kids) {
  for (CXCursor k : kids)
    if (std::string name = callee_in_tree(k); operator_name(name))
      return name;
  return "";
}

/// The one candidate of an unresolved call that has a body and takes as many arguments.
CXCursor candidate_of(CXCursor callee, size_t arguments) {
  CXCursor set = callee;
  for (CXCursor c : children(callee))
    if (kind_of(c) == CXCursor_OverloadedDeclRef)
      set = c;
  if (kind_of(set) != CXCursor_OverloadedDeclRef)
    return clang_getNullCursor();
  for (unsigned i = 0, n = clang_getNumOverloadedDecls(set); i < n; ++i) {
    CXCursor def = definition_of(clang_getOverloadedDecl(set, i));
    if (!is_null(def) && !in_system_header(def) && parameters_of(def).size() == arguments)
      return def;
  }
  return clang_getNullCursor();
}

/// T(…) and C<T>() in dependent code name the class by a reference among their children.
CXCursor constructed_class(const std::vector<CXCursor>& kids) {
  CXCursor found = clang_getNullCursor();
  for (CXCursor k : kids) {
    if (kind_of(k) == CXCursor_TemplateRef)
      return clang_getCursorReferenced(k);
    if (kind_of(k) == CXCursor_TypeRef && is_null(found))
      found = clang_getCursorReferenced(k);
  }
  return found;
}

bool default_argument(CXCursor arg) {
  CXCursorKind k = kind_of(arg);
  return is_null(arg) || clang_isInvalid(k) || (k == CXCursor_UnexposedExpr && operands(arg).empty() && !evaluate(arg));
}

bool ends_with_name(const std::string& name, const std::string& tail) {
  return name.ends_with(tail) && (name.size() == tail.size() || name[name.size() - tail.size() - 1] == ':');
}

std::string last_name(const std::string& name) {
  size_t c = name.rfind("::");
  return c == std::string::npos ? name : name.substr(c + 2);
}

} // namespace

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
      receiver = new_cell({k_no_cell, "", "this", {Shape::record, Type::f32, false, false, false, false}, -1, false, false,
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
      Value v = call_definition(def, receiver, std::move(values), e);
      return v;
    }
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
  if (is_null(def) && !is_null(peeled)) {
    def = candidate_of(peeled, args.size());
    user_body = !is_null(def);
  }
  bool resolved = !is_null(decl) && is_function(kind_of(decl));
  if (is_null(def) && !model.model && !resolved) {
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
  bool modelled = model.model && (model.qualified || !user_body);
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
  if (!user_body)
    if (std::optional<Value> v = call_algorithm(last_name(qualified), values, e))
      return *v;
  if (!is_null(def)) {
    Value out = call_definition(def, k_no_cell, values, e);
    run_unused(values, e); // a loop over threads whose body could not be read
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

/// Functions that were handed over and never called are run once, for what they store. One that returns a value is
/// a formula of its own, not a loop body.
void Interp::run_unused(const std::vector<Value>& args, CXCursor at) {
  for (const Value& v : args) {
    Value f = v;
    if (v.kind == Value::Kind::object)
      if (std::optional<Value> inner = stored(v.cell); inner && inner->kind == Value::Kind::function)
        f = *inner;
    if (f.kind != Value::Kind::function || is_null(f.cursor) || kind_of(f.cursor) != CXCursor_LambdaExpr ||
        invoked_.count(f.cursor))
      continue;
    Store::Mark before = store_.branch();
    Value result = callback(f, 0, at);
    if (result.kind != Value::Kind::nothing && result.kind != Value::Kind::undef)
      store_.undo(before);
    else
      store_.keep(before);
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
    if (is_null(def) || in_system_header(def) || clang_equalCursors(from_decl, to_decl))
      return eval(args[0]);
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

Interp::Frame Interp::enter_frame(CXCursor callee) {
  stack_.push_back(callee);
  ++depth_;
  return {returned_, left_, result_, result_type_, this_};
}

Value Interp::leave_frame(Frame caller) {
  Value out = std::move(result_);
  result_ = std::move(caller.result);
  result_type_ = caller.result_type;
  returned_ = caller.returned;
  jumped_ = false;
  left_ = caller.left;
  this_ = caller.self;
  --depth_;
  stack_.pop_back();
  return out;
}

Value Interp::call_definition(CXCursor def, CellId receiver, std::vector<Value> args, CXCursor at) {
  std::string name = qualified_name(def);
  bool recursive = std::any_of(stack_.begin(), stack_.end(), [&](CXCursor c) { return clang_equalCursors(c, def) != 0; });
  if (recursive || depth_ >= options_.max_depth) {
    if (receiver != k_no_cell)
      args.insert(args.begin(), Value::object(receiver));
    return call_unknown(name, def, args, at);
  }
  if (std::find(callees.begin(), callees.end(), name) == callees.end() && !in_system_header(def) && callees.size() < 64)
    callees.push_back(name);
  Frame caller = enter_frame(def);
  left_ = guard();
  returned_ = k_false_;
  result_ = Value::nothing();
  result_type_ = clang_getCursorResultType(def);
  if (receiver != k_no_cell)
    this_ = receiver;
  std::vector<CXCursor> params = parameters_of(def);
  for (size_t i = 0; i < params.size(); ++i) {
    CXType pt = clang_getCursorType(params[i]);
    bool ref = pt.kind == CXType_LValueReference || pt.kind == CXType_RValueReference;
    Value v;
    bool given = i < args.size() && args[i].kind != Value::Kind::undef;
    if (given) {
      v = args[i];
    } else {
      CXCursor init = clang_getNullCursor();
      for (CXCursor c : children(params[i]))
        if (is_expression(c))
          init = c;
      if (!is_null(init))
        v = eval(init);
    }
    if (ref && v.kind == Value::Kind::object) {
      variables_[params[i]] = v.cell;
      continue;
    }
    Cell c;
    c.path = spelling(params[i]);
    c.type = type_info(pt);
    c.decl = params[i];
    c.local = given;
    CellId id = new_cell(c);
    variables_[params[i]] = id;
    if (v.kind == Value::Kind::object && c.type.shape == Shape::number)
      v = cast_value(Value::number(as_number(v)), pt);
    if (v.kind == Value::Kind::object)
      copy_object(v.cell, id);
    else if (v.kind != Value::Kind::undef)
      store_.put(id, c.type.shape == Shape::number ? cast_value(v, pt) : v, ++sequence_);
  }
  if (kind_of(def) == CXCursor_Constructor) {
    std::vector<CXCursor> kids = children(def);
    for (size_t i = 0; i + 1 < kids.size(); ++i)
      if (kind_of(kids[i]) == CXCursor_MemberRef && is_expression(kids[i + 1])) {
        CXCursor field = clang_getCursorReferenced(kids[i]);
        CXType ft = clang_getCursorType(field);
        CellId place = child(this_, "." + spelling(kids[i]), ft);
        Value v = eval(kids[i + 1]);
        if (v.kind == Value::Kind::object)
          copy_object(v.cell, place);
        else
          store_.put(place, type_info(ft).shape == Shape::number ? cast_value(v, ft) : v, ++sequence_);
      }
  }
  CXCursor body = body_of(def);
  if (!is_null(body))
    exec(body);
  return leave_frame(std::move(caller));
}

Value Interp::call_lambda(CXCursor lambda, std::vector<Value> args) {
  bool recursive =
      std::any_of(stack_.begin(), stack_.end(), [&](CXCursor c) { return clang_equalCursors(c, lambda) != 0; });
  if (recursive || depth_ >= options_.max_depth)
    return Value::nothing();
  CXCursor body = clang_getNullCursor();
  std::vector<CXCursor> params;
  for (CXCursor c : children(lambda)) {
    if (kind_of(c) == CXCursor_CompoundStmt)
      body = c;
    else if (kind_of(c) == CXCursor_ParmDecl)
      params.push_back(c);
  }
  if (is_null(body))
    return Value::nothing();
  invoked_[lambda] = true;
  Frame caller = enter_frame(lambda);
  if (auto it = closures_.find(lambda); it != closures_.end() && it->second.cell != k_no_cell)
    this_ = it->second.cell;
  left_ = guard();
  returned_ = k_false_;
  result_ = Value::nothing();
  result_type_ = CXType{};
  for (size_t i = 0; i < params.size(); ++i) {
    CXType pt = clang_getCursorType(params[i]);
    Value v = i < args.size() ? args[i] : Value{};
    bool ref = pt.kind == CXType_LValueReference || pt.kind == CXType_RValueReference;
    if (ref && v.kind == Value::Kind::object) {
      variables_[params[i]] = v.cell;
      continue;
    }
    Cell c;
    c.path = spelling(params[i]);
    c.type = type_info(pt);
    c.decl = params[i];
    CellId id = new_cell(c);
    variables_[params[i]] = id;
    if (v.kind == Value::Kind::object)
      copy_object(v.cell, id);
    else if (v.kind != Value::Kind::undef)
      store_.put(id, c.type.shape == Shape::number ? cast_value(v, pt) : v, ++sequence_);
  }
  exec(body);
  return leave_frame(std::move(caller));
}

Value Interp::call_value(const Value& f, std::vector<Value> args, CXCursor at) {
  if (f.kind == Value::Kind::choice) {
    Store::Mark mark = store_.branch();
    Value a = call_value(*f.a, args, at);
    Store::Changes after_a = store_.undo(mark);
    mark = store_.branch();
    Value b = call_value(*f.b, args, at);
    Store::Changes after_b = store_.undo(mark);
    merge(f.node, after_a, after_b);
    return merge_values(f.node, a, b);
  }
  if (f.kind == Value::Kind::object) {
    // A functor: its class has operator().
    CXCursor owner = cell(f.cell).decl;
    if (std::optional<Value> inner = stored(f.cell); inner && inner->kind == Value::Kind::function)
      return call_value(*inner, std::move(args), at);
    if (!is_null(owner) && (kind_of(owner) == CXCursor_VarDecl || kind_of(owner) == CXCursor_ParmDecl))
      owner = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(owner)));
    for (int pass = 0; pass < 2 && !is_null(owner); ++pass) {
      for (CXCursor m : children(owner))
        if ((kind_of(m) == CXCursor_CXXMethod || kind_of(m) == CXCursor_FunctionTemplate) &&
            spelling(m) == "operator()" && parameters_of(m).size() == args.size()) {
          CXCursor def = definition_of(m);
          if (!is_null(def))
            return call_definition(def, f.cell, std::move(args), at);
        }
      owner = clang_getSpecializedCursorTemplate(owner);
    }
    return call_unknown(cell(f.cell).path, clang_getNullCursor(), args, at);
  }
  if (f.kind != Value::Kind::function)
    return call_unknown("a function value", clang_getNullCursor(), args, at);
  if (!is_null(f.cursor) && kind_of(f.cursor) == CXCursor_LambdaExpr)
    return call_lambda(f.cursor, std::move(args));
  std::string name = is_null(f.cursor) ? f.text : qualified_name(f.cursor);
  CXCursor def = is_null(f.cursor) ? f.cursor : definition_of(f.cursor);
  OpModels::Match m = embedded_op_models().find(name, static_cast<int>(args.size()), false);
  if (m.model && (m.qualified || is_null(def)))
    if (std::optional<Value> v = apply_model(m, name, args, at))
      return *v;
  if (is_null(def))
    for (CXCursor candidate : around_.named(last_name(name)))
      if (parameters_of(candidate).size() == args.size()) {
        def = candidate;
        break;
      }
  if (!is_null(def))
    return call_definition(def, f.cell, std::move(args), at);
  if (!is_null(f.cursor))
    if (std::optional<Value> v = call_summary(f.cursor, name, args))
      return *v;
  return call_unknown(name, f.cursor, args, at);
}

std::optional<Value> Interp::call_summary(CXCursor decl, const std::string& name, std::vector<Value>& args) {
  const FunctionIndex* index = around_.index();
  if (!index)
    return std::nullopt;
  const FunctionSummary* s = is_null(decl) ? nullptr : index->find(usr_of(decl));
  if (!s)
    s = index->find_by_name(name, static_cast<int>(args.size()));
  if (!s || s->input_param < 0 || s->input_param >= static_cast<int>(args.size()) ||
      s->gate_param >= static_cast<int>(args.size()) || s->output_param >= static_cast<int>(args.size()))
    return std::nullopt;
  std::string error;
  std::optional<formula::Expr> e = formula::parse_expr(s->expr, &error);
  if (!e)
    return std::nullopt;
  NodeId x = as_number(args[static_cast<size_t>(s->input_param)]);
  NodeId g = s->gate_param >= 0 ? as_number(args[static_cast<size_t>(s->gate_param)]) : number(1, dag_[x].type);
  NodeId out = splice(*e, x, g);
  callees.push_back(s->qualified_name);
  if (s->output_param < 0)
    return Value::number(out);
  const Value& target_value = args[static_cast<size_t>(s->output_param)];
  if (target_value.kind == Value::Kind::pointer || target_value.kind == Value::Kind::object)
    write(target(target_value, cell(target_value.cell).type), Value::number(out));
  return Value::nothing();
}

NodeId Interp::splice(const formula::Expr& e, NodeId x, NodeId g) {
  std::vector<NodeId> map(e.size());
  for (NodeId i = 0; i < e.size(); ++i) {
    const formula::Node& n = e[i];
    auto at = [&](NodeId id) { return id == k_no_node ? id : map[id]; };
    if (n.op == Op::input)
      map[i] = is_integer(n.type) ? x : convert(x, n.type); // a table is indexed by the bits of x
    else if (n.op == Op::gate)
      map[i] = convert(g, n.type);
    else if (n.op == Op::constant || n.op == Op::parameter)
      map[i] = number(n.value, n.type);
    else
      map[i] = dag_.make(n.op, n.type, at(n.a), at(n.b), at(n.c));
  }
  return map[e.root()];
}

Value Interp::call_unknown(const std::string& name, CXCursor decl, std::vector<Value>& args, CXCursor at) {
  if (!is_null(decl) && is_function(kind_of(decl)))
    unresolved.insert(usr_of(decl));
  unresolved_names.insert(name);
  // Functions handed over are run once: loops in parallel, visitors, submissions to a queue.
  run_unused(args, at);
  // A kernel or function handed over with its arguments: launches, threads, tasks.
  for (size_t i = 0; i + 1 < args.size(); ++i) {
    Value f = args[i];
    if (f.kind == Value::Kind::object)
      if (std::optional<Value> inner = stored(f.cell); inner && inner->kind == Value::Kind::function)
        f = *inner;
    if (f.kind != Value::Kind::function || is_null(f.cursor) || kind_of(f.cursor) == CXCursor_LambdaExpr)
      continue;
    CXCursor def = definition_of(f.cursor);
    size_t n = is_null(def) ? 0 : parameters_of(def).size();
    if (n == 0 || args.size() - i - 1 < n || type_info(clang_getCursorResultType(def)).shape != Shape::nothing)
      continue;
    call_definition(def, f.cell, {args.end() - static_cast<long>(n), args.end()}, at);
    break;
  }
  CXType type = is_null(at) ? CXType{} : clang_getCursorType(at);
  if (type_info(type).shape != Shape::nothing)
    return unknown_result(name.empty() ? "a call" : name, type, args);
  // A procedure writes through its pointers to non-constant data.
  std::vector<CXCursor> params = is_null(decl) ? std::vector<CXCursor>{} : parameters_of(decl);
  for (size_t i = 0; i < args.size() && i < params.size(); ++i) {
    if (args[i].kind != Value::Kind::pointer)
      continue;
    CXType pointee = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(params[i])));
    if (clang_isConstQualifiedType(pointee) || type_info(pointee).shape != Shape::number ||
        !is_floating(type_info(pointee).type))
      continue;
    havoc(target(args[i], type_info(pointee)), name, args);
  }
  return Value::nothing();
}

Value Interp::callback(const Value& f, size_t, CXCursor at) {
  // Arguments are symbols of the parameters' types.
  if (f.kind == Value::Kind::function && !is_null(f.cursor) && kind_of(f.cursor) == CXCursor_LambdaExpr)
    return call_lambda(f.cursor, {});
  (void)at;
  return Value::nothing();
}

Value Interp::eval_operator_call(CXCursor e, CXCursor decl, const std::string& name, std::vector<CXCursor> args) {
  std::string op = name.substr(8);
  CXType type = clang_getCursorType(e);
  CXCursor def = is_null(decl) ? decl : definition_of(decl);
  bool method = !is_null(decl) && (kind_of(decl) == CXCursor_CXXMethod ||
                                   kind_of(clang_getCursorSemanticParent(decl)) == CXCursor_StructDecl ||
                                   kind_of(clang_getCursorSemanticParent(decl)) == CXCursor_ClassDecl ||
                                   kind_of(clang_getCursorSemanticParent(decl)) == CXCursor_ClassTemplate);
  if (op == "()" && !args.empty()) {
    CellId receiver = lvalue(args[0]);
    std::vector<Value> values;
    std::vector<CXCursor> params = is_null(def) ? std::vector<CXCursor>{} : parameters_of(def);
    for (size_t i = 1; i < args.size(); ++i) {
      CXTypeKind pk = i - 1 < params.size() ? clang_getCursorType(params[i - 1]).kind : CXType_Invalid;
      bool ref = pk == CXType_LValueReference || pk == CXType_RValueReference;
      values.push_back(default_argument(args[i]) ? Value{} : ref ? Value::object(lvalue(args[i])) : eval(args[i]));
    }
    Value f = read(receiver);
    if (f.kind == Value::Kind::function || f.kind == Value::Kind::choice)
      return call_value(f, std::move(values), e);
    if (!is_null(def) && !in_system_header(def))
      return call_definition(def, receiver, std::move(values), e);
    return call_value(Value::object(receiver), std::move(values), e);
  }
  bool copies = !is_null(decl) && kind_of(decl) == CXCursor_CXXMethod &&
                (clang_CXXMethod_isCopyAssignmentOperator(decl) || clang_CXXMethod_isMoveAssignmentOperator(decl));
  bool user_body = !is_null(def) && !in_system_header(def) && !copies;
  bool number_class = !args.empty() && type_info(clang_getCursorType(args[0])).shape == Shape::number &&
                      type_info(type).shape == Shape::number;
  if (user_body && !number_class) {
    std::vector<Value> values;
    std::vector<CXCursor> params = parameters_of(def);
    size_t first = method ? 1 : 0;
    for (size_t i = first; i < args.size(); ++i) {
      CXTypeKind pk = i - first < params.size() ? clang_getCursorType(params[i - first]).kind : CXType_Invalid;
      bool ref = pk == CXType_LValueReference || pk == CXType_RValueReference;
      values.push_back(ref ? Value::object(lvalue(args[i])) : eval(args[i]));
    }
    CellId receiver = method && !args.empty() ? lvalue(args[0]) : k_no_cell;
    return call_definition(def, receiver, std::move(values), e);
  }
  if (op == "[]" && args.size() == 2) {
    CellId base = lvalue(args[0]);
    NodeId at = as_number(eval(args[1]));
    Value whole = read(base);
    TypeInfo t = type_info(type);
    if (whole.kind == Value::Kind::pointer) // unique_ptr<T[]>, and parameters that are pointers to a class
      return Value::object(element(whole.cell, whole.node == k_no_node ? at : binary(Op::add, whole.node, at), t));
    if (whole.is_number())
      return whole;
    if (whole.kind == Value::Kind::object)
      base = whole.cell;
    return Value::object(element(child(base, "*", TypeInfo{}), at, t));
  }
  if (op == "=" && args.size() == 2) {
    Value v = eval(args[1]);
    assign(args[0], v, args[1]);
    return Value::object(lvalue(args[0]));
  }
  if ((op == "*" || op == "->") && args.size() == 1) {
    CellId base = lvalue(args[0]);
    Value whole = read(base);
    CellId to = whole.kind == Value::Kind::pointer ? target(whole, type_info(type)) : child(base, "*", type_info(type));
    return op == "*" ? Value::object(to) : Value::pointer(to);
  }
  static const std::map<std::string, Op> binary_ops{
      {"+", Op::add}, {"-", Op::sub}, {"*", Op::mul}, {"/", Op::div}, {"%", Op::fmod},
      {"<", Op::lt},  {">", Op::gt},  {"<=", Op::le}, {">=", Op::ge}, {"==", Op::eq},
      {"!=", Op::ne}, {"&", Op::bit_and}, {"|", Op::bit_or}, {"^", Op::bit_xor},
      {"&&", Op::logical_and}, {"||", Op::logical_or}, {"<<", Op::shl}, {">>", Op::shr}};
  bool compound = op.size() >= 2 && op.back() == '=' && op != "==" && op != "!=" && op != "<=" && op != ">=";
  std::string base_op = compound ? op.substr(0, op.size() - 1) : op;
  auto it = binary_ops.find(base_op);
  if (it != binary_ops.end() && args.size() == 2) {
    Value left = eval(args[0]), right = eval(args[1]);
    Value v;
    if (left.kind == Value::Kind::text || right.kind == Value::Kind::text || left.kind == Value::Kind::pointer) {
      v = arithmetic(it->second, left, right, type);
    } else {
      NodeId a = as_number(left), b = as_number(right);
      // A scalar beside a tensor or half takes its type.
      TypeInfo lt = type_info(clang_getCursorType(peel(args[0]))), rt = type_info(clang_getCursorType(peel(args[1])));
      bool tensor = lt.shape == Shape::record || rt.shape == Shape::record;
      if (tensor) {
        tensor_types = true;
        if (constant_of(a) && !constant_of(b))
          a = number(*constant_of(a), dag_[b].type);
        else if (constant_of(b) && !constant_of(a))
          b = number(*constant_of(b), dag_[a].type);
        else if (dag_[a].type != dag_[b].type && is_integer(dag_[a].type) != is_integer(dag_[b].type)) {
          Type t = common_type(dag_[a].type, dag_[b].type);
          a = convert(a, t);
          b = convert(b, t);
        }
        v = Value::number(binary(it->second, a, b));
      } else {
        v = arithmetic(it->second, Value::number(a), Value::number(b), type);
      }
    }
    if (compound) {
      assign(args[0], v, e);
      return Value::object(lvalue(args[0]));
    }
    return v;
  }
  if (args.size() == 1 || ((op == "++" || op == "--") && args.size() == 2)) {
    if (op == "-")
      return Value::number(unary(Op::neg, as_number(eval(args[0]))));
    if (op == "+" || op == "++" || op == "--")
      return eval(args[0]);
    if (op == "!")
      return Value::number(unary(Op::logical_not, truth(eval(args[0]))));
    return cast_value(eval(args[0]), type); // conversion operators
  }
  std::vector<Value> values;
  for (CXCursor a : args)
    values.push_back(eval(a));
  return call_unknown(name, decl, values, e);
}

} // namespace gelint::scan::lower
