#pragma once
// The GL1xx rules: what the resolution of checkpoints met, as findings.

#include "decide/rule.h"

namespace gelint::decide {

/// Every issue of `rule` in the context's models. Harmless ones become notes.
void add_model_issues(const Rule& rule, const RuleContext& context, std::vector<Finding>& findings);

} // namespace gelint::decide
