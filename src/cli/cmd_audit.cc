#include "cli/audit_run.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "decide/compare.h"
#include "report/read_json.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

namespace gelint::cli {
namespace {

using Json = nlohmann::ordered_json;

Json change_json(const decide::RowChange &c) {
  auto side = [](const decide::Row *r) -> Json {
    if (!r)
      return nullptr;
    return {{"verdict", decide::to_string(r->verdict)},
            {"implemented", formula::to_string(r->implemented)},
            {"required", formula::to_string(r->required)},
            {"path", r->site.place.path},
            {"line", r->site.place.line}};
  };
  const decide::Row &r = c.after ? *c.after : *c.before;
  return {{"id", r.id}, {"before", side(c.before)}, {"after", side(c.after)}};
}

std::string comparison_json(const decide::Comparison &c) {
  Json doc = {{"schema", "gelint/1"}, {"command", "compare"}};
  auto rows = [&](const char *name,
                  const std::vector<decide::RowChange> &list) {
    doc[name] = Json::array();
    for (const decide::RowChange &r : list)
      doc[name].push_back(change_json(r));
  };
  auto findings = [&](const char *name,
                      const std::vector<const decide::Finding *> &list) {
    doc[name] = Json::array();
    for (const decide::Finding *f : list)
      doc[name].push_back({{"rule", f->rule},
                           {"level", decide::to_string(f->level)},
                           {"message", f->message},
                           {"path", f->path},
                           {"line", f->line},
                           {"row", f->row},
                           {"fingerprint", f->fingerprint}});
  };
  rows("fixed", c.fixed);
  rows("new", c.broken);
  rows("changed", c.changed);
  findings("fixed_findings", c.fixed_findings);
  findings("new_findings", c.new_findings);
  doc["same"] = c.same;
  return doc.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Prints what changed; the exit status counts new findings only.
int compare_with(const AuditRun &run, const CommonOptions &o,
                 const std::string &old_file) {
  Result<report::Report> old = report::read_report(old_file);
  if (!old)
    return fault(old.error());
  if (old->command != report::Command::audit)
    return fault(Error{"is not an audit", old_file, 0, 0, "write it with 'gelint audit --format json:FILE'"});
  std::string format = o.outputs.front().format;
  if (o.outputs.size() != 1 || !o.outputs.front().path.empty() ||
      (format != "text" && format != "markdown" && format != "json"))
    return fault("audit: --compare prints one of text, markdown and json to "
                 "standard output");
  decide::Comparison c = decide::compare(old->rows, old->findings,
                                         run.report.rows, run.report.findings);
  std::string text = format == "json"
                         ? comparison_json(c)
                         : decide::comparison_text(c, format == "markdown");
  if (!write_stdout(text))
    return exit_fault;
  for (const decide::Finding *f : c.new_findings)
    if (fails_on(*f, o.fail_on) && run.status == exit_clean)
      return exit_findings;
  return run.status;
}

struct Options {
  AuditOptions audit;
  std::string compare;
};

int run(Options &o) {
  Result<AuditRun> run = run_audit(o.audit, o.compare.empty());
  if (!run)
    return fault(run.error());
  if (!o.compare.empty())
    return compare_with(*run, o.audit.common, o.compare);
  return emit_report(std::move(run->report), o.audit.common, run->status);
}

} // namespace

void add_audit(CLI::App &app, int &status) {
  auto o = std::make_shared<Options>();
  CLI::App *cmd = app.add_subcommand(
      "audit",
      "Compare the code's activations with what the checkpoints ask for");
  add_audit_options(*cmd, o->audit);
  cmd->add_option("--compare", o->compare,
                  "Print what changed since this audit (a JSON report); only "
                  "new findings count")
      ->type_name("OLD.json");
  cmd->callback([o, &status] { status = run(*o); });
}

} // namespace gelint::cli
