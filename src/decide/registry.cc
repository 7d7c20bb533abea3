#include "decide/rule.h"

#include <algorithm>

namespace gelint::decide {

#define GELINT_RULE(name) extern const Rule name;
#include "decide/rules.def"
#undef GELINT_RULE

namespace {
const Rule* const k_rules[] = {
#define GELINT_RULE(name) &name,
#include "decide/rules.def"
#undef GELINT_RULE
};

bool matches(std::string_view id, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [id](const std::string& p) { return id.starts_with(p); });
}
} // namespace

std::string_view to_string(Level l) {
  switch (l) {
  case Level::note:
    return "note";
  case Level::warning:
    return "warning";
  case Level::error:
    return "error";
  }
  return "";
}

std::span<const Rule* const> all_rules() { return k_rules; }

const Rule* find_rule(std::string_view id) {
  for (const Rule* r : k_rules)
    if (r->id == id)
      return r;
  return nullptr;
}

Finding make_finding(const Rule& rule, std::string message) {
  Finding f;
  f.rule = rule.id;
  f.level = rule.level;
  f.message = std::move(message);
  return f;
}

std::vector<Finding> run_rules(const RuleContext& context, const std::vector<std::string>& select,
                               const std::vector<std::string>& ignore) {
  std::vector<Finding> findings;
  for (const Rule* r : k_rules)
    if ((select.empty() || matches(r->id, select)) && !matches(r->id, ignore))
      r->check(context, findings);
  finish_findings(findings);
  return findings;
}

} // namespace gelint::decide
