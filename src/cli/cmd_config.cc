#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/terminal.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace gelint::cli {
namespace {

/// The merged settings, as a file that would give the same run.
int show(CommonOptions& o) {
  Result<Settings> s = resolve_settings(o, true);
  if (!s)
    return fault(s.error());
  s->select = o.select;
  s->ignore = o.ignore;
  s->fail_on = o.fail_on;
  s->outputs = o.outputs;
  s->compile_database = o.compile_database;
  s->exclude = o.exclude;
  s->transformers = o.transformers;
  s->rules = o.rules;
  s->hf_defaults = o.hf_defaults;
  std::string head = s->file.empty() ? "# no settings file\n" : fmt::format("# {}\n", s->file);
  return write_stdout(head + settings_to_yaml(*s)) ? exit_clean : exit_fault;
}

/// Beyond what reading checks: every path that is named must be there.
int check(CommonOptions& o) {
  Result<Settings> s = resolve_settings(o, true);
  if (!s)
    return fault(s.error());
  if (s->file.empty())
    return fault("there is no .gelint.yaml here or in a parent", "give one with --config FILE");
  int status = exit_clean;
  auto need = [&](std::string_view key, const std::string& path) {
    std::error_code ec;
    if (!path.empty() && path.find('/') == std::string::npos && key == "inventories" && !path.ends_with(".yaml"))
      return; // the name of a built-in inventory
    if (!path.empty() && !std::filesystem::exists(path, ec))
      status = fault(Error{fmt::format("{}: '{}' does not exist", key, path), s->file, 0, 0, "correct the path"});
  };
  need("codebase", s->codebase);
  need("compile_database", s->compile_database);
  need("baseline", s->baseline);
  for (const auto& [key, list] : {std::pair{"inventories", &s->inventories}, {"checkpoints", &s->checkpoints},
                                  {"rules", &s->rules}, {"hf_defaults", &s->hf_defaults}})
    for (const std::string& path : *list)
      need(key, path);
  if (status == exit_clean)
    note(o, fmt::format("{} is in order", s->file));
  return status;
}

} // namespace

void add_config(CLI::App& app, int& status) {
  CLI::App* cmd = app.add_subcommand("config", "Show or check the settings");
  cmd->require_subcommand(1);
  auto o = std::make_shared<CommonOptions>();
  CLI::App* show_cmd = cmd->add_subcommand("show", "Print the settings that a run here would use, as YAML");
  CLI::App* check_cmd = cmd->add_subcommand("check", "Check the settings file and the paths it names");
  for (CLI::App* c : {show_cmd, check_cmd})
    add_report_options(*c, *o);
  add_scan_options(*show_cmd, *o);
  add_reference_options(*show_cmd, *o);
  show_cmd->callback([o, &status] { status = show(*o); });
  check_cmd->callback([o, &status] { status = check(*o); });
}

} // namespace gelint::cli
