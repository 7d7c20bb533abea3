// Lambdas: what they capture, and their bodies.

#include "scan/lower_interp.h"

#include <algorithm>

namespace gelint::scan::lower {

namespace {

/// The names that are captured by copy; `all` when the default is a copy. Captures with an initial value are none.
struct Copies {
  bool all = false;
  std::set<std::string> names, references;
};

Copies copies_of(CXCursor lambda) {
  Copies out;
  std::vector<std::string> t = tokens(lambda, 60);
  for (size_t i = 1; i < t.size() && t[i] != "]"; ++i) {
    if (t[i - 1] != "[" && t[i - 1] != ",")
      continue;
    if (t[i] == "=")
      out.all = true;
    else if (t[i] == "&" && i + 1 < t.size())
      out.references.insert(t[i + 1]);
    else if (i + 1 < t.size() && (t[i + 1] == "," || t[i + 1] == "]"))
      out.names.insert(t[i]);
  }
  return out;
}

} // namespace

/// A copy has the value of the time at which the lambda is made, whatever becomes of the variable.
void Interp::capture(CXCursor lambda) {
  const Copies copies = copies_of(lambda);
  if (!copies.all && copies.names.empty())
    return;
  struct Walk {
    Interp* self;
    const Copies* copies;
    std::vector<std::pair<CellId, Value>> found;
  } walk{this, &copies, {}};
  clang_visitChildren(
      lambda,
      [](CXCursor c, CXCursor, CXClientData data) {
        auto* w = static_cast<Walk*>(data);
        if (kind_of(c) != CXCursor_DeclRefExpr)
          return CXChildVisit_Recurse;
        CXCursor decl = clang_getCursorReferenced(c);
        auto it = w->self->variables_.find(decl);
        if (it == w->self->variables_.end() || w->self->cell(it->second).type.shape != Shape::number || !w->self->store_.find(it->second))
          return CXChildVisit_Recurse;
        const std::string name = spelling(decl);
        if ((w->copies->all && !w->copies->references.count(name)) || w->copies->names.count(name))
          w->found.emplace_back(it->second, w->self->store_.find(it->second)->value);
        return CXChildVisit_Recurse;
      },
      &walk);
  copies_[lambda] = std::move(walk.found);
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
  std::vector<std::pair<CellId, Value>> outside;
  if (auto it = copies_.find(lambda); it != copies_.end())
    for (const auto& [place, copy] : it->second)
      if (const Stored* now = store_.find(place); now && !now->value.same(copy)) {
        outside.emplace_back(place, now->value);
        store_.put(place, copy, ++sequence_);
      }
  bind_parameters(params, args);
  exec(body);
  for (auto& [place, value] : outside)
    store_.put(place, std::move(value), ++sequence_);
  return leave_frame(std::move(caller));
}

/// Functions that were handed over and never called are run once, for what they store. One that returns a value is
/// a formula of its own, not a loop body.
void Interp::run_unused(const std::vector<Value>& args) {
  for (const Value& v : args) {
    Value f = v;
    if (v.kind == Value::Kind::object)
      if (std::optional<Value> inner = stored(v.cell); inner && inner->kind == Value::Kind::function)
        f = *inner;
    if (f.kind != Value::Kind::function || is_null(f.cursor) || kind_of(f.cursor) != CXCursor_LambdaExpr ||
        invoked_.count(f.cursor))
      continue;
    Store::Mark before = store_.branch();
    Value result = call_lambda(f.cursor, {});
    if (result.kind != Value::Kind::nothing && result.kind != Value::Kind::undef)
      store_.undo(before);
    else
      store_.keep(before);
  }
}

} // namespace gelint::scan::lower
