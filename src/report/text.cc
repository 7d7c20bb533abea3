// The terminal's format.

#include "report/locate.h"
#include "report/writer.h"
#include "support/text.h"

#include <fmt/format.h>

namespace gelint::report {
namespace {

std::string write_text(const Report& report, const WriteOptions&) {
  Locator locate(report);
  std::string out;
  for (const decide::Finding& f : report.findings) {
    if (f.waived || f.in_baseline)
      continue;
    out += fmt::format("{}{}: {}: {} [{}]\n", printable(locate(f.path)),
                       f.line > 0 ? fmt::format(":{}:{}", f.line, f.column) : "", to_string(f.level),
                       printable(f.message), f.rule);
  }
  return out;
}

} // namespace

extern const Writer k_text;
const Writer k_text{"text", "tables and findings for the terminal", write_text};

} // namespace gelint::report
