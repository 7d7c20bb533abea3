#include "checkpoint/model.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/reference.h"
#include "cli/terminal.h"
#include "decide/rule.h"
#include "hf/resolve.h"
#include "report/lint_text.h"
#include "report/writer.h"

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

constexpr size_t k_chunk = 256;

/// Text and JSON lines are written in chunks of models, so that a stream of any length needs no more memory; the other
/// formats hold the whole report.
class LintRun {
public:
  LintRun(const LintOptions& o, hf::Tables& tables) : o_(o), tables_(tables) {
    resolve_.transformers = o.common.transformers;
    text_.colour = use_colour(STDOUT_FILENO, o.common.color);
    text_.reasons = o.reasons || o.common.full;
    text_.quiet = o.common.quiet;
    const std::vector<OutputSpec>& outputs = o.common.outputs;
    if (outputs.size() == 1 && outputs[0].path.empty() && !o.common.statistics && !o.common.timings) {
      text_output_ = outputs[0].format == "text";
      streams_ = text_output_ || outputs[0].format == "jsonl";
    }
    report_.command = report::Command::lint;
  }

  /// A path that was named and is not there: the rest goes on, and the exit status tells.
  void missing() { fault_ = exit_fault; }

  void add(checkpoint::Model&& model) {
    ++models_;
    readable_ += model.kind != checkpoint::ModelKind::unreadable;
    std::vector<hf::ModelReport> one;
    one.push_back(hf::resolve_model(tables_, model, resolve_));
    decide::RuleContext context;
    context.models = &one;
    std::vector<decide::Finding> findings = decide::run_rules(context, o_.common.select, o_.common.ignore);
    // What cannot be read is a line on standard error: the output may be a table that shows models only. Text does
    // not say it again.
    for (const Error& e : model.errors)
      print_fault(e);
    for (size_t i = model.errors.size(); i < one[0].issues.size(); ++i)
      if (const hf::Issue& issue = one[0].issues[i]; issue.rule == "GL111")
        print_fault({issue.message, issue.path, issue.line, issue.column, ""});
    report_.models.push_back(std::move(one[0]));
    findings_.push_back(std::move(findings));
    if (streams_ && report_.models.size() >= k_chunk)
      write_chunk(false);
  }

  int finish() {
    if (models_ == 0)
      return fault("there is no model to read", "give a model directory, a config.json, or JSON lines on standard input");
    const int status = readable_ == 0 ? int{exit_fault} : fault_;
    if (chunks_ == 0 && !text_output_) {
      for (std::vector<decide::Finding>& f : findings_)
        std::move(f.begin(), f.end(), std::back_inserter(report_.findings));
      return std::max(status, emit_report(std::move(report_), o_.common));
    }
    write_chunk(true);
    return std::max<int>(status, status_);
  }

private:
  void write_chunk(bool last) {
    std::string out;
    for (size_t i = 0; i < findings_.size(); ++i) {
      for (const decide::Finding& f : findings_[i]) {
        if (fails_on(f, o_.common.fail_on))
          status_ = exit_findings;
        ++(f.level == decide::Level::error     ? total_.errors
           : f.level == decide::Level::warning ? total_.warnings
                                               : total_.notes);
      }
      if (text_output_)
        std::erase_if(findings_[i], [](const decide::Finding& f) { return f.rule == "GL111"; });
      if (text_output_)
        out += report::lint_text(report_.models[i], findings_[i], text_);
      else
        std::move(findings_[i].begin(), findings_[i].end(), std::back_inserter(report_.findings));
    }
    if (!text_output_)
      out = json_lines(last);
    report_.models.clear();
    report_.findings.clear();
    findings_.clear();
    ++chunks_;
    if (open_)
      open_ = write_stdout(out);
  }

  /// The chunk's records; the header before the first chunk and the summary of all after the last.
  std::string json_lines(bool last) {
    report_.provenance = tool_provenance();
    report_.summary = total_;
    std::string out = report::find_writer("jsonl")->write(report_, {});
    if (chunks_ > 0)
      out.erase(0, out.find('\n') + 1);
    if (!last && !out.empty())
      out.erase(out.rfind('\n', out.size() - 2) + 1);
    return out;
  }

  const LintOptions& o_;
  hf::Tables& tables_;
  hf::ResolveOptions resolve_;
  report::LintTextOptions text_;
  report::Report report_;
  report::Summary total_;
  std::vector<std::vector<decide::Finding>> findings_; ///< per model of report_
  uint64_t models_ = 0, readable_ = 0, chunks_ = 0;
  int status_ = exit_clean, fault_ = exit_clean;
  bool streams_ = false, text_output_ = false, open_ = true;
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
  for (const std::string& path : o.paths) {
    if (!there_is_a_model(path)) // said when it is read
      run.missing();
    checkpoint::for_each_model(path, [&](checkpoint::Model&& m) { run.add(std::move(m)); });
  }
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
