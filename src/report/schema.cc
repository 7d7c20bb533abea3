#include "report/schema.h"

#include "report/json.h"
#include "report/json_archive.h"
#include "report/markup.h"

#include <fmt/format.h>

namespace gelint::report {
namespace {

template <class T> struct TypeName;
#define GELINT_TYPE(type, name, help)                                                                                  \
  template <> struct TypeName<type> {                                                                                  \
    static constexpr const char* k_name = name;                                                                        \
    static constexpr const char* k_help = help;                                                                        \
  }
GELINT_TYPE(Provenance, "provenance", "What the answer was made with.");
GELINT_TYPE(scan::Place, "place", "A place in the scanned tree.");
GELINT_TYPE(formula::Hazard, "hazard", "A numerical hazard of an expression.");
GELINT_TYPE(scan::Site, "site", "One place in engine code where an activation is defined, called, selected, tabled or fused.");
GELINT_TYPE(scan::TableEntry, "table_entry", "One entry of a name table.");
GELINT_TYPE(scan::NameTable, "name_table", "A table of the engine from activation names to formulas.");
GELINT_TYPE(scan::InlineWaiver, "inline_waiver", "A waiver comment in the code.");
GELINT_TYPE(scan::TuFailure, "failure", "A translation unit that was not parsed.");
GELINT_TYPE(scan::Ledger, "ledger", "The account of every needle.");
GELINT_TYPE(hf::Reader, "reader", "The code that reads a key, hard-codes a formula or sets a default.");
GELINT_TYPE(hf::VersionedAnswer, "versioned_answer", "The answer of the releases from one on.");
GELINT_TYPE(hf::PortAnswer, "port_answer", "What another implementation of the model runs.");
GELINT_TYPE(hf::Slot, "slot", "One place in a checkpoint's model where an activation is applied.");
GELINT_TYPE(hf::ModelReport, "model", "The resolution of one checkpoint.");
GELINT_TYPE(decide::PortDivergence, "port_divergence", "A port that departs from the reference.");
GELINT_TYPE(decide::RowWaiver, "row_waiver", "A waiver of a decision.");
GELINT_TYPE(decide::RelatedPlace, "related_place", "Another place that a finding speaks of.");
GELINT_TYPE(decide::Finding, "finding", "A finding of one rule.");
GELINT_TYPE(decide::Row, "row", "A decision: what the code computes against what the checkpoint asks for.");
GELINT_TYPE(VerifyRow, "verify_row", "One numerical comparison.");
GELINT_TYPE(ImpactRow, "impact", "One layer's MLP of a checkpoint with both formulas.");
GELINT_TYPE(CostRow, "cost", "Paired timings of both formulas.");
GELINT_TYPE(Summary, "summary", "Counts.");
#undef GELINT_TYPE

/// Collects definitions in the order in which they are first needed.
struct SchemaOut {
  Json& definitions;
  Json properties = Json::object(), required = Json::array();

  template <class T> Json type_of() {
    if constexpr (std::is_same_v<T, std::string>) {
      return {{"type", "string"}};
    } else if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_same_v<T, double>) {
      return {{"type", {"number", "null"}}};
    } else if constexpr (std::is_integral_v<T>) {
      return {{"type", "integer"}, {"minimum", 0}};
    } else if constexpr (std::is_enum_v<T>) {
      Json names = Json::array();
      for (int i = 0; i < k_enum_count<T>; ++i)
        names.push_back(enum_name(static_cast<T>(i)));
      return {{"enum", std::move(names)}};
    } else if constexpr (IsOptional<T>::value) {
      return nullable(type_of<typename T::value_type>());
    } else if constexpr (IsVector<T>::value) {
      return {{"type", "array"}, {"items", type_of<typename T::value_type>()}};
    } else {
      return reference<T>();
    }
  }
  static Json nullable(Json type) { return {{"anyOf", Json::array({std::move(type), {{"type", "null"}}})}}; }
  template <class T> Json reference() {
    const char* name = TypeName<T>::k_name;
    if (!definitions.contains(name)) {
      definitions[name] = Json();
      SchemaOut inner{definitions};
      T value{};
      fields(inner, value);
      if constexpr (std::is_same_v<T, hf::ModelReport>)
        inner.put("findings", type_of<std::vector<decide::Finding>>(), "findings of this file");
      definitions[name] = inner.object(TypeName<T>::k_help);
    }
    return {{"$ref", std::string("#/definitions/") + name}};
  }
  void put(const char* name, Json type, const char* help) {
    // Draft-07 ignores what stands beside $ref, so the description needs a wrapper there.
    if (type.contains("$ref"))
      type = {{"allOf", Json::array({std::move(type)})}};
    type["description"] = help;
    properties[name] = std::move(type);
    required.push_back(name);
  }
  template <class T> void operator()(const char* name, T&, const char* help) { put(name, type_of<T>(), help); }
  void site(const char* name, decide::Row&, const char* help) { put(name, nullable(reference<scan::Site>()), help); }
  void waiver(const char* name, decide::Row&, const char* help) {
    put(name, nullable(reference<decide::RowWaiver>()), help);
  }
  Json object(const char* help) {
    return {{"description", help},
            {"type", "object"},
            {"required", std::move(required)},
            {"properties", std::move(properties)},
            {"additionalProperties", false}};
  }
};

Json when(std::initializer_list<Command> commands, Json then) {
  Json names = Json::array();
  for (Command c : commands)
    names.push_back(to_string(c));
  return {{"if", {{"properties", {{"command", {{"enum", std::move(names)}}}}}}}, {"then", std::move(then)}};
}

Json make_schema() {
  Json definitions = Json::object();
  SchemaOut top{definitions};
  Report report;
  top.put("schema", {{"const", k_schema_name}}, "name and major version of this format; it changes when a field changes its meaning");
  top("command", report.command, "the command that wrote the document");
  top("provenance", report.provenance, "what the answer was made with");
  top("findings", report.findings, "what the rules found, sorted by place");
  top("summary", report.summary, "counts");
  Json required = top.required;
  top.put("rows", {{"type", "array"}}, "audit: the decisions; verify: the comparisons");
  top("impact", report.impact, "verify: layers of a checkpoint run with both formulas (--impact)");
  top("cost", report.cost, "verify: what the switch costs (--cost)");
  top("models", report.models, "lint, defaults, audit: the checkpoints in the order given");
  Json scan_required = Json::array();
  {
    SchemaOut scan{definitions};
    fields(scan, report.scan);
    scan_required = scan.required;
    for (auto& [name, type] : scan.properties.items())
      top.properties[name] = type;
  }
  Json row = top.reference<decide::Row>(), verify_row = top.reference<VerifyRow>();
  Json doc = {{"$schema", "http://json-schema.org/draft-07/schema#"},
              {"$id", "https://gelint.dev/schema/gelint-1.json"},
              {"title", "gelint JSON output, gelint/1"}};
  Json body = top.object("One document of gelint audit, scan, lint, defaults or verify.");
  body["required"] = std::move(required);
  for (auto& [key, value] : body.items())
    doc[key] = value;
  doc["allOf"] = Json::array(
      {when({Command::audit}, {{"required", {"rows", "models"}}, {"properties", {{"rows", {{"items", row}}}}}}),
       when({Command::verify}, {{"required", {"rows"}}, {"properties", {{"rows", {{"items", verify_row}}}}}}),
       when({Command::lint, Command::defaults}, {{"required", {"models"}}}),
       when({Command::audit, Command::scan}, {{"required", std::move(scan_required)}})});
  doc["definitions"] = std::move(definitions);
  return doc;
}

/// "string", "list of site", "formula name or null" for the reference page.
std::string type_text(const Json& type) {
  if (type.contains("const"))
    return md_code(type["const"].get<std::string>());
  if (type.contains("$ref")) {
    std::string name = type["$ref"].get<std::string>();
    name = name.substr(name.rfind('/') + 1);
    return fmt::format("[{0}](#{0})", name);
  }
  if (type.contains("allOf"))
    return type_text(type["allOf"][0]);
  if (type.contains("anyOf"))
    return type_text(type["anyOf"][0]) + " or null";
  if (type.contains("enum")) {
    std::string out;
    for (const Json& name : type["enum"])
      out += (out.empty() ? "" : ", ") + md_code(name.get<std::string>());
    return "one of " + out;
  }
  if (type["type"].is_array())
    return "number or null";
  std::string name = type["type"].get<std::string>();
  return name == "array" ? "list" + (type.contains("items") ? " of " + type_text(type["items"]) : "") : name;
}

std::string field_table(const Json& object) {
  std::string out = "| Field | Type | Meaning |\n| --- | --- | --- |\n";
  for (const auto& [name, type] : object["properties"].items())
    out += fmt::format("| {} | {} | {} |\n", md_code(name), type_text(type), md(type["description"].get<std::string>()));
  return out;
}

} // namespace

std::string json_schema() { return dump(make_schema(), 2) + "\n"; }

std::string json_reference() {
  Json schema = make_schema();
  std::string out =
      "# JSON reference\n\n"
      "<!-- Written by `gelint generate json-reference`; a test keeps it current. -->\n\n"
      "`--format json` writes one document, `--format jsonl` one record a line. The schema is\n"
      "[schema/gelint-1.json](schema/gelint-1.json) (`gelint generate schema` prints it). A release may add fields;\n"
      "`schema` changes when one is renamed, removed or changes its meaning. A number that is not finite is `null`.\n\n"
      "In JSON lines the first record has `\"type\": \"header\"`; then come records of type `model`, `site`, `table`,\n"
      "`failure`, `ledger`, `row`, `verify`, `impact`, `cost` and `finding`, with the fields below, and last one of type `summary`.\n\n"
      "## Document\n\n";
  out += field_table(schema);
  for (const auto& [name, object] : schema["definitions"].items())
    out += fmt::format("\n## {}\n\n{}\n\n{}", name, object["description"].get<std::string>(), field_table(object));
  return out;
}

} // namespace gelint::report
