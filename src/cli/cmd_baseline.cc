#include "cli/audit_run.h"
#include "cli/baseline_file.h"
#include "cli/cli.h"
#include "decide/rule.h"
#include "support/files.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace gelint::cli {
namespace {

constexpr const char *k_default_file = ".gelint-baseline.json";

struct Options {
  AuditOptions audit;
  std::string file = k_default_file;
};

/// The audit without any baseline applied.
Result<AuditRun> audit_of(Options &o) {
  o.audit.baseline.clear();
  return run_audit(o.audit, false);
}

int save(const Options &o, const Baseline &baseline) {
  if (Status st = write_file_atomically(o.file, baseline_text(baseline)); !st)
    return fault(st.error());
  return exit_clean;
}

int write(Options &o) {
  Result<AuditRun> run = audit_of(o);
  if (!run)
    return fault(run.error());
  Baseline baseline = make_baseline(run->report.findings);
  if (int status = save(o, baseline))
    return status;
  note(o.audit.common,
       fmt::format("wrote {} findings to {}", baseline.entries.size(), o.file));
  return run->status;
}

int check_or_prune(Options &o, bool prune) {
  Result<Baseline> baseline = read_baseline(o.file);
  if (!baseline)
    return fault(baseline.error());
  Result<AuditRun> run = audit_of(o);
  if (!run)
    return fault(run.error());
  std::vector<BaselineEntry> stale =
      mark_baseline(run->report.findings, *baseline);
  // Findings of rules that were not run are neither there nor gone.
  std::erase_if(stale, [&](const BaselineEntry &e) {
    auto starts = [&](const std::string &p) { return e.rule.starts_with(p); };
    const CommonOptions &c = o.audit.common;
    return (!c.select.empty() &&
            std::none_of(c.select.begin(), c.select.end(), starts)) ||
           std::any_of(c.ignore.begin(), c.ignore.end(), starts);
  });
  if (prune) {
    std::erase_if(baseline->entries, [&](const BaselineEntry &e) {
      return std::any_of(stale.begin(), stale.end(),
                         [&](const BaselineEntry &s) {
                           return s.fingerprint == e.fingerprint;
                         });
    });
    if (int status = save(o, *baseline))
      return status;
    note(o.audit.common,
         fmt::format("removed {} entries from {}, kept {}", stale.size(),
                     o.file, baseline->entries.size()));
    return run->status;
  }
  int status = emit_report(std::move(run->report), o.audit.common, run->status);
  for (const BaselineEntry &e : stale)
    print_fault({fmt::format("the baseline lists {} at {}{}, which is gone",
                             e.rule, e.path.empty() ? e.row : e.path,
                             e.anchor.empty() ? "" : " (" + e.anchor + ")"),
                 o.file, 0, 0, "run `gelint baseline prune`"});
  return status == exit_clean && !stale.empty() ? int{exit_findings} : status;
}

void add_action(CLI::App &parent, const char *name, const char *help,
                int &status, int (*action)(Options &)) {
  auto o = std::make_shared<Options>();
  CLI::App *cmd = parent.add_subcommand(name, help);
  add_audit_options(*cmd, o->audit);
  cmd->remove_option(cmd->get_option("--baseline"));
  cmd->add_option("--baseline", o->file,
                  std::string("Baseline file (default: ") + k_default_file +
                      ")")
      ->type_name("FILE");
  cmd->callback([o, &status, action] { status = action(*o); });
}

} // namespace

void add_baseline(CLI::App &app, int &status) {
  CLI::App *cmd = app.add_subcommand(
      "baseline", "Put off known findings: write, check or prune the baseline");
  cmd->require_subcommand(1);
  add_action(*cmd, "write",
             "Write every finding of the audit that is not waived", status,
             write);
  add_action(*cmd, "check",
             "Audit against the baseline; an entry that is gone fails, too",
             status, [](Options &o) { return check_or_prune(o, false); });
  add_action(*cmd, "prune", "Remove entries that no finding matches any more",
             status, [](Options &o) { return check_or_prune(o, true); });
}

} // namespace gelint::cli
