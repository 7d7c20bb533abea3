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

TEST(Completion, ZshAndFishAcceptTheirScripts) {
  for (const char* sh : {"zsh", "fish"}) {
    std::string name = sh;
    EXPECT_EQ(shell("gelint generate completion " + name + " | grep -c gelint", "").status, 0);
    if (shell("command -v " + name, "").status == 0) {
      Outcome o = shell("gelint generate completion " + name + " | " + name + " -n /dev/stdin", "");
      EXPECT_EQ(o.status, 0) << o.err;
    }
  }
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
