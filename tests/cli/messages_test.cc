// The table of messages: each fault of a user's path, met on purpose. One line on standard error that names the file,
// the place, the fault and the mend; the same fault has the same words whichever command meets it.

#include "run_gelint.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace gelint::test {
namespace {

namespace fs = std::filesystem;

struct Message {
  std::string command, line; ///< without "gelint "; without "gelint: "
  bool scanner = false;      ///< the command is part of a build with the scanner only
};

const std::string k_formats = "formats: text, markdown, json, jsonl, csv, sarif, github, gitlab, junit, html, svg";
const std::string k_model_mend = "give a model directory, a config.json, a tree of models, or - for JSON lines";
const std::string k_keys = "known keys: codebase, compile_database, inventories, checkpoints, outputs, select, ignore, "
                           "fail_on, baseline, exclude, transformers, rules, hf_defaults";
const std::string k_syntax = " (mend the syntax there)";
const std::string k_levels = " (levels: error, warning, note, none; 'gelint rule' lists the ids)";

class Messages : public testing::Test {
protected:
  void SetUp() override {
    for (const char* folder : {"examples", "inventory"})
      fs::copy(fs::path(GELINT_SOURCE_DIR) / folder, fs::path(dir_.path()) / folder, fs::copy_options::recursive);
    fs::create_directories(dir_.path() + "/folder");
    const std::pair<const char*, const char*> files[] = {
        {"empty/config.json", ""}, {"list/config.json", "[1]"}, {"cut/config.json", "{\"model_type\": \"bert\","},
        {"binary/config.json", "\x7f""ELF\x02\x01"}, {"empty", ""}, {"cut.yaml", "codebase: [a\n"},
        {"list.yaml", "- a\n"}, {"twice.yaml", "codebase: a\ncodebase: b\n"}, {"key.yaml", "codebase: a\ncodbase: b\n"},
        {"unknown.yaml", "a: b\n"}, {"kind.yaml", "codebase: {a: 1}\n"}, {"list_kind.yaml", "select: {a: 1}\n"},
        {"level.yaml", "select: [GL2]\nfail_on: sever\n"}, {"id.yaml", "select: [GL2, XY]\n"},
        {"version.yaml", "transformers: newest\n"}, {"format.yaml", "outputs: [pdf]\n"}, {"gone.yaml", "codebase: nowhere\n"}, {"lint.json", "{\"schema\": \"gelint/1\", \"command\": \"lint\"}"},
        {"cut.json", "{\"schema\": \"gelint/1\",\n \"rows\": ["}, {"old.json", "{\"schema\": \"gelint/0\"}"},
        {"db/compile_commands.json", "[{]"}};
    for (const auto& [name, text] : files)
      if (std::string_view(name) != "empty")
        dir_.write(name, text);
    dir_.write("nothing", "");
    dir_.write("lint.json", "{\"schema\": \"gelint/1\", \"command\": \"lint\"}");
    scanner_ = invoke({"audit", "--help"}).status == 0;
  }
  Outcome at(const std::string& command) {
    return shell("export GELINT_CACHE_DIR=" + dir_.path() + "/cache; gelint " + command + " </dev/null", dir_.path());
  }
  void expect(const std::vector<Message>& messages) {
    for (const Message& m : messages) {
      if (m.scanner && !scanner_)
        continue;
      Outcome o = at(m.command);
      EXPECT_EQ(o.err, "gelint: " + m.line + "\n") << "$ gelint " << m.command;
      EXPECT_EQ(o.status, 2) << "$ gelint " << m.command;
      EXPECT_TRUE(o.err.ends_with(")\n")) << "no mend: " << o.err;
    }
  }

  TempDir dir_;
  bool scanner_ = false;
};

TEST_F(Messages, CommandLine) {
  expect({
      {"", "'gelint' needs a command (audit, lint, defaults, scan, verify, inventory, baseline, rule, report, cache, config, generate; "
           "see 'gelint --help')"},
      {"verfy x", "there is no command 'verfy' (did you mean 'verify'?)"},
      {"--nonsense", "there is no option '--nonsense' (see 'gelint --help')"},
      {"cache", "'gelint cache' needs a command (clean, dir; see 'gelint cache --help')"},
      {"cache clan", "there is no command 'cache clan' (did you mean 'clean'?)"},
      {"lint m --frmat json", "there is no option '--frmat' (did you mean '--format'? see 'gelint lint --help')"},
      {"lint m --format", "--format needs a value (see 'gelint lint --help')"},
      {"lint m --fail-on error --fail-on none", "--fail-on is given twice (see 'gelint lint --help')"},
      {"lint m --format pdf", "--format: there is no output format 'pdf' (" + k_formats + ")"},
      {"lint m --format json:", "--format: output 'json:' has an empty path (write FORMAT or FORMAT:PATH)"},
      {"lint m --format json --format csv", "two outputs go to standard output (give all but one a path of its own: --format FORMAT:PATH)"},
      {"lint m --color alway", "--color: 'alway' is none of auto, always, never; did you mean 'always'? (see 'gelint lint --help')"},
      {"lint m --fail-on sever", "--fail-on: 'sever' is neither a level nor a rule id" + k_levels},
      {"lint m --fail-on GL9", "--fail-on: no rule id starts with 'GL9' ('gelint rule' lists them)"},
      {"lint m --select XY", "--select: no rule id starts with 'XY' ('gelint rule' lists them)"},
      {"lint m --ignore gl9", "--ignore: no rule id starts with 'GL9' ('gelint rule' lists them)"},
      {"lint m --transformers newest", "--transformers: 'newest' is not a version (for example 5.24.0, or auto)"},
      {"lint m --config kind.yaml --isolated", "--config and --isolated exclude each other (give one of them)"},
      {"rule GL999", "there is no rule 'GL999' ('gelint rule' lists them)"},
      {"rule GL201 x", "'x' is one argument too many (see 'gelint rule --help')"},
      {"generate completion tcsh", "SHELL: 'tcsh' is none of bash, zsh, fish (see 'gelint generate completion --help')"},
      {"generate completion", "SHELL is required (see 'gelint generate completion --help')"},
      {"verify --pair gelu_erf,gelu_tanh --runs x", "--runs: 'x' is not a whole number from 1 to 10000 (see 'gelint verify --help')"},
      {"verify --pair gelu_erf", "--pair gelu_erf: two names are needed (IMPLEMENTED,REQUIRED)"},
      {"verify --pair gelu_erf,gelu_tanh --dtype f99", "--dtype: 'f99' is not swept (bf16, f16 or f32)"},
      {"verify", "nothing to verify (give an audit document, which 'gelint audit --format json:FILE' writes, --pair A,B, or --probe-libraries)"},
      {"scan examples/engine -j -1", "--jobs: '-1' is not a whole number from 0 to 1024 (see 'gelint scan --help')", true},
      {"audit examples/engine --date 2026-02-30", "--date: '2026-02-30' is not a date (YYYY-MM-DD)", true},
      {"defaults", "which model_type? (give one, or --list for all)"},
  });
}

TEST_F(Messages, WhatIsNotThere) {
  expect({
      {"lint nowhere", "nowhere: does not exist (" + k_model_mend + ")"},
      {"lint m --config nowhere", "nowhere: does not exist (correct the path)"},
      {"lint examples/checkpoints/gpt2 --hf-defaults nowhere", "nowhere: does not exist (give a directory like hf_defaults/, or a YAML overlay)"},
      {"report nowhere", "nowhere: does not exist (correct the path)"},
      {"verify nowhere", "nowhere: does not exist (correct the path)"},
      {"config check --config gone.yaml", "gone.yaml: codebase: 'nowhere' does not exist (correct the path)"},
      {"scan nowhere", "nowhere: does not exist (name a source tree or a source file)", true},
      {"audit nowhere", "nowhere: does not exist (name a source tree or a source file)", true},
      {"scan examples/engine --rules nowhere", "nowhere: does not exist (correct the path)", true},
      {"scan examples/engine -p nowhere", "nowhere: does not exist (-p names the directory that holds compile_commands.json, which CMake writes with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)", true},
      {"audit examples/engine -i nowhere", "nowhere: does not exist (name a file, or a built-in inventory: ctranslate2, example, fastertransformer, llama.cpp, mlxcel, whisper.cpp)", true},
      {"audit examples/engine -i exampel", "exampel: does not exist (did you mean the built-in inventory 'example'?)", true},
      {"audit examples/engine -i example -m nowhere", "nowhere: does not exist (" + k_model_mend + ")", true},
      {"audit examples/engine -i example --baseline nowhere", "nowhere: does not exist (write it with `gelint baseline write`)", true},
      {"audit examples/engine -i example --compare nowhere", "nowhere: does not exist (correct the path)", true},
      {"audit examples/engine -i example --compare lint.json", "lint.json: is not an audit (write it with 'gelint audit --format json:FILE')", true},
      {"audit examples/engine -i example --hf-defaults nowhere", "nowhere: does not exist (give a directory like hf_defaults/, or a YAML overlay)", true},
      {"audit examples/engine -i mlxcel --state befor", "--state: no recorded site is of the state 'befor' (did you mean 'before'?)", true},
      {"audit", "audit: there is no codebase (name its folder, or set `codebase` in .gelint.yaml)", true},
      {"lint", "there is no model to read (" + k_model_mend + ")"},
      {"config check", "there is no .gelint.yaml here or in a parent (give one with --config FILE)"},
  });
}

TEST_F(Messages, WhatIsOfAnotherKind) {
  expect({
      {"lint folder", "folder: holds no config.json, here or below (give the directory that the model was downloaded to)"},
      {"lint m --config folder", "folder: is a directory, not a file (name a file)"},
      {"report folder", "folder: is a directory, not a file (name a file)"},
      {"scan folder", "folder: there is no source file in it (C, C++, CUDA, Objective-C and shader files are read)", true},
      {"scan nothing", "nothing: this is no source file that gelint reads (C, C++, CUDA, Objective-C and shader files are read)", true},
      {"scan /dev/null", "/dev/null: is neither a directory nor a regular file (name a source tree or a source file)", true},
      {"scan examples/engine --rules folder", "folder: is a directory, not a file (name a file)", true},
      {"scan examples/engine --rules list.yaml", "list.yaml:1:1: is not a rule file: there is no mapping at its top (see rules/README.md)", true},
      {"scan examples/engine --rules unknown.yaml", "unknown.yaml:1:1: unknown section 'a' (known sections: symbols, operations, instructions, capability_words, handling_words, flag_words, message_calls, config_calls)", true},
      {"lint list", "list/config.json:1:1: holds array where an object of keys belongs (give the model's config)"},
      {"verify lint.json", "lint.json: is not an audit (write it with 'gelint audit --format json:FILE')"},
      {"report old.json", "old.json: is not a gelint document of schema gelint/1 (write it with 'gelint audit --format json:FILE')"},
      {"lint m --config list.yaml", "list.yaml:1:1: is not a settings file: there is no mapping at its top (" + k_keys + ")"},
      {"lint m --config kind.yaml", "kind.yaml:1:11: 'codebase' is not a text (write codebase: VALUE)"},
      {"lint m --config list_kind.yaml", "list_kind.yaml:1:9: 'select' is not a list (write select: [VALUE, ...])"},
      {"lint m --config twice.yaml", "twice.yaml:2:1: the key 'codebase' stands twice (keep one)"},
      {"lint m --config key.yaml", "key.yaml:2:1: unknown key 'codbase' (did you mean 'codebase'?)"},
      {"lint m --config unknown.yaml", "unknown.yaml:1:1: unknown key 'a' (" + k_keys + ")"},
      {"lint m --config level.yaml", "level.yaml:2:10: fail_on: 'sever' is neither a level nor a rule id" + k_levels},
      {"lint m --config id.yaml", "id.yaml:1:9: select: no rule id starts with 'XY' ('gelint rule' lists them)"},
      {"lint m --config version.yaml", "version.yaml:1:15: transformers: 'newest' is not a version (for example 5.24.0, or auto)"},
      {"lint m --config format.yaml", "format.yaml:1:10: there is no output format 'pdf' (" + k_formats + ")"},
  });
}

TEST_F(Messages, WhatIsBroken) {
  expect({
      {"lint empty", "empty/config.json: is empty (write the config again from the model's source)"},
      {"lint cut", "cut/config.json:1:23: is not valid JSON: while parsing object key - unexpected end of input; expected string literal" + k_syntax},
      {"lint binary", "binary/config.json:1:1: is not valid JSON: while parsing value - invalid literal" + k_syntax},
      {"report cut.json", "cut.json:2:11: is not valid JSON (write it with 'gelint audit --format json:FILE')"},
      {"verify cut.json", "cut.json:2:11: is not valid JSON (write it with 'gelint audit --format json:FILE')"},
      {"lint m --config cut.yaml", "cut.yaml:2:1: is not valid YAML: end of sequence flow not found" + k_syntax},
      {"lint m --hf-defaults cut.yaml", "cut.yaml:2:1: is not valid YAML: end of sequence flow not found" + k_syntax},
      {"scan examples/engine --rules cut.yaml", "cut.yaml:2:1: is not valid YAML: end of sequence flow not found" + k_syntax, true},
      {"scan examples/engine --rules nothing", "nothing:1:1: is empty (see rules/README.md)", true},
      {"scan examples/engine -p db", "db/compile_commands.json:1:3: is not valid JSON (write the compile database anew)", true},
      {"audit examples/engine -i example --baseline nothing", "nothing: is empty (write it again with `gelint baseline write`)", true},
      {"audit examples/engine -i example --baseline cut.json", "cut.json:2:11: is not valid JSON: while parsing value - unexpected end of input; expected '[', '{', or a literal (write it again with `gelint baseline write`)", true},
  });
  if (!scanner_)
    return;
  // What is wrong inside an inventory is a finding, so that the rest of the audit goes on.
  dir_.write("w.yaml", "schema: gelint-inventory/1\nwaivers:\n  - rule: GL201\n    row: A\n");
  const std::pair<const char*, const char*> cases[] = {
      {"cut.yaml", "cut.yaml:2:1: error: is not valid YAML: end of sequence flow not found (mend the syntax there) [GL003]\n"},
      {"nothing", "nothing:1:1: error: is empty (start with `schema: gelint-inventory/1`) [GL003]\n"},
      {"list.yaml", "list.yaml:1:1: error: is not an inventory: there is no mapping at its top (start with `schema: gelint-inventory/1`) [GL003]\n"},
      {"w.yaml", "w.yaml:3:5: error: this waiver has no 'reason' (add one) [GL003]\n"}};
  for (const auto& [file, line] : cases) {
    Outcome o = at(std::string("audit examples/engine --select GL003 -q -i ") + file);
    EXPECT_EQ(o.out, line) << file;
    EXPECT_EQ(o.status, 1) << file;
  }
}

TEST_F(Messages, WhatCannotBeReadOrWritten) {
  const std::string lint = "lint examples/checkpoints/gpt2 -q --format json:";
  expect({
      {lint + "/dev/full", "/dev/full: cannot write: No space left on device (free some space, or name another path)"},
      {lint + "nothing/x", "nothing/x: cannot write: Not a directory (name another path)"},
      {lint + "folder", "folder: is a directory, not a file (name a file)"},
      {"lint examples/checkpoints/gpt2 --format json >/dev/full", "standard output: cannot write: No space left on device (free some space)"},
      {"generate man >/dev/full", "standard output: cannot write: No space left on device (free some space)"},
      {"--help >/dev/full", "standard output: cannot write: No space left on device (free some space)"},
  });
  EXPECT_TRUE(fs::is_character_file("/dev/full")) << "a device is written to, not replaced";
}

TEST_F(Messages, WhatMayNotBeRead) {
  const std::string nobody = "setpriv --reuid 65534 --clear-groups ";
  if (shell("command -v setpriv >/dev/null && [ \"$(id -u)\" = 0 ]", "").status != 0)
    GTEST_SKIP() << "root reads everything, and this needs root and setpriv to become somebody else";
  fs::copy_file(std::getenv("GELINT_BINARY"), dir_.path() + "/gelint");
  for (const char* open : {"", "/gelint", "/list"})
    fs::permissions(dir_.path() + open, fs::perms::all);
  fs::permissions(dir_.path() + "/cut.json", fs::perms::none);
  fs::permissions(dir_.path() + "/list/config.json", fs::perms::none);
  Outcome o = shell(nobody + "./gelint report cut.json", dir_.path());
  EXPECT_EQ(o.err, "gelint: cut.json: cannot read: Permission denied (ask for the right to it, or name another path)\n");
  EXPECT_EQ(o.status, 2);
  o = shell(nobody + "./gelint lint list", dir_.path());
  EXPECT_EQ(o.err, "gelint: list/config.json: cannot read: Permission denied (ask for the right to it, or name another path)\n");
  EXPECT_EQ(o.status, 2);
}

TEST_F(Messages, NothingOfInterestIsSaid) {
  if (!scanner_)
    GTEST_SKIP() << "built without the scanner";
  dir_.write("plain/a.cc", "int main() { return 0; }\n");
  Outcome o = at("scan plain");
  EXPECT_EQ(o.status, 0);
  EXPECT_NE(o.out.find("0 sites; no findings\n"), std::string::npos) << o.out;
}

TEST_F(Messages, AnInterruptedAuditLeavesNothingHalfDone) {
  if (!scanner_)
    GTEST_SKIP() << "built without the scanner";
  // Enough units that the signal comes while they are parsed.
  std::string body = "#include <cmath>\n";
  for (int i = 0; i < 300; ++i)
    body += "float gelu" + std::to_string(i) + "(float x) { return 0.5f * x * (1.0f + std::erf(x * 0.70710678f)); }\n";
  for (int i = 0; i < 40; ++i)
    dir_.write("big/f" + std::to_string(i) + ".cc", body);
  Outcome o = invoke(Invocation{.args = {"audit", "big", "-i", "example", "-j", "2", "--format", "json:out/a.json"},
                                .env = {{"GELINT_CACHE_DIR", dir_.path() + "/cache"}},
                                .directory = dir_.path(),
                                .interrupt_after_ms = 400});
  EXPECT_EQ(o.status, 128 + 2) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_FALSE(fs::exists(dir_.path() + "/out"));
  size_t temporaries = 0;
  if (fs::exists(dir_.path() + "/cache"))
    for (const fs::directory_entry& e : fs::recursive_directory_iterator(dir_.path() + "/cache"))
      temporaries += e.path().extension() == ".tmp";
  EXPECT_EQ(temporaries, 0u);
  // And what it left in the cache does not change the answer.
  const std::string audit = "scan big/f1.cc --format csv";
  EXPECT_EQ(at(audit).out, at(audit + " --no-cache").out);
}

} // namespace
} // namespace gelint::test
