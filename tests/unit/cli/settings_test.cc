#include "cli/common_options.h"
#include "cli/settings.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace gelint::cli {
namespace {

namespace fs = std::filesystem;

class SettingsTest : public testing::Test {
protected:
  void SetUp() override {
    old_ = fs::current_path();
    dir_ = fs::path(testing::TempDir()) / ("settings-" + std::to_string(::getpid()));
    fs::create_directories(dir_ / "project/sub/deep");
    fs::current_path(dir_);
  }
  void TearDown() override {
    fs::current_path(old_);
    fs::remove_all(dir_);
  }
  std::string write(const std::string& path, const std::string& text) {
    std::ofstream(dir_ / path) << text;
    return path;
  }
  std::string error_of(const std::string& text) {
    Result<Settings> s = read_settings(write("bad.yaml", text));
    return s ? "" : s.error().text();
  }
  fs::path old_, dir_;
};

TEST_F(SettingsTest, PathsAreRelativeToTheFile) {
  write("project/.gelint.yaml", "codebase: engine\ncheckpoints: [models/a, ../b]\ninventories: [mlxcel, my.yaml]\n"
                                "outputs: [text, 'text:out/x.txt']\nfail_on: [warning, GL001]\n");
  Result<Settings> s = read_settings("project/.gelint.yaml");
  ASSERT_TRUE(s) << s.error().text();
  EXPECT_EQ(s->codebase, "project/engine");
  EXPECT_EQ(s->checkpoints, (std::vector<std::string>{"project/models/a", "b"}));
  EXPECT_EQ(s->inventories, (std::vector<std::string>{"mlxcel", "project/my.yaml"}));
  ASSERT_EQ(s->outputs.size(), 2u);
  EXPECT_EQ(s->outputs[1].path, "project/out/x.txt");
  EXPECT_EQ(s->fail_on, "warning,GL001");
}

TEST_F(SettingsTest, NearestFileInAParentIsFound) {
  write("project/.gelint.yaml", "codebase: .\n");
  fs::current_path(dir_ / "project/sub/deep");
  EXPECT_EQ(find_settings_file("."), "../../.gelint.yaml");
  Result<Settings> s = read_settings(find_settings_file("."));
  ASSERT_TRUE(s);
  EXPECT_EQ(s->codebase, "../..");
}

TEST_F(SettingsTest, FaultsNameThePlace) {
  EXPECT_EQ(error_of("codebase: x\ncodbase: y\n").substr(0, 36), "bad.yaml:2:1: unknown key 'codbase' ");
  EXPECT_EQ(error_of("select: {a: b}\n"), "bad.yaml:1:9: 'select' is not a list (write select: [VALUE, ...])");
  EXPECT_EQ(error_of("codebase: [x]\n"), "bad.yaml:1:11: 'codebase' is not a text (write codebase: VALUE)");
  EXPECT_EQ(error_of("a: [\n").substr(0, 11), "bad.yaml:2:");
  EXPECT_NE(error_of("- x\n").find("is not a settings file: there is no mapping at its top"), std::string::npos);
  EXPECT_NE(error_of("outputs: [pdf]\n").find("bad.yaml:1:10: there is no output format 'pdf'"), std::string::npos);
}

TEST_F(SettingsTest, RoundTrip) {
  Settings s;
  s.codebase = "engine";
  s.outputs = {{"text", ""}, {"text", "a.txt"}};
  s.ignore = {"GL2"};
  s.fail_on = "none";
  Result<Settings> again = read_settings(write("again.yaml", settings_to_yaml(s)));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->codebase, "engine");
  EXPECT_EQ(again->outputs[1].path, "a.txt");
  EXPECT_EQ(again->ignore, s.ignore);
  EXPECT_EQ(again->fail_on, "none");
}

TEST_F(SettingsTest, CommandLineWins) {
  write(".gelint.yaml", "select: [GL2]\nfail_on: warning\noutputs: ['text:a.txt']\n");
  CommonOptions o;
  o.select = {"GL201"};
  Result<Settings> s = resolve_settings(o, true);
  ASSERT_TRUE(s) << s.error().text();
  EXPECT_EQ(o.select, (std::vector<std::string>{"GL201"}));
  EXPECT_EQ(o.fail_on, "warning");
  EXPECT_EQ(o.outputs[0].path, "a.txt");
  CommonOptions isolated;
  isolated.isolated = true;
  ASSERT_TRUE(resolve_settings(isolated, true));
  EXPECT_EQ(isolated.fail_on, "error");
  EXPECT_EQ(isolated.outputs[0].path, "");
}

TEST_F(SettingsTest, BadOptionsAreRefused) {
  auto refused = [](CommonOptions o) {
    o.isolated = true;
    Result<Settings> s = resolve_settings(o);
    return s ? std::string() : s.error().text();
  };
  CommonOptions o;
  o.select = {"GX"};
  EXPECT_EQ(refused(o), "--select: no rule id starts with 'GX' ('gelint rule' lists them)");
  o = {};
  o.fail_on = "fatal";
  EXPECT_NE(refused(o).find("'fatal' is neither a level nor a rule id"), std::string::npos);
  o = {};
  o.formats = {"text", "text:-"};
  EXPECT_NE(refused(o).find("two outputs go to standard output"), std::string::npos);
}

TEST(FailOn, LevelsIdsAndNone) {
  decide::Finding f;
  f.rule = "GL201";
  f.level = decide::Level::warning;
  EXPECT_FALSE(fails_on(f, "error"));
  EXPECT_TRUE(fails_on(f, "warning"));
  EXPECT_TRUE(fails_on(f, "note"));
  EXPECT_TRUE(fails_on(f, "error,GL2"));
  EXPECT_FALSE(fails_on(f, "GL1"));
  EXPECT_FALSE(fails_on(f, "none"));
  f.waived = true;
  EXPECT_FALSE(fails_on(f, "warning"));
}

} // namespace
} // namespace gelint::cli
