// gelint generate: everything that is made from the program itself.

#include "cli/checks.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/generate.h"
#include "cli/terminal.h"
#include "decide/rule.h"
#include "report/schema.h"
#include "support/files.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace gelint::cli {
namespace {

int print(const std::string& text) { return write_stdout(text) ? exit_clean : exit_fault; }

/// docs/rules/: one page a rule and an index. Pages of rules that no longer exist are removed.
int write_rule_pages(const std::string& dir) {
  namespace fs = std::filesystem;
  std::error_code ec;
  fs::create_directories(dir, ec);
  if (ec)
    return fault(Error{"cannot be made: " + ec.message(), dir, 0, 0, "name another folder"});
  for (const auto& [name, text] : rule_pages())
    if (Status s = write_file_atomically(dir + "/" + name, text); !s)
      return fault(s.error());
  for (const fs::directory_entry& e : fs::directory_iterator(dir, ec)) {
    std::string name = e.path().filename().string();
    if (name.starts_with("GL") && name.ends_with(".md") && !decide::find_rule(name.substr(0, name.size() - 3)))
      fs::remove(e.path(), ec);
  }
  return exit_clean;
}

} // namespace

void add_generate(CLI::App& app, int& status) {
  CLI::App* cmd = app.add_subcommand("generate", "Print completions, the man page, schemas and reference pages");
  cmd->require_subcommand(1);
  const CLI::App* root = &app;

  auto shell = std::make_shared<std::string>();
  CLI::App* completion = cmd->add_subcommand("completion", "Completions for a shell, on standard output");
  one_of(completion->add_option("SHELL", *shell, "bash, zsh or fish")->required(), {"bash", "zsh", "fish"});
  completion->callback([=, &status] { status = print(completion_script(*root, *shell)); });

  cmd->add_subcommand("man", "The man page (troff), on standard output")->callback([=, &status] {
    status = print(man_page(*root));
  });
  cmd->add_subcommand("schema", "The JSON Schema of --format json")->callback([&status] {
    status = print(report::json_schema());
  });
  cmd->add_subcommand("json-reference", "The reference page of --format json, in Markdown")->callback([&status] {
    status = print(report::json_reference());
  });
  cmd->add_subcommand("cli-reference", "The reference page of the command line, in Markdown")->callback([=, &status] {
    status = print(cli_reference(*root));
  });
  auto dir = std::make_shared<std::string>();
  CLI::App* rules = cmd->add_subcommand("rules-docs", "One Markdown page for each rule, and an index");
  rules->add_option("DIR", *dir, "Folder to write to")->required();
  rules->callback([=, &status] { status = write_rule_pages(*dir); });
}

} // namespace gelint::cli
