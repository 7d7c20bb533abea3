#include "cli/cli.h"

#include "decide/rule.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace gelint::cli {

void add_rule(CLI::App& app, int& status) {
  auto id = std::make_shared<std::string>();
  CLI::App* cmd = app.add_subcommand("rule", "Print what a rule finds, why, and how to mend it");
  cmd->add_option("ID", *id, "Rule id, for example GL201; all rules when left out");
  cmd->callback([id, &status] {
    if (id->empty()) {
      for (const decide::Rule* r : decide::all_rules())
        fmt::print("{}  {}  {}\n", r->id, r->name, r->summary);
      return;
    }
    const decide::Rule* r = decide::find_rule(*id);
    if (!r) {
      fmt::print(stderr, "gelint: there is no rule {} ('gelint rule' lists them)\n", *id);
      status = exit_fault;
      return;
    }
    fmt::print("# {} {}\n\n{}\n\n{}\n", r->id, r->name, r->summary, r->doc);
  });
}

} // namespace gelint::cli
