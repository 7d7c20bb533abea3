#include "cli/common_options.h"

#include "cli/checks.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "decide/rule.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace gelint::cli {
namespace {

std::vector<std::string> split_all(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& t : texts)
    for (std::string& p : split_ids(t))
      out.push_back(std::move(p));
  return out;
}

template <class T> void fill(T& option, const T& setting) {
  if (option.empty())
    option = setting;
}

Status read_outputs(CommonOptions& o, const Settings& s, bool use_outputs) {
  o.outputs.clear();
  for (const std::string& f : o.formats) {
    Result<OutputSpec> spec = parse_output(f);
    if (!spec)
      return Error{"--format: " + spec.error().message, "", 0, 0, spec.error().mend};
    o.outputs.push_back(*spec);
  }
  o.outputs_from_settings = o.outputs.empty() && use_outputs && !s.outputs.empty();
  if (o.outputs_from_settings)
    o.outputs = s.outputs;
  if (o.outputs.empty())
    o.outputs.push_back({"text", ""});
  for (size_t i = 0; i < o.outputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (o.outputs[i].path == o.outputs[j].path)
        return Error{fmt::format("two outputs go to {}",
                                 o.outputs[i].path.empty() ? "standard output" : "'" + o.outputs[i].path + "'"),
                     "", 0, 0, "give all but one a path of its own: --format FORMAT:PATH"};
  return {};
}

} // namespace

void add_report_options(CLI::App& cmd, CommonOptions& o) {
  const std::string group = "Report";
  cmd.add_option("--format", o.formats,
                 "Output as FORMAT or FORMAT:PATH; repeatable. text, markdown, json, jsonl, csv, sarif, github, "
                 "gitlab, junit, html, svg")
      ->type_name("FORMAT[:PATH]")->group(group)->allow_extra_args(false);
  cmd.add_option("--fail-on", o.fail_on,
                 "Exit with 1 when a finding is of this level or above, or has one of these ids (default: error)")
      ->type_name("LEVEL|ID[,ID...]|none")->group(group);
  cmd.add_option("--select", o.select, "Run only the rules whose id starts with one of these")
      ->type_name("ID[,ID...]")->group(group)->allow_extra_args(false);
  cmd.add_option("--ignore", o.ignore, "Leave out the rules whose id starts with one of these")
      ->type_name("ID[,ID...]")->group(group)->allow_extra_args(false);
  cmd.add_option("--config", o.config, "Settings file (default: the nearest .gelint.yaml)")
      ->type_name("FILE")->group(group);
  cmd.add_flag("--isolated", o.isolated, "Read no settings file")->group(group);
  cmd.add_flag("--full", o.full, "Text: show the source line and a caret below each finding")->group(group);
  cmd.add_flag("--all", o.all, "Text: show also the rows that match")->group(group);
  cmd.add_flag("--statistics", o.statistics, "Print the number of findings of each rule on standard error")
      ->group(group);
  cmd.add_flag("--timings", o.timings, "Print where the time went on standard error")->group(group);
  cmd.add_flag("-q,--quiet", o.quiet, "Print only the report, no notes or progress; text: only findings")->group(group);
  one_of(cmd.add_option("--color,--colour", o.color, "auto, always or never")->type_name("WHEN")->group(group),
         {"auto", "always", "never"});
  cmd.add_flag("--no-progress", o.no_progress, "No progress line")->group(group);
}

void add_scan_options(CLI::App& cmd, CommonOptions& o) {
  const std::string group = "Scan";
  cmd.add_option("-p,--compile-database", o.compile_database,
                 "Folder of compile_commands.json (default: searched in the codebase and its parents)")
      ->type_name("DIR")->group(group);
  cmd.add_flag("--stub", o.stub_only, "Use no compile database, even when one is near")->group(group);
  whole_number(cmd.add_option("-j,--jobs", o.jobs, "Units parsed at a time (default: number of processors)")
                   ->type_name("N")->group(group),
               0, 1024);
  cmd.add_flag("--no-cache", o.no_cache, "Neither read nor write the cache")->group(group);
  cmd.add_option("--rules", o.rules, "File of engine knowledge, added to the built-in ones; repeatable")
      ->type_name("FILE")->group(group)->allow_extra_args(false);
  cmd.add_option("--exclude", o.exclude, "Glob, relative to the codebase, of files not to scan; repeatable")
      ->type_name("GLOB")->group(group)->allow_extra_args(false);
}

void add_reference_options(CLI::App& cmd, CommonOptions& o) {
  const std::string group = "Reference";
  cmd.add_option("--transformers", o.transformers,
                 "Version of the reference tables (default: newest; auto: each file's own transformers_version)")
      ->type_name("VERSION")->group(group);
  cmd.add_option("--hf-defaults", o.hf_defaults, "Table of slots and defaults, added to the built-in ones; repeatable")
      ->type_name("FILE")->group(group)->allow_extra_args(false);
}

Result<Settings> resolve_settings(CommonOptions& o, bool use_outputs) {
  Settings s;
  if (!o.isolated) {
    std::string file = o.config.empty() ? find_settings_file(".") : o.config;
    if (!file.empty()) {
      Result<Settings> read = read_settings(file);
      if (!read)
        return read;
      s = std::move(*read);
    }
  } else if (!o.config.empty()) {
    return Error{"--config and --isolated exclude each other", "", 0, 0, "give one of them"};
  }
  o.select = split_all(o.select);
  o.ignore = split_all(o.ignore);
  // What the file gives was checked with it.
  for (const Status& st : {check_rule_prefixes(o.select, "--select"), check_rule_prefixes(o.ignore, "--ignore"),
                           check_fail_on(o.fail_on, "--fail-on"),
                           o.transformers.empty() ? Status() : check_transformers(o.transformers, "--transformers")})
    if (!st)
      return st.error();
  fill(o.select, s.select);
  fill(o.ignore, s.ignore);
  fill(o.fail_on, s.fail_on);
  fill(o.fail_on, std::string("error"));
  fill(o.compile_database, s.compile_database);
  fill(o.exclude, s.exclude);
  fill(o.transformers, s.transformers);
  fill(o.rules, s.rules);
  fill(o.hf_defaults, s.hf_defaults);
  if (Status st = read_outputs(o, s, use_outputs); !st)
    return st.error();
  return s;
}

scan::ScanOptions make_scan_options(const CommonOptions& o, std::string root) {
  scan::ScanOptions out;
  out.root = std::move(root);
  out.compile_database_dir = o.stub_only ? "" : o.compile_database;
  out.search_compile_database = !o.stub_only;
  out.exclude = o.exclude;
  out.rule_files = o.rules;
  out.jobs = o.jobs;
  out.use_cache = !o.no_cache;
  out.progress = make_progress(o, "parsing");
  return out;
}

bool fails_on(const decide::Finding& finding, const std::string& fail_on) {
  if (finding.waived || finding.in_baseline)
    return false;
  for (const std::string& part : split_ids(fail_on)) {
    if (part == "error" && finding.level == decide::Level::error)
      return true;
    if (part == "warning" && finding.level >= decide::Level::warning)
      return true;
    if (part == "note" || (part.starts_with("GL") && finding.rule.starts_with(part)))
      return true;
  }
  return false;
}

} // namespace gelint::cli
