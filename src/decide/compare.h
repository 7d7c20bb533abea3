#pragma once
// What changed between two audits.

#include "decide/finding.h"
#include "decide/row.h"

#include <string>
#include <vector>

namespace gelint::decide {

struct RowChange {
  const Row* before = nullptr; ///< nullptr: a new row
  const Row* after = nullptr;  ///< nullptr: the row is gone
};

struct Comparison {
  std::vector<RowChange> fixed;  ///< was a mismatch, is none now (or is gone)
  std::vector<RowChange> broken; ///< is a mismatch, was none (or is new)
  std::vector<RowChange>
      changed; ///< verdict, formula, source of the requirement or site differ otherwise
  std::vector<const Finding*> fixed_findings,
      new_findings; ///< open ones; those of rows above are among them
  size_t same = 0;  ///< rows without a change

  bool empty() const;
};

/// Rows are matched by id, findings by fingerprint. The vectors must outlive the result.
Comparison compare(const std::vector<Row>& old_rows, const std::vector<Finding>& old_findings,
                   const std::vector<Row>& new_rows, const std::vector<Finding>& new_findings);

/// "text" or "markdown".
std::string comparison_text(const Comparison& c, bool markdown);

} // namespace gelint::decide
