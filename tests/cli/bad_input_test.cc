// Every error of a new user's path, met on purpose: one line on standard error that names the file, the place, the
// fault and the mend, the right exit status, and the rest of the run goes on.

#include "run_gelint.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace gelint::test {
namespace {

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

class BadInput : public testing::Test {
protected:
  void SetUp() override {
    dir_.write("good/config.json", "{\"model_type\": \"gpt2\", \"activation_function\": \"gelu_new\"}\n");
    dir_.write("empty/config.json", "");
    dir_.write("broken/config.json", "{\"model_type\": \"gpt2\",\n \"a\": 1,}\n");
    dir_.write("odd/config.json", "{\"model_type\": \"nonsense\"}\n");
    dir_.write("none/readme.txt", "no config here\n");
    dir_.write("engine/a.cc", "float gelu(float x);\n");
  }
  Outcome at(std::vector<std::string> args) {
    return invoke(Invocation{.args = std::move(args), .env = {{"GELINT_CACHE_DIR", dir_.path() + "/cache"}}, .directory = dir_.path()});
  }
  /// One line that starts with "gelint: " and `place`, with a mend in brackets.
  static void expect_line(const Outcome& o, const std::string& place, const std::string& fault) {
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    EXPECT_TRUE(o.err.starts_with("gelint: " + place)) << o.err;
    EXPECT_TRUE(has(o.err, fault)) << o.err;
    EXPECT_TRUE(o.err.ends_with(")\n")) << "no mend: " << o.err;
  }
  bool has_audit() { return at({"audit", "--help"}).status == 0; }

  TempDir dir_;
};

TEST_F(BadInput, Models) {
  struct Case {
    std::string model, place, fault;
    int beside_a_good_one; ///< a path that leads nowhere is a fault of the command line; what is there is a finding
  } cases[] = {{"missing", "missing: ", "does not exist", 2},
               {"empty", "empty/config.json: ", "is empty", 1},
               {"broken", "broken/config.json:2:", "is not valid JSON", 1},
               {"none", "none: ", "holds no config.json", 1}};
  for (const Case& c : cases) {
    Outcome alone = at({"lint", c.model});
    EXPECT_EQ(alone.status, 2) << c.model;
    expect_line(alone, c.place, c.fault);
    Outcome both = at({"lint", c.model, "good"});
    expect_line(both, c.place, c.fault);
    EXPECT_EQ(both.status, c.beside_a_good_one) << c.model;
    EXPECT_TRUE(has(both.out, "gelu_tanh")) << c.model << ": the rest goes on: " << both.out;
    // Text says it on standard error only, also when the whole report is held; a report for a machine holds it.
    EXPECT_FALSE(has(both.out, c.fault)) << both.out;
    Outcome held = at({"lint", c.model, "good", "--statistics"});
    EXPECT_EQ(held.status, c.beside_a_good_one) << c.model;
    EXPECT_FALSE(has(held.out, c.fault)) << held.out;
    Outcome json = at({"lint", c.model, "good", "--format", "json"});
    expect_line(json, c.place, c.fault);
    EXPECT_TRUE(has(json.out, "GL111")) << json.out;
  }
}

TEST_F(BadInput, UnknownModelTypeIsAFinding) {
  Outcome o = at({"lint", "odd", "--fail-on", "GL107"});
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(has(o.out, "odd/config.json:1:")) << o.out;
  EXPECT_TRUE(has(o.out, "[GL107]")) << o.out;
  Outcome d = at({"defaults", "nonsense"});
  EXPECT_EQ(d.status, 2);
  EXPECT_TRUE(d.err.starts_with("gelint: ")) << d.err;
}

TEST_F(BadInput, JsonLinesKeepTheirOwnFindings) {
  Outcome o = invoke({.args = {"lint", "-", "--format", "json"},
                      .input = "{\"model_type\": \"bert\", \"hidden_act\": \"Gelu\"}\n{\"model_type\": \"bert\"}\n"
                               "{\"model_type\": \"bert\", \"hidden_act\": 7}\n"});
  const nlohmann::json models = nlohmann::json::parse(o.out).at("models");
  ASSERT_EQ(models.size(), 3U);
  const char* rules[] = {"GL101", nullptr, "GL102"};
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(models[i].at("findings").size(), rules[i] ? 1U : 0U) << models[i];
    if (rules[i]) {
      EXPECT_EQ(models[i]["findings"][0].at("rule"), rules[i]);
    }
  }
}

TEST_F(BadInput, TheCacheKeepsTheKindsOfScanApart) {
  if (!has_audit())
    GTEST_SKIP() << "built without the scanner";
  dir_.write("tree/a.cc", "static float relu(float x) { return x > 0 ? x : 0; }\n"
                          "static float gelu(float x) { return 0.5f * x * (1.f + erff(x * 0.70710678f)); }\n"
                          "float build(float x) { return relu(x); }\nfloat other(float x) { return gelu(x); }\n");
  const std::string cache = dir_.path() + "/cache of units";
  auto scan = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"scan", "tree", "--isolated", "--stub", "--format", "csv"};
    args.insert(args.end(), more.begin(), more.end());
    return invoke({.args = args, .env = {{"GELINT_CACHE_DIR", cache}}, .directory = dir_.path()}).out;
  };
  const std::string family = scan({"--no-cache"}), all = scan({"--no-cache", "--all-activations"});
  EXPECT_FALSE(std::filesystem::exists(cache));
  EXPECT_EQ(scan({}), family);
  EXPECT_TRUE(std::filesystem::exists(cache)) << "the variable names the folder";
  EXPECT_EQ(scan({"--all-activations"}), all) << "filled by a scan of the family alone";
  EXPECT_EQ(scan({}), family);
}

TEST_F(BadInput, WhatCannotBeOpenedIsNamed) {
  if (!has_audit())
    GTEST_SKIP() << "built without the scanner";
  if (::geteuid() == 0 && std::system("command -v setpriv >/dev/null") != 0)
    GTEST_SKIP() << "the superuser can open everything";
  dir_.write("closed/a.cc", "float f(float x) { return x; }\n");
  dir_.write("closed/b.cc", "float gelu(float x) { return x; }\n");
  dir_.write("closed/sub/c.cc", "float gelu(float x) { return x; }\n");
  std::filesystem::permissions(dir_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(dir_.path() + "/closed/b.cc", std::filesystem::perms::none);
  std::filesystem::permissions(dir_.path() + "/closed/sub", std::filesystem::perms::none);
  const std::string as = ::geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : "";
  Outcome tree = shell(as + "$(command -v gelint) scan closed --isolated --no-cache --fail-on GL002", dir_.path());
  EXPECT_EQ(tree.status, 1) << tree.out << tree.err;
  EXPECT_TRUE(has(tree.out, "b.cc: warning: cannot be read: Permission denied [GL002]")) << tree.out << tree.err;
  EXPECT_TRUE(has(tree.out, "sub: warning: the folder cannot be read: Permission denied [GL002]")) << tree.out << tree.err;
  Outcome file = shell(as + "$(command -v gelint) scan closed/b.cc --isolated --no-cache", dir_.path());
  EXPECT_EQ(file.status, 2) << file.out << file.err;
  EXPECT_TRUE(has(file.err, "closed/b.cc: cannot be read: Permission denied (check its permissions)")) << file.err;
  std::filesystem::permissions(dir_.path() + "/closed/sub", std::filesystem::perms::all);
}

TEST_F(BadInput, AFullStandardErrorIsNoCrash) {
  EXPECT_EQ(shell("gelint lint /no/such/model --isolated 2>/dev/full", dir_.path()).status, 2);
  EXPECT_EQ(shell("gelint lint /no/such/model --isolated 2>&-", dir_.path()).status, 2);
}

TEST_F(BadInput, Inventory) {
  if (!has_audit())
    GTEST_SKIP() << "built without the scanner";
  dir_.write("inv.yaml", "schema: gelint-inventory/1\nrows:\n  - id: [x\n");
  Outcome o = at({"audit", "engine", "good", "-i", "inv.yaml"});
  EXPECT_EQ(o.status, 1) << o.err;
  EXPECT_TRUE(has(o.out, "inv.yaml:4:1: error: ")) << o.out;
  EXPECT_TRUE(has(o.out, "[GL003]")) << o.out;
}

TEST_F(BadInput, CodebaseAndDatabase) {
  if (!has_audit())
    GTEST_SKIP() << "built without the scanner";
  Outcome gone = at({"scan", "nowhere"});
  EXPECT_EQ(gone.status, 2);
  expect_line(gone, "nowhere: ", "does not exist");
  Outcome none = at({"audit"});
  EXPECT_EQ(none.status, 2);
  expect_line(none, "audit: ", "there is no codebase");
  dir_.write("db/compile_commands.json", "[{\"directory\": \"/x\", \"file\": \"/x/gone.cc\", \"command\": \"c++ -c gone.cc\"}]");
  Outcome absent = at({"scan", "engine", "-p", "db"});
  EXPECT_EQ(absent.status, 0) << absent.err;
  EXPECT_TRUE(has(absent.out, "gone.cc, which does not exist (configure the build again)")) << absent.out;
}

TEST_F(BadInput, Documents) {
  Outcome absent = at({"verify", "nofile.json"});
  EXPECT_EQ(absent.status, 2);
  EXPECT_EQ(absent.err, "gelint: nofile.json: does not exist (correct the path)\n");
  for (const char* command : {"verify", "report"}) {
    Outcome o = at({command, "good/config.json"});
    EXPECT_EQ(o.status, 2);
    expect_line(o, "good/config.json: ", "is not a gelint document");
  }
}

TEST_F(BadInput, OptionsOfAnOddKind) {
  struct Case {
    std::vector<std::string> args;
    std::string fault;
    bool scanner;
  } cases[] = {{{"lint", "good", "--transformers", "newest"}, "'newest' is not a version", false},
               {{"audit", "engine", "--date", "2026-13-01"}, "'2026-13-01' is not a date", true},
               {{"audit", "engine", "--date", "2026-02-30"}, "'2026-02-30' is not a date", true},
               {{"audit", "engine", "--date", "1/2/2026"}, "'1/2/2026' is not a date", true},
               {{"scan", "engine", "--unit-timeout", "0"}, "'0' is not a whole number from 1 to 86400", true}};
  for (const Case& c : cases)
    if (!c.scanner || has_audit()) {
      Outcome o = at(c.args);
      EXPECT_EQ(o.status, 2) << c.fault;
      expect_line(o, c.args[c.args.size() - 2] + ": ", c.fault);
    }
}

TEST_F(BadInput, MessagesSayOnlyWhatHelps) {
  // No name of ACT2FN is near rubbish, nor near nothing.
  dir_.write("rubbish/config.json", "{\"model_type\": \"bert\", \"hidden_act\": \"=1+1\"}");
  dir_.write("nothing/config.json", "{\"model_type\": \"bert\", \"hidden_act\": \"\"}");
  dir_.write("typo/config.json", "{\"model_type\": \"bert\", \"hidden_act\": \"gelu_pytorchtanh\"}");
  EXPECT_FALSE(has(at({"lint", "rubbish"}).out, "did you mean"));
  EXPECT_FALSE(has(at({"lint", "nothing"}).out, "did you mean"));
  EXPECT_TRUE(has(at({"lint", "typo"}).out, "did you mean gelu_pytorch_tanh"));
  dir_.write("twice/config.json", "{\"model_type\": \"bert\", \"hidden_act\": \"gelu\", \"hidden_act\": \"relu\"}");
  EXPECT_TRUE(has(at({"lint", "twice"}).out, "as \"gelu\" and as \"relu\";"));
  dir_.write("remote/config.json", "{\"model_type\": \"chatglm\", \"auto_map\": {\"AutoConfig\": \"c.C\"}, \"hidden_act\": \"gelu\"}");
  Outcome remote = at({"lint", "remote"});
  EXPECT_TRUE(has(remote.out, "hard-codes silu (remote code")) << remote.out;
}

TEST_F(BadInput, APipeInATreeIsNotWaitedFor) {
  std::filesystem::create_directories(dir_.path() + "/tree/pipe");
  ASSERT_EQ(::mkfifo((dir_.path() + "/tree/pipe/config.json").c_str(), 0600), 0);
  dir_.write("tree/fine/config.json", "{\"model_type\": \"gpt2\"}");
  Outcome o = at({"lint", "tree"});
  EXPECT_EQ(o.status, 1);
  expect_line(o, "tree/pipe/config.json: ", "is no regular file");
  EXPECT_TRUE(has(o.out, "gelu_tanh")) << o.out;
}

TEST_F(BadInput, HostileNamesDoNotSteerTheTerminal) {
  Outcome o = at({"lint", "a\x1b[31mb"});
  EXPECT_EQ(o.status, 2);
  EXPECT_FALSE(has(o.err, "\x1b"));
}

} // namespace
} // namespace gelint::test
