// JUnit XML: each decision is a test case, and what belongs to no decision is one per finding.

#include "report/fields.h"
#include "report/format.h"
#include "report/locate.h"
#include "report/markup.h"
#include "report/writer.h"

#include <fmt/format.h>
#include <map>

namespace gelint::report {
namespace {

struct Suite {
  std::string name, cases;
  int tests = 0, failures = 0, skipped = 0;

  void add(std::string_view classname, std::string_view test, std::string_view body) {
    ++tests;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(classname), xml(test));
    cases += body.empty() ? "/>\n" : fmt::format(">\n{}    </testcase>\n", body);
  }
  std::string text() const {
    return fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}"
                       "  </testsuite>\n",
                       name, tests, failures, skipped, cases);
  }
};

std::string failure(const decide::Finding& f, const Locator& locate) {
  return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", xml(f.rule), xml(f.message),
                     xml(place_text(locate(f.path), f.line, f.column) + ": " + f.message));
}

Suite decisions(const Report& report, const Locator& locate) {
  Suite suite{"gelint.decisions", "", 0, 0, 0};
  std::multimap<std::string, const decide::Finding*> by_row;
  for (const decide::Finding& f : report.findings)
    if (is_open(f) && f.level >= decide::Level::warning && !f.row.empty())
      by_row.emplace(f.row, &f);
  for (const decide::Row& row : report.rows) {
    std::string body;
    auto [begin, end] = by_row.equal_range(row.id);
    for (auto it = begin; it != end; ++it)
      body += failure(*it->second, locate);
    if (!body.empty()) {
      ++suite.failures;
    } else if (row.verdict != decide::Verdict::match) {
      ++suite.skipped;
      body = fmt::format("      <skipped message=\"{}\"/>\n", xml(std::string(to_string(row.verdict)) + ": " + row.reason));
    }
    suite.add(row.checkpoint.empty() ? "site" : model_name(row.checkpoint),
              row.slot.slot.empty() ? place_text(locate(row.site.place.path), row.site.place.line, 0) : row.id, body);
  }
  return suite;
}

Suite others(const Report& report, const Locator& locate) {
  Suite suite{"gelint.findings", "", 0, 0, 0};
  for (const decide::Finding& f : report.findings) {
    if (!is_open(f) || f.level < decide::Level::warning || !f.row.empty())
      continue;
    ++suite.failures;
    suite.add(f.rule, place_text(locate(f.path), f.line, f.column), failure(f, locate));
  }
  return suite;
}

std::string write_junit(const Report& report, const WriteOptions&) {
  Locator locate(report);
  Suite a = decisions(report, locate), b = others(report, locate);
  if (a.tests + b.tests == 0) // readers take a report without cases for a broken run
    b.add("gelint", std::string(to_string(report.command)), "");
  std::string suites = (a.tests > 0 ? a.text() : "") + (b.tests > 0 ? b.text() : "");
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites name=\"gelint\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}"
                     "</testsuites>\n",
                     a.tests + b.tests, a.failures + b.failures, a.skipped + b.skipped, suites);
}

} // namespace

extern const Writer k_junit;
const Writer k_junit{"junit", "JUnit XML", write_junit};

} // namespace gelint::report
