// Every directory under tests/fixtures/checkpoints that has an expect.yaml, against what the resolver says.

#include "expectation.h"

#include "checkpoint/model.h"
#include "formula/formula.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace gelint::hf::test {
namespace {

namespace fs = std::filesystem;

const std::string k_root = std::string(GELINT_SOURCE_DIR) + "/tests/fixtures/checkpoints";

std::string text(const YAML::Node& n, const char* key) { return n[key] ? n[key].as<std::string>() : std::string(); }

std::string describe(const decide::Finding& f) {
  return f.rule + " at " + std::to_string(f.line) + ":" + std::to_string(f.column) + ": " + f.message;
}

void check_slot(const YAML::Node& e, const ModelReport& report, const std::string& where) {
  const std::string name = text(e, "slot");
  auto it = std::find_if(report.slots.begin(), report.slots.end(), [&](const Slot& s) { return s.slot == name; });
  if (it == report.slots.end()) {
    std::string all;
    for (const Slot& s : report.slots)
      all += ' ' + s.slot;
    ADD_FAILURE() << where << ": no slot " << name << " among" << all;
    return;
  }
  const Slot& s = *it;
  SCOPED_TRACE(where + " " + name + ": " + s.reason);
  if (e["formula"]) {
    EXPECT_EQ(text(e, "formula"), to_string(s.formula));
  }
  if (e["source"]) {
    EXPECT_EQ(text(e, "source"), to_string(s.source));
  }
  if (e["verdict"]) {
    EXPECT_EQ(text(e, "verdict"), to_string(s.verdict));
  }
  if (e["name"]) {
    EXPECT_EQ(text(e, "name"), s.name);
  }
  if (e["config_path"]) {
    EXPECT_EQ(text(e, "config_path"), s.config_path);
  }
  if (e["declared"]) {
    EXPECT_EQ(text(e, "declared"), s.declared.value_or("(none)"));
  }
  if (e["default"]) {
    EXPECT_EQ(text(e, "default"), s.default_value.value_or("(none)"));
  }
  if (e["gating"]) {
    EXPECT_EQ(text(e, "gating"), to_string(s.gating));
  }
  if (e["reader"]) {
    EXPECT_NE(s.reader.file.find(text(e, "reader")), std::string::npos) << s.reader.file;
  }
  if (e["trained_with"]) {
    EXPECT_EQ(text(e, "trained_with"), s.trained_with ? to_string(*s.trained_with) : "(none)");
  }
  if (e["line"]) {
    EXPECT_EQ(e["line"].as<int>(), s.line);
  }
  if (e["column"]) {
    EXPECT_EQ(e["column"].as<int>(), s.column);
  }
  if (e["reason"]) {
    EXPECT_NE(s.reason.find(text(e, "reason")), std::string::npos);
  }
  if (e["versions"]) {
    std::string got;
    for (const VersionedAnswer& v : s.versions)
      got += (got.empty() ? "" : ", ") + v.transformers + ' ' + std::string(to_string(v.formula));
    EXPECT_EQ(text(e, "versions"), got);
  }
  // A slot says which code reads or fixes it, unless nothing can be known.
  if (s.verdict == SlotVerdict::ok || s.verdict == SlotVerdict::conflict) {
    EXPECT_FALSE(s.reason.empty());
    EXPECT_FALSE(s.reader.version.empty());
  }
}

void check_findings(const YAML::Node& e, const ModelReport& report, const std::string& where) {
  std::vector<decide::Finding> findings = findings_of(report);
  std::vector<bool> used(findings.size());
  for (const YAML::Node& want : e["findings"]) {
    bool found = false;
    for (size_t i = 0; i < findings.size() && !found; ++i) {
      const decide::Finding& f = findings[i];
      found = !used[i] && f.rule == text(want, "rule") && (!want["line"] || f.line == want["line"].as<int>()) &&
              (!want["column"] || f.column == want["column"].as<int>()) &&
              (!want["level"] || to_string(f.level) == text(want, "level")) &&
              (!want["config_path"] || f.config_path == text(want, "config_path")) &&
              f.message.find(text(want, "says")) != std::string::npos;
      if (found)
        used[i] = true;
    }
    EXPECT_TRUE(found) << where << ": expected but not found: " << want;
  }
  for (size_t i = 0; i < findings.size(); ++i) {
    EXPECT_TRUE(used[i]) << where << ": without an expectation: " << describe(findings[i]);
  }
}

std::vector<std::string> cases() {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(k_root))
    if (entry.path().filename() == "expect.yaml")
      out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace

std::vector<decide::Finding> findings_of(const ModelReport& report) {
  std::vector<ModelReport> models{report};
  decide::RuleContext context;
  context.models = &models;
  return decide::run_rules(context, {"GL1"}, {});
}

void check(const YAML::Node& expected, const ModelReport& report, const std::string& where) {
  for (const YAML::Node& slot : expected["slots"])
    check_slot(slot, report, where);
  for (const YAML::Node& slot : expected["no_slots"])
    for (const Slot& s : report.slots) {
      EXPECT_NE(s.slot, slot.as<std::string>()) << where;
    }
  if (expected["model_type"]) {
    EXPECT_EQ(text(expected, "model_type"), report.model_type) << where;
  }
  check_findings(expected, report, where);
}

class CheckpointFixture : public testing::TestWithParam<std::string> {};

TEST_P(CheckpointFixture, MatchesItsExpectation) {
  YAML::Node expected = YAML::LoadFile(GetParam());
  const std::string dir = fs::path(GetParam()).parent_path().string();
  ResolveOptions options;
  options.transformers = text(expected, "transformers");
  std::string path = dir;
  if (expected["path"])
    path += '/' + text(expected, "path");
  std::vector<checkpoint::Model> models = checkpoint::load_models(path);
  if (!expected["models"]) {
    ASSERT_EQ(models.size(), 1u) << path;
    check(expected, resolve_model(models[0], options), dir);
  } else {
    ASSERT_EQ(models.size(), expected["models"].size()) << path;
    for (size_t i = 0; i < models.size(); ++i) {
      const YAML::Node e = expected["models"][i];
      EXPECT_TRUE(models[i].config_file.ends_with(text(e, "file"))) << models[i].config_file;
      check(e, resolve_model(models[i], options), models[i].config_file);
    }
  }
  // What two formulas differ by, where the fixture is about that.
  for (const YAML::Node& g : expected["gaps"]) {
    auto a = formula::formula_from_string(text(g, "a")), b = formula::formula_from_string(text(g, "b"));
    ASSERT_TRUE(a && b);
    EXPECT_NEAR(formula::gap(*a, *b).max_abs_diff, g["max"].as<double>(), g["max"].as<double>() * 0.01);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, CheckpointFixture, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = fs::path(info.param).parent_path().lexically_relative(k_root).string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
});

TEST(CheckpointFixtures, EveryRuleHasAnOkAndAnErrFixtureAndEveryTrapOne) {
  std::set<std::string> names;
  for (const std::string& c : cases())
    names.insert(fs::path(c).parent_path().lexically_relative(k_root).string().substr(0, 9));
  for (int rule = 101; rule <= 111; ++rule) {
    EXPECT_TRUE(names.contains("ok/gl" + std::to_string(rule) + "_")) << rule;
    EXPECT_TRUE(names.contains("err/gl" + std::to_string(rule))) << rule;
  }
  for (int trap = 1; trap <= 23; ++trap) {
    char id[16];
    std::snprintf(id, sizeof id, "traps/t%02d", trap);
    EXPECT_TRUE(names.contains(id)) << id;
  }
}

} // namespace gelint::hf::test
