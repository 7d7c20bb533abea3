#pragma once
// The command line. main.cc only calls run(); each command has its own file, cmd_<name>.cc.

namespace CLI {
class App;
}

namespace gelint::cli {

/// Exit status of the whole tool.
enum Exit : int { exit_clean = 0, exit_findings = 1, exit_fault = 2 };

/// Parses the arguments, runs the command, returns the exit status.
int run(int argc, char** argv);

/// Adds every command to `app`. The one list: help, man page and completions are made from it.
void add_commands(CLI::App& app, int& status);

/// Each command adds its sub-command to `app`; its callback stores the exit status in `status`.
void add_scan(CLI::App& app, int& status);
void add_lint(CLI::App& app, int& status);
void add_audit(CLI::App& app, int& status);
void add_verify(CLI::App& app, int& status);
void add_defaults(CLI::App& app, int& status);
void add_rule(CLI::App& app, int& status);
void add_inventory(CLI::App& app, int& status);
void add_baseline(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_cache(CLI::App& app, int& status);
void add_config(CLI::App& app, int& status);
void add_generate(CLI::App& app, int& status);

} // namespace gelint::cli
