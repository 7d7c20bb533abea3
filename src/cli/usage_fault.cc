#include "cli/usage_fault.h"

#include "support/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <vector>

namespace gelint::cli {
namespace {

/// The innermost command that was named.
const CLI::App& named_command(const CLI::App& app, std::string& path) {
  const CLI::App* at = &app;
  for (path = "gelint";;) {
    auto used = at->get_subcommands();
    if (used.empty())
      return *at;
    at = used.front();
    path += " " + at->get_name();
  }
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(sub->get_name());
  return out;
}

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  return std::string(nearest_text(word, std::vector<std::string_view>(names.begin(), names.end())));
}

Error unknown_word(const CLI::App& command, const std::string& path, const std::string& word) {
  const std::string see = fmt::format("see '{} --help'", path);
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* o : command.get_options())
      for (const std::string& n : o->get_lnames())
        known.push_back("--" + n);
    const std::string near = nearest(name, known);
    return {fmt::format("there is no option '{}'", name), "", 0, 0,
            near.empty() ? see : fmt::format("did you mean '{}'? {}", near, see)};
  }
  const std::vector<std::string> commands = names_of_commands(command);
  if (commands.empty())
    return {fmt::format("'{}' is one argument too many", word), "", 0, 0, see};
  const std::string near = nearest(word, commands);
  return {fmt::format("there is no command '{}'", path.substr(0, path.find(' ')) == path ? word : path.substr(7) + " " + word), "", 0, 0,
          near.empty() ? fmt::format("commands: {}", fmt::join(commands, ", ")) : fmt::format("did you mean '{}'?", near)};
}

/// An option that takes one value and got several.
bool given_twice(const CLI::App& command, const std::string& option) {
  const CLI::Option* o = command.get_option_no_throw(option);
  return o && o->get_items_expected_max() <= 1 && o->results().size() > 1;
}

} // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& fault) {
  std::string path;
  const CLI::App& command = named_command(app, path);
  const std::vector<std::string> commands = names_of_commands(command);
  // What no option and no command took; CLI11 reports a missing command first.
  std::vector<std::string> rest = command.remaining();
  if (rest.empty())
    rest = app.remaining(true);
  if (!rest.empty())
    return unknown_word(command, path, rest.front());
  if (dynamic_cast<const CLI::RequiredError*>(&fault) && !commands.empty())
    return {fmt::format("'{}' needs a command", path), "", 0, 0,
            fmt::format("{}; see '{} --help'", fmt::join(commands, ", "), path)};
  std::string what = fault.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&fault))
    what = what.substr(0, what.find(':')) + (given_twice(command, what.substr(0, what.find(':'))) ? " is given twice" : " needs a value");
  // A check that says what to do in brackets has its mend.
  if (size_t open = what.find(" ("); open != std::string::npos && what.ends_with(")"))
    return {what.substr(0, open), "", 0, 0, what.substr(open + 2, what.size() - open - 3)};
  return {what, "", 0, 0, fmt::format("see '{} --help'", path)};
}

} // namespace gelint::cli
