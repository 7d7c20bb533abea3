// Each rule over its fixtures, through the program: see tests/rules/CMakeLists.txt.

#include "decide/rule.h"
#include "report/read_json.h"
#include "support/files.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace gelint {
namespace {

namespace fs = std::filesystem;
using Places = std::set<std::string>;

/// "engine.cpp:7" for every line with a `want: RULE` mark, "engine.cpp:0" for `want-file: RULE`.
Places wanted(const fs::path& folder, const std::string& rule) {
  Places out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file())
      continue;
    Result<std::string> text = read_file(entry.path().string());
    EXPECT_TRUE(text);
    int line = 1;
    for (size_t at = 0; at < text->size(); ++line) {
      size_t end = std::min(text->find('\n', at), text->size());
      if (text->substr(at, end - at).find("want: " + rule) != std::string::npos)
        out.insert(fs::relative(entry.path(), folder).string() + ":" + std::to_string(line));
      if (text->substr(at, end - at).find("want-file: " + rule) != std::string::npos)
        out.insert(fs::relative(entry.path(), folder).string() + ":0");
      at = end + 1;
    }
  }
  return out;
}

Places found(const fs::path& folder, const std::string& rule) {
  const char* binary = std::getenv("GELINT_BINARY");
  fs::path out = fs::temp_directory_path() /
                 ("gelint-rule-" + rule + "-" + std::to_string(::getpid()) + ".json");
  bool has_model = fs::exists(folder / "model");
  std::string command = "cd '" + folder.string() + "' && '" +
                        std::string(binary ? binary : "gelint") + "' audit . " +
                        (has_model ? "model " : "") +
                        "-i inventory.yaml --isolated --stub --no-cache --quiet --date 2026-01-01 "
                        "--fail-on none --format json:'" +
                        out.string() + "'";
  int status = std::system(command.c_str());
  EXPECT_EQ(status, 0) << command;
  Result<report::Report> report = report::read_report(out.string());
  fs::remove(out);
  if (!report) {
    ADD_FAILURE() << report.error().text();
    return {};
  }
  Places places;
  for (const decide::Finding& f : report->findings)
    if (f.rule == rule && !f.waived)
      places.insert(f.path + ":" + std::to_string(f.line));
  return places;
}

std::vector<std::string> cases() {
  std::vector<std::string> out;
  for (const char* kind : {"ok", "err"})
    for (const decide::Rule* r : decide::all_rules()) {
      std::string folder = std::string(kind) + "/" + std::string(r->id);
      if (fs::exists(fs::path(GELINT_SOURCE_DIR "/tests/fixtures") / folder / "inventory.yaml"))
        out.push_back(folder);
    }
  return out;
}

class RuleFixture : public testing::TestWithParam<std::string> {};

TEST_P(RuleFixture, GivesWhatItIsMarkedWith) {
  const std::string& name = GetParam();
  fs::path folder = fs::path(GELINT_SOURCE_DIR "/tests/fixtures") / name;
  std::string rule = name.substr(name.find('/') + 1);
  Places want = wanted(folder, rule);
  EXPECT_EQ(want.empty(), name.starts_with("ok/")) << "err fixtures carry marks, ok fixtures none";
  EXPECT_EQ(found(folder, rule), want);
}

INSTANTIATE_TEST_SUITE_P(All, RuleFixture, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param;
  name[name.find('/')] = '_';
  return name;
});

TEST(RuleFixtures, EveryRuleOfCodeHasBoth) {
  for (const decide::Rule* r : decide::all_rules()) {
    // GL004, a verification that was not run: tests/cli/verify_more_test.cc. GL1xx: tests/fixtures/checkpoints.
    if (r->id.starts_with("GL1") || r->id == "GL004")
      continue;
    for (const char* kind : {"ok", "err"})
      EXPECT_TRUE(fs::exists(fs::path(GELINT_SOURCE_DIR "/tests/fixtures") / kind /
                             std::string(r->id) / "inventory.yaml"))
          << kind << '/' << r->id;
  }
}

} // namespace
} // namespace gelint
