// if and switch: every arm is run from the same state, and what they changed is merged.

#include "scan/lower_interp.h"

namespace gelint::scan::lower {

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
