#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/reference.h"
#include "cli/terminal.h"
#include "decide/rule.h"
#include "hf/resolve.h"
#include "report/lint_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace gelint::cli {
namespace {

struct DefaultsOptions {
  CommonOptions common;
  std::vector<std::string> types;
  bool list = false;
};

int run_defaults(DefaultsOptions& o) {
  Result<Settings> settings = resolve_settings(o.common);
  if (!settings)
    return fault(settings.error());
  Result<hf::Tables*> tables = reference_tables(o.common);
  if (!tables)
    return fault(tables.error());
  if (o.list) {
    bool exact = false;
    std::string out;
    hf::Release r = o.common.transformers.empty() ? 0 : (*tables)->pick(o.common.transformers, exact);
    for (const std::string& type : (*tables)->model_types(r))
      out += type + '\n';
    return write_stdout(out) ? exit_clean : exit_fault;
  }
  if (o.types.empty())
    return fault("which model_type?", "give one, or --list for all");
  report::Report report;
  report.command = report::Command::defaults;
  int status = exit_clean;
  for (const std::string& type : o.types) {
    Result<hf::ModelReport> model = hf::defaults_of(**tables, type, o.common.transformers);
    if (model)
      report.models.push_back(std::move(*model));
    else
      status = fault(model.error());
  }
  if (report.models.empty())
    return exit_fault;
  decide::RuleContext context;
  context.models = &report.models;
  report.findings = decide::run_rules(context, o.common.select, o.common.ignore);
  if (o.common.outputs.size() == 1 && o.common.outputs[0].path.empty() && o.common.outputs[0].format == "text") {
    report::LintTextOptions text;
    text.colour = use_colour(STDOUT_FILENO, o.common.color);
    text.reasons = true;
    std::string out;
    for (const hf::ModelReport& m : report.models)
      out += report::lint_text(m, {}, text);
    return write_stdout(out) ? status : exit_fault;
  }
  return emit_report(std::move(report), o.common, status);
}

} // namespace

void add_defaults(CLI::App& app, int& status) {
  auto o = std::make_shared<DefaultsOptions>();
  CLI::App* cmd = app.add_subcommand("defaults", "Print the slots and defaults of a model_type");
  cmd->add_option("MODEL_TYPE", o->types, "model_type as in config.json");
  cmd->add_flag("--list", o->list, "Every model_type of the release");
  add_report_options(*cmd, o->common);
  add_reference_options(*cmd, o->common);
  cmd->callback([o, &status] { status = run_defaults(*o); });
}

} // namespace gelint::cli
