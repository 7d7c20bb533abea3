#pragma once
// One choice of the input: the arms of an expression once a symbol is taken for x, and what the other symbols are to it.

#include "scan/lower_reach.h"
#include "scan/lower_solve.h"

#include <unordered_map>

namespace gelint::scan::lower {

class Solver {
public:
  /// `place`: the cell that the value at `root` is stored in; k_no_cell for a value that is returned.
  Solver(Interp& run, NodeId root, CellId place = k_no_cell) : run_(run), dag_(run.dag()), root_(root), place_(place) {}

  Solution with_input(const std::set<int>& inputs);

private:
  /// How one symbol appears in a rebuilt expression.
  struct Binding {
    enum class As : uint8_t { input, gate, constant, parameter } as = As::constant;
    double value = 1;
  };

  bool depends_on_input(NodeId n);
  bool tainted(int symbol) const;
  /// x itself was computed from this symbol by something that is not known.
  bool made_from(int symbol) const;
  /// The first condition on the way from the root that does not depend on x and is not decided yet.
  NodeId undecided();
  /// Calls `visit` for the nodes below the root as far as the decided conditions let through; users first.
  template <class F> void sweep(F visit);
  void explore(std::vector<Arm>& arms, int depth);
  /// The arm of the conditions that are decided now.
  void finish(std::vector<Arm>& arms);
  void give_up(std::vector<Arm>& arms, std::string reason);
  /// Arms that compute nothing say nothing when another arm does.
  bool computes_nothing(const Arm& a) const;
  /// The symbols that tell one element from another: loop counters and thread numbers in the subscripts of x and of the
  /// place that is stored into.
  void note_positions();
  void note_subscripts(CellId c);
  /// A decided condition is about the position: this arm is taken for some of the elements only.
  bool by_position() const;
  /// x itself, where x is what was in the place before: nothing was stored.
  bool unchanged(const formula::Expr& e) const;
  formula::Expr build(const std::map<int, Binding>& bind);
  NodeId copy(NodeId n, const std::map<int, Binding>& bind, formula::Expr& e, std::map<NodeId, NodeId>& map);
  std::set<int> symbols_in_use();
  /// The output is linear in this symbol also where the others are not what they were bound to.
  bool stays_a_factor(int symbol, std::map<int, Binding> bind);
  std::string condition_text() const;

  Interp& run_;
  formula::Expr& dag_;
  NodeId root_;
  CellId place_;
  std::set<int> inputs_, positions_;
  std::map<NodeId, bool> decided_;
  std::unordered_map<NodeId, bool> on_input_;
  std::string reason_;
  int gate_ = -1;
  bool elsewhere_ = false; ///< see Solution
};

} // namespace gelint::scan::lower
