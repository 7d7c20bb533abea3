#include "scan/lower_outcome.h"

#include "scan/lower_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelint::scan::lower {

using formula::Expr;
using formula::Formula;
using formula::Precision;

namespace {

/// Whole numbers only, and not just those of a mask or a sign.
bool only_whole_numbers(const Expr& e) {
  bool large = false;
  for (double x : {-9.7, -4.3, -2.2, -1.1, -0.4, 0.3, 0.6, 1.2, 2.3, 3.1, 5.6, 8.9}) {
    double y = formula::eval_ideal(e, x);
    if (!std::isfinite(y) || std::fabs(y - std::round(y)) > 1e-9)
      return false;
    large = large || std::fabs(y) > 1.5;
  }
  return large;
}

int param_of(const Interp& run, int symbol) {
  CellId c = run.symbols()[static_cast<size_t>(symbol)].cell;
  return c == k_no_cell ? -1 : run.cell(run.root_of(c)).param;
}

bool intermediate(const Interp& run, int symbol) {
  const Symbol& s = run.symbols()[static_cast<size_t>(symbol)];
  if (s.carried || !s.call.empty())
    return true;
  // An element of something a call returned.
  CellId root = s.cell == k_no_cell ? k_no_cell : run.root_of(s.cell);
  return root != k_no_cell && run.cell(root).path.size() > 2 &&
         run.cell(root).path.compare(run.cell(root).path.size() - 2, 2, "()") == 0;
}

Precision precision_for(const Interp& run, const Expr& e, const Solution& s) {
  Precision p = formula::precision_of(e);
  if (p == Precision::f16_table)
    return p;
  const Symbol& x = run.symbols()[static_cast<size_t>(s.input)];
  if (!x.known_type)
    return run.tensor_types ? Precision::input : Precision::unknown;
  return p;
}

void fill(Interp& run, const Solution& s, const LowerOptions& options, LoweredFunction& f) {
  f.input_param = param_of(run, s.input);
  f.gate_param = s.gate >= 0 ? param_of(run, s.gate) : -1;
  f.intermediate_input = intermediate(run, s.input);
  if (s.arms.size() == 1) {
    const Arm& a = s.arms[0];
    f.expr = a.expr;
    f.fingerprint = a.fingerprint;
    f.precision = precision_for(run, a.expr, s);
    f.hazards = formula::hazards_of(a.expr, options.fast_math);
    return;
  }
  for (const Arm& a : s.arms)
    f.alternatives.push_back({!a.condition.empty() ? a.condition : a.by_position ? k_by_element : "a value that is not known here", a.expr, a.fingerprint});
}

} // namespace

void describe(CXCursor c, LoweredFunction& f) {
  f.place = place_of(c);
  if (kind_of(c) == CXCursor_LambdaExpr) {
    f.name = "(lambda)";
    return;
  }
  if (is_expression(c)) {
    CXCursor r = clang_getCursorReferenced(c);
    f.name = spelling(c);
    if (!is_null(r)) {
      f.usr = usr_of(r);
      f.qualified_name = qualified_name(r);
    }
    return;
  }
  f.usr = usr_of(c);
  f.name = spelling(c);
  f.qualified_name = qualified_name(c);
  if (f.name == "operator()" && kind_of(clang_getCursorLexicalParent(c)) != CXCursor_Namespace &&
      !clang_isTranslationUnit(kind_of(clang_getCursorLexicalParent(c)))) {
    // A functor is known by its class.
    CXCursor owner = clang_getCursorSemanticParent(c);
    if (clang_equalCursors(owner, clang_getCursorLexicalParent(c)) && !spelling(owner).empty()) {
      f.name = spelling(owner);
      f.qualified_name = qualified_name(owner);
      f.place = place_of(owner);
    }
  }
}

void finish(Interp& run, const Value& returned, const LowerOptions& options, LoweredFunction& f) {
  f.callees = run.callees;
  f.unresolved.assign(run.unresolved.begin(), run.unresolved.end());
  Solution best;
  Output chosen;
  int tried = 0;
  std::set<NodeId> seen;
  std::vector<Output> outputs = outputs_of(run, returned);
  for (const Output& o : outputs) {
    if (!seen.insert(o.node).second)
      continue;
    if (best.score == 3)
      break;
    if (!nonlinear(run.dag(), o.node) && !(best.input < 0 && best.reason.empty()))
      continue;
    if (++tried > 10)
      break;
    Solution s = solve(run, o.node, o.place);
    auto straight = [](const Arm& a) {
      return !a.unresolved && !a.by_position && a.fingerprint.formula == Formula::other && !nonlinear(a.expr, a.expr.root());
    };
    if (std::all_of(s.arms.begin(), s.arms.end(), straight))
      s.arms.clear();
    if (s.arms.empty() && s.score >= 2)
      s.score = 0;
    if ((best.input < 0 && best.score == 0) || s.score > best.score) {
      best = std::move(s);
      chosen = o;
    }
  }
  if (best.score == 3 && best.arms.size() == 1)
    add_disagreements(run, outputs, chosen, best);
  // An activation that is then quantised: what was computed before the rounding is told by inner_formulas.
  if (best.score == 2 && std::any_of(best.arms.begin(), best.arms.end(), [](const Arm& a) { return !a.unresolved && only_whole_numbers(a.expr); })) {
    best.score = 1;
    best.reason = "its result is rounded to whole numbers";
  }
  bool something = best.input >= 0 && !best.arms.empty() && best.score >= 2;
  if (something) {
    f.output_param = chosen.param;
    fill(run, best, options, f);
    f.by_rule = !run.by_rule.empty();
    if (f.by_rule)
      for (const std::string& name : run.by_rule)
        f.callees.push_back(name);
  } else {
    f.reason = run.overwritten         ? "what it stored is overwritten as a whole"
               : !best.reason.empty()  ? best.reason
               : !run.trouble.empty()  ? run.trouble
               : tried == 0            ? "returns and stores nothing that depends on its input"
                                       : "is not an elementwise function of one value";
  }
  if ((best.score < 3 && !f.fingerprint.near_miss) || f.intermediate_input)
    inner_formulas(run, f, best.score == 2 ? chosen.node : k_no_node);
}

namespace {

/// What a function computes as a whole takes `part` for some values of its input only: "x > 3 ? 0 : f(x)" that is not f.
bool for_some_values(Interp& run, NodeId whole, NodeId part, int input) {
  if (whole == k_no_node)
    return false;
  for (NodeId n : reachable(run.dag(), whole)) {
    const formula::Node& node = run.dag()[n];
    if (node.op != Op::select || contains(run.dag(), node.a, part) || !contains(run.dag(), n, part))
      continue;
    for (NodeId k : reachable(run.dag(), node.a))
      if (run.symbol_of(k) == input)
        return true;
  }
  return false;
}

} // namespace

void inner_formulas(Interp& run, LoweredFunction& f, NodeId whole) {
  struct Found {
    const Trace* trace;
    Solution solution;
  };
  std::vector<Found> found;
  std::set<NodeId> seen;
  int tried = 0;
  for (const Trace& t : run.traces()) {
    if (!seen.insert(t.node).second || !nonlinear(run.dag(), t.node))
      continue;
    if (++tried > 40)
      break;
    Solution s = solve(run, t.node);
    if (for_some_values(run, whole, t.node, s.input))
      continue;
    if (s.score == 3 && s.arms.size() == 1 && formula::is_gelu_family(s.arms[0].fingerprint.formula))
      found.push_back({&t, std::move(s)});
    else if (s.score == 3 && s.arms.size() == 1 && s.arms[0].fingerprint.formula != Formula::identity)
      found.push_back({&t, std::move(s)});
    else if (s.score == 2 && s.arms.size() == 1 && s.arms[0].fingerprint.near_miss)
      found.push_back({&t, std::move(s)});
  }
  for (size_t i = 0; i < found.size(); ++i) {
    const formula::Fingerprint& mine = found[i].solution.arms[0].fingerprint;
    bool drop = false;
    for (size_t k = 0; k < found.size() && !drop; ++k) {
      if (k == i)
        continue;
      const formula::Fingerprint& other = found[k].solution.arms[0].fingerprint;
      bool part = contains(run.dag(), found[k].trace->node, found[i].trace->node);
      bool whole = contains(run.dag(), found[i].trace->node, found[k].trace->node);
      // sigmoid(x) inside x*sigmoid(x) is not a site of its own; of one formula the first place counts.
      drop = (part && other.formula != mine.formula && found[k].solution.input == found[i].solution.input) ||
             (whole && other.formula == mine.formula);
    }
    if (drop)
      continue;
    InnerFormula inner;
    inner.place = place_of(found[i].trace->at);
    inner.symbol = found[i].trace->symbol;
    inner.expr = found[i].solution.arms[0].expr;
    inner.fingerprint = mine;
    f.inner.push_back(std::move(inner));
  }
}

std::optional<Expr> table_fill(Interp& run, CXCursor array) {
  std::optional<Expr> out;
  run.store().each([&](CellId c, const Stored& s) {
    CellId root = run.root_of(c);
    const Cell& r = run.cell(root);
    if (!out && c != root && !is_null(r.decl) && clang_equalCursors(clang_getCanonicalCursor(r.decl), array) &&
        s.value.is_number())
      out = solve_over_index(run, s.value.node);
  });
  return out;
}

void from_summary(const FunctionSummary& s, const LowerOptions& options, LoweredFunction& f) {
  std::string error;
  std::optional<Expr> e = formula::parse_expr(s.expr, &error);
  if (!e) {
    f.reason = "its summary could not be read";
    return;
  }
  f.expr = *e;
  f.fingerprint = formula::classify(*e);
  f.precision = formula::precision_of(*e);
  f.hazards = formula::hazards_of(*e, options.fast_math);
  f.input_param = s.input_param;
  f.gate_param = s.gate_param;
  f.output_param = s.output_param;
  f.callees.push_back(s.qualified_name);
}

} // namespace gelint::scan::lower
