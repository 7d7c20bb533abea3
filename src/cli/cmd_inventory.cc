#include "cli/audit_run.h"
#include "cli/checks.h"
#include "cli/cli.h"
#include "cli/draft_run.h"
#include "cli/terminal.h"
#include "hf/resolve.h"
#include "support/files.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace gelint::cli {
namespace {

struct DraftOptions {
  CommonOptions common;
  std::string codebase, output;
  double least = 0.5;
};

int draft(DraftOptions &o) {
  Result<Settings> settings = resolve_settings(o.common);
  if (!settings)
    return fault(settings.error());
  if (o.codebase.empty())
    o.codebase = settings->codebase;
  if (o.codebase.empty())
    return fault("inventory draft: there is no codebase",
                 "name its folder, or set `codebase` in .gelint.yaml");
#if GELINT_HAVE_SCANNER
  scan::ScanOptions options = make_scan_options(o.common, o.codebase);
  options.all_activations = true;
  Result<scan::ScanResult> scan = scan::scan_tree(options);
  if (!scan)
    return fault(scan.error());
  Result<decide::Draft> draft =
      make_draft(*scan, o.codebase, o.common.transformers);
  if (!draft)
    return fault(draft.error());
  std::string engine =
      std::filesystem::path(o.codebase).lexically_normal().filename().string();
  std::string text = decide::draft_yaml(
      *draft, *scan, engine == "." || engine.empty() ? "engine" : engine,
      o.least);
  if (o.output.empty()) {
    if (!write_stdout(text))
      return exit_fault;
  } else {
    std::error_code ec;
    if (std::filesystem::exists(o.output, ec))
      return fault(Error{"is there already, a draft does not replace it",
                         o.output, 0, 0, "name another file"});
    if (Status st = write_file_atomically(o.output, text); !st)
      return fault(st.error());
  }
  size_t taken = 0;
  for (const decide::Proposal &p : draft->proposals)
    taken += p.confidence >= o.least;
  note(o.common,
       fmt::format("{} rows proposed, {} below the limit, {} uses unplaced",
                   taken, draft->proposals.size() - taken,
                   draft->unplaced.size()));
  return exit_clean;
#else
  return fault("inventory draft: this gelint was built without the scanner",
               "build with -DGELINT_SCANNER=ON");
#endif
}

int check(AuditOptions &o) {
  if (o.common.select.empty())
    o.common.select = {"GL003", "GL203", "GL204"};
  if (o.common.fail_on.empty())
    o.common.fail_on = "warning";
  o.class_defaults = true;
  Result<AuditRun> run = run_audit(o, false);
  if (!run)
    return fault(run.error());
  std::vector<std::string> known = hf::model_types(
      o.common.transformers == "auto" ? "" : o.common.transformers);
  std::set<std::string_view> types(known.begin(), known.end());
  size_t followed = 0, stale = 0;
  for (const decide::BindingState &b : run->selection.bindings)
    for (const decide::SelectorState &s : b.selectors) {
      followed += s.followed;
      stale += s.sites.empty();
    }
  for (const decide::Binding *b : run->without_model)
    note(
        o.common,
        fmt::format("{}:{}: no table and no checkpoint knows a model of row {}",
                    b->where.file, b->where.line, b->id));
  size_t unbound = 0;
  for (decide::SiteUse u : run->selection.use)
    unbound += u == decide::SiteUse::unbound;
  note(o.common,
       fmt::format("{} rows, {} selectors stale, {} followed, {} sites unbound",
                   run->selection.bindings.size(), stale, followed, unbound));
  // Only what the check is about: the decisions are the audit's.
  std::erase_if(run->report.rows, [](const decide::Row &r) {
    return r.verdict != decide::Verdict::unbound;
  });
  return emit_report(std::move(run->report), o.common, run->status);
}

} // namespace

void add_inventory(CLI::App &app, int &status) {
  CLI::App *cmd = app.add_subcommand(
      "inventory", "Propose or check which code serves which model");
  cmd->require_subcommand(1);

  auto d = std::make_shared<DraftOptions>();
  CLI::App *draft_cmd = cmd->add_subcommand(
      "draft",
      "Propose an inventory for a codebase, with confidence and evidence");
  draft_cmd->add_option(
      "CODEBASE", d->codebase,
      "Folder of the engine's source (default: the settings file's)");
  draft_cmd
      ->add_option("-o,--output", d->output,
                   "File to write (default: standard output)")
      ->type_name("FILE");
  checked(draft_cmd
              ->add_option("--least", d->least, "Confidence from which a proposal becomes a row (default: 0.5)")
              ->type_name("0..1"),
          [](const std::string& text) {
            char* end = nullptr;
            const double v = std::strtod(text.c_str(), &end);
            return end != text.c_str() && *end == 0 && v >= 0 && v <= 1 ? std::string()
                                                                        : "'" + text + "' is not a number from 0 to 1";
          });
  add_scan_options(*draft_cmd, d->common);
  add_reference_options(*draft_cmd, d->common);
  draft_cmd
      ->add_option("--config", d->common.config,
                   "Settings file (default: the nearest .gelint.yaml)")
      ->type_name("FILE");
  draft_cmd->add_flag("--isolated", d->common.isolated,
                      "Read no settings file");
  draft_cmd->add_flag("-q,--quiet", d->common.quiet, "No notes or progress");
  draft_cmd->callback([d, &status] { status = draft(*d); });

  auto a = std::make_shared<AuditOptions>();
  CLI::App *check_cmd = cmd->add_subcommand(
      "check", "Does the inventory still fit the code? GL003, GL203 and GL204");
  add_audit_options(*check_cmd, *a);
  check_cmd->callback([a, &status] { status = check(*a); });
}

} // namespace gelint::cli
