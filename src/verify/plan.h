#pragma once
// What to verify: rows of an audit, or pairs given by name.

#include "support/result.h"
#include "verify/judge.h"

#include <string>
#include <vector>

namespace gelint::verify {

struct Plan {
  std::vector<RowSpec> rows;
  std::vector<std::pair<std::string, std::string>> left_out; ///< row id, reason
};

/// "implemented,required": formulas of the vocabulary, ACT2FN keys, or NAMESPACE:NAME (mlx:gelu_fast_approx). An ACT2FN
/// key brings its op order.
Result<RowSpec> parse_pair(const std::string& text);

/// Rows of an audit document. Flagged rows (mismatch, conflict, or with a hazard) unless `all`; with `ids` only rows
/// whose id is listed. An id that is not there is an error. A row whose expression is malformed is left out.
Result<Plan> plan_of(const report::Report& audit, bool all, const std::vector<std::string>& ids);

} // namespace gelint::verify
