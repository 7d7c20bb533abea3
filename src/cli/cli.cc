#include "cli/cli.h"

#include "support/version.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace gelint::cli {

int run(int argc, char** argv) {
  CLI::App app{"Finds inference code whose GELU is not the one the checkpoint was made for.", "gelint"};
  app.set_version_flag("--version", std::string("gelint ") + GELINT_VERSION + " (" + GELINT_COMMIT + ")");
  app.require_subcommand(1);
  int status = exit_clean;
  add_rule(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? exit_clean : exit_fault;
  }
  return status;
}

} // namespace gelint::cli
