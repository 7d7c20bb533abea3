#include "scan/lower_outputs.h"

#include "scan/lower_reach.h"

#include <algorithm>
#include <set>

namespace gelint::scan::lower {

using formula::Expr;

namespace {

/// `root` with `to` in the place of `from`.
NodeId replaced(Expr& dag, NodeId root, NodeId from, NodeId to) {
  std::map<NodeId, NodeId> map{{from, to}};
  for (NodeId n = from + 1; n <= root; ++n) {
    const formula::Node node = dag[n];
    auto at = [&](NodeId k) {
      auto it = map.find(k);
      return it == map.end() ? k : it->second;
    };
    NodeId a = at(node.a), b = at(node.b), c = at(node.c);
    if (a != node.a || b != node.b || c != node.c)
      map[n] = dag.make(node.op, node.type, a, b, c);
  }
  return map.count(root) ? map[root] : root;
}

/// A vector stands for one of its lanes: what the others compute are outputs as well.
void add_lanes(Interp& run, std::vector<Output>& out) {
  std::vector<Output> more;
  for (const Output& o : out)
    for (const auto& [chosen, others] : run.lanes())
      if (!others.empty() && more.size() < 8 && chosen <= o.node && o.node - chosen < 4000 && contains(run.dag(), o.node, chosen))
        for (NodeId other : others)
          more.push_back({o.param, replaced(run.dag(), o.node, chosen, other), o.sequence, o.returned, o.place, o.array});
  out.insert(out.end(), more.begin(), more.end());
}

/// A yes or no, perhaps widened to an int: a predicate, not a value of the tensor.
bool is_truth(const Expr& dag, NodeId n) {
  while (dag[n].op == Op::cast && dag[n].type != formula::Type::boolean)
    n = dag[n].a;
  return dag[n].type == formula::Type::boolean;
}

/// A variable of the program or a field of one, not an element of an array: "if (limit > 0) return; limit = 0;" sets a
/// state.
bool is_state(const Interp& run, CellId c) {
  if (!run.cell(run.root_of(c)).global)
    return false;
  for (; c != k_no_cell && !run.cell(c).key.empty(); c = run.cell(c).parent)
    if (run.cell(c).key[0] != '.')
      return false;
  return true;
}

/// Elements of an array and lanes of a vector are one tensor, other fields are not.
CellId array_of(const Interp& run, CellId c) {
  while (run.cell(c).parent != k_no_cell) {
    const std::string& key = run.cell(c).key;
    const Cell& owner = run.cell(run.cell(c).parent);
    bool lane = key.size() == 2 && key[0] == '.' && std::string_view("xyzwrgba").find(key[1]) != std::string_view::npos;
    if (key[0] != '[' && !(key[0] == '.' && owner.type.lanes) && !lane)
      break;
    c = run.cell(c).parent;
  }
  return c;
}

} // namespace

std::vector<Output> outputs_of(Interp& run, const Value& returned) {
  std::vector<Output> out;
  bool valued = returned.is_number() || returned.kind == Value::Kind::choice ||
                returned.kind == Value::Kind::object || returned.kind == Value::Kind::pointer;
  if (valued) {
    NodeId n = run.as_number(returned);
    // The whole numbers in an object are its kind, its flags, its counts.
    bool described = !returned.is_number() && formula::is_integer(run.dag()[n].type);
    if (!described && !is_truth(run.dag(), n))
      out.push_back({-1, n, UINT64_MAX, true, k_no_cell, k_no_cell});
    // The fields of a structure that is returned by value.
    if (returned.kind == Value::Kind::object)
      for (const auto& [place, node] : run.parts_of(returned.cell))
        if (!formula::is_integer(run.dag()[node].type) && out.size() < 12)
          out.push_back({-1, node, UINT64_MAX, true, place, array_of(run, place)});
  }
  std::vector<Output> stores;
  run.store().each([&](CellId c, const Stored& s) {
    CellId root = run.root_of(c);
    const Cell& r = run.cell(root);
    bool outside = (r.param >= 0 && c != root) || r.global || (!r.local && r.param < 0);
    bool by_reference = r.param >= 0 && c == root && r.type.reference;
    if ((!outside && !by_reference) || is_state(run, c))
      return;
    if (!s.value.is_number() && s.value.kind != Value::Kind::object)
      return;
    if (s.value.kind == Value::Kind::object && s.value.cell == c)
      return;
    NodeId n = run.as_number(s.value);
    bool described = !run.cell(c).key.empty() && run.cell(c).key[0] == '.' && formula::is_integer(run.dag()[n].type);
    if (described || is_truth(run.dag(), n))
      return;
    stores.push_back({r.param, n, s.sequence, false, c, array_of(run, c)});
  });
  // "p->x = f(p->x);" and no more: the other lanes are as they were.
  std::set<CellId> vectors;
  for (size_t i = 0, n = stores.size(); i < n; ++i) {
    const Output o = stores[i];
    const CellId vector = run.cell(o.place).parent;
    if (vector == k_no_cell || !run.cell(vector).type.lanes || run.store().find(vector) || !vectors.insert(vector).second || !run.lanes_left(vector))
      continue;
    if (const Value rest = run.whole_of(vector); rest.is_number())
      stores.push_back({o.param, rest.node, 0, false, vector, o.array});
  }
  std::sort(stores.begin(), stores.end(), [](const Output& a, const Output& b) { return a.sequence > b.sequence; });
  // "memcpy(y, x, n); for (…) y[i] = f(y[i]);": what the copy left in the first element is overwritten as well.
  const std::vector<Output> all = stores;
  std::erase_if(stores, [&](const Output& o) {
    const CellId array = run.cell(o.place).parent;
    const NodeId index = run.subscript_of(o.place);
    return array != k_no_cell && run.filled(array) && index != k_no_node && run.dag()[index].op == Op::constant && run.dag()[index].value == 0 &&
           std::any_of(all.begin(), all.end(), [&](const Output& later) { return later.sequence > o.sequence && run.cell(later.place).parent == array; });
  });
  out.insert(out.end(), stores.begin(), stores.end());
  add_lanes(run, out);
  return out;
}

} // namespace gelint::scan::lower
