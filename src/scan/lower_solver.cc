#include "scan/lower_solver.h"

#include "scan/lower_role.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelint::scan::lower {

using formula::Expr;
using formula::Formula;

Solution Solver::with_input(const std::set<int>& inputs) {
  Solution s;
  s.input = *inputs.begin();
  inputs_ = inputs;
  decided_.clear();
  std::vector<Arm> arms;
  reason_.clear();
  gate_ = -1;
  elsewhere_ = false;
  note_positions();
  explore(arms, 0);
  auto nothing = [&](const Arm& a) { return computes_nothing(a); };
  if (!std::all_of(arms.begin(), arms.end(), nothing))
    arms.erase(std::remove_if(arms.begin(), arms.end(), nothing), arms.end());
  if (std::all_of(arms.begin(), arms.end(), [](const Arm& a) { return a.unresolved; }))
    arms.clear();
  for (const Arm& a : arms) {
    if (a.unresolved)
      continue;
    int score = a.fingerprint.formula == Formula::identity  ? 0
                : a.fingerprint.formula == Formula::unknown ? 1
                : a.fingerprint.formula == Formula::other   ? 2
                                                            : 3;
    s.score = std::max(s.score, score);
  }
  // One formula in every arm: the first stands for all.
  bool same = !arms.empty() && std::all_of(arms.begin(), arms.end(), [&](const Arm& a) {
    return a.fingerprint.formula == arms[0].fingerprint.formula && a.fingerprint.formula != Formula::other &&
           !a.unresolved && a.fingerprint.gating == arms[0].fingerprint.gating;
  });
  if (same && arms.size() > 1) {
    arms.resize(1);
    arms[0].condition.clear();
  }
  s.arms = std::move(arms);
  s.elsewhere = elsewhere_;
  s.gate = gate_;
  s.reason = reason_;
  if (s.arms.empty() && s.score == 0 && !reason_.empty())
    s.score = 1;
  return s;
}

bool Solver::computes_nothing(const Arm& a) const {
  if (a.unresolved)
    return false;
  bool copy = a.fingerprint.formula == Formula::identity;
  if (copy && a.by_position)
    return false; // some elements are copied
  return copy || a.fingerprint.formula == Formula::unknown || !a.expr.depends_on(a.expr.root(), Op::input);
}

void Solver::note_subscripts(CellId c) {
  for (; c != k_no_cell && !run_.cell(c).key.empty(); c = run_.cell(c).parent) {
    NodeId index = run_.subscript_of(c);
    if (index == k_no_node)
      continue;
    for (NodeId n : reachable(dag_, index)) {
      if (dag_[n].op != Op::parameter)
        continue;
      int symbol = static_cast<int>(dag_[n].value);
      CellId root = run_.root_of(run_.symbols()[static_cast<size_t>(symbol)].cell);
      // A size or an offset that the caller gives is the same for all elements.
      if (root == k_no_cell || (run_.cell(root).param < 0 && !run_.cell(root).local && run_.cell(root).path != "this"))
        positions_.insert(symbol);
    }
  }
}

void Solver::note_positions() {
  positions_.clear();
  note_subscripts(place_);
  for (size_t i = 0; i < run_.symbols().size(); ++i)
    if (run_.symbols()[i].index && run_.symbols()[i].name == k_lane)
      positions_.insert(static_cast<int>(i));
  for (int i : inputs_)
    note_subscripts(run_.symbols()[static_cast<size_t>(i)].cell);
}

bool Solver::by_position() const {
  if (!positions_.empty())
    for (const auto& [condition, value] : decided_)
      for (NodeId n : reachable(dag_, condition))
        if (dag_[n].op == Op::parameter && positions_.count(static_cast<int>(dag_[n].value)))
          return true;
  return false;
}

bool Solver::unchanged(const Expr& e) const {
  NodeId n = e.root();
  while (e[n].op == Op::cast)
    n = e[n].a;
  return e[n].op == Op::input && std::any_of(inputs_.begin(), inputs_.end(), [&](int i) {
           return run_.symbols()[static_cast<size_t>(i)].cell == place_;
         });
}

bool Solver::depends_on_input(NodeId n) {
  auto it = on_input_.find(n);
  if (it != on_input_.end())
    return it->second;
  const formula::Node& node = dag_[n];
  bool out = false;
  if (node.op == Op::parameter)
    out = inputs_.count(static_cast<int>(node.value)) != 0 || tainted(static_cast<int>(node.value));
  else
    for (NodeId k : {node.a, node.b, node.c})
      out = out || (k != k_no_node && depends_on_input(k));
  on_input_[n] = out;
  return out;
}

bool Solver::tainted(int symbol) const {
  for (int t : run_.symbols()[static_cast<size_t>(symbol)].taint)
    if (inputs_.count(t))
      return true;
  return false;
}

bool Solver::made_from(int symbol) const {
  for (int x : inputs_)
    if (run_.symbols()[static_cast<size_t>(x)].taint.count(symbol))
      return true;
  return false;
}

template <class F> void Solver::sweep(F visit) {
  std::vector<char> seen(static_cast<size_t>(root_) + 1, 0);
  seen[root_] = 1;
  for (NodeId n = root_ + 1; n-- > 0;) {
    if (!seen[n])
      continue;
    visit(n);
    const formula::Node& node = dag_[n];
    if (node.op == Op::select)
      if (auto it = decided_.find(node.a); it != decided_.end()) {
        seen[it->second ? node.b : node.c] = 1;
        continue;
      }
    for (NodeId k : {node.a, node.b, node.c})
      if (k != k_no_node)
        seen[k] = 1;
  }
}

NodeId Solver::undecided() {
  NodeId found = k_no_node;
  sweep([&](NodeId n) {
    const formula::Node& node = dag_[n];
    // The outermost by position: the largest id is the last one built.
    if (node.op == Op::select && !depends_on_input(node.a) && !decided_.count(node.a) &&
        (found == k_no_node || node.a > found))
      found = node.a;
  });
  return found;
}

void Solver::explore(std::vector<Arm>& arms, int depth) {
  if (arms.size() >= 24 || depth > 10 || run_.solver_budget <= 0) {
    reason_ = "too many conditions decide the formula";
    return;
  }
  NodeId condition = undecided();
  if (condition == k_no_node) {
    finish(arms);
    return;
  }
  for (bool value : {true, false}) {
    decided_[condition] = value;
    explore(arms, depth + 1);
  }
  decided_.erase(condition);
}

Expr Solver::build(const std::map<int, Binding>& bind) {
  Expr e;
  std::map<NodeId, NodeId> map;
  e.set_root(copy(root_, bind, e, map));
  return e;
}

NodeId Solver::copy(NodeId n, const std::map<int, Binding>& bind, Expr& e, std::map<NodeId, NodeId>& map) {
  auto it = map.find(n);
  if (it != map.end())
    return it->second;
  const formula::Node& node = dag_[n];
  NodeId out = k_no_node;
  if (node.op == Op::constant) {
    out = e.constant(node.value, node.type);
  } else if (node.op == Op::parameter) {
    int symbol = static_cast<int>(node.value);
    auto b = bind.find(symbol);
    Binding how = b == bind.end() ? Binding{} : b->second;
    if (inputs_.count(symbol))
      out = e.leaf(Op::input, node.type);
    else if (how.as == Binding::As::gate)
      out = e.leaf(Op::gate, node.type);
    else if (how.as == Binding::As::parameter)
      out = e.leaf(Op::parameter, node.type, how.value);
    else
      out = e.constant(how.value, node.type);
  } else if (node.op == Op::select && decided_.count(node.a)) {
    out = copy(decided_[node.a] ? node.b : node.c, bind, e, map);
  } else {
    NodeId a = node.a == k_no_node ? node.a : copy(node.a, bind, e, map);
    NodeId b = node.b == k_no_node ? node.b : copy(node.b, bind, e, map);
    NodeId c = node.c == k_no_node ? node.c : copy(node.c, bind, e, map);
    out = e.make(node.op, node.type, a, b, c);
  }
  map[n] = out;
  return out;
}

std::set<int> Solver::symbols_in_use() {
  std::set<int> out;
  sweep([&](NodeId n) {
    if (dag_[n].op == Op::parameter)
      out.insert(static_cast<int>(dag_[n].value));
  });
  return out;
}

void Solver::give_up(std::vector<Arm>& arms, std::string reason) {
  if (reason_.empty())
    reason_ = std::move(reason);
  arms.push_back({condition_text(), {}, {}, true, by_position()});
}

void Solver::finish(std::vector<Arm>& arms) {
  --run_.solver_budget;
  std::set<int> used = symbols_in_use();
  bool has_input = std::any_of(used.begin(), used.end(), [&](int i) { return inputs_.count(i) != 0 || tainted(i); });
  if (!has_input) {
    bool curved = false;
    sweep([&](NodeId n) { curved = curved || transcendental(dag_[n].op); });
    elsewhere_ = elsewhere_ || (curved && !used.empty());
    return;
  }
  for (const auto& [condition, value] : decided_)
    for (NodeId n : reachable(dag_, condition))
      if (dag_[n].op == Op::parameter && run_.symbols()[static_cast<size_t>(dag_[n].value)].undef) {
        if (reason_.empty())
          reason_ = "a condition reads a value that is not known";
        return;
      }
  std::vector<int> others;
  for (int i : used) {
    if (inputs_.count(i))
      continue;
    const Symbol& sym = run_.symbols()[static_cast<size_t>(i)];
    if (tainted(i)) {
      return give_up(arms, sym.call.empty() ? fmt::format("`{}` is accumulated from the input", sym.name)
                                   : fmt::format("calls {}, whose body is not known", sym.call));
    }
    if (sym.undef) {
      if (reason_.empty())
        reason_ = fmt::format("reads {}, which is not assigned on every path", sym.name);
      return;
    }
    if (sym.changing) {
      return give_up(arms, fmt::format("reads `{}`, which other code may change", sym.name));
    }
    others.push_back(i);
  }
  if (others.size() > 8) {
    return give_up(arms, "mixes more than 8 values");
  }
  std::map<int, Binding> bind;
  std::vector<int> open = others, factors;
  // Additive roles first: a factor can only be seen once they are out of the way.
  for (int pass = 0; pass < 3 && !open.empty(); ++pass) {
    std::vector<int> still;
    for (int i : open) {
      std::map<int, Binding> probe = bind;
      probe[i] = {Binding::As::gate, 0};
      Role r = role_of(build(probe));
      if (pass == 0 && (r == Role::factor || r == Role::one_more || r == Role::divisor || r == Role::scale)) {
        still.push_back(i);
        continue;
      }
      switch (r) {
      case Role::shift:
      case Role::offset: bind[i] = {Binding::As::constant, 0}; break;
      case Role::factor:
      case Role::one_more:
        if (made_from(i)) {
          const Symbol& x = run_.symbols()[static_cast<size_t>(*inputs_.begin())];
          return give_up(arms, x.call.empty() ? fmt::format("`{}` is accumulated from the other factor", x.name)
                                   : fmt::format("calls {}, whose body is not known", x.call));
        }
        factors.push_back(i);
        [[fallthrough]];
      case Role::divisor:
      case Role::scale: bind[i] = {Binding::As::constant, r == Role::one_more ? 0.0 : 1.0}; break;
      case Role::none: still.push_back(i); break;
      }
    }
    open = still;
  }
  auto floating = [&](int i) { return is_floating(run_.symbols()[static_cast<size_t>(i)].type); };
  if (!open.empty() && open.size() <= 2 && std::all_of(open.begin(), open.end(), floating)) {
    // A learned or configured slope.
    std::map<int, Binding> probe = bind;
    for (int i : open)
      probe[i] = {Binding::As::parameter, 0.25};
    Expr e = build(probe);
    formula::Fingerprint fp = formula::classify(e);
    if (fp.formula == Formula::prelu || fp.formula == Formula::leaky_relu) {
      arms.push_back({condition_text(), std::move(e), fp, false, by_position()});
      return;
    }
  }
  if (!open.empty()) {
    return give_up(arms, fmt::format("depends on {} besides the input, which is neither a factor nor added",
                            run_.symbols()[static_cast<size_t>(open[0])].name));
  }
  // A gate is a factor with one value per element; scales are factors too.
  int gate = -1;
  for (int i : factors) {
    const Symbol& sym = run_.symbols()[static_cast<size_t>(i)];
    if (sym.index)
      continue;
    bool element = sym.cell != k_no_cell && !run_.cell(sym.cell).key.empty();
    if (gate < 0 || element) {
      gate = i;
      if (element)
        break;
    }
  }
  // Found a factor while others had one value: g·f(x + a·g) is none.
  for (int i : factors)
    if (others.size() > 1 && !stays_a_factor(i, bind))
      return give_up(arms, fmt::format("depends on {} besides the input, which is neither a factor nor added", run_.symbols()[static_cast<size_t>(i)].name));
  if (gate >= 0)
    bind[gate] = {Binding::As::gate, 1};
  Expr e = build(bind);
  formula::Fingerprint fp = formula::classify(e);
  bool by_place = by_position() && !unchanged(e);
  if (gate >= 0 && fp.formula == Formula::identity && !by_place)
    return; // a product of two values
  if (gate >= 0 && gate_ < 0)
    gate_ = gate;
  arms.push_back({condition_text(), std::move(e), fp, false, by_place});
}

bool Solver::stays_a_factor(int symbol, std::map<int, Binding> bind) {
  double off = 0.37;
  for (auto& [i, how] : bind)
    if (how.as == Binding::As::constant)
      how.value += off *= 0.83;
  bind[symbol] = {Binding::As::gate, 0};
  return affine_in_gate(build(bind));
}

std::string Solver::condition_text() const {
  std::string out;
  for (const auto& [n, value] : decided_) {
    std::string text = run_.condition_text(n);
    if (text.empty())
      continue; // made of others, as "has returned" is
    if (!out.empty())
      out += " && ";
    out += value ? text : "!(" + text + ")";
  }
  return out;
}

} // namespace gelint::scan::lower
