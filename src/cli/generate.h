#pragma once
// Texts made from the tree of commands and options and from the rules, so that they cannot fall behind.

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}
namespace gelint::decide {
struct Rule;
}

namespace gelint::cli {

/// `shell`: bash, zsh or fish.
std::string completion_script(const CLI::App& app, const std::string& shell);

/// gelint(1) in troff.
std::string man_page(const CLI::App& app);

/// docs/cli.md.
std::string cli_reference(const CLI::App& app);

/// File name and text of each page of docs/rules/, the index README.md included.
std::vector<std::pair<std::string, std::string>> rule_pages();

/// What `gelint rule ID` prints and the rule's page holds, in Markdown.
std::string rule_page(const decide::Rule& rule);

} // namespace gelint::cli
