#include "report/lint_text.h"

#include "report/table.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gelint::report {
namespace {

constexpr const char* k_titles[] = {"slot", "formula", "name", "source", "key", "reader"};
constexpr size_t k_columns = std::size(k_titles);
constexpr size_t k_least_reader = 12; // fewer columns of a path say nothing
using Cells = std::array<std::string, k_columns>;

Cells cells(const hf::Slot& s) {
  std::string formula(to_string(s.formula));
  if (s.formula == formula::Formula::unknown)
    formula = s.verdict == hf::SlotVerdict::absent ? "-" : "?";
  if (s.gating == formula::Gating::glu)
    formula += " (gated)";
  std::string key = s.config_path.empty() ? "-" : s.config_path;
  if (s.line > 0)
    key += fmt::format(":{}", s.line);
  std::string reader = !s.reader.file.empty() ? s.reader.file : s.reader.version.empty() ? "-" : s.reader.version.substr(0, s.reader.version.find(','));
  if (s.reader.line > 0)
    reader += fmt::format(":{}", s.reader.line);
  return {legible(s.slot),   formula, s.name.empty() ? "-" : legible(s.name), std::string(to_string(s.source)),
          legible(key), legible(reader)};
}

const char* colour_of(decide::Level l) {
  return l == decide::Level::error ? "\033[31m" : l == decide::Level::warning ? "\033[33m" : "\033[36m";
}

bool plain(const hf::Slot& s) { return s.verdict == hf::SlotVerdict::ok && s.versions.empty() && !s.trained_with; }

} // namespace

std::string lint_text(const hf::ModelReport& model, const std::vector<decide::Finding>& findings,
                      const LintTextOptions& o) {
  std::string out;
  if (!o.quiet && (!model.slots.empty() || !model.model_type.empty())) {
    out += printable(model.path);
    if (!model.model_type.empty())
      out += fmt::format("  {}", legible(model.model_type));
    if (!model.transformers.empty())
      out += fmt::format("  (transformers {}{})", model.transformers,
                         model.written_by.empty() ? "" : ", written by " + legible(model.written_by));
    out += '\n';
    for (const std::string& n : model.notes)
      out += "  note: " + legible(n) + '\n';
    std::vector<Cells> rows{Cells{}};
    std::copy(std::begin(k_titles), std::end(k_titles), rows[0].begin());
    for (const hf::Slot& s : model.slots)
      rows.push_back(cells(s));
    std::array<size_t, k_columns> width{};
    for (const Cells& r : rows)
      for (size_t i = 0; i < k_columns; ++i)
        width[i] = std::max(width[i], display_width(r[i]));
    size_t before_reader = 2 * k_columns; // the indent and the gaps
    for (size_t i = 0; i + 1 < k_columns; ++i)
      before_reader += width[i];
    const size_t room = static_cast<size_t>(std::max(o.width, 0));
    if (room > before_reader + k_least_reader)
      for (size_t n = 1; n < rows.size(); ++n)
        rows[n].back() = cut_to(rows[n].back(), room - before_reader, Cut::begin);
    for (size_t n = 0; rows.size() > 1 && n < rows.size(); ++n) {
      std::string line = " ";
      for (size_t i = 0; i < k_columns; ++i)
        line += ' ' + rows[n][i] + std::string(width[i] - display_width(rows[n][i]) + 1, ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + '\n';
      if (n > 0 && (o.reasons || !plain(model.slots[n - 1]))) {
        const hf::Slot& s = model.slots[n - 1];
        out += fmt::format("      {}{}\n", s.verdict == hf::SlotVerdict::ok ? "" : std::string(to_string(s.verdict)) + ": ",
                           legible(s.reason));
        if (s.trained_with)
          out += fmt::format("      trained with {} ({})\n", to_string(*s.trained_with), printable(s.trained_with_source));
        for (const hf::VersionedAnswer& v : s.versions)
          out += fmt::format("      from transformers {}: {}\n", v.transformers, to_string(v.formula));
      }
      if (n > 0)
        for (const hf::PortAnswer& p : model.slots[n - 1].ports)
          if (p.diverges)
            out += fmt::format("      {} runs {} ({}:{}, {})\n", p.port, to_string(p.formula), p.file, p.line, p.known_by);
    }
  }
  for (const decide::Finding& f : findings) {
    if (f.waived || f.in_baseline)
      continue;
    std::string level(to_string(f.level));
    if (o.colour)
      level = colour_of(f.level) + level + "\033[0m";
    out += fmt::format("{}{}: {}: {} [{}]\n", printable(f.path), f.line > 0 ? fmt::format(":{}:{}", f.line, f.column) : "",
                       level, legible(f.message), f.rule);
  }
  if (!o.quiet && !out.empty())
    out += '\n';
  return out;
}

} // namespace gelint::report
