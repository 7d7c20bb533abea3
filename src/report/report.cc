#include "report/report.h"

namespace gelint::report {

void summarize(Report& report) {
  Summary s;
  s.rows = report.rows.size();
  for (const decide::Row& row : report.rows) {
    switch (row.verdict) {
    case decide::Verdict::match: ++s.match; break;
    case decide::Verdict::mismatch: ++s.mismatch; break;
    case decide::Verdict::conflict: ++s.conflict; break;
    case decide::Verdict::unresolved: ++s.unresolved; break;
    case decide::Verdict::absent: ++s.absent; break;
    case decide::Verdict::unbound: ++s.unbound; break;
    }
  }
  for (const decide::Finding& f : report.findings) {
    if (f.waived)
      ++s.waived;
    else if (f.in_baseline)
      ++s.in_baseline;
    else if (f.level == decide::Level::error)
      ++s.errors;
    else if (f.level == decide::Level::warning)
      ++s.warnings;
    else
      ++s.notes;
  }
  report.summary = s;
}

std::unordered_map<std::string_view, std::vector<const decide::Finding*>> findings_by_model(const Report& report) {
  std::unordered_map<std::string_view, std::vector<const decide::Finding*>> by_model;
  for (const decide::Finding& f : report.findings)
    if (!f.model.empty())
      by_model[f.model].push_back(&f);
  return by_model;
}

} // namespace gelint::report
