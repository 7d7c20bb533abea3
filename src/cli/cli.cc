#include "cli/cli.h"

#include "cli/common_options.h"
#include "cli/terminal.h"
#include "cli/version_text.h"
#include "support/text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace gelint::cli {
namespace {

/// The sub-commands whose help a parse error should point at.
std::string command_path(const CLI::App& app) {
  std::string path = "gelint";
  const CLI::App* at = &app;
  for (;;) {
    auto used = at->get_subcommands();
    if (used.empty())
      return path;
    at = used.front();
    path += " " + at->get_name();
  }
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

int unknown_command(const std::string& word, const std::vector<std::string>& known) {
  std::vector<std::string_view> names(known.begin(), known.end());
  std::string_view near = nearest_text(word, names);
  std::string mend = near.empty() ? fmt::format("commands: {}", fmt::join(names, ", "))
                                  : fmt::format("did you mean '{}'?", near);
  return fault(fmt::format("there is no command '{}'", word), mend);
}

} // namespace

void add_commands(CLI::App& app, int& status) {
  add_audit(app, status);
  add_lint(app, status);
  add_defaults(app, status);
  add_scan(app, status);
  add_verify(app, status);
  add_inventory(app, status);
  add_baseline(app, status);
  add_rule(app, status);
  add_report(app, status);
  add_cache(app, status);
  add_config(app, status);
  add_generate(app, status);
}

int run(int argc, char** argv) {
  install_signal_handlers();
  if (argc > 1 && (std::string_view(argv[1]) == "--version" || std::string_view(argv[1]) == "-V"))
    return print_version(argc - 2, argv + 2);

  CLI::App app{"Finds inference code whose GELU is not the one the checkpoint was made for.", "gelint"};
  app.set_help_all_flag("--help-all", "Print the help of every command");
  // Handled above; registered so that the help, man page and completions list it.
  bool version = false;
  app.add_flag("-V,--version", version, "Print the versions of gelint, libclang and the reference tables (--format json)");
  app.require_subcommand(1);
  int status = exit_clean;
  add_commands(app, status);
  std::vector<std::string> names = command_names(app);
  if (argc > 1 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end())
    return unknown_command(argv[1], names);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) { // --help
    return app.exit(e) == 0 ? exit_clean : exit_fault;
  } catch (const CLI::ParseError& e) {
    return fault(e.what(), fmt::format("see '{} --help'", command_path(app)));
  } catch (const std::exception& e) {
    return fault(fmt::format("internal fault: {}", e.what()), "please report it with the command line");
  }
  return status;
}

} // namespace gelint::cli
