// Loops: the body is run once for a general index, a few constant turns one by one.

#include "scan/lower_interp.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelint::scan::lower {

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

/// The number of the turn. Two loops that begin at the same value run over the same elements; one that goes on where
/// another has stopped runs over the rest, whose elements are others.
NodeId Interp::counter_of(const std::vector<CXCursor>& carried) {
  std::string name = fmt::format("loop {}", loops_);
  for (CXCursor decl : carried) {
    Value start = read(variable(decl));
    if (!start.is_number() || !is_integer(dag_[start.node].type))
      continue;
    std::set<int> from;
    taint_of(start.node, from);
    bool goes_on = std::any_of(from.begin(), from.end(), [&](int s) { return symbols_[static_cast<size_t>(s)].name.rfind(name, 0) == 0; });
    if (goes_on)
      name += fmt::format(" from {}", start.node);
    else if (!constant_of(start.node)) // over which elements, compared with another loop, is not known
      name += fmt::format(" at {}", start.node);
    break;
  }
  return index_symbol(name);
}

void Interp::exec_loop_body(CXCursor loop, const std::vector<CXCursor>& parts) {
  std::vector<CXCursor> carried;
  carried_variables(loop, carried);
  NodeId index = counter_of(carried);
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

} // namespace gelint::scan::lower
