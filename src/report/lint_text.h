#pragma once
// What `lint` and `defaults` print on a terminal: per model its slots, then its findings.

#include "decide/finding.h"
#include "hf/model_report.h"

#include <string>
#include <vector>

namespace gelint::report {

struct LintTextOptions {
  bool colour = false;
  bool reasons = false; ///< the sentence of every slot, not only of those that are not plain
  bool quiet = false;   ///< findings only
  int width = 0;        ///< terminal columns of the slot table; a longer reader loses its beginning. 0: as long as it is
};

std::string lint_text(const hf::ModelReport& model, const std::vector<decide::Finding>& findings,
                      const LintTextOptions& options);

} // namespace gelint::report
