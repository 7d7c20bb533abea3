// One JSON document: see docs/json.md and docs/schema/gelint-1.json.

#include "report/json.h"
#include "report/json_archive.h"
#include "report/writer.h"

namespace gelint::report {
namespace {

void add_all(Json& doc, Json part) {
  for (auto& [key, value] : part.items())
    doc[key] = std::move(value);
}

} // namespace

std::vector<Json> models_json(const Report& report) {
  const auto findings = findings_by_model(report);
  std::vector<Json> out;
  for (const hf::ModelReport& model : report.models) {
    Json own = Json::array();
    if (auto it = findings.find(model.path); it != findings.end())
      for (const decide::Finding* f : it->second)
        own.push_back(to_json_value(*f));
    out.push_back(to_json_value(model));
    out.back()["findings"] = std::move(own);
  }
  return out;
}

Json report_json(const Report& report) {
  Json doc = {{"schema", k_schema_name}, {"command", to_string(report.command)}};
  doc["provenance"] = to_json_value(report.provenance);
  const bool audit = report.command == Command::audit;
  if (audit)
    doc["rows"] = to_json_value(report.rows);
  else if (report.command == Command::verify)
    add_all(doc, {{"rows", to_json_value(report.verify_rows)},
                  {"impact", to_json_value(report.impact)},
                  {"cost", to_json_value(report.cost)}});
  doc["findings"] = to_json_value(report.findings);
  doc["summary"] = to_json_value(report.summary);
  if (audit || report.command == Command::lint || report.command == Command::defaults)
    doc["models"] = models_json(report);
  if (audit || report.command == Command::scan)
    add_all(doc, to_json_value(report.scan));
  return doc;
}

namespace {
std::string write_json(const Report& report, const WriteOptions&) { return dump(report_json(report), 2) + "\n"; }
} // namespace

extern const Writer k_json;
const Writer k_json{"json", "one document, \"schema\": \"gelint/1\"", write_json};

} // namespace gelint::report
