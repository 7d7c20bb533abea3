// RFC 4180, one table per command.

#include "report/fields.h"
#include "report/format.h"
#include "report/writer.h"
#include "support/text.h"

#include <fmt/format.h>

namespace gelint::report {
namespace {

/// A text cell. A spreadsheet runs what begins with one of these signs, so such a cell gets an apostrophe in front.
std::string quoted(std::string_view raw) {
  std::string text = printable(raw);
  if (!text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos)
    text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"") == std::string::npos)
    return text;
  std::string out = "\"";
  for (char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

class Lines {
public:
  void add(std::initializer_list<std::string> cells) { out += fmt::format("{}\r\n", fmt::join(cells, ",")); }
  std::string out;
};

std::string num(double v) { return fmt::format("{}", v); }

void rows(Lines& l, const Report& report) {
  l.add({"id", "family", "model_type", "checkpoint", "slot", "config_path", "asked_by", "required", "implemented",
         "verdict", "max_abs_diff", "hazard", "path", "line", "column", "symbol", "enclosing", "known_by", "precision",
         "backend", "tier", "waiver", "reason"});
  for (const decide::Row& r : report.rows) {
    const scan::Site& s = r.site;
    auto site = [&](std::string_view text) { return r.has_site ? quoted(text) : std::string(); };
    l.add({quoted(r.id), quoted(r.family), quoted(r.model_type), quoted(r.checkpoint), quoted(r.slot.slot),
           quoted(r.slot.config_path), quoted(r.slot.slot.empty() ? "" : asked_by(r.slot)),
           quoted(formula::to_string(r.required)), quoted(formula::to_string(r.implemented)),
           quoted(to_string(r.verdict)), num(r.max_abs_diff), quoted(r.hazard), site(s.place.path),
           r.has_site ? std::to_string(s.place.line) : "", r.has_site ? std::to_string(s.place.column) : "",
           site(s.symbol), site(s.enclosing), site(to_string(s.known_by)), site(formula::to_string(s.precision)),
           site(to_string(s.backend)), site(to_string(s.tier)),
           quoted(r.waiver.empty() ? "" : r.waiver.front().reason), quoted(r.reason)});
  }
}

void sites(Lines& l, const Report& report) {
  l.add({"id", "path", "line", "column", "kind", "symbol", "enclosing", "formula", "known_by", "nearest", "distance",
         "precision", "backend", "gating", "tier", "active"});
  for (const scan::Site& s : report.scan.sites)
    l.add({quoted(s.id), quoted(s.place.path), std::to_string(s.place.line), std::to_string(s.place.column),
           quoted(to_string(s.kind)), quoted(s.symbol), quoted(s.enclosing), quoted(formula::to_string(s.formula)),
           quoted(to_string(s.known_by)), quoted(formula::to_string(s.nearest)), num(s.distance),
           quoted(formula::to_string(s.precision)), quoted(to_string(s.backend)), quoted(formula::to_string(s.gating)),
           quoted(to_string(s.tier)), s.active ? "true" : "false"});
}

void slots(Lines& l, const Report& report) {
  l.add({"path", "model_type", "transformers", "slot", "component", "config_path", "declared", "default", "name",
         "formula", "source", "verdict", "reader", "reason"});
  for (const hf::ModelReport& m : report.models)
    for (const hf::Slot& s : m.slots)
      l.add({quoted(m.path), quoted(m.model_type), quoted(m.transformers), quoted(s.slot), quoted(s.component),
             quoted(s.config_path), quoted(s.declared.value_or("")), quoted(s.default_value.value_or("")),
             quoted(s.name), quoted(formula::to_string(s.formula)), quoted(to_string(s.source)),
             quoted(to_string(s.verdict)), quoted(place_text(s.reader.file, s.reader.line, 0)), quoted(s.reason)});
}

void verified(Lines& l, const Report& report) {
  l.add({"id", "backend", "dtype", "inputs", "exhaustive", "max_abs_diff", "max_abs_diff_at", "max_ulp", "differing",
         "nan", "inf", "argmax", "verdict", "seconds", "reason"});
  for (const VerifyRow& v : report.verify_rows)
    l.add({quoted(v.id), quoted(v.backend), quoted(v.dtype), std::to_string(v.inputs), v.exhaustive ? "true" : "false",
           num(v.max_abs_diff), num(v.max_abs_diff_at), num(v.max_ulp), std::to_string(v.differing),
           std::to_string(v.nan), std::to_string(v.inf), num(v.argmax), quoted(v.verdict), num(v.seconds),
           quoted(v.reason)});
  // Further tables, each after an empty line.
  if (!report.impact.empty()) {
    l.add({});
    l.add({"id", "model", "layer", "dtype", "implemented", "required", "gated", "hidden", "intermediate", "inputs",
           "relative_error", "activation_error", "rounding_error", "max_abs_diff", "nan"});
  }
  for (const ImpactRow& i : report.impact)
    l.add({quoted(i.id), quoted(i.model), quoted(i.layer), quoted(i.dtype), quoted(i.implemented), quoted(i.required),
           i.gated ? "true" : "false", std::to_string(i.hidden), std::to_string(i.intermediate), std::to_string(i.inputs),
           num(i.relative_error), num(i.activation_error), num(i.rounding_error), num(i.max_abs_diff),
           std::to_string(i.nan)});
  if (!report.cost.empty()) {
    l.add({});
    l.add({"id", "backend", "dtype", "implemented", "required", "shape", "runs", "implemented_ms", "required_ms",
           "difference_ms", "difference_low", "difference_high", "difference_percent", "null_ms", "null_low", "null_high",
           "verdict"});
  }
  for (const CostRow& c : report.cost)
    l.add({quoted(c.id), quoted(c.backend), quoted(c.dtype), quoted(c.implemented), quoted(c.required), quoted(c.shape),
           std::to_string(c.runs), num(c.implemented_ms), num(c.required_ms), num(c.difference_ms), num(c.difference_low),
           num(c.difference_high), num(c.difference_percent), num(c.null_ms), num(c.null_low), num(c.null_high),
           quoted(c.verdict)});
}

std::string write_csv(const Report& report, const WriteOptions&) {
  Lines l;
  switch (report.command) {
  case Command::audit: rows(l, report); break;
  case Command::scan: sites(l, report); break;
  case Command::lint:
  case Command::defaults: slots(l, report); break;
  case Command::verify: verified(l, report); break;
  }
  return std::move(l.out);
}

} // namespace

extern const Writer k_csv;
const Writer k_csv{"csv", "the command's table for a spreadsheet", write_csv};

} // namespace gelint::report
