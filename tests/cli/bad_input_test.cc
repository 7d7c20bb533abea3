// Every error of a new user's path, met on purpose: one line on standard error that names the file, the place, the
// fault and the mend, the right exit status, and the rest of the run goes on.

#include "run_gelint.h"

#include <algorithm>
#include <gtest/gtest.h>

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
  } cases[] = {{"missing", "missing: ", "does not exist"},
               {"empty", "empty/config.json: ", "is empty"},
               {"broken", "broken/config.json:2:", "is not valid JSON"},
               {"none", "none: ", "holds no config.json"}};
  for (const Case& c : cases) {
    Outcome alone = at({"lint", c.model});
    EXPECT_EQ(alone.status, 2) << c.model;
    expect_line(alone, c.place, c.fault);
    Outcome both = at({"lint", c.model, "good"});
    expect_line(both, c.place, c.fault);
    EXPECT_EQ(both.status, 1) << c.model;
    EXPECT_TRUE(has(both.out, "gelu_tanh")) << c.model << ": the rest goes on: " << both.out;
    // Text says it on standard error only, also when the whole report is held; a report for a machine holds it.
    EXPECT_FALSE(has(both.out, c.fault)) << both.out;
    Outcome held = at({"lint", c.model, "good", "--statistics"});
    EXPECT_EQ(held.status, 1) << c.model;
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
  expect_line(gone, "nowhere: ", "there is no such file or directory");
  Outcome none = at({"audit"});
  EXPECT_EQ(none.status, 2);
  expect_line(none, "audit: ", "there is no codebase");
  dir_.write("db/compile_commands.json", "[{\"directory\": \"/x\", \"file\": \"/x/gone.cc\", \"command\": \"c++ -c gone.cc\"}]");
  Outcome absent = at({"scan", "engine", "-p", "db"});
  EXPECT_EQ(absent.status, 0) << absent.err;
  EXPECT_TRUE(has(absent.out, "gone.cc, which does not exist")) << absent.out;
}

TEST_F(BadInput, Documents) {
  Outcome absent = at({"verify", "nofile.json"});
  EXPECT_EQ(absent.status, 2);
  EXPECT_EQ(absent.err, "gelint: nofile.json: cannot read: No such file or directory\n");
  for (const char* command : {"verify", "report"}) {
    Outcome o = at({command, "good/config.json"});
    EXPECT_EQ(o.status, 2);
    expect_line(o, "good/config.json: ", "is not a gelint document");
  }
}

TEST_F(BadInput, HostileNamesDoNotSteerTheTerminal) {
  Outcome o = at({"lint", "a\x1b[31mb"});
  EXPECT_EQ(o.status, 2);
  EXPECT_FALSE(has(o.err, "\x1b"));
}

} // namespace
} // namespace gelint::test
