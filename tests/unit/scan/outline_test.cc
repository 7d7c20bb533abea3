#include "scan/outline.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace gelint::scan {
namespace {

struct Parsed {
  std::string text;
  LexedFile lex;
  Outline out;
  explicit Parsed(std::string t) : text(std::move(t)) {
    lex = scan::lex(text);
    out = outline(lex, [](std::string_view s) { return classify_identifier(s); });
  }
  const Mention* find(std::string_view name, int nth = 0) const {
    for (const Mention& m : out.mentions)
      if (m.name == name && nth-- == 0)
        return &m;
    return nullptr;
  }
};

TEST(Lex, KeepsPlacesAcrossCommentsStringsAndContinuations) {
  Parsed p("/* gelu */ int a; // erf\nconst char* s = \"gelu\\\"x\"; \\\n float y = 0.044715f;\n#if 0\nint z;\n#else\nint w;\n#endif\n");
  EXPECT_EQ(p.lex.comments.size(), 2u);
  auto number = std::find_if(p.lex.tokens.begin(), p.lex.tokens.end(), [](const Tok& t) { return t.kind == TokKind::number; });
  ASSERT_NE(number, p.lex.tokens.end());
  EXPECT_EQ(p.lex.str(*number), "0.044715f");
  EXPECT_EQ(number->line, 3u);
  ASSERT_EQ(p.lex.arms.size(), 2u);
  EXPECT_TRUE(p.lex.arms[0].dead);
  EXPECT_FALSE(p.lex.arms[1].dead);
}

TEST(Outline, NamesFunctionsMethodsAndLambdas) {
  Parsed p(R"(
namespace a { template <class T> T gelu(T x) { return x; } }
struct B { void gelu_step(); };
template <> void B<int>::gelu_run(int) const { auto gelu_fn = [&](float v) { return gelu_inner(v); }; }
)");
  EXPECT_EQ(p.find("gelu")->role, Role::definition);
  EXPECT_EQ(p.find("gelu_step")->role, Role::declaration);
  EXPECT_EQ(p.find("gelu_run")->role, Role::definition);
  EXPECT_EQ(p.out.enclosing(*p.find("gelu_inner")), "B::gelu_run::(lambda)");
}

TEST(Outline, TellsTheUsesOfANameApart) {
  Parsed p(R"(
enum Act { ACT_GELU, ACT_RELU };
void f(int op) {
  switch (op) { case ACT_GELU: gelu(1); break; default: break; }
  if (op == ACT_GELU) run(ACT_GELU, gelu_fn);
  auto g = op ? gelu_a : gelu_b;
  call<op_gelu>(2);
  kernel_gelu<<<1, 2>>>(3);
}
)");
  EXPECT_EQ(p.find("ACT_GELU")->role, Role::enumerator);
  EXPECT_EQ(p.find("ACT_GELU", 1)->role, Role::case_label);
  EXPECT_EQ(p.find("gelu")->role, Role::call);
  EXPECT_EQ(p.find("ACT_GELU", 2)->role, Role::compare);
  EXPECT_EQ(p.find("ACT_GELU", 3)->role, Role::argument);
  EXPECT_EQ(p.find("ACT_GELU", 3)->callee, "run");
  EXPECT_EQ(p.find("gelu_fn")->argument, 1);
  EXPECT_EQ(p.find("gelu_a")->role, Role::ternary);
  EXPECT_EQ(p.find("op_gelu")->role, Role::template_argument);
  EXPECT_EQ(p.find("kernel_gelu")->role, Role::call);
}

TEST(Outline, FindsTheArmsOfSwitchesAndChains) {
  Parsed p(R"(
int f(const std::string& s, int k) {
  switch (k) { case A: case B: return gelu(1); case C: return 2; }
  if (s == "gelu") return 1;
  else if (s == "gelu_new") return 2;
  else return 3;
}
)");
  ASSERT_EQ(p.out.arms.size(), 5u);
  EXPECT_EQ(p.out.arms[0].labels.size(), 2u);
  EXPECT_TRUE(p.out.arms[0].is_switch);
  EXPECT_EQ(p.out.mentions[p.out.arms[2].labels[0]].name, "gelu");
  EXPECT_EQ(p.out.arms[2].chain, p.out.arms[4].chain);
  EXPECT_TRUE(p.out.arms[4].fallback);
}

TEST(Outline, SurvivesUnbalancedCode) {
  Parsed p("void f( { ) } ] gelu( \"\n#endif\n#else\n{{{");
  EXPECT_NE(p.find("gelu"), nullptr);
}

} // namespace
} // namespace gelint::scan
