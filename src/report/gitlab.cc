// GitLab's code quality report: one JSON list.

#include "decide/rule.h"
#include "report/format.h"
#include "report/json_archive.h"
#include "report/locate.h"
#include "report/writer.h"
#include "support/text.h"

#include <algorithm>

namespace gelint::report {
namespace {

std::string_view severity_of(decide::Level l) {
  return l == decide::Level::error ? "critical" : l == decide::Level::warning ? "major" : "info";
}

std::string write_gitlab(const Report& report, const WriteOptions&) {
  Locator locate(report);
  Json out = Json::array();
  for (const decide::Finding& f : report.findings) {
    if (!is_open(f))
      continue;
    const decide::Rule* rule = decide::find_rule(f.rule);
    Json lines = {{"begin", std::max(f.line, 1)}}; // the format asks for a line
    out.push_back({{"type", "issue"},
                   {"check_name", rule ? f.rule + " " + std::string(rule->name) : f.rule},
                   {"description", printable(f.message)},
                   {"severity", severity_of(f.level)},
                   {"fingerprint", f.fingerprint},
                   {"categories", Json::array({"Bug Risk"})},
                   {"location", {{"path", f.path.empty() ? "." : locate(f.path)}, {"lines", lines}}}});
  }
  return dump(out, 2) + "\n";
}

} // namespace

extern const Writer k_gitlab;
const Writer k_gitlab{"gitlab", "GitLab code quality report", write_gitlab};

} // namespace gelint::report
