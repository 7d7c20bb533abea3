// Completions and man page, used by the programs they are for.

#include "run_gelint.h"

#include <gtest/gtest.h>

namespace gelint::test {
namespace {

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

std::string completed(const std::string& words, int current) {
  Outcome o = shell("source <(gelint generate completion bash) && COMP_WORDS=(" + words + ") COMP_CWORD=" +
                        std::to_string(current) + " && _gelint && printf '%s\\n' \"${COMPREPLY[@]}\"",
                    "");
  EXPECT_EQ(o.err, "");
  return o.out;
}

TEST(Completion, BashOffersCommandsOptionsAndValues) {
  EXPECT_TRUE(has(completed("gelint ''", 1), "rule\n"));
  EXPECT_EQ(completed("gelint gene", 1), "generate\n");
  EXPECT_TRUE(has(completed("gelint generate ''", 2), "completion\n"));
  EXPECT_EQ(completed("gelint verify --fo", 2), "--format\n");
  EXPECT_EQ(completed("gelint verify --format sa", 3), "sarif\n");
  EXPECT_EQ(completed("gelint verify --color n", 3), "never\n");
}

TEST(Completion, BashOffersRules) {
  EXPECT_EQ(completed("gelint rule GL20", 2).substr(0, 6), "GL201\n");
  EXPECT_EQ(completed("gelint lint --select GL10", 3).substr(0, 6), "GL101\n");
}

TEST(Completion, FishOffersCommandsOptionsAndValues) {
  if (shell("command -v fish", "").status != 0)
    GTEST_SKIP() << "fish is not installed";
  EXPECT_EQ(shell("gelint generate completion fish | fish -n /dev/stdin", "").err, "");
  auto query = [](const std::string& line) {
    Outcome o = shell("export HOME=$(mktemp -d); fish -c 'gelint generate completion fish | source; complete -C \"" + line +
                          "\"' | cut -f1; rm -r $HOME", "");
    EXPECT_EQ(o.err, "") << line;
    return o.out;
  };
  EXPECT_EQ(query("gelint gene"), "generate\n");
  EXPECT_EQ(query("gelint verify --fo"), "--format\n");
  EXPECT_EQ(query("gelint verify --format sa"), "sarif\n");
  EXPECT_EQ(query("gelint inventory dr"), "draft\n");
  EXPECT_EQ(query("gelint rule GL201"), "GL201\n");
}

/// Types into an interactive zsh of its own and presses the tabulator.
TEST(Completion, ZshOffersCommandsOptionsAndValues) {
  if (shell("command -v zsh", "").status != 0)
    GTEST_SKIP() << "zsh is not installed";
  EXPECT_EQ(shell("gelint generate completion zsh | zsh -n /dev/stdin", "").err, "");
  TempDir dir;
  dir.write("ask.zsh", R"(zmodload zsh/zpty
zpty z "HOME=$PWD zsh -f -i"
zpty -w z "PROMPT= RPROMPT=; unsetopt prompt_sp; autoload -Uz compinit; compinit -D -u"
zpty -w z "source <(gelint generate completion zsh) 2>/dev/null; compdef _gelint gelint"
zpty -w z "what() { print -r -- \"<<\$BUFFER>>\" }; zle -N what; bindkey '^X' what; setopt no_beep; print ready"
zpty -r -m z line '*ready*ready*'
zpty -n -w z "$1"$'\t'$'\x18'
zpty -r -m z line '*<<*>>*'
print -r -- "${${line##*<<}%%>>*}"
zpty -d z
)");
  auto typed = [&](const std::string& line) {
    Outcome o = shell("timeout 20 zsh -f ask.zsh '" + line + "'", dir.path());
    EXPECT_EQ(o.err, "") << line;
    return o.out;
  };
  EXPECT_EQ(typed("gelint gene"), "gelint generate \n");
  EXPECT_EQ(typed("gelint verify --fo"), "gelint verify --format \n");
}

TEST(Man, NamesEveryCommandAndFormatsCleanly) {
  Outcome page = invoke({"generate", "man"});
  ASSERT_EQ(page.status, 0);
  Outcome help = invoke({"--help"});
  // The commands as help lists them: "  name   description" after the heading.
  size_t at = help.out.find("Subcommands:\n");
  ASSERT_NE(at, std::string::npos) << help.out;
  int commands = 0;
  for (at = help.out.find('\n', at) + 1; at < help.out.size() && help.out.compare(at, 2, "  ") == 0;
       at = help.out.find('\n', at) + 1) {
    std::string name = help.out.substr(at + 2, help.out.find(' ', at + 2) - at - 2);
    if (name.empty())
      continue; // a folded description
    ++commands;
    EXPECT_TRUE(has(page.out, "gelint " + name)) << name;
  }
  EXPECT_GE(commands, 4);
  if (shell("command -v groff", "").status == 0) {
    Outcome warnings = shell("gelint generate man | groff -man -ww -z", "");
    EXPECT_EQ(warnings.err, "");
  }
}

} // namespace
} // namespace gelint::test
