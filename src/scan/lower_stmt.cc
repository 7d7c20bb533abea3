// Statements. Both arms of a branch are run and their stores merged; a loop body is run once for a general index,
// except for loops of a few constant turns.

#include "scan/lower_interp.h"

#include <fmt/format.h>

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
    if (!parts.empty())
      exec(parts[0]);
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
  CellId id = new_cell(c);
  if (is_null(init)) {
    variables_[var] = id;
    return;
  }
  Value v = kind_of(init) == CXCursor_InitListExpr && array ? eval_init_list(init) : eval(init);
  variables_[var] = id;
  if (c.type.shape == Shape::number && (v.is_number() || v.kind == Value::Kind::object || v.kind == Value::Kind::choice))
    v = cast_value(v, type);
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

bool Interp::leaves(CXCursor s) {
  switch (kind_of(s)) {
  case CXCursor_BreakStmt:
  case CXCursor_ContinueStmt:
  case CXCursor_GotoStmt:
  case CXCursor_CXXThrowExpr: return true;
  case CXCursor_ReturnStmt: {
    std::vector<CXCursor> o = operands(s);
    if (o.empty())
      return true;
    CXCursorKind k = kind_of(peel(o[0]));
    return k != CXCursor_CallExpr && k != CXCursor_BinaryOperator && k != CXCursor_ConditionalOperator &&
           k != CXCursor_CXXFunctionalCastExpr && k != CXCursor_CStyleCastExpr && k != CXCursor_CXXStaticCastExpr;
  }
  case CXCursor_CompoundStmt: {
    std::vector<CXCursor> list = children(s);
    if (list.empty() || list.size() > 4)
      return false;
    for (size_t i = 0; i + 1 < list.size(); ++i)
      if (kind_of(peel(list[i])) != CXCursor_CallExpr)
        return false;
    return leaves(list.back()) || (list.size() == 1 && kind_of(list[0]) == CXCursor_CallExpr &&
                                   (spelling(list[0]) == "abort" || spelling(list[0]) == "exit"));
  }
  case CXCursor_UnexposedExpr:
  case CXCursor_UnexposedStmt: {
    std::vector<CXCursor> o = operands(s);
    return o.size() == 1 && leaves(o[0]);
  }
  default: return false;
  }
}

void Interp::exec_if(CXCursor s) {
  std::vector<CXCursor> parts = children(s);
  size_t i = 0;
  while (i < parts.size() && !is_expression(parts[i])) {
    // An init statement or a condition variable.
    if (kind_of(parts[i]) == CXCursor_DeclStmt || kind_of(parts[i]) == CXCursor_VarDecl)
      exec(parts[i]);
    else
      break;
    ++i;
  }
  if (i >= parts.size() || i + 1 >= parts.size())
    return;
  CXCursor condition = parts[i], then_part = parts[i + 1];
  bool has_else = i + 2 < parts.size();
  NodeId c = truth(eval(condition));
  std::optional<double> known = constant_of(c);
  if (!known)
    if (std::optional<Constant> k = evaluate(condition))
      known = k->value;
  if (known) {
    if (*known != 0)
      exec(then_part);
    else if (has_else)
      exec(parts[i + 2]);
    return;
  }
  if (!has_else && leaves(then_part) && !depends_on_data(c))
    return; // a test of arguments or of the range
  conditions_.emplace(c, Condition{condition, {}});
  Store::Mark mark = store_.branch();
  NodeId returned = returned_, left = left_;
  Value result = result_;
  exec(then_part);
  settle(returned);
  Store::Changes then_changes = store_.undo(mark);
  NodeId then_returned = returned_, then_left = left_;
  Value then_result = result_;
  mark = store_.branch();
  returned_ = returned;
  left_ = left;
  result_ = result;
  if (has_else)
    exec(parts[i + 2]);
  settle(returned);
  Store::Changes else_changes = store_.undo(mark);
  Value else_result = result_;
  merge(c, then_changes, else_changes);
  auto both = [&](NodeId a, NodeId b) -> NodeId {
    if (a == b)
      return a;
    auto node = [&](NodeId n) {
      return n == k_true_ ? number(1, Type::boolean) : n == k_false_ ? number(0, Type::boolean) : n;
    };
    if (a == k_true_ && b == k_false_)
      return c;
    if (a == k_false_ && b == k_true_)
      return unary(Op::logical_not, c);
    return select(c, node(a), node(b));
  };
  NodeId else_returned = returned_, else_left = left_;
  // A branch that never comes back decides nothing for the rest.
  if (then_returned == k_true_ && else_returned != k_true_ && else_returned == returned)
    result_ = merge_values(c, then_result, else_result);
  else if (then_returned != returned || else_returned != returned)
    result_ = merge_values(c, then_result, else_result);
  returned_ = both(then_returned, else_returned);
  left_ = both(then_left, else_left);
}

void Interp::carried_variables(CXCursor loop, std::vector<CXCursor>& out) {
  struct Walk {
    std::vector<CXCursor>* out;
    unsigned begin, end;
    CXFile file;
  } walk;
  walk.out = &out;
  CXSourceRange range = clang_getCursorExtent(loop);
  // What the body declares is fresh in every turn; the counter of the loop is not.
  std::vector<CXCursor> parts = children(loop);
  CXCursor body = loop;
  for (CXCursor p : parts)
    if (kind_of(loop) != CXCursor_DoStmt || kind_of(p) == CXCursor_CompoundStmt)
      body = p;
  clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(body)), &walk.file, nullptr, nullptr, &walk.begin);
  clang_getExpansionLocation(clang_getRangeEnd(range), nullptr, nullptr, nullptr, &walk.end);
  clang_visitChildren(
      loop,
      [](CXCursor c, CXCursor, CXClientData data) {
        auto* w = static_cast<Walk*>(data);
        CXCursor target = clang_getNullCursor();
        CXCursorKind k = kind_of(c);
        if (k == CXCursor_LambdaExpr)
          return CXChildVisit_Recurse;
        if (k == CXCursor_CompoundAssignOperator ||
            (k == CXCursor_BinaryOperator && clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign)) {
          std::vector<CXCursor> o = operands(c);
          if (!o.empty())
            target = peel(o[0]);
        } else if (k == CXCursor_UnaryOperator) {
          CXUnaryOperatorKind u = clang_getCursorUnaryOperatorKind(c);
          std::vector<CXCursor> o = operands(c);
          if (!o.empty() && u >= CXUnaryOperator_PostInc && u <= CXUnaryOperator_PreDec)
            target = peel(o[0]);
        } else if (k == CXCursor_CallExpr) {
          std::string name = spelling(c);
          if ((name == "operator+=" || name == "operator*=" || name == "operator=" || name == "operator++" ||
               name == "operator-=") &&
              clang_Cursor_getNumArguments(c) > 0)
            target = peel(clang_Cursor_getArgument(c, 0));
        }
        if (!is_null(target) && kind_of(target) == CXCursor_DeclRefExpr) {
          CXCursor decl = clang_getCursorReferenced(target);
          if (!is_null(decl) && (kind_of(decl) == CXCursor_VarDecl || kind_of(decl) == CXCursor_ParmDecl)) {
            CXFile file = nullptr;
            unsigned at = 0;
            clang_getExpansionLocation(clang_getCursorLocation(decl), &file, nullptr, nullptr, &at);
            bool inside = clang_File_isEqual(file, w->file) && at >= w->begin && at < w->end;
            bool seen = false;
            for (CXCursor o : *w->out)
              seen = seen || clang_equalCursors(o, decl);
            if (!inside && !seen)
              w->out->push_back(decl);
          }
        }
        return CXChildVisit_Recurse;
      },
      &walk);
}

void Interp::exec_loop_body(CXCursor loop, const std::vector<CXCursor>& parts) {
  std::vector<CXCursor> carried;
  carried_variables(loop, carried);
  NodeId index = index_symbol(fmt::format("loop {}", loops_));
  struct Accumulator {
    CellId cell;
    NodeId symbol;
    std::optional<Value> before;
  };
  std::vector<Accumulator> accumulators;
  bool first_integer = true;
  for (CXCursor decl : carried) {
    CellId c = variable(decl);
    Value old = read(c);
    const TypeInfo t = cell(c).type;
    if (old.kind == Value::Kind::pointer) {
      Value moved = old;
      NodeId base = old.node == k_no_node ? number(0, Type::i64) : old.node;
      moved.node = binary(Op::add, base, index);
      store_.put(c, moved, ++sequence_);
    } else if (old.is_number() && (is_integer(dag_[old.node].type) || (t.known && is_integer(t.type) && !t.lanes))) {
      NodeId n = first_integer ? index : index_symbol(fmt::format("{} in loop {}", cell(c).path, loops_));
      first_integer = false;
      store_.put(c, Value::number(n), ++sequence_);
    } else if (old.is_number() || (old.kind == Value::Kind::object && t.shape != Shape::record)) {
      Symbol s;
      s.name = cell(c).path;
      s.cell = c;
      s.type = old.is_number() ? dag_[old.node].type : t.type;
      s.known_type = t.known;
      s.carried = true;
      NodeId n = symbol(std::move(s));
      accumulators.push_back({c, n, old});
      store_.put(c, Value::number(n), ++sequence_);
    }
  }
  NodeId left = left_;
  for (CXCursor p : parts) {
    if (returned_ == k_true_)
      break;
    left_ = left;
    exec(p);
  }
  left_ = left;
  for (const Accumulator& a : accumulators) {
    const Stored* stored = store_.find(a.cell);
    if (!stored || !stored->value.is_number())
      continue;
    NodeId now = stored->value.node;
    if (now == a.symbol) {
      store_.put(a.cell, *a.before, stored->sequence);
      continue;
    }
    std::set<int> used;
    taint_of(now, used);
    if (!used.count(symbol_of(a.symbol)))
      continue;
    Symbol s;
    s.name = cell(a.cell).path;
    s.cell = a.cell;
    s.type = dag_[now].type;
    s.known_type = true;
    s.carried = true;
    s.taint = used;
    store_.put(a.cell, Value::number(symbol(std::move(s))), ++sequence_);
  }
}

void Interp::exec_for(CXCursor s) {
  std::vector<CXCursor> parts = children(s);
  if (parts.empty())
    return;
  ++loops_;
  CXCursorKind k = kind_of(s);
  if (k == CXCursor_WhileStmt || k == CXCursor_DoStmt) {
    exec_loop_body(s, parts);
    --loops_;
    return;
  }
  CXCursor body = parts.back();
  if (k == CXCursor_CXXForRangeStmt) {
    CXCursor var = clang_getNullCursor(), range = clang_getNullCursor();
    for (CXCursor p : parts) {
      if (kind_of(p) == CXCursor_VarDecl && is_null(var))
        var = p;
      else if (is_expression(p) && is_null(range))
        range = p;
    }
    if (!is_null(var) && !is_null(range)) {
      CXType type = clang_getCursorType(var);
      CellId container = lvalue(range);
      NodeId index = index_symbol(fmt::format("loop {}", loops_));
      CXTypeKind rk = clang_getCanonicalType(clang_getCursorType(range)).kind;
      CellId elements = rk == CXType_ConstantArray ? container : child(container, "*", TypeInfo{});
      CellId item = element(elements, index, type_info(clang_getNonReferenceType(type)));
      if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference) {
        variables_[var] = item;
      } else {
        declare(var);
        Value v = read(item);
        if (v.kind == Value::Kind::object)
          copy_object(v.cell, variables_[var]);
        else
          store_.put(variables_[var], v, ++sequence_);
      }
    }
    exec_loop_body(s, {body});
    --loops_;
    return;
  }
  CXCursor init = clang_getNullCursor(), condition = init, increment = init;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    CXCursor p = peel(parts[i]);
    CXCursorKind pk = kind_of(p);
    bool step_like = pk == CXCursor_CompoundAssignOperator ||
                     (pk == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(p) >= CXUnaryOperator_PostInc &&
                      clang_getCursorUnaryOperatorKind(p) <= CXUnaryOperator_PreDec);
    if (pk == CXCursor_DeclStmt)
      init = parts[i];
    else if (i == 0 && pk == CXCursor_BinaryOperator && clang_getCursorBinaryOperatorKind(p) >= CXBinaryOperator_Assign)
      init = parts[i];
    else if (step_like || i > 1 || !is_null(condition))
      increment = parts[i];
    else
      condition = parts[i];
  }
  if (!is_null(init))
    exec(init);
  // A few constant turns are run one by one: Horner's scheme, lanes.
  if (!is_null(condition) && !is_null(increment)) {
    constexpr int k_unroll = 16;
    auto holds = [&] { return constant_of(truth(eval(condition))); };
    Store::Mark before = store_.branch();
    int turns = 0;
    std::optional<double> go;
    while ((go = holds()) && *go != 0 && turns <= k_unroll) {
      eval(increment);
      ++turns;
    }
    store_.undo(before);
    if (go && *go == 0 && turns <= k_unroll) {
      NodeId left = left_;
      for (int i = 0; i < turns && returned_ != k_true_ && left_ != k_true_; ++i) {
        exec(body);
        if (left_ == k_true_)
          break;
        left_ = left;
        eval(increment);
      }
      left_ = left;
      --loops_;
      return;
    }
  }
  std::vector<CXCursor> run{body};
  if (!is_null(increment))
    run.push_back(increment);
  exec_loop_body(s, run);
  --loops_;
}

void Interp::exec_switch(CXCursor s) {
  std::vector<CXCursor> parts = children(s);
  if (parts.size() < 2)
    return;
  size_t at = 0;
  while (at + 2 < parts.size() && !is_expression(parts[at]))
    exec(parts[at++]);
  CXCursor condition = parts[at], body = parts.back();
  Value subject = eval(condition);
  NodeId c = as_number(subject);
  struct Arm {
    std::vector<CXCursor> labels; // null cursor: default
    size_t start;
  };
  std::vector<CXCursor> flat;
  std::vector<Arm> arms;
  for (CXCursor st : children(body)) {
    bool fresh = true;
    while (kind_of(st) == CXCursor_CaseStmt || kind_of(st) == CXCursor_DefaultStmt) {
      std::vector<CXCursor> ch = children(st);
      if (ch.empty())
        break;
      if (fresh)
        arms.push_back({{}, flat.size()});
      fresh = false;
      arms.back().labels.push_back(kind_of(st) == CXCursor_CaseStmt ? ch[0] : clang_getNullCursor());
      st = ch.back();
    }
    flat.push_back(st);
  }
  NodeId left = left_, returned = returned_;
  auto run_from = [&](size_t start) {
    for (size_t i = start; i < flat.size() && !finished(); ++i)
      exec(flat[i]);
    settle(returned);
    if (left_ == k_true_)
      left_ = left;
  };
  if (std::optional<double> v = constant_of(c)) {
    const Arm* chosen = nullptr;
    for (const Arm& a : arms)
      for (CXCursor l : a.labels) {
        if (is_null(l)) {
          chosen = chosen ? chosen : &a;
          continue;
        }
        std::optional<double> lv = constant_of(as_number(eval(l)));
        if (lv && *lv == *v) {
          run_from(a.start);
          return;
        }
      }
    if (chosen)
      run_from(chosen->start);
    return;
  }
  if (arms.size() > 40) {
    if (trouble.empty())
      trouble = "a switch of more than 40 arms";
    return;
  }
  Value result = result_;
  // From the last arm to the first, each is the then-branch of "subject == label".
  Store::Changes rest;
  NodeId rest_returned = returned;
  Value rest_result = result;
  auto run_arm = [&](const Arm& a) {
    Store::Mark mark = store_.branch();
    returned_ = returned;
    left_ = left;
    result_ = result;
    run_from(a.start);
    return store_.undo(mark);
  };
  for (const Arm& a : arms)
    for (CXCursor l : a.labels)
      if (is_null(l)) {
        rest = run_arm(a);
        rest_returned = returned_;
        rest_result = result_;
      }
  for (size_t i = arms.size(); i-- > 0;) {
    NodeId match = k_no_node;
    Condition written{condition, {}};
    for (CXCursor l : arms[i].labels) {
      if (is_null(l))
        continue;
      NodeId eq = binary(Op::eq, c, as_number(eval(l)), Type::boolean);
      match = match == k_no_node ? eq : binary(Op::logical_or, match, eq, Type::boolean);
      written.labels.push_back(l);
    }
    if (match == k_no_node)
      continue;
    conditions_.emplace(match, std::move(written));
    Store::Changes arm = run_arm(arms[i]);
    Value arm_result = result_;
    NodeId arm_returned = returned_;
    Store::Mark mark = store_.branch();
    merge(match, arm, rest);
    rest = store_.undo(mark);
    rest_result = merge_values(match, arm_result, rest_result);
    if (arm_returned != rest_returned) {
      auto node = [&](NodeId n) {
        return n == k_true_ ? number(1, Type::boolean) : n == k_false_ ? number(0, Type::boolean) : n;
      };
      rest_returned = arm_returned == k_true_ && rest_returned == k_false_
                          ? match
                          : select(match, node(arm_returned), node(rest_returned));
    }
  }
  store_.apply(std::move(rest));
  returned_ = rest_returned;
  result_ = rest_result;
  left_ = left;
}

} // namespace gelint::scan::lower
