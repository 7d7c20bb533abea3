#include "cli/cli.h"

#include "cli/common_options.h"
#include "cli/terminal.h"
#include "cli/usage_fault.h"
#include "cli/version_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sstream>

namespace gelint::cli {
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) { // --help
    std::ostringstream text;
    app.exit(e, text, text);
    write_stdout(text.str());
  } catch (const CLI::ParseError& e) {
    return fault(usage_error(app, e));
  } catch (const std::exception& e) {
    return fault(fmt::format("internal fault: {}", e.what()), "please report it with the command line");
  }
  return stdout_failed() ? int{exit_fault} : status;
}

} // namespace gelint::cli
