// The audit of the bundled example, through the program: its decisions against the hand-made answer
// (examples/EXPECTED.md), and docs/gelu-call-sites.md against what the program writes now.

#include "expected_table.h"

#include "report/read_json.h"
#include "support/files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>

namespace gelint::test {
namespace {

namespace fs = std::filesystem;

std::string scratch(const std::string& name) {
  return (fs::temp_directory_path() / ("gelint-example-" + std::to_string(::getpid()) + "-" + name))
      .string();
}

/// Runs the audit of the example from the top of the source tree; `format` is FORMAT:PATH.
void audit(const std::string& format) {
  const char* binary = std::getenv("GELINT_BINARY");
  std::string command =
      "cd '" GELINT_SOURCE_DIR "' && '" + std::string(binary ? binary : "gelint") +
      "' audit --config examples/.gelint.yaml --stub --no-cache --quiet --fail-on none --format '" +
      format + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

std::string text_of(const std::string& path) {
  Result<std::string> text = read_file(path);
  EXPECT_TRUE(text) << path;
  return text ? *text : "";
}

/// Rows that the scanner does not reach yet: "checkpoint slot path:line". The list only shrinks.
std::set<std::string> known_gaps() {
  std::ifstream in(GELINT_SOURCE_DIR "/tests/example/known_gaps.txt");
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#')
      out.insert(line);
  return out;
}

TEST(ExampleAudit, DecidesAsTheHandMadeAnswerSays) {
  std::string file = scratch("audit.json");
  audit("json:" + file);
  Result<report::Report> report = report::read_report(file);
  fs::remove(file);
  ASSERT_TRUE(report) << report.error().text();
  std::map<std::string, const decide::Row*> rows;
  for (const decide::Row& r : report->rows)
    if (r.verdict != decide::Verdict::unbound)
      rows[fs::path(r.checkpoint).filename().string() + ' ' + r.slot.slot + ' ' +
           r.site.place.path + ':' + std::to_string(r.site.place.line)] = &r;
  ExpectedTable expected = read_expected(text_of(GELINT_SOURCE_DIR "/examples/EXPECTED.md"));
  ASSERT_GT(expected.rows.size(), 40u);
  std::set<std::string> gaps = known_gaps();
  for (const ExpectedRow& e : expected.rows) {
    std::string key = e.checkpoint + ' ' + e.slot + ' ' + e.path + ':' + std::to_string(e.line);
    auto it = rows.find(key);
    std::string implemented = e.implemented.substr(0, e.implemented.find(' '));
    bool right = it != rows.end() && to_string(it->second->verdict) == e.verdict &&
                 to_string(it->second->implemented) == implemented;
    if (gaps.erase(key)) {
      EXPECT_FALSE(right) << key << " is reached now: remove it from known_gaps.txt";
      continue;
    }
    ASSERT_NE(it, rows.end()) << "no row " << key;
    EXPECT_TRUE(right) << key << ": expected " << e.verdict << ", " << e.implemented << "; got "
                       << to_string(it->second->verdict) << ", "
                       << to_string(it->second->implemented) << ": " << it->second->reason;
  }
  for (const std::string& g : gaps)
    ADD_FAILURE() << "known_gaps.txt names no expected row: " << g;
}

/// Without the lines that change with every build.
std::string stable(const std::string& document) {
  std::istringstream in(document);
  std::string out;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("- gelint: ") && !line.starts_with("- libclang: "))
      out += line + '\n';
  return out;
}

TEST(ExampleAudit, TheDocumentIsNotStale) {
  const std::string committed = GELINT_SOURCE_DIR "/docs/gelu-call-sites.md";
  if (std::getenv("GELINT_UPDATE_GOLDEN")) {
    audit("markdown:docs/gelu-call-sites.md");
    return;
  }
  std::string fresh = scratch("document.md");
  fs::copy_file(committed, fresh,
                fs::copy_options::overwrite_existing); // hand-written notes survive
  audit("markdown:" + fresh);
  EXPECT_EQ(stable(text_of(fresh)), stable(text_of(committed)))
      << "run the test with GELINT_UPDATE_GOLDEN=1 and read the difference";
  fs::remove(fresh);
}

TEST(ExampleAudit, TwoRunsGiveTheSameBytes) {
  std::string a = scratch("a.json"), b = scratch("b.json");
  audit("json:" + a);
  audit("json:" + b);
  EXPECT_EQ(text_of(a), text_of(b));
  fs::remove(a);
  fs::remove(b);
}

} // namespace
} // namespace gelint::test
