// JSON lines: a header, then one record a line, each with its "type".

#include "report/json.h"
#include "report/json_archive.h"
#include "report/writer.h"

namespace gelint::report {
namespace {

void line(std::string& out, const char* type, Json body) {
  Json record = {{"type", type}};
  for (auto& [key, value] : body.items())
    record[key] = std::move(value);
  out += dump(record) + "\n";
}

template <class T> void lines(std::string& out, const char* type, const std::vector<T>& items) {
  for (const T& item : items)
    line(out, type, to_json_value(item));
}

std::string write_jsonl(const Report& report, const WriteOptions&) {
  std::string out;
  line(out, "header",
       {{"schema", k_schema_name}, {"command", to_string(report.command)},
        {"provenance", to_json_value(report.provenance)}});
  for (Json& model : models_json(report))
    line(out, "model", std::move(model));
  if (report.command == Command::scan || report.command == Command::audit) {
    lines(out, "site", report.scan.sites);
    lines(out, "table", report.scan.tables);
    lines(out, "failure", report.scan.failures);
    line(out, "ledger", to_json_value(report.scan.ledger));
  }
  lines(out, "row", report.rows);
  lines(out, "verify", report.verify_rows);
  lines(out, "impact", report.impact);
  lines(out, "cost", report.cost);
  lines(out, "finding", report.findings);
  line(out, "summary", to_json_value(report.summary));
  return out;
}

} // namespace

extern const Writer k_jsonl;
const Writer k_jsonl{"jsonl", "one JSON record a line", write_jsonl};

} // namespace gelint::report
