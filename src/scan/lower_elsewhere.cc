// Callees whose body is not in this unit: a summary from another unit, or nothing but their arguments.

#include "scan/lower_interp.h"

namespace gelint::scan::lower {

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
  run_unused(args);
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
  // Vec(0.5): a number keeps its value in whatever type it is put, also in one that is declared nowhere.
  if (is_null(decl) && args.size() == 1 && args[0].is_number() && constant_of(args[0].node) && !name.empty() &&
      std::isupper(static_cast<unsigned char>(name[0])))
    return args[0];
  CXType type = is_null(at) ? CXType{} : clang_getCursorType(at);
  Value out = type_info(type).shape == Shape::nothing ? Value::nothing() : unknown_result(name.empty() ? "a call" : name, type, args);
  hand_over(name, decl, args);
  return out;
}

/// What a callee without a body may change of what it is handed: a local variable, the coefficients in a local array or
/// object, the object whose method it is.
void Interp::hand_over(const std::string& name, CXCursor decl, const std::vector<Value>& args) {
  const std::vector<CXCursor> params = is_null(decl) ? std::vector<CXCursor>{} : parameters_of(decl);
  const bool method = !is_null(decl) && kind_of(decl) == CXCursor_CXXMethod && args.size() == params.size() + 1;
  const size_t first = method ? 1 : 0;
  if (method && args[0].kind == Value::Kind::object && !clang_CXXMethod_isConst(decl))
    havoc_below(args[0].cell, name);
  for (size_t i = first; i < args.size(); ++i) {
    const Value& v = args[i];
    if (v.kind != Value::Kind::object && v.kind != Value::Kind::pointer)
      continue;
    if (i - first >= params.size()) { // scanf("%f", &c)
      if ((is_null(decl) || clang_Cursor_isVariadic(decl)) && v.kind == Value::Kind::pointer && cell(v.cell).local && cell(v.cell).key.empty() &&
          cell(v.cell).type.shape == Shape::number)
        havoc(v.cell, name, args);
      continue;
    }
    CXType param = clang_getCanonicalType(clang_getCursorType(params[i - first]));
    bool reference = param.kind == CXType_LValueReference && v.kind == Value::Kind::object;
    if (!reference && v.kind != Value::Kind::pointer)
      continue;
    CXType pointee = clang_getPointeeType(param);
    TypeInfo info = type_info(pointee);
    if (clang_isConstQualifiedType(pointee))
      continue;
    CellId place = reference ? v.cell : target(v, info);
    if (cell(place).local && cell(place).key.empty() && info.shape == Shape::number &&
        (is_floating(info.type) || (stored(place) && stored(place)->is_number() && constant_of(stored(place)->node))))
      havoc(place, name, args);
    else
      havoc_below(v.cell, name);
  }
}

/// The constants in a local array or object are no longer known.
void Interp::havoc_below(CellId c, const std::string& name) {
  if (!cell(root_of(c)).local)
    return;
  std::vector<CellId> work{c}, found;
  while (!work.empty() && found.size() < 64) {
    CellId top = work.back();
    work.pop_back();
    if (const Stored* whole = store_.find(top); whole && whole->value.kind == Value::Kind::object && whole->value.cell != top) // a copy
      work.push_back(whole->value.cell);
    for (auto it = children_.lower_bound({top, ""}); it != children_.end() && it->first.first == top; ++it) {
      work.push_back(it->second);
      const Stored* s = store_.find(it->second);
      CellId to = s && s->value.kind == Value::Kind::pointer ? s->value.cell : it->second; // a field may hold the address of a local
      s = store_.find(to);
      if (s && s->value.is_number() && constant_of(s->value.node) && cell(root_of(to)).local)
        found.push_back(to);
    }
  }
  for (CellId place : found)
    havoc(place, name, {});
}

} // namespace gelint::scan::lower
