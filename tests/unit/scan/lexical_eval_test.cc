#include "scan/lexical_eval.h"

#include <gtest/gtest.h>

namespace gelint::scan {
namespace {

using formula::Formula;

Evaluated run(std::string_view body) {
  std::string text(body);
  LexedFile f = lex(text);
  LexicalEnvironment env;
  env.function = [](std::string_view) { return nullptr; };
  env.constant = [](std::string_view) { return LexicalEnvironment::Tokens{}; };
  return evaluate_tokens(f, 0, f.tokens.size(), {}, env);
}

// The expected formulas follow from the definitions in formula_math.h; the bodies are spelled as shader languages do.
TEST(LexicalEval, ReadsCAndGlsl) {
  EXPECT_EQ(run("const float a = 0.79788456f * x * (1.0f + 0.044715f * x * x); return 0.5f * x * (2.0f - 2.0f / (exp(2.0f * a) + 1.0f));").print.formula, Formula::gelu_tanh);
  EXPECT_EQ(run("dst[i] = src[i] / (1.0f + exp(-1.702f * src[i]));").print.formula, Formula::gelu_quick);
  EXPECT_EQ(run("float x = src0[get_global_id(0)]; dst[get_global_id(0)] = 0.5f*x*(1.0f + erf(x*0.70710678f));").print.formula, Formula::gelu_erf);
}

TEST(LexicalEval, ReadsWgsl) {
  EXPECT_EQ(run("let x: f32 = f32(src[i]); let res = 0.5 * x * (1.0 + tanh(clamp(0.7978845608 * (x + 0.044715 * x * x * x), -9.0, 9.0)));").print.formula, Formula::gelu_tanh);
}

TEST(LexicalEval, FindsTheGate) {
  Evaluated e = run("float x0 = a[i]; float x1 = b[i]; out[i] = 0.5f * x0 * (1.0f + erf(x0 * 0.70710678f)) * x1;");
  EXPECT_EQ(e.print.formula, Formula::gelu_erf);
  EXPECT_EQ(e.print.gating, formula::Gating::glu);
}

TEST(LexicalEval, GivesNothingForOrdinaryCode) {
  EXPECT_FALSE(run("int n = a + b; return n;").ok());
  EXPECT_FALSE(run("call(x, y); if (x) { z = 3; }").ok());
}

TEST(LexicalEval, DoesNotLoopOnNonsense) {
  EXPECT_NO_FATAL_FAILURE(run("((((((x = = = ] ) ? : exp( ( tanh(  )))"));
}

TEST(LiteralValue, KnowsTheSuffixes) {
  EXPECT_DOUBLE_EQ(*literal_value("0.044715f"), 0.044715);
  EXPECT_DOUBLE_EQ(*literal_value("1.702h"), 1.702);
  EXPECT_DOUBLE_EQ(*literal_value("1'000.5"), 1000.5);
  EXPECT_DOUBLE_EQ(*literal_value("0x10"), 16);
  EXPECT_FALSE(literal_value("abc"));
}

} // namespace
} // namespace gelint::scan
