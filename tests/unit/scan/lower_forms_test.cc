// The fixtures of tests/fixtures/forms: every "EXPECT: kind=definition" line against what lowering finds, and nothing
// of the GELU family where none is expected.

#include "lower_support.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace gelint::scan {
namespace {

struct Expectation {
  std::string formula;
  bool seen = false;
};

/// Line of code → expectation; a comment that stands alone speaks of the next line.
std::map<int, Expectation> expectations(const std::string& text) {
  std::map<int, Expectation> out;
  std::istringstream in(text);
  std::string line;
  for (int n = 1; std::getline(in, line); ++n) {
    size_t at = line.find("// EXPECT: kind=definition");
    if (at == std::string::npos)
      continue;
    size_t f = line.find("formula=", at) + 8;
    std::string formula = line.substr(f, line.find(' ', f) - f);
    bool alone = line.find_first_not_of(" \t") == at;
    out[alone ? n + 1 : n] = {formula, false};
  }
  return out;
}

class Forms : public testing::TestWithParam<std::string> {};

TEST_P(Forms, DefinitionsAreEvaluated) {
  Result<std::string> text = read_file(GetParam());
  ASSERT_TRUE(text);
  std::map<int, Expectation> expected = expectations(*text);
  ASSERT_FALSE(expected.empty());
  Lowered l = lower_text(*text, GetParam());
  ASSERT_EQ(l.error, "");
  for (const LoweredFunction* f : l.functions) {
    auto it = expected.find(f->place.line);
    std::string got = !f->expr.empty() ? std::string(formula::to_string(f->fingerprint.formula)) : "unknown";
    if (it != expected.end()) {
      it->second.seen = true;
      EXPECT_EQ(got, it->second.formula) << f->name << ":" << f->place.line << " " << f->reason;
      EXPECT_FALSE(f->by_rule) << f->name;
    } else if (!f->expr.empty()) {
      EXPECT_FALSE(formula::is_gelu_family(f->fingerprint.formula)) << f->name << ":" << f->place.line << " " << got;
    }
  }
  for (const auto& [line, e] : expected)
    EXPECT_TRUE(e.seen) << "nothing at line " << line;
}

std::vector<std::string> fixtures() {
  std::vector<std::string> out;
  for (const auto& e : std::filesystem::directory_iterator(std::string(GELINT_SOURCE_DIR) + "/tests/fixtures/forms"))
    out.push_back(e.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

std::string fixture_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).filename().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Forms, testing::ValuesIn(fixtures()), fixture_name);

} // namespace
} // namespace gelint::scan
