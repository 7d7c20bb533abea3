#include "cli/checks.h"

#include "decide/rule.h"
#include "support/text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>

namespace gelint::cli {
namespace {

constexpr const char* k_rules_mend = "'gelint rule' lists them";

bool is_id(std::string_view text) {
  return text.size() >= 2 && std::toupper(text[0]) == 'G' && std::toupper(text[1]) == 'L';
}

bool is_prefix_of_a_rule(const std::string& text) {
  const auto& rules = decide::all_rules();
  return std::any_of(rules.begin(), rules.end(), [&](const decide::Rule* r) { return r->id.starts_with(text); });
}

CLI::Validator nameless(std::function<std::string(std::string&)> check) { return CLI::Validator(std::move(check), ""); }

} // namespace

std::vector<std::string> split_ids(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == ',')
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  }
  std::erase(parts, "");
  for (std::string& p : parts)
    if (is_id(p))
      std::transform(p.begin(), p.end(), p.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return parts;
}

Status check_rule_prefixes(const std::vector<std::string>& prefixes, std::string_view where) {
  for (const std::string& p : prefixes)
    if (!is_prefix_of_a_rule(p))
      return Error{fmt::format("{}: no rule id starts with '{}'", where, p), "", 0, 0, k_rules_mend};
  return {};
}

Status check_fail_on(const std::string& text, std::string_view where) {
  std::vector<std::string> ids;
  for (const std::string& part : split_ids(text)) {
    if (part == "error" || part == "warning" || part == "note" || part == "none")
      continue;
    if (!is_id(part))
      return Error{fmt::format("{}: '{}' is neither a level nor a rule id", where, part), "", 0, 0,
                   "levels: error, warning, note, none; 'gelint rule' lists the ids"};
    ids.push_back(part);
  }
  return check_rule_prefixes(ids, where);
}

Status check_transformers(const std::string& text, std::string_view where) {
  if (text == "auto" || (!text.empty() && text[0] >= '0' && text[0] <= '9'))
    return {};
  return Error{fmt::format("{}: '{}' is not a version", where, text), "", 0, 0, "for example 5.24.0, or auto"};
}

void one_of(CLI::Option* option, std::vector<std::string> words) {
  option->check(nameless([words = std::move(words)](std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end())
      return std::string();
    std::vector<std::string_view> known(words.begin(), words.end());
    std::string_view near = nearest_text(text, known);
    return fmt::format("'{}' is none of {}{}", text, fmt::join(words, ", "),
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  }));
}

void whole_number(CLI::Option* option, long least, long most) {
  option->check(nameless([=](std::string& text) {
    char* end = nullptr;
    const long n = std::strtol(text.c_str(), &end, 10);
    const bool whole = end != text.c_str() && *end == 0;
    return whole && n >= least && n <= most
               ? std::string()
               : fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  }));
}

void checked(CLI::Option* option, std::string (*fault_of)(const std::string&)) {
  option->check(nameless([=](std::string& text) { return fault_of(text); }));
}

} // namespace gelint::cli
