#include "cli/checks.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "decide/rule.h"
#include "decide/waive.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace gelint::cli {
namespace {

struct ScanCommand {
  CommonOptions common;
  std::string path = ".";
  bool all_activations = false;
  int timeout = 60;
  std::vector<std::string> clang_args;
};

int run_scan(ScanCommand& o) {
  Result<Settings> settings = resolve_settings(o.common);
  if (!settings)
    return fault(settings.error());
  scan::ScanOptions options = make_scan_options(o.common, o.path);
  options.all_activations = o.all_activations;
  options.unit_timeout_seconds = o.timeout;
  options.extra_args = o.clang_args;
  options.progress = make_progress(o.common, "units parsed");
#if GELINT_HAVE_SCANNER
  Result<scan::ScanResult> scanned = scan::scan_tree(options);
#else
  Result<scan::ScanResult> scanned =
      Error{"scan: this gelint was built without the scanner", "", 0, 0, "build with -DGELINT_SCANNER=ON"};
#endif
  if (!scanned)
    return fault(scanned.error());
  report::Report report;
  report.command = report::Command::scan;
  report.provenance = tool_provenance();
  report.scan = std::move(*scanned);
  for (const std::string& n : report.scan.notes)
    note(o.common, n);
  decide::RuleContext context;
  context.scan = &report.scan;
  report.findings = decide::run_rules(context, o.common.select, o.common.ignore);
  // Rules about checkpoints and bindings do not run here: a waiver of theirs may well be used by an audit.
  auto ran = [](std::string_view rule) { return rule.starts_with("GL3") || rule.starts_with("GL4") || rule == "GL202"; };
  decide::apply_waivers(report.findings, &report.scan, nullptr, nullptr, "", ran);
  return emit_report(std::move(report), o.common);
}

} // namespace

void add_scan(CLI::App& app, int& status) {
  auto o = std::make_shared<ScanCommand>();
  CLI::App* cmd = app.add_subcommand("scan", "List every activation site of a source tree with its formula");
  cmd->add_option("PATH", o->path, "Source tree or one source file; the current directory when left out");
  add_report_options(*cmd, o->common);
  add_scan_options(*cmd, o->common);
  cmd->add_flag("--all-activations", o->all_activations, "Also list plain silu, relu and the like, not only the GELU family and what chooses");
  whole_number(cmd->add_option("--unit-timeout", o->timeout, "Seconds after which a translation unit is given up (GL002)")->type_name("SECONDS"), 1, 86400);
  cmd->add_option("--clang-arg", o->clang_args, "An argument for the parser, e.g. -DENABLE_BF16; repeatable")->type_name("ARG")->allow_extra_args(false)->take_all();
  cmd->callback([o, &status] { status = run_scan(*o); });
}

} // namespace gelint::cli
