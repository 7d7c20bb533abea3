// gelint report: an audit that was made once, in other formats.

#include "cli/cli.h"
#include "cli/common_options.h"
#include "report/read_json.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace gelint::cli {
namespace {

struct ReportOptions {
  CommonOptions common;
  std::string file;
};

int run(ReportOptions& o) {
  Result<Settings> settings = resolve_settings(o.common);
  if (!settings)
    return fault(settings.error());
  Result<report::Report> report = report::read_report(o.file);
  if (!report)
    return fault(report.error());
  lap("read");
  return emit_report(std::move(*report), o.common);
}

} // namespace

void add_report(CLI::App& app, int& status) {
  auto o = std::make_shared<ReportOptions>();
  CLI::App* cmd = app.add_subcommand("report", "Print a JSON document of gelint in other formats");
  cmd->add_option("FILE", o->file, "Document written by --format json; - for standard input")->required();
  add_report_options(*cmd, o->common);
  cmd->callback([o, &status] { status = run(*o); });
}

} // namespace gelint::cli
