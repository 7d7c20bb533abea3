#pragma once
// A plain view of the commands and options of CLI11, for the generated texts.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gelint::cli {

struct OptionView {
  std::vector<std::string> names; ///< "-q", "--quiet"; the name in capitals for a positional
  bool positional = false, flag = false, required = false, repeatable = false;
  std::string value; ///< what the value is called: "FILE"
  std::string help, group;
  std::vector<std::string> choices; ///< values that completion offers
};

struct CommandView {
  std::string path; ///< "gelint inventory draft"
  std::string help;
  std::vector<OptionView> options;
  std::vector<CommandView> commands;
};

CommandView view_of(const CLI::App& app);

/// The command and everything below it, parents first.
std::vector<const CommandView*> flattened(const CommandView& command);

/// "gelint lint [OPTIONS] MODEL...".
std::string usage(const CommandView& command);

} // namespace gelint::cli
