#include "cli/command_tree.h"
#include "cli/generate.h"

#include <fmt/format.h>
#include <map>

namespace gelint::cli {
namespace {

std::string last_word(const std::string& path) { return path.substr(path.rfind(' ') + 1); }

/// Quoted for the inside of single quotes of a shell.
std::string single_quoted(const std::string& text) {
  std::string out;
  for (char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::vector<std::string> words_of(const CommandView& c) {
  std::vector<std::string> out;
  for (const CommandView& sub : c.commands)
    out.push_back(last_word(sub.path));
  for (const OptionView& o : c.options)
    if (o.positional)
      out.insert(out.end(), o.choices.begin(), o.choices.end());
    else
      out.insert(out.end(), o.names.begin(), o.names.end());
  return out;
}

std::string bash(const CommandView& root) {
  std::string out = "# bash completion of gelint. Load it with: source <(gelint generate completion bash)\n"
                    "_gelint() {\n"
                    "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path=gelint i\n"
                    "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
                    "    case \"$path ${COMP_WORDS[i]}\" in\n";
  auto all = flattened(root);
  std::string paths;
  for (const CommandView* c : all)
    if (c != all.front())
      paths += (paths.empty() ? "" : "|") + fmt::format("'{}'", c->path);
  out += fmt::format("      {}) path=\"$path ${{COMP_WORDS[i]}}\" ;;\n    esac\n  done\n  case \"$previous\" in\n", paths);
  // One arm for each option with a value; equal options of several commands offer the same.
  std::map<std::string, std::string> arms;
  for (const CommandView* c : all)
    for (const OptionView& o : c->options)
      if (!o.positional && !o.flag)
        for (const std::string& name : o.names)
          arms[name] = o.choices.empty() ? "compgen -f -- \"$word\""
                                         : fmt::format("compgen -W '{}' -- \"$word\"", fmt::join(o.choices, " "));
  for (const auto& [name, reply] : arms)
    out += fmt::format("    {}) mapfile -t COMPREPLY < <({}); return ;;\n", name, reply);
  out += "  esac\n  local words\n  case \"$path\" in\n";
  for (const CommandView* c : all)
    out += fmt::format("    '{}') words='{}' ;;\n", c->path, fmt::join(words_of(*c), " "));
  out += "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"; [[ $word == -* || $path == gelint ]] || compgen -f -- \"$word\")\n"
         "}\n"
         "complete -o filenames -F _gelint gelint\n";
  return out;
}

std::string zsh(const CommandView& root) {
  auto spec = [](const OptionView& o, const std::string& name) {
    std::string help;
    for (char c : single_quoted(o.help))
      help += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
    std::string value;
    if (!o.flag)
      value = o.choices.empty() ? ":value:_files" : fmt::format(":value:({})", fmt::join(o.choices, " "));
    return fmt::format("'{}{}[{}]{}'", o.repeatable ? "*" : "", name, help, value);
  };
  // Not `path`: that is zsh's own name for PATH.
  std::string out = "#compdef gelint\n# zsh completion of gelint: put this into a file _gelint in a folder of $fpath.\n"
                    "_gelint() {\n  local command=gelint word\n  for word in ${words[2,CURRENT-1]}; do\n"
                    "    case \"$command $word\" in\n";
  auto all = flattened(root);
  std::string paths;
  for (const CommandView* c : all)
    if (c != all.front())
      paths += (paths.empty() ? "" : "|") + fmt::format("'{}'", c->path);
  out += fmt::format("      {}) command=\"$command $word\" ;;\n    esac\n  done\n  case \"$command\" in\n", paths);
  for (const CommandView* c : all) {
    out += fmt::format("    '{}')\n      _arguments -S", c->path);
    for (const OptionView& o : c->options)
      if (!o.positional)
        for (const std::string& name : o.names)
          out += " \\\n        " + spec(o, name);
    std::vector<std::string> words;
    for (const std::string& w : words_of(*c))
      if (w[0] != '-')
        words.push_back(w);
    out += words.empty() ? " \\\n        '*:file:_files' ;;\n"
                         : fmt::format(" \\\n        '*:command:({})' ;;\n", fmt::join(words, " "));
  }
  return out + "  esac\n}\n_gelint \"$@\"\n";
}

std::string fish(const CommandView& root) {
  std::string out = "# fish completion of gelint: put this into ~/.config/fish/completions/gelint.fish\n";
  for (const CommandView* c : flattened(root)) {
    std::vector<std::string> parts;
    for (size_t at = 0; at != std::string::npos;) {
      size_t space = c->path.find(' ', at);
      parts.push_back(c->path.substr(at, space == std::string::npos ? space : space - at));
      at = space == std::string::npos ? space : space + 1;
    }
    std::string when = "__fish_use_subcommand";
    if (parts.size() > 1) {
      when = "__fish_seen_subcommand_from " + parts[1];
      if (parts.size() > 2)
        when += "; and __fish_seen_subcommand_from " + parts[2];
    }
    for (const CommandView& sub : c->commands)
      out += fmt::format("complete -c gelint -f -n '{}' -a {} -d '{}'\n", when, last_word(sub.path),
                         single_quoted(sub.help));
    for (const OptionView& o : c->options) {
      std::string line = fmt::format("complete -c gelint -n '{}'", when);
      if (o.positional) {
        if (!o.choices.empty())
          out += line + fmt::format(" -f -a '{}' -d '{}'\n", fmt::join(o.choices, " "), single_quoted(o.help));
        continue;
      }
      for (const std::string& name : o.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!o.flag)
        line += o.choices.empty() ? " -r" : fmt::format(" -x -a '{}'", fmt::join(o.choices, " "));
      out += line + fmt::format(" -d '{}'\n", single_quoted(o.help));
    }
  }
  return out;
}

} // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  CommandView root = view_of(app);
  return shell == "bash" ? bash(root) : shell == "zsh" ? zsh(root) : fish(root);
}

} // namespace gelint::cli
