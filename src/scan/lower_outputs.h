#pragma once
// What a finished run computed for others: the value that it returns, and what it stored outside of itself.

#include "scan/lower_solve.h"

namespace gelint::scan::lower {

struct Output {
  int param = -1; ///< parameter that it is stored through; -1: returned, or stored elsewhere
  NodeId node = k_no_node;
  uint64_t sequence = 0;
  bool returned = false;
  CellId place = k_no_cell; ///< where it is stored
  CellId array = k_no_cell; ///< whose elements or lanes are one tensor with it
};

/// The returned value first, then the stores from the last to the first, then the other lanes of vectors.
std::vector<Output> outputs_of(Interp& run, const Value& returned);

/// `best` is what `chosen` computes. Adds an arm for every other output that computes something else: whatever it is in
/// the same array, another activation elsewhere. Nothing is added where all agree.
void add_disagreements(Interp& run, const std::vector<Output>& outputs, const Output& chosen, Solution& best);

} // namespace gelint::scan::lower
