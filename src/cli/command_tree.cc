#include "cli/command_tree.h"

#include "decide/rule.h"
#include "report/writer.h"

#include <CLI/CLI.hpp>

namespace gelint::cli {
namespace {

std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> out;
  if (value == "FORMAT[:PATH]")
    for (const report::Writer& w : report::writers())
      out.emplace_back(w.format);
  if (value == "WHEN")
    out = {"auto", "always", "never"};
  if (value == "SHELL")
    out = {"bash", "zsh", "fish"};
  if (value == "LEVEL|ID[,ID...]|none")
    out = {"error", "warning", "note", "none"};
  if (value == "BACKEND")
    out = {"auto", "cpu", "cuda"};
  if (value == "text|json")
    out = {"text", "json"};
  if (value == "ID" || value == "ID[,ID...]")
    for (const decide::Rule* r : decide::all_rules())
      out.emplace_back(r->id);
  return out;
}

OptionView view_of(const CLI::Option& o) {
  OptionView v;
  for (const std::string& s : o.get_snames())
    v.names.push_back("-" + s);
  for (const std::string& s : o.get_lnames())
    v.names.push_back("--" + s);
  v.positional = v.names.empty();
  if (v.positional)
    v.names.push_back(o.get_name(true));
  v.flag = !v.positional && o.get_items_expected_max() == 0;
  v.required = o.get_required();
  v.repeatable = o.get_items_expected_max() > 1;
  v.value = v.flag ? "" : o.get_type_name();
  if (v.positional)
    v.value = v.names.front();
  // CLI11 appends the names of checks to the type ("WHEN:{auto,always,never}").
  v.value = v.value.substr(0, v.value.find(":{"));
  v.value = v.value.substr(0, v.value.find(":INT"));
  v.help = o.get_description();
  v.group = o.get_group();
  v.choices = choices_of(v.value);
  return v;
}

CommandView view_of(const CLI::App& app, const std::string& parent) {
  CommandView v;
  v.path = parent.empty() ? app.get_name() : parent + " " + app.get_name();
  v.help = app.get_description();
  for (const CLI::Option* o : app.get_options()) {
    OptionView option = view_of(*o);
    if (!parent.empty() && option.names.back().starts_with("--help"))
      continue; // every command has them
    v.options.push_back(std::move(option));
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* a) { return !a->get_group().empty(); }))
    v.commands.push_back(view_of(*sub, v.path));
  return v;
}

void flatten(const CommandView& command, std::vector<const CommandView*>& out) {
  out.push_back(&command);
  for (const CommandView& c : command.commands)
    flatten(c, out);
}

} // namespace

CommandView view_of(const CLI::App& app) { return view_of(app, ""); }

std::vector<const CommandView*> flattened(const CommandView& command) {
  std::vector<const CommandView*> out;
  flatten(command, out);
  return out;
}

std::string usage(const CommandView& command) {
  std::string out = command.path;
  if (!command.commands.empty())
    return out + " COMMAND";
  out += " [OPTIONS]";
  for (const OptionView& o : command.options)
    if (o.positional) {
      std::string name = o.names.front() + (o.repeatable ? "..." : "");
      out += o.required ? " " + name : " [" + name + "]";
    }
  return out;
}

} // namespace gelint::cli
