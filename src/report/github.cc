// Workflow commands of GitHub Actions. A step shows ten annotations of a kind, so the worst come first and the rest
// is counted in a notice.

#include "decide/rule.h"
#include "report/format.h"
#include "report/locate.h"
#include "report/writer.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gelint::report {
namespace {

constexpr size_t k_shown = 10;

/// Percent escapes of workflow commands: data, and with `property` also the separators of properties.
std::string escaped(std::string_view raw, bool property) {
  std::string out;
  for (char c : property ? printable(raw) : legible(raw)) {
    if (c == '%' || (property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::string_view kind_of(decide::Level l) {
  return l == decide::Level::error ? "error" : l == decide::Level::warning ? "warning" : "notice";
}

std::string annotation(const decide::Finding& f, const Locator& locate) {
  std::string properties;
  auto add = [&](std::string_view key, std::string_view value) {
    properties += fmt::format("{}{}={}", properties.empty() ? " " : ",", key, escaped(value, true));
  };
  if (!f.path.empty())
    add("file", locate(f.path));
  if (f.line > 0) {
    add("line", std::to_string(f.line));
    if (f.column > 0) {
      add("col", std::to_string(f.column));
      if (f.end_column > f.column)
        add("endColumn", std::to_string(f.end_column));
    }
  }
  const decide::Rule* rule = decide::find_rule(f.rule);
  add("title", rule ? fmt::format("{} {}", f.rule, rule->name) : f.rule);
  return fmt::format("::{}{}::{}\n", kind_of(f.level), properties, escaped(f.message, false));
}

std::string write_github(const Report& report, const WriteOptions&) {
  Locator locate(report);
  std::string out;
  size_t hidden = 0;
  for (decide::Level level : {decide::Level::error, decide::Level::warning, decide::Level::note}) {
    // The closing notice takes one place of its kind.
    size_t room = level == decide::Level::note ? k_shown - 1 : k_shown;
    for (const decide::Finding& f : report.findings) {
      if (!is_open(f) || f.level != level)
        continue;
      if (room == 0) {
        ++hidden;
        continue;
      }
      --room;
      out += annotation(f, locate);
    }
  }
  if (hidden > 0)
    out += fmt::format("::notice title=gelint::{} not shown; the full table is in the markdown or json output\n",
                       count(hidden, "more finding"));
  return out;
}

} // namespace

extern const Writer k_github;
const Writer k_github{"github", "annotations of GitHub Actions", write_github};

} // namespace gelint::report
