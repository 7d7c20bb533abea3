#include "scan/lower_solve.h"

#include "scan/lower_role.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelint::scan::lower {

using formula::Expr;
using formula::Formula;

namespace {

/// Nodes reachable from `root`, ascending.
std::vector<NodeId> reachable(const Expr& dag, NodeId root) {
  // Operands come before their users, so one downward sweep marks everything.
  std::vector<NodeId> out;
  if (root == k_no_node)
    return out;
  std::vector<char> seen(static_cast<size_t>(root) + 1, 0);
  seen[root] = 1;
  for (NodeId n = root + 1; n-- > 0;) {
    if (!seen[n])
      continue;
    out.push_back(n);
    for (NodeId k : {dag[n].a, dag[n].b, dag[n].c})
      if (k != k_no_node)
        seen[k] = 1;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

/// How one symbol appears in a rebuilt expression.
struct Binding {
  enum class As : uint8_t { input, gate, constant, parameter } as = As::constant;
  double value = 1;
};

class Solver {
public:
  Solver(Interp& run, NodeId root) : run_(run), dag_(run.dag()), root_(root) {}

  Solution with_input(const std::set<int>& inputs) {
    Solution s;
    s.input = *inputs.begin();
    inputs_ = inputs;
    decided_.clear();
    std::vector<Arm> arms;
    reason_.clear();
    gate_ = -1;
    explore(s, arms, 0);
    // Arms that compute nothing say nothing when another arm does.
    auto trivial = [](const Arm& a) {
      if (a.unresolved)
        return false;
      return a.fingerprint.formula == Formula::identity || a.fingerprint.formula == Formula::unknown ||
             !a.expr.depends_on(a.expr.root(), Op::input);
    };
    if (std::any_of(arms.begin(), arms.end(), [&](const Arm& a) { return !trivial(a); }))
      arms.erase(std::remove_if(arms.begin(), arms.end(), trivial), arms.end());
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
    s.gate = gate_;
    s.reason = reason_;
    if (s.arms.empty() && s.score == 0 && !reason_.empty())
      s.score = 1;
    return s;
  }

private:
  bool depends_on_input(NodeId n) {
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

  bool tainted(int symbol) const {
    for (int t : run_.symbols()[static_cast<size_t>(symbol)].taint)
      if (inputs_.count(t))
        return true;
    return false;
  }

  /// x itself was computed from this symbol by something that is not known.
  bool made_from(int symbol) const {
    for (int x : inputs_)
      if (run_.symbols()[static_cast<size_t>(x)].taint.count(symbol))
        return true;
    return false;
  }

  /// The first condition on the way from the root that does not depend on x and is not decided yet.
  NodeId undecided() {
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

  /// Calls `visit` for the nodes below the root as far as the decided conditions let through; users first.
  template <class F> void sweep(F visit) {
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

  void explore(Solution& s, std::vector<Arm>& arms, int depth) {
    if (arms.size() >= 24 || depth > 10 || run_.solver_budget <= 0) {
      reason_ = "too many conditions decide the formula";
      return;
    }
    NodeId condition = undecided();
    if (condition == k_no_node) {
      finish(s, arms);
      return;
    }
    for (bool value : {true, false}) {
      decided_[condition] = value;
      explore(s, arms, depth + 1);
    }
    decided_.erase(condition);
  }

  Expr build(const std::map<int, Binding>& bind) {
    Expr e;
    std::map<NodeId, NodeId> map;
    e.set_root(copy(root_, bind, e, map));
    return e;
  }

  NodeId copy(NodeId n, const std::map<int, Binding>& bind, Expr& e, std::map<NodeId, NodeId>& map) {
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

  std::set<int> symbols_in_use() {
    std::set<int> out;
    sweep([&](NodeId n) {
      if (dag_[n].op == Op::parameter)
        out.insert(static_cast<int>(dag_[n].value));
    });
    return out;
  }

  void finish(Solution& s, std::vector<Arm>& arms) {
    --run_.solver_budget;
    std::set<int> used = symbols_in_use();
    bool has_input = std::any_of(used.begin(), used.end(), [&](int i) { return inputs_.count(i) != 0; });
    if (!has_input)
      return;
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
        if (reason_.empty())
          reason_ = sym.call.empty() ? fmt::format("`{}` is accumulated from the input", sym.name)
                                     : fmt::format("calls {}, whose body is not known", sym.call);
        arms.push_back({condition_text(), {}, {}, true});
        return;
      }
      if (sym.undef) {
        if (reason_.empty())
          reason_ = fmt::format("reads {}, which is not assigned on every path", sym.name);
        return;
      }
      if (sym.changing) {
        if (reason_.empty())
          reason_ = fmt::format("reads `{}`, which other code may change", sym.name);
        arms.push_back({condition_text(), {}, {}, true});
        return;
      }
      others.push_back(i);
    }
    if (others.size() > 8) {
      reason_ = "mixes more than 8 values";
      arms.push_back({condition_text(), {}, {}, true});
      return;
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
            reason_ = x.call.empty() ? fmt::format("`{}` is accumulated from the other factor", x.name)
                                     : fmt::format("calls {}, whose body is not known", x.call);
            arms.push_back({condition_text(), {}, {}, true});
            return;
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
    if (!open.empty() && open.size() <= 2) {
      // A learned or configured slope.
      std::map<int, Binding> probe = bind;
      for (int i : open)
        probe[i] = {Binding::As::parameter, 0.25};
      Expr e = build(probe);
      formula::Fingerprint fp = formula::classify(e);
      if (fp.formula == Formula::prelu || fp.formula == Formula::leaky_relu) {
        arms.push_back({condition_text(), std::move(e), fp, false});
        return;
      }
    }
    if (!open.empty()) {
      if (reason_.empty())
        reason_ = fmt::format("depends on {} besides the input, which is neither a factor nor added",
                              run_.symbols()[static_cast<size_t>(open[0])].name);
      arms.push_back({condition_text(), {}, {}, true});
      return;
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
    if (gate >= 0)
      bind[gate] = {Binding::As::gate, 1};
    Expr e = build(bind);
    formula::Fingerprint fp = formula::classify(e);
    if (gate >= 0 && fp.formula == Formula::identity) {
      // A product of two values.
      return;
    }
    if (gate >= 0 && gate_ < 0)
      gate_ = gate;
    (void)s;
    arms.push_back({condition_text(), std::move(e), fp, false});
  }

  std::string condition_text() const {
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

  Interp& run_;
  Expr& dag_;
  NodeId root_;
  std::set<int> inputs_;
  std::map<NodeId, bool> decided_;
  std::unordered_map<NodeId, bool> on_input_;
  std::string reason_;
  int gate_ = -1;
};

/// The node of an element's index, none for an element that is one of two.
NodeId index_of(const Interp& run, int symbol) {
  const std::string& key = run.cell(run.symbols()[static_cast<size_t>(symbol)].cell).key;
  return key.size() > 1 && key[1] >= '0' && key[1] <= '9' ? static_cast<NodeId>(std::stoul(key.substr(1))) : k_no_node;
}

/// The elements that these symbols stand for have one index, whatever the free values in it are: x[i + 0] and x[i], not
/// x[i + h] and x[i]. Told by evaluation at a few values that no two symbols share.
bool one_element(Interp& run, const std::set<int>& elements) {
  Expr& dag = run.dag();
  std::vector<NodeId> indices;
  for (int i : elements)
    indices.push_back(index_of(run, i));
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

bool nonlinear(const Expr& dag, NodeId root) {
  for (NodeId n : reachable(dag, root))
    switch (dag[n].op) {
    case Op::exp:
    case Op::exp2:
    case Op::expm1:
    case Op::tanh:
    case Op::erf:
    case Op::erfc:
    case Op::sinh:
    case Op::cosh:
    case Op::sigmoid:
    case Op::normcdf:
    case Op::softplus:
    case Op::tanh_approx:
    case Op::exp_approx:
    case Op::f16_table:
    case Op::min:
    case Op::max:
    case Op::f32_of_bits:
    case Op::ldexp: return true;
    case Op::select: return true;
    default: break;
    }
  return false;
}

bool contains(const Expr& dag, NodeId whole, NodeId part) {
  std::vector<NodeId> all = reachable(dag, whole);
  return std::binary_search(all.begin(), all.end(), part);
}

Solution solve(Interp& run, NodeId root) {
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
    Solution s = Solver(run, root).with_input({x});
    if (best.input < 0 || s.score > best.score)
      best = std::move(s);
    if (is_canonical(best))
      return best;
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
    Solution s = Solver(run, root).with_input(set);
    if (is_canonical(s))
      return s;
  }
  return best;
}

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
  return s.arms[0].expr;
}

} // namespace gelint::scan::lower
