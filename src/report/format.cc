#include "report/format.h"

#include "report/fields.h"
#include "support/text.h"

#include <cmath>
#include <fmt/format.h>

namespace gelint::report {

std::string number(double v) {
  if (std::isnan(v))
    return "nan";
  if (v == 0)
    return "0";
  return fmt::format("{:.2e}", v);
}

std::string place_text(const std::string& path, int line, int column) {
  std::string out = path;
  if (line > 0) {
    out += fmt::format(":{}", line);
    if (column > 0)
      out += fmt::format(":{}", column);
  }
  return out;
}

std::string model_name(const std::string& checkpoint) {
  std::string path = checkpoint;
  if (path.ends_with("/config.json"))
    path.resize(path.size() - std::string_view("/config.json").size());
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string formula_text(const scan::Site& site) {
  std::string out(formula::to_string(site.formula));
  if (site.formula == formula::Formula::other && site.nearest != formula::Formula::unknown &&
      site.nearest != formula::Formula::other)
    out += fmt::format(" (near {}, {})", formula::to_string(site.nearest), number(site.distance));
  return out;
}

std::string asked_by(const hf::Slot& slot) {
  switch (slot.source) {
  case hf::SlotSource::declared:
    return slot.declared.value_or(slot.name);
  case hf::SlotSource::class_default:
    return "default " + slot.default_value.value_or(slot.name);
  case hf::SlotSource::hard_coded:
    return "hard-coded";
  default:
    return std::string(hf::to_string(slot.source));
  }
}

std::string count(uint64_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

std::string listed(std::initializer_list<std::pair<uint64_t, std::string_view>> parts) {
  std::string out;
  for (const auto& [n, what] : parts)
    if (n > 0)
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, what);
  return out;
}

std::string summary_rows(const Summary& s) {
  std::string parts = listed({{s.match, "match"},
                              {s.mismatch, "mismatch"},
                              {s.conflict, "conflict"},
                              {s.unresolved, "unresolved"},
                              {s.absent, "absent"},
                              {s.unbound, "unbound"}});
  return count(s.rows, "row") + (parts.empty() ? "" : ": " + parts);
}

std::string summary_findings(const Summary& s) {
  std::string parts;
  for (auto [n, noun] : {std::pair{s.errors, "error"}, {s.warnings, "warning"}, {s.notes, "note"}})
    if (n > 0)
      parts += (parts.empty() ? "" : ", ") + count(n, noun);
  if (parts.empty())
    parts = "no findings";
  std::string aside = listed({{s.waived, "waived"}, {s.in_baseline, "in the baseline"}});
  return parts + (aside.empty() ? "" : " (" + aside + ")");
}

std::string_view line_of(std::string_view text, int line) {
  size_t at = 0;
  for (int i = 1; i < line; ++i) {
    at = text.find('\n', at);
    if (at == std::string_view::npos)
      return {};
    ++at;
  }
  if (line < 1 || at > text.size())
    return {};
  std::string_view out = text.substr(at, text.find('\n', at) - at);
  if (out.ends_with('\r'))
    out.remove_suffix(1);
  return out;
}

} // namespace gelint::report
