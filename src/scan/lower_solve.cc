#include "scan/lower_solve.h"

#include "scan/lower_solver.h"

#include <algorithm>

namespace gelint::scan::lower {

using formula::Expr;

namespace {

/// The elements that these symbols stand for have one index, whatever the free values in it are: x[i + 0] and x[i], not
/// x[i + h] and x[i]. Told by evaluation at a few values that no two symbols share.
bool one_element(Interp& run, const std::set<int>& elements) {
  Expr& dag = run.dag();
  std::vector<NodeId> indices;
  for (int i : elements)
    indices.push_back(run.subscript_of(run.symbols()[static_cast<size_t>(i)].cell));
  if (std::count(indices.begin(), indices.end(), k_no_node))
    return false;
  for (int turn = 0; turn < 3; ++turn) {
    Expr e;
    std::map<NodeId, NodeId> copied;
    std::vector<double> values;
    for (NodeId root : indices) {
      for (NodeId n : reachable(dag, root)) {
        if (copied.count(n))
          continue;
        const formula::Node& node = dag[n];
        auto at = [&](NodeId k) { return k == k_no_node ? k : copied[k]; };
        // Whole numbers, spread well below what an int holds, so that no sum or product of a few agrees by accident.
        if (node.op == Op::parameter)
          copied[n] = e.constant(static_cast<double>((static_cast<int64_t>(node.value) * 7919 + turn * 104729 + 17) % 3001 + 5), node.type);
        else if (node.op == Op::constant)
          copied[n] = e.constant(node.value, node.type);
        else if (formula::arity(node.op) == 0)
          copied[n] = e.leaf(node.op, node.type, node.value);
        else
          copied[n] = e.make(node.op, node.type, at(node.a), at(node.b), at(node.c));
      }
      e.set_root(copied[root]);
      values.push_back(formula::eval_ideal(e, 1));
    }
    if (std::any_of(values.begin(), values.end(), [&](double v) { return v != values[0]; }))
      return false;
  }
  return true;
}

bool is_canonical(const Solution& s) { return s.score == 3; }

} // namespace

namespace {

/// "if (mode) y = f(a()); else y = g(b());" computes f of one value and g of another: the arms of all of them.
void add_other_inputs(Interp& run, NodeId root, CellId place, const std::vector<int>& data, Solution& best) {
  const size_t own = best.arms.size();
  bool explained = false;
  for (int y : data) {
    if (y == best.input)
      continue;
    Solution s = Solver(run, root, place).with_input({y});
    if (!is_canonical(s))
      continue;
    explained = true;
    for (Arm& a : s.arms)
      if (!a.unresolved && a.fingerprint.formula != formula::Formula::identity && std::none_of(best.arms.begin(), best.arms.end(), [&](const Arm& b) {
            return !b.unresolved && b.fingerprint.formula == a.fingerprint.formula;
          })) {
        if (a.condition.empty())
          a.condition = "another value";
        best.arms.push_back(std::move(a));
      }
  }
  if (!explained)
    best.arms.push_back({"another value", {}, {}, true, false});
  if (best.arms.size() > own && best.arms[0].condition.empty())
    best.arms[0].condition = best.arms[own].condition;
}

} // namespace

Solution solve(Interp& run, NodeId root, CellId place) {
  const Expr& dag = run.dag();
  std::vector<NodeId> nodes = reachable(dag, root);
  std::vector<int> data;
  for (NodeId n : nodes)
    if (dag[n].op == Op::parameter) {
      const Symbol& s = run.symbols()[static_cast<size_t>(dag[n].value)];
      if (!s.index && !s.undef && !s.changing)
        data.push_back(static_cast<int>(dag[n].value));
    }
  Solution best;
  if (data.empty()) {
    best.reason = "does not depend on a value of the tensor";
    return best;
  }
  if (nodes.size() > 1500) {
    best.reason = "the expression is too large";
    best.score = 1;
    return best;
  }
  // Elements of arrays before scalars: an activation runs over elements.
  std::stable_sort(data.begin(), data.end(), [&](int a, int b) {
    auto rank = [&](int i) {
      const Symbol& s = run.symbols()[static_cast<size_t>(i)];
      return (s.cell != k_no_cell && !run.cell(s.cell).key.empty() ? 0 : 2) + (is_floating(s.type) ? 0 : 1);
    };
    return rank(a) < rank(b);
  });
  if (data.size() > 6)
    data.resize(6);
  for (int x : data) {
    Solution s = Solver(run, root, place).with_input({x});
    if (best.input < 0 || s.score > best.score)
      best = std::move(s);
    if (is_canonical(best)) {
      if (best.elsewhere)
        add_other_inputs(run, root, place, data, best);
      return best;
    }
  }
  // Different elements of one array that are the same element: their indices are equal, in other words.
  std::map<CellId, std::set<int>> by_array;
  for (int x : data) {
    CellId c = run.symbols()[static_cast<size_t>(x)].cell;
    if (c != k_no_cell && run.cell(c).parent != k_no_cell && run.cell(c).key[0] == '[')
      by_array[run.cell(c).parent].insert(x);
  }
  for (const auto& [array, set] : by_array) {
    if (set.size() < 2 || !one_element(run, set))
      continue;
    Solution s = Solver(run, root, place).with_input(set);
    if (is_canonical(s))
      return s;
  }
  return best;
}

namespace {

/// The index of a table of halves is the half itself: what turns it into a whole number rounds nothing.
Expr without_index_casts(const Expr& e) {
  Expr out;
  std::vector<NodeId> to(e.size(), k_no_node);
  std::vector<char> index(e.size(), 0);
  auto at = [&](NodeId n) { return n == k_no_node ? k_no_node : to[n]; };
  for (NodeId i = 0; i < e.size(); ++i) {
    const formula::Node& n = e[i];
    if (n.op == Op::constant)
      to[i] = out.constant(n.value, n.type);
    else if (n.a == k_no_node)
      to[i] = out.leaf(n.op, n.type, n.value);
    else if (n.op == Op::cast && is_integer(n.type) && index[n.a])
      to[i] = to[n.a];
    else
      to[i] = out.make(n.op, n.type, at(n.a), at(n.b), at(n.c));
    index[i] = n.op == Op::input || (n.op == Op::cast && index[n.a]);
  }
  out.set_root(to[e.root()]);
  return out;
}

} // namespace

std::optional<Expr> solve_over_index(Interp& run, NodeId root) {
  std::set<int> counters;
  for (NodeId n : reachable(run.dag(), root))
    if (run.dag()[n].op == Op::parameter && run.symbols()[static_cast<size_t>(run.dag()[n].value)].index)
      counters.insert(static_cast<int>(run.dag()[n].value));
  if (counters.size() != 1)
    return std::nullopt;
  Solution s = Solver(run, root).with_input(counters);
  if (s.arms.size() != 1)
    return std::nullopt;
  return without_index_casts(s.arms[0].expr);
}

} // namespace gelint::scan::lower
