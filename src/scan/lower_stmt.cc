// Statements. Both arms of a branch are run and their stores merged (lower_branch.cc); a loop body is run once for a
// general index, except for loops of a few constant turns (lower_loop.cc).

#include "scan/lower_interp.h"

namespace gelint::scan::lower {

std::string Interp::condition_text(NodeId n) const {
  auto it = conditions_.find(n);
  if (it == conditions_.end())
    return "";
  std::string out = source_text(it->second.subject);
  for (size_t i = 0; i < it->second.labels.size(); ++i)
    out += (i == 0 ? " == " : " || ") + source_text(it->second.labels[i]);
  return out;
}

NodeId Interp::guard() {
  if (returned_ == k_false_)
    return left_;
  if (left_ == k_false_)
    return returned_;
  return binary(Op::logical_or, returned_, left_, Type::boolean);
}

/// goto and throw: nothing after them in this line of statements is run. Under a condition they decide nothing for the
/// rest, as most of them are tests of arguments; whoever runs a branch says so with settle().
void Interp::jump() {
  jumped_ = true;
  returned_ = k_true_;
}

void Interp::settle(NodeId returned) {
  if (jumped_)
    returned_ = returned;
  jumped_ = false;
}

/// A handler that neither throws nor returns.
static bool goes_on_after_handler(const std::vector<CXCursor>& try_parts) {
  for (size_t i = 1; i < try_parts.size(); ++i) {
    std::vector<CXCursor> handler = children(try_parts[i]);
    std::vector<CXCursor> body = handler.empty() ? handler : children(handler.back());
    CXCursorKind last = body.empty() ? CXCursor_NullStmt : kind_of(peel(body.back()));
    if (last != CXCursor_CXXThrowExpr && last != CXCursor_ReturnStmt)
      return true;
  }
  return false;
}

void Interp::exec_block(CXCursor s) {
  for (CXCursor c : children(s)) {
    if (finished())
      return;
    exec(c);
  }
}

void Interp::exec(CXCursor s) {
  if (finished())
    return;
  step();
  CXCursorKind k = kind_of(s);
  switch (k) {
  case CXCursor_CompoundStmt: exec_block(s); return;
  case CXCursor_DeclStmt: exec_decl(s); return;
  case CXCursor_ReturnStmt: exec_return(s); return;
  case CXCursor_IfStmt: exec_if(s); return;
  case CXCursor_ForStmt:
  case CXCursor_WhileStmt:
  case CXCursor_DoStmt:
  case CXCursor_CXXForRangeStmt: {
    NodeId returned = returned_;
    exec_for(s);
    settle(returned);
    return;
  }
  case CXCursor_SwitchStmt: exec_switch(s); return;
  case CXCursor_BreakStmt:
  case CXCursor_ContinueStmt: left_ = k_true_; return;
  case CXCursor_NullStmt: return;
  case CXCursor_GotoStmt:
  case CXCursor_IndirectGotoStmt:
    if (trouble.empty())
      trouble = "uses goto";
    jump();
    return;
  case CXCursor_CXXThrowExpr:
    jump();
    return;
  case CXCursor_CXXTryStmt: {
    std::vector<CXCursor> parts = children(s);
    NodeId returned = returned_;
    Store::Mark mark = store_.branch();
    if (!parts.empty())
      exec(parts[0]);
    Store::Changes changes = store_.undo(mark);
    if (goes_on_after_handler(parts)) // what stands before the call that throws may be all that was done
      merge(binary(Op::eq, index_symbol("whether it throws"), number(0, Type::i32), Type::boolean), changes, {});
    else
      store_.apply(std::move(changes));
    if (jumped_) { // into a handler: what runs from here on is not known
      if (trouble.empty())
        trouble = "always throws and catches";
      returned = k_true_;
    }
    settle(returned);
    return;
  }
  case CXCursor_CaseStmt:
  case CXCursor_DefaultStmt:
  case CXCursor_LabelStmt: {
    std::vector<CXCursor> parts = children(s);
    if (!parts.empty())
      exec(parts.back());
    return;
  }
  case CXCursor_VarDecl: declare(s); return;
  default: break;
  }
  if (is_expression(s)) {
    eval(s);
    return;
  }
  if (eval_asm(s))
    return;
  if (clang_isStatement(k))
    exec_block(s); // attributed statements, OpenMP directives, captured statements
}

void Interp::exec_decl(CXCursor s) {
  for (CXCursor c : children(s))
    if (kind_of(c) == CXCursor_VarDecl)
      declare(c);
}

void Interp::declare(CXCursor var) {
  CXType type = clang_getCursorType(var);
  CXCursor init = clang_Cursor_getVarDeclInitializer(var);
  if (is_null(init))
    for (CXCursor c : children(var))
      if (is_expression(c))
        init = c;
  // The size of an array is a child as well, and no value.
  CXTypeKind canonical = clang_getCanonicalType(type).kind;
  bool array = canonical == CXType_ConstantArray || canonical == CXType_VariableArray ||
               canonical == CXType_IncompleteArray || canonical == CXType_DependentSizedArray;
  if (array && !is_null(init) && kind_of(init) != CXCursor_InitListExpr && kind_of(init) != CXCursor_StringLiteral &&
      kind_of(init) != CXCursor_CallExpr && kind_of(init) != CXCursor_UnexposedExpr)
    init = clang_getNullCursor();
  if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference) {
    if (!is_null(init)) {
      variables_[var] = lvalue(init);
      return;
    }
  }
  Cell c;
  c.path = spelling(var);
  c.type = type_info(type);
  c.decl = var;
  c.local = true;
  // A static keeps what an earlier call has left in it; a flag or a count is taken as it is at first.
  c.changing = clang_Cursor_getStorageClass(var) == CX_SC_Static && c.type.shape == Shape::number && is_floating(c.type.type) && !clang_isConstQualifiedType(type) &&
               around_.assigned(var);
  c.local = !c.changing;
  CellId id = new_cell(c);
  if (is_null(init) || c.changing) {
    if (is_null(init) && clang_isInvalidDeclaration(var)) // "const Vec<T> half(T(0.5));" of a type that is declared nowhere: the tokens may tell
      unresolved.insert(spelling(var));
    variables_[var] = id;
    return;
  }
  Value v = kind_of(init) == CXCursor_InitListExpr && array ? eval_init_list(init) : eval(init);
  variables_[var] = v.view ? v.cell : id;
  if (v.view)
    return;
  if (c.type.shape == Shape::number && (v.is_number() || v.kind == Value::Kind::object || v.kind == Value::Kind::choice))
    v = cast_value(v, type);
  // "static const float h = x;" keeps what the first call gave it.
  if (clang_Cursor_getStorageClass(var) == CX_SC_Static && v.is_number() && depends_on_data(v.node)) {
    cells_[static_cast<size_t>(id)].changing = true;
    cells_[static_cast<size_t>(id)].local = false;
    return;
  }
  if (v.is_number())
    note_trace(v.node, var, spelling(var), init);
  if (v.kind == Value::Kind::object)
    copy_object(v.cell, id);
  else if (v.kind != Value::Kind::nothing && v.kind != Value::Kind::undef)
    store_.put(id, v, ++sequence_);
}

void Interp::exec_return(CXCursor s) {
  std::vector<CXCursor> o = operands(s);
  Value v = Value::nothing();
  if (!o.empty()) {
    CXTypeKind k = result_type_.kind;
    if (k == CXType_LValueReference || k == CXType_RValueReference)
      v = Value::object(lvalue(o[0]));
    else {
      v = eval(o[0]);
      if (type_info(result_type_).shape == Shape::number && type_info(result_type_).known &&
          (v.is_number() || v.kind == Value::Kind::object || v.kind == Value::Kind::choice))
        v = cast_value(v, result_type_);
      if (v.is_number())
        note_trace(v.node, o[0], "", o[0]);
    }
  }
  result_ = returned_ == k_false_ ? v : merge_values(returned_, result_, v);
  returned_ = k_true_;
}

} // namespace gelint::scan::lower
