#include "cli/checks.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/generate.h"
#include "cli/terminal.h"
#include "decide/rule.h"
#include "support/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace gelint::cli {
namespace {

struct RuleOptions {
  std::string id, format = "text";
  bool all = false;
};

nlohmann::ordered_json rule_json(const decide::Rule& r) {
  return {{"id", r.id}, {"name", r.name}, {"level", to_string(r.level)}, {"summary", r.summary}, {"doc", r.doc}};
}

int run(RuleOptions& o) {
  if (std::vector<std::string> ids = split_ids(o.id); ids.size() == 1)
    o.id = ids.front();
  std::vector<const decide::Rule*> rules;
  if (o.id.empty()) {
    rules.assign(decide::all_rules().begin(), decide::all_rules().end());
  } else if (const decide::Rule* r = decide::find_rule(o.id)) {
    rules.push_back(r);
  } else {
    std::vector<std::string_view> ids;
    for (const decide::Rule* known : decide::all_rules()) {
      ids.push_back(known->id);
      ids.push_back(known->name);
      if (known->name == o.id)
        rules.push_back(known);
    }
    if (rules.empty()) {
      std::string_view near = nearest_text(o.id, ids);
      return fault(fmt::format("there is no rule '{}'", o.id),
                   near.empty() ? "'gelint rule' lists them" : fmt::format("did you mean {}?", near));
    }
  }
  std::string out;
  if (o.format == "json") {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const decide::Rule* r : rules)
      list.push_back(rule_json(*r));
    out = (o.id.empty() ? list : list[0]).dump(2) + "\n";
  } else {
    for (const decide::Rule* r : rules)
      if (o.id.empty() && !o.all)
        out += fmt::format("{}  {:7}  {:26}  {}\n", r->id, to_string(r->level), r->name, r->summary);
      else
        out += (out.empty() ? "" : "\n") + rule_page(*r);
  }
  return write_stdout(out) ? exit_clean : exit_fault;
}

} // namespace

void add_rule(CLI::App& app, int& status) {
  auto o = std::make_shared<RuleOptions>();
  CLI::App* cmd = app.add_subcommand("rule", "Print what a rule finds, why it matters, and how to mend and waive it");
  cmd->add_option("ID", o->id, "Rule id or name, for example GL201; without it all rules are listed");
  cmd->add_flag("--all", o->all, "Print every rule in full");
  one_of(cmd->add_option("--format", o->format, "text or json")->type_name("text|json"), {"text", "json"});
  cmd->callback([o, &status] { status = run(*o); });
}

} // namespace gelint::cli
