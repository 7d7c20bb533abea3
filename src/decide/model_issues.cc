#include "decide/model_issues.h"

#include "hf/model_report.h"

namespace gelint::decide {

void add_model_issues(const Rule& rule, const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.models)
    return;
  for (const hf::ModelReport& model : *context.models)
    for (const hf::Issue& issue : model.issues) {
      if (issue.rule != rule.id)
        continue;
      Finding f = make_finding(rule, issue.message);
      if (issue.harmless)
        f.level = Level::note;
      f.model = model.path;
      f.path = issue.path;
      f.line = issue.line;
      f.column = issue.column;
      f.end_column = issue.end_column;
      f.config_path = issue.config_path;
      f.anchor = issue.slot.empty() ? issue.config_path : issue.slot;
      findings.push_back(std::move(f));
    }
}

} // namespace gelint::decide
