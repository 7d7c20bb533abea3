// Whether all that a function stores is one formula: lanes, unrolled statements, the rest of a vector loop, elements of
// some positions.

#include "scan/lower_outputs.h"

#include <algorithm>

namespace gelint::scan::lower {

using formula::Formula;

namespace {

bool one_formula(const Arm& a, const Arm& b) {
  return a.unresolved == b.unresolved && a.fingerprint.formula == b.fingerprint.formula && a.fingerprint.formula != Formula::other;
}

/// An activation, not a copy, a scale or something that matches nothing.
bool activation(const Arm& a) {
  Formula f = a.fingerprint.formula;
  return !a.unresolved && f != Formula::other && f != Formula::unknown && f != Formula::identity;
}

/// The value is, or is made of, elements of the array that x is an element of.
bool reads_array_of(Interp& run, NodeId node, int input) {
  CellId x = run.symbols()[static_cast<size_t>(input)].cell;
  CellId array = x == k_no_cell ? x : run.cell(x).parent;
  for (NodeId n : reachable(run.dag(), node)) {
    if (run.dag()[n].op != Op::parameter)
      continue;
    int symbol = static_cast<int>(run.dag()[n].value);
    CellId c = run.symbols()[static_cast<size_t>(symbol)].cell;
    if (symbol == input || (array != k_no_cell && c != k_no_cell && (c == array || run.cell(c).parent == array)))
      return true;
  }
  return false;
}

/// A number put in one place of the array behind the loop that filled it: "y[n - 1] = 0". What follows the last element,
/// as in y[n], is none of them.
bool overwrites_one(Interp& run, const Output& o, const Output& chosen) {
  if (o.returned || chosen.returned || o.array != chosen.array || o.sequence < chosen.sequence || run.cell(o.place).type.lanes)
    return false;
  const NodeId index = run.subscript_of(o.place), mine = run.subscript_of(chosen.place);
  if (index == k_no_node || mine == k_no_node || run.cell(o.place).parent != run.cell(chosen.place).parent)
    return false;
  auto counted = [&](NodeId root) {
    for (NodeId n : reachable(run.dag(), root))
      if (run.dag()[n].op == Op::parameter) {
        const Symbol& s = run.symbols()[static_cast<size_t>(run.dag()[n].value)];
        const CellId cell = run.root_of(s.cell);
        if (cell == k_no_cell || run.cell(cell).param < 0)
          return true;
      }
    return false;
  };
  const formula::Node& node = run.dag()[index];
  return counted(mine) && !counted(index) && (node.op == Op::sub || node.op == Op::constant);
}

} // namespace

void add_disagreements(Interp& run, const std::vector<Output>& outputs, const Output& chosen, Solution& best) {
  std::set<NodeId> seen{chosen.node};
  std::vector<Arm> others;
  int compared = 0;
  const Arm& mine = best.arms[0];
  for (const Output& o : outputs) {
    if (!seen.insert(o.node).second)
      continue;
    bool same_array = o.array == chosen.array && o.returned == chosen.returned;
    bool curved = nonlinear(run.dag(), o.node);
    // A table, a gradient or a mask beside the result is no tensor of the activation; a copy of x in its place is.
    if (same_array && !curved && others.size() < 4 && overwrites_one(run, o, chosen)) {
      others.push_back({k_by_element, {}, {}, true, true});
      continue;
    }
    if (same_array ? !curved && !reads_array_of(run, o.node, best.input)
                   : !curved || !(formula::is_gelu_family(mine.fingerprint.formula) || activation(mine)))
      continue;
    if (++compared > 12 || others.size() >= 4)
      break;
    Solution s = solve(run, o.node, o.place);
    if (s.arms.empty() && s.score == 1 && same_array)
      s.arms.push_back({"", {}, {}, true, false});
    for (Arm& a : s.arms) {
      if (one_formula(a, mine) || (!same_array && !(activation(a) && (formula::is_gelu_family(a.fingerprint.formula) ||
                                                                      formula::is_gelu_family(mine.fingerprint.formula)))))
        continue;
      if (std::any_of(others.begin(), others.end(), [&](const Arm& b) { return one_formula(a, b); }))
        continue;
      a.condition = same_array ? k_by_element : k_by_array;
      others.push_back(std::move(a));
    }
  }
  if (others.empty())
    return;
  best.arms[0].condition = others[0].condition;
  for (Arm& a : others)
    best.arms.push_back(std::move(a));
}

} // namespace gelint::scan::lower
