#pragma once
// The registry of rules. A rule reads what the other folders found and gives findings; it changes
// nothing.

#include "decide/finding.h"
#include "decide/row.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::checkpoint {
struct Model;
}
namespace gelint::hf {
struct ModelReport;
}

namespace gelint::decide {

struct Inventory;
struct Selection;

/// A row that `verify` was asked about and did not run.
struct NotVerified {
  std::string row, reason;
};

/// What a rule may look at; a pointer is null when the command does not have it.
struct RuleContext {
  const std::vector<hf::ModelReport>* models = nullptr;
  const scan::ScanResult* scan = nullptr;
  const std::vector<Row>* rows = nullptr;
  const Inventory* inventory = nullptr;
  const Selection* selection = nullptr; ///< which sites each binding names
  const std::vector<NotVerified>* not_verified = nullptr;
  std::string today; ///< ISO date, for waivers that expire; empty: none has
};

struct Rule {
  std::string_view id;      ///< "GL201"
  std::string_view name;    ///< kebab-case, names the fault: "formula-mismatch"
  Level level;              ///< default level
  std::string_view summary; ///< one sentence, the same everywhere
  std::string_view doc; ///< Markdown: "## What it finds", "## Why it matters", "## Example", "##
                        ///< How to mend", "## How to waive", "## Sources"
  void (*check)(const RuleContext&, std::vector<Finding>&);
};

/// Every rule, ordered by id. rules.def lists them.
std::span<const Rule* const> all_rules();
const Rule* find_rule(std::string_view id);

/// A finding of `rule` with its default level, ready to be completed.
Finding make_finding(const Rule& rule, std::string message);

/// Runs every rule whose id matches a prefix in `select` (empty: all) and none in `ignore`.
std::vector<Finding> run_rules(const RuleContext& context, const std::vector<std::string>& select,
                               const std::vector<std::string>& ignore);

} // namespace gelint::decide
