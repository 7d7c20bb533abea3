// SARIF 2.1.0 for code scanning: relative URIs, whole regions in UTF-16 columns, our own fingerprint key. The line
// hash that GitHub computes from the source itself is left to its upload action.

#include "decide/rule.h"
#include "report/fields.h"
#include "report/format.h"
#include "report/json_archive.h"
#include "report/locate.h"
#include "report/markup.h"
#include "report/table.h"
#include "report/writer.h"
#include "support/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gelint::report {
namespace {

/// GitHub takes texts up to 1,024 characters.
std::string limited(const std::string& text) { return cut_to(text, 1000, Cut::end); }

/// Message text: brackets would be links.
std::string plain(std::string_view text) {
  std::string out;
  for (char c : printable(text))
    out += c == '[' || c == ']' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string_view sarif_level(decide::Level l) { return to_string(l); }

std::string_view problem_severity(decide::Level l) {
  return l == decide::Level::error ? "error" : l == decide::Level::warning ? "warning" : "recommendation";
}

/// Evaluated findings are sure; the table says so for code scanning's ordering.
std::string_view precision_of(std::string_view rule) {
  return rule.starts_with("GL0") || rule.starts_with("GL4") ? "medium" : "high";
}

class Sarif {
public:
  Sarif(const Report& report, const WriteOptions& options) : r_(report), o_(options), locate_(report), sources_(locate_, options.source_root) {}

  std::string write() {
    Json results = Json::array();
    for (const decide::Finding& f : r_.findings)
      results.push_back(result(f));
    Json driver = {{"name", "gelint"},
                   {"version", r_.provenance.gelint},
                   {"semanticVersion", r_.provenance.gelint},
                   {"rules", std::move(rules_)}};
    Json run = {{"tool", {{"driver", std::move(driver)}}},
                {"automationDetails", {{"id", fmt::format("gelint/{}/", to_string(r_.command))}}},
                {"columnKind", "utf16CodeUnits"},
                {"originalUriBaseIds", {{"SRCROOT", {{"description", {{"text", "the directory gelint ran in"}}}}}}},
                {"results", std::move(results)}};
    Json doc = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                {"version", "2.1.0"},
                {"runs", Json::array({std::move(run)})}};
    return dump(doc, 2) + "\n";
  }

private:
  size_t rule_index(const decide::Finding& f) {
    auto [it, added] = index_.try_emplace(f.rule, rules_.size());
    if (added) {
      const decide::Rule* rule = decide::find_rule(f.rule);
      std::string summary(rule ? rule->summary : std::string_view(f.rule));
      std::string doc(rule ? rule->doc : std::string_view(f.rule));
      std::string name(rule ? rule->name : std::string_view(f.rule));
      decide::Level level = rule ? rule->level : f.level;
      rules_.push_back({{"id", f.rule},
                        {"name", name},
                        {"shortDescription", {{"text", summary}}},
                        {"fullDescription", {{"text", summary}}},
                        {"help", {{"text", doc}, {"markdown", doc}}},
                        {"defaultConfiguration", {{"level", sarif_level(level)}}},
                        {"properties",
                         {{"tags", Json::array({"correctness", "activation"})},
                          {"precision", precision_of(f.rule)},
                          {"problem.severity", problem_severity(level)}}}});
    }
    return it->second;
  }

  Json result(const decide::Finding& f) {
    size_t index = rule_index(f);
    Json related = Json::array();
    std::string message = limited(plain(f.message));
    for (const decide::RelatedPlace& p : f.related) {
      Json l = location(p.path, p.line, p.column, 0);
      l["id"] = related.size() + 1;
      l["message"] = {{"text", printable(p.message)}};
      message += fmt::format("; [{}]({})", plain(p.message), related.size() + 1);
      related.push_back(std::move(l));
    }
    Json out = {{"ruleId", f.rule},
                {"ruleIndex", index},
                {"level", sarif_level(f.level)},
                {"message", {{"text", std::move(message)}}},
                {"locations", Json::array({location(f.path, f.line, f.column, f.end_column)})}};
    if (!related.empty())
      out["relatedLocations"] = std::move(related);
    out["partialFingerprints"] = {{"gelintFinding/v1", f.fingerprint}};
    Json properties = Json::object();
    if (!f.config_path.empty())
      properties["config_path"] = f.config_path;
    if (!f.row.empty())
      properties["row"] = f.row;
    if (!properties.empty())
      out["properties"] = std::move(properties);
    if (f.waived)
      out["suppressions"] = Json::array({{{"kind", waived_in_source(f) ? "inSource" : "external"}, {"justification", printable(f.waiver_reason)}}});
    else if (f.in_baseline)
      out["suppressions"] = Json::array({{{"kind", "external"}, {"justification", "listed in the baseline"}}});
    return out;
  }

  bool waived_in_source(const decide::Finding& f) const {
    return std::any_of(r_.scan.waivers.begin(), r_.scan.waivers.end(), [&](const scan::InlineWaiver& w) {
      return w.place.path == f.path && w.applies_to_line == f.line;
    });
  }

  /// All four region fields, on one line; an unknown place is the file's first character.
  Json location(const std::string& path, int line, int column, int end_column) {
    std::string_view text = sources_.line(path, line);
    int begin = std::max(column, 1);
    int end = end_column > begin ? end_column : begin + 1;
    Json region = {{"startLine", std::max(line, 1)},
                   {"startColumn", utf16_column(text, begin)},
                   {"endLine", std::max(line, 1)},
                   {"endColumn", std::max(utf16_column(text, end), utf16_column(text, begin) + 1)}};
    std::string where = path.empty() ? "." : locate_(path);
    // A path outside of the current directory has no place in the repository: only its name is given.
    if (where.starts_with('/') || where.starts_with("../"))
      where = where.substr(where.rfind('/') + 1);
    return {{"physicalLocation",
             {{"artifactLocation", {{"uri", uri(where)}, {"uriBaseId", "SRCROOT"}}}, {"region", std::move(region)}}}};
  }

  const Report& r_;
  const WriteOptions& o_;
  Locator locate_;
  SourceLines sources_;
  Json rules_ = Json::array();
  std::map<std::string, size_t> index_;
};

std::string write_sarif(const Report& report, const WriteOptions& options) { return Sarif(report, options).write(); }

} // namespace

extern const Writer k_sarif;
const Writer k_sarif{"sarif", "SARIF 2.1.0 for code scanning", write_sarif};

} // namespace gelint::report
