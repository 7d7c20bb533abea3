#pragma once
// The baseline: findings that a project knows and has put off. Entries carry no
// line numbers and no absolute paths.

#include "decide/finding.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace gelint::cli {

struct BaselineEntry {
  std::string fingerprint, rule, path, row,
      anchor; ///< only the fingerprint decides; the rest is for people
};

struct Baseline {
  std::vector<BaselineEntry> entries; ///< sorted by path, rule, fingerprint
};

Result<Baseline> read_baseline(const std::string &file);
std::string baseline_text(const Baseline &baseline);

/// Every finding that is not waived.
Baseline make_baseline(const std::vector<decide::Finding> &findings);

/// Sets Finding::in_baseline; gives the entries that no finding matches any
/// more.
std::vector<BaselineEntry> mark_baseline(std::vector<decide::Finding> &findings,
                                         const Baseline &baseline);

} // namespace gelint::cli
