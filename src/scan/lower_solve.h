#pragma once
// From an expression over free symbols to a function of one input (and a gate): which symbol is x, and what the
// others are to it. See lower.h for the rule.

#include "scan/lower_interp.h"
#include "scan/lower_reach.h"

#include "formula/classify.h"

namespace gelint::scan::lower {

struct Arm {
  std::string condition; ///< empty: unconditional
  formula::Expr expr;
  formula::Fingerprint fingerprint;
  bool unresolved = false; ///< depends on x in a way that is not known; expr is empty
  bool by_position = false; ///< taken for some of the elements only
};

struct Solution {
  int input = -1; ///< symbol
  int gate = -1;
  std::vector<Arm> arms; ///< empty: `reason` says why
  std::string reason;
  bool elsewhere = false; ///< under some condition a curve of other values is computed, and x has no part in it
  int score = 0; ///< 3: a canonical formula, 2: other, 1: depends on data but not solved, 0: nothing
};

/// Best choice of the input for `root`, which is stored in `place`; k_no_cell: it is returned.
Solution solve(Interp& run, NodeId root, CellId place = k_no_cell);

/// For the fill loop of a table: the input is the loop's counter.
std::optional<formula::Expr> solve_over_index(Interp& run, NodeId root);

} // namespace gelint::scan::lower
