// Exit status, messages, colour, pipes and signals.

#include "run_gelint.h"

#include <gtest/gtest.h>

namespace gelint::test {
namespace {

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

/// One line on standard error, nothing on standard output, status 2.
void expect_fault(const Outcome& o, const std::string& line) {
  EXPECT_EQ(o.status, 2) << o.err;
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "gelint: " + line + "\n");
}

TEST(ExitStatus, Usage) {
  expect_fault(invoke({"verfy", "x"}), "there is no command 'verfy' (did you mean 'verify'?)");
  expect_fault(invoke({"rule", "--nonsense"}), "there is no option '--nonsense' (see 'gelint rule --help')");
  expect_fault(invoke({"rule", "GL20"}), "there is no rule 'GL20' (did you mean GL201?)");
  expect_fault(invoke({"--version", "--format", "xml"}), "--version has no format 'xml' (formats: text, json)");
  EXPECT_EQ(invoke(Invocation{}).status, 2);
}

TEST(ExitStatus, HelpAndVersionAreClean) {
  for (const char* arg : {"--help", "--version", "--help-all"}) {
    Outcome o = invoke({arg});
    EXPECT_EQ(o.status, 0) << arg;
    EXPECT_NE(o.out, "") << arg;
    EXPECT_EQ(o.err, "") << arg;
  }
}

TEST(Version, NamesWhatCanChangeAnAnswer) {
  Outcome text = invoke({"--version"});
  for (const char* what : {"gelint ", "commit ", "libclang: ", "transformers tables: ", "CUDA backend: "})
    EXPECT_TRUE(has(text.out, what)) << text.out;
  Outcome json = invoke({"--version", "--format", "json"});
  EXPECT_EQ(json.status, 0);
  for (const char* key : {"\"gelint\"", "\"commit\"", "\"libclang\"", "\"transformers\"", "\"cuda\""})
    EXPECT_TRUE(has(json.out, key)) << json.out;
}

TEST(Config, ShowMergesAndCheckFindsWhatIsNotThere) {
  TempDir dir;
  dir.write(".gelint.yaml", "codebase: src\nfail_on: warning\nselect: [GL2]\n");
  dir.write("sub/x", "");
  Outcome show = invoke(Invocation{.args = {"config", "show", "--ignore", "GL205"}, .directory = dir.path() + "/sub"});
  EXPECT_EQ(show.status, 0) << show.err;
  for (const char* line : {"# ../.gelint.yaml\n", "codebase: ../src\n", "fail_on: warning\n", "  - GL2\n", "  - GL205\n"})
    EXPECT_TRUE(has(show.out, line)) << line << show.out;
  expect_fault(invoke(Invocation{.args = {"config", "check"}, .directory = dir.path()}),
               ".gelint.yaml: codebase: 'src' does not exist (correct the path)");
  dir.write(".gelint.yaml", "codebase: sub\nselect: GL2\n");
  EXPECT_EQ(invoke(Invocation{.args = {"config", "check"}, .directory = dir.path()}).status, 0);
  dir.write(".gelint.yaml", "codebase: src\nselct: [GL2]\n");
  Outcome bad = invoke(Invocation{.args = {"config", "check"}, .directory = dir.path()});
  EXPECT_EQ(bad.status, 2);
  EXPECT_TRUE(has(bad.err, "gelint: .gelint.yaml:2:1: unknown key 'selct' (did you mean 'select'?)")) << bad.err;
  EXPECT_EQ(invoke(Invocation{.args = {"config", "show", "--isolated"}, .directory = dir.path()}).status, 0);
}

TEST(Cache, CleanRemovesOnlyItsOwn) {
  TempDir dir;
  dir.write("kernels/a", "x");
  dir.write("0.1.0-0123456789ab/aa/b", "x");
  dir.write("mine/c", "x");
  Outcome o = invoke(Invocation{.args = {"cache", "clean"}, .env = {{"GELINT_CACHE_DIR", dir.path()}}});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "gelint: removed 2 cached files, 1 KiB\n");
  EXPECT_EQ(dir.names(), (std::vector<std::string>{"mine"}));
  EXPECT_EQ(invoke(Invocation{.args = {"cache", "clean", "-q"}, .env = {{"GELINT_CACHE_DIR", dir.path() + "/none"}}}).status, 0);
}

/// A command with colour in its output that needs no other input.
std::vector<std::string> coloured() {
  return {"verify", "--pair", "gelu_erf,gelu_tanh", "--dtype", "bf16", "--backend", "cpu"};
}

TEST(Colour, OnASmartTerminalOnly) {
  struct Case {
    bool terminal;
    std::map<std::string, std::string> env;
    std::string flag;
    bool colour;
  } cases[] = {
      {true, {{"TERM", "xterm"}}, "", true},
      {true, {{"TERM", "dumb"}}, "", false},
      {true, {}, "", false},
      {true, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}, "", false},
      {true, {{"TERM", "xterm"}, {"NO_COLOR", ""}}, "", true}, // empty counts as unset
      {true, {{"TERM", "xterm"}, {"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}}, "", false},
      {false, {{"TERM", "xterm"}}, "", false},
      {false, {{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}, "", true},
      {false, {{"CLICOLOR_FORCE", "1"}}, "", true},
      {false, {{"FORCE_COLOR", "1"}}, "never", false},
      {false, {{"NO_COLOR", "1"}}, "always", true},
  };
  for (const Case& c : cases) {
    std::vector<std::string> args = coloured();
    if (!c.flag.empty())
      args.insert(args.end(), {"--color", c.flag});
    Outcome o = invoke(Invocation{.args = args, .env = c.env, .terminal = c.terminal});
    ASSERT_LE(o.status, 1) << o.err;
    std::string about;
    for (const auto& [k, v] : c.env)
      about += k + "=" + v + " ";
    EXPECT_EQ(has(o.out, "\x1b["), c.colour) << about << (c.terminal ? "terminal " : "") << c.flag;
  }
}

TEST(Pipe, AReaderThatHasGoneIsNoFault) {
  Outcome o = invoke(Invocation{.args = {"rule", "--all"}, .close_output = true});
  EXPECT_EQ(o.err, "");
  EXPECT_LE(o.status, 2) << "not killed by SIGPIPE";
  Outcome head = shell("gelint rule --all | head -1", "");
  EXPECT_EQ(head.err, "");
  EXPECT_TRUE(head.out.starts_with("# GL"));
}

TEST(Interrupt, LeavesNothingBehind) {
  TempDir dir;
  // Every f32 input on the CPU takes minutes.
  Outcome o = invoke(Invocation{.args = {"verify", "--pair", "gelu_erf,gelu_tanh", "--dtype", "f32", "--backend", "cpu", "--format",
                           "json:out.json"},
                  .directory = dir.path(),
                  .interrupt_after_ms = 300});
  EXPECT_EQ(o.status, 128 + 2) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_TRUE(dir.names().empty());
}

TEST(Output, FilesAreReplacedWholeAndFoldersMade) {
  TempDir dir;
  dir.write("a.json", "old");
  std::vector<std::string> args = coloured();
  args.insert(args.end(), {"--format", "text", "--format", "json:a.json", "--format", "html:new/b.html"});
  Outcome o = invoke(Invocation{.args = args, .directory = dir.path()});
  EXPECT_LE(o.status, 1) << o.err;
  EXPECT_TRUE(has(o.err, "gelint: wrote a.json\ngelint: wrote new/b.html\n")) << o.err;
  EXPECT_TRUE(has(dir.read("a.json"), "\"schema\": \"gelint/1\""));
  EXPECT_TRUE(has(dir.read("new/b.html"), "<!DOCTYPE html>"));
  EXPECT_EQ(dir.names(), (std::vector<std::string>{"a.json", "new"}));
}

TEST(Output, AFaultOfOneFileDoesNotStopTheOthers) {
  TempDir dir;
  dir.write("taken", "a file, not a folder");
  std::vector<std::string> args = coloured();
  args.insert(args.end(), {"--format", "json:taken/a.json", "--format", "csv:b.csv"});
  Outcome o = invoke(Invocation{.args = args, .directory = dir.path()});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(has(o.err, "gelint: taken/a.json: cannot write: Not a directory (name another path)\n")) << o.err;
  EXPECT_NE(dir.read("b.csv"), "");
}

TEST(Output, UnknownFormatNamesTheKnownOnes) {
  std::vector<std::string> args = coloured();
  args.insert(args.end(), {"--format", "pdf"});
  expect_fault(invoke(args), "--format: there is no output format 'pdf' (formats: text, markdown, json, jsonl, csv, sarif, "
                          "github, gitlab, junit, html, svg)");
}

} // namespace
} // namespace gelint::test
