#pragma once
// One audit from options to a report: shared by `audit`, `inventory check` and
// `baseline`.

#include "cli/common_options.h"
#include "decide/decide.h"
#include "decide/inventory.h"
#include "report/report.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gelint::cli {

struct AuditOptions {
  CommonOptions common;
  std::string codebase;
  std::vector<std::string> models;      ///< checkpoints; empty: the settings', else the inventory's
  std::vector<std::string> more_models; ///< --model, joined with `models`
  std::vector<std::string> inventories; ///< files or built-in names
  std::string state;                    ///< which recorded sites; empty: as the inventory says
  std::string baseline;                 ///< findings listed there do not count
  std::string date;                     ///< for waivers that expire; empty: today
  bool class_defaults = false;          ///< also rows that no checkpoint fits, although
                                        ///< checkpoints are given
};

/// CODEBASE, MODEL…, --inventory, --state, --date, and the common groups.
void add_audit_options(CLI::App& cmd, AuditOptions& o);

struct AuditRun {
  report::Report report;
  decide::Inventory inventory;
  decide::Selection selection;
  std::vector<const decide::Binding*> without_model; ///< into inventory
  int status = 0; ///< exit_fault when a checkpoint that was named is not there; the rest was audited
};

/// Scans, resolves, joins, runs the rules and applies waivers. `use_outputs` as
/// in resolve_settings().
Result<AuditRun> run_audit(AuditOptions& o, bool use_outputs);

/// The commit that a folder is at, when it is the top of a git working tree;
/// empty otherwise.
std::string git_commit_of(const std::string& folder);

} // namespace gelint::cli
