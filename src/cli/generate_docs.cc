#include "cli/command_tree.h"
#include "cli/generate.h"
#include "cli/settings.h"
#include "decide/rule.h"
#include "report/markdown_notes.h"
#include "report/markup.h"
#include "support/version.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gelint::cli {
namespace {

std::string troff(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string names_of(const OptionView& o) {
  std::string out = fmt::format("{}", fmt::join(o.names, ", "));
  return o.flag || o.positional ? out : out + " " + o.value;
}

struct ExitStatus {
  int status;
  std::string_view meaning;
};
constexpr ExitStatus k_exit_statuses[] = {
    {0, "No finding at or above --fail-on."},
    {1, "A finding that is neither waived nor in the baseline is at or above --fail-on."},
    {2, "The command line, a file or the tool itself is at fault, or there was nothing to do."},
};

struct Variable {
  std::string_view name, meaning;
};
constexpr Variable k_variables[] = {
    {"FORCE_COLOR", "colour also where the output is no terminal; stronger than NO_COLOR"},
    {"NO_COLOR", "no colour"},
    {"CLICOLOR_FORCE", "colour also where the output is no terminal"},
    {"COLUMNS", "width of tables where the output is no terminal"},
    {"TERM", "\"dumb\" turns colour and progress off"},
    {"GELINT_CACHE_DIR", "where the cache is kept; else gelint/ under XDG_CACHE_HOME, else ~/.cache/gelint"},
};

} // namespace

std::string man_page(const CLI::App& app) {
  CommandView root = view_of(app);
  std::string out = fmt::format(".TH GELINT 1 \"\" \"gelint {}\" \"User Commands\"\n.SH NAME\ngelint \\- {}\n"
                                ".SH SYNOPSIS\n.B gelint\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{}\n",
                                GELINT_VERSION, troff(root.help), troff(root.help));
  out += ".SH OPTIONS\n";
  for (const OptionView& o : root.options)
    out += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", troff(names_of(o)), troff(o.help));
  out += ".SH COMMANDS\n";
  for (const CommandView* c : flattened(root)) {
    if (c == flattened(root).front() || !c->commands.empty())
      continue;
    out += fmt::format(".SS {}\n{}.\n", troff(usage(*c)), troff(c->help));
    for (const OptionView& o : c->options)
      if (o.group == "Options" || o.positional)
        out += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", troff(names_of(o)), troff(o.help));
  }
  // Options that commands share are described once.
  std::map<std::string, std::map<std::string, std::string>> groups;
  for (const CommandView* c : flattened(root))
    for (const OptionView& o : c->options)
      if (!o.positional && o.group != "Options" && !o.group.empty())
        groups[o.group][names_of(o)] = o.help;
  for (const auto& [group, options] : groups) {
    out += fmt::format(".SH {} OPTIONS\n", [&] {
      std::string upper = group;
      for (char& ch : upper)
        ch = static_cast<char>(std::toupper(static_cast<unsigned char>(ch)));
      return upper;
    }());
    for (const auto& [names, help] : options)
      out += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", troff(names), troff(help));
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitStatus& e : k_exit_statuses)
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", e.status, troff(e.meaning));
  out += ".SH ENVIRONMENT\n";
  for (const Variable& v : k_variables)
    out += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", v.name, troff(v.meaning));
  out += ".SH FILES\n.TP\n\\fI.gelint.yaml\\fR\nSettings of a project. The nearest one, from the current directory "
         "upwards, is read; its paths are relative to it. Keys:\n";
  for (const SettingsKey& k : settings_keys())
    out += fmt::format(".br\n\\fB{}\\fR ({}): {}\n", troff(k.name), troff(k.type), troff(k.help));
  return out;
}

std::string cli_reference(const CLI::App& app) {
  CommandView root = view_of(app);
  std::string out = "# Command line\n\n"
                    "<!-- Written by `gelint generate cli-reference`; a test keeps it current. -->\n";
  auto item = [](const OptionView& o) { return fmt::format("- `{}`: {}\n", names_of(o), report::md(o.help)); };
  std::map<std::string, std::vector<const OptionView*>> groups;
  std::vector<const CommandView*> all = flattened(root);
  for (const CommandView* c : all) {
    if (c->path == root.path || !c->commands.empty())
      continue;
    out += fmt::format("\n## {}\n\n{}.\n\n    {}\n\n", c->path, report::md(c->help), usage(*c));
    std::string shared;
    for (const OptionView& o : c->options) {
      if (o.positional || o.group == "Options") {
        out += item(o);
        continue;
      }
      auto& group = groups[o.group];
      if (std::none_of(group.begin(), group.end(), [&](const OptionView* g) { return g->names == o.names; }))
        group.push_back(&o);
      std::string link = fmt::format("[{0}](#{1}-options)", o.group, report::slug(o.group));
      if (shared.find(link) == std::string::npos)
        shared += (shared.empty() ? "" : ", ") + link;
    }
    if (!shared.empty())
      out += "\nShared options: " + shared + ".\n";
  }
  for (const auto& [name, options] : groups) {
    out += fmt::format("\n## {} options\n\n", name);
    for (const OptionView* o : options)
      out += item(*o);
  }
  out += "\n## Exit status\n\n";
  for (const ExitStatus& e : k_exit_statuses)
    out += fmt::format("- `{}`: {}\n", e.status, e.meaning);
  out += "\n## Environment\n\n";
  for (const Variable& v : k_variables)
    out += fmt::format("- `{}`: {}\n", v.name, v.meaning);
  out += "\n## Settings file\n\nThe nearest `.gelint.yaml`, from the current directory upwards; `--config FILE` names "
         "another, `--isolated` reads none.\nPaths in it are relative to it, and the command line wins. `gelint config "
         "show` prints the result, `gelint config check` checks the file.\n\n";
  for (const SettingsKey& k : settings_keys())
    out += fmt::format("- `{}` ({}): {}\n", k.name, k.type, k.help);
  return out;
}

std::string rule_page(const decide::Rule& rule) {
  return fmt::format("# {} {}\n\n{}\n\nDefault level: {}.\n\n{}", rule.id, rule.name, rule.summary,
                     to_string(rule.level), rule.doc);
}

std::vector<std::pair<std::string, std::string>> rule_pages() {
  std::vector<std::pair<std::string, std::string>> out;
  std::string index = "# Rules\n\n<!-- Written by `gelint generate rules-docs docs/rules`; a test keeps it current. -->\n\n"
                      "| Id | Name | Level | What it finds |\n| --- | --- | --- | --- |\n";
  for (const decide::Rule* r : decide::all_rules()) {
    out.emplace_back(std::string(r->id) + ".md", rule_page(*r));
    index += fmt::format("| [{0}]({0}.md) | {1} | {2} | {3} |\n", r->id, r->name, to_string(r->level),
                         report::md(r->summary));
  }
  out.emplace_back("README.md", index);
  return out;
}

} // namespace gelint::cli
