#include "checkpoint/model.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/reference.h"
#include "cli/terminal.h"
#include "decide/rule.h"
#include "hf/resolve.h"
#include "report/lint_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace gelint::cli {
namespace {

struct LintOptions {
  CommonOptions common;
  std::vector<std::string> paths;
  bool reasons = false;
};

/// Text and JSON lines are written model by model, so that a stream of any length needs no more memory than its longest
/// line. The other formats hold the whole report.
class LintRun {
public:
  LintRun(const LintOptions& o, hf::Tables& tables) : o_(o), tables_(tables) {
    resolve_.transformers = o.common.transformers;
    text_.colour = use_colour(STDOUT_FILENO, o.common.color);
    text_.reasons = o.reasons || o.common.full;
    text_.quiet = o.common.quiet;
    streams_ = o.common.outputs.size() == 1 && o.common.outputs[0].path.empty() && o.common.outputs[0].format == "text" &&
               !o.common.statistics && !o.common.timings;
  }

  void add(checkpoint::Model&& model) {
    ++models_;
    readable_ += model.kind != checkpoint::ModelKind::unreadable;
    std::vector<hf::ModelReport> one;
    one.push_back(hf::resolve_model(tables_, model, resolve_));
    decide::RuleContext context;
    context.models = &one;
    std::vector<decide::Finding> findings = decide::run_rules(context, o_.common.select, o_.common.ignore);
    // What cannot be read is a line on standard error as well: the output may be a table that shows models only.
    for (const Error& e : model.errors)
      print_fault(e);
    if (streams_) {
      if (status_ == exit_clean && std::any_of(findings.begin(), findings.end(),
                                               [&](auto& f) { return fails_on(f, o_.common.fail_on); }))
        status_ = exit_findings;
      std::erase_if(findings, [](const decide::Finding& f) { return f.rule == "GL111" && f.line == 0; });
      buffer_ += report::lint_text(one[0], findings, text_);
      if (buffer_.size() > 1 << 16)
        flush();
      return;
    }
    report_.models.push_back(std::move(one[0]));
    std::move(findings.begin(), findings.end(), std::back_inserter(report_.findings));
  }

  int finish() {
    if (models_ == 0)
      return fault("there is no model to read", "give a model directory, a config.json, or JSON lines on standard input");
    int status = readable_ == 0 ? exit_fault : exit_clean;
    if (streams_) {
      flush();
      return std::max<int>(status, status_);
    }
    lap("resolve");
    report_.command = report::Command::lint;
    return std::max(status, emit_report(std::move(report_), o_.common));
  }

private:
  void flush() {
    if (open_)
      open_ = write_stdout(buffer_);
    buffer_.clear();
  }

  const LintOptions& o_;
  hf::Tables& tables_;
  hf::ResolveOptions resolve_;
  report::LintTextOptions text_;
  report::Report report_;
  std::string buffer_;
  uint64_t models_ = 0, readable_ = 0;
  int status_ = exit_clean;
  bool streams_ = false, open_ = true;
};

int run_lint(LintOptions& o) {
  Result<Settings> settings = resolve_settings(o.common);
  if (!settings)
    return fault(settings.error());
  Result<hf::Tables*> tables = reference_tables(o.common);
  if (!tables)
    return fault(tables.error());
  if (o.paths.empty())
    for (const std::string& path : settings->checkpoints)
      o.paths.push_back(path);
  if (o.paths.empty())
    return fault("there is no model to read", "give a model directory, a config.json, a tree of models, or - for JSON lines");
  LintRun run(o, **tables);
  for (const std::string& path : o.paths)
    checkpoint::for_each_model(path, [&](checkpoint::Model&& m) { run.add(std::move(m)); });
  return run.finish();
}

} // namespace

void add_lint(CLI::App& app, int& status) {
  auto o = std::make_shared<LintOptions>();
  CLI::App* cmd = app.add_subcommand("lint", "Print which formula each activation slot of a checkpoint asks for, and what is wrong with its config");
  cmd->add_option("MODEL", o->paths, "Model directory, config.json, tree of models, GGUF file, or - for JSON lines on standard input");
  cmd->add_flag("--reasons", o->reasons, "Text: the reason of every slot");
  add_report_options(*cmd, o->common);
  add_reference_options(*cmd, o->common);
  cmd->callback([o, &status] { status = run_lint(*o); });
}

} // namespace gelint::cli
