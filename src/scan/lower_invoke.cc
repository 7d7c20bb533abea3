// Bodies that are run for a call: definitions, lambdas, functors, and function values.

#include "scan/lower_callee.h"
#include "scan/lower_interp.h"

#include <algorithm>

namespace gelint::scan::lower {

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

/// Parameters become variables: a reference that is given a place is that place, everything else a copy. What is not
/// given has its default, and without one a symbol.
void Interp::bind_parameters(const std::vector<CXCursor>& params, const std::vector<Value>& args) {
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
  bind_parameters(parameters_of(def), args);
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

} // namespace gelint::scan::lower
