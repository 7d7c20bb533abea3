// Verdicts on the CPU, exhaustive over the 16-bit types.

#include "verify/judge.h"
#include "verify/interval.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gelint;
using namespace gelint::verify;
using formula::Formula;
using formula::Type;

namespace {

report::VerifyRow run(RowSpec row, Type type) {
  auto cpu = make_cpu_backend(1);
  auto r = judge(*cpu, row, type, {});
  EXPECT_TRUE(r) << (r ? "" : r.error().message);
  return r ? *r : report::VerifyRow{};
}

RowSpec pair(Formula implemented, Formula required, Path path = Path::f32) {
  RowSpec row;
  row.id = "pair";
  row.implemented = implemented;
  row.required = required;
  row.path = path;
  return row;
}

} // namespace

TEST(Judge, ErfAgainstTanhIsSeparatedInBothHalfTypes) {
  for (Type t : {Type::bf16, Type::f16}) {
    auto r = run(pair(Formula::gelu_erf, Formula::gelu_tanh), t);
    EXPECT_EQ(r.verdict, "mismatch") << r.reason;
    EXPECT_EQ(r.consistent_with, std::vector<std::string>{"gelu_erf"});
    EXPECT_EQ(r.inputs, 65536u);
    EXPECT_TRUE(r.exhaustive);
    EXPECT_GT(r.against_differing, t == Type::bf16 ? 200u : 3000u);
    EXPECT_EQ(run(pair(Formula::gelu_erf, Formula::gelu_erf), t).verdict, "match");
    EXPECT_EQ(run(pair(Formula::gelu_tanh, Formula::gelu_tanh), t).verdict, "match");
  }
}

TEST(Judge, EveryPairOfTheFamilyIsSeparatedInF32PathAndMatchesItself) {
  std::vector<Formula> family = {Formula::gelu_erf, Formula::gelu_tanh, Formula::gelu_quick, Formula::silu};
  for (Formula a : family)
    for (Formula b : family) {
      auto r = run(pair(a, b), Type::bf16);
      EXPECT_EQ(r.verdict, a == b ? "match" : "mismatch") << formula::to_string(a) << " for " << formula::to_string(b);
    }
}

TEST(Judge, OpByOpInBf16CannotTellErfFromTanhButTellsQuick) {
  auto r = run(pair(Formula::gelu_tanh, Formula::gelu_erf, Path::input), Type::bf16);
  EXPECT_EQ(r.verdict, "indistinguishable") << r.reason;
  EXPECT_GT(r.against_differing, 1000u);
  EXPECT_EQ(run(pair(Formula::gelu_quick, Formula::gelu_erf, Path::input), Type::bf16).verdict, "mismatch");
  EXPECT_EQ(run(pair(Formula::silu, Formula::gelu_tanh, Path::input), Type::bf16).verdict, "mismatch");
}

TEST(Judge, OpOrderOfAct2fnClassesShowsInTheCounts) {
  RowSpec row = pair(Formula::gelu_tanh, Formula::gelu_tanh);
  row.implemented_name = "gelu_pytorch_tanh";
  row.required_name = "gelu_new";
  auto r = run(row, Type::bf16);
  EXPECT_EQ(r.verdict, "match") << r.reason;
  EXPECT_GT(r.against_differing, 1000u); // gelu_new rounds after each operation
  row.implemented_name = "gelu_new";
  auto same = run(row, Type::bf16);
  EXPECT_EQ(same.against_differing, 0u);
  EXPECT_GT(same.max_ulp, 100); // 1 + tanh cancels in bf16
  EXPECT_NE(same.differing, r.differing);
  row.implemented_name = "gelu_fast";
  EXPECT_GT(run(row, Type::bf16).against_differing, 0u);
}

TEST(Judge, HalfTable) {
  auto r = run(pair(Formula::gelu_tanh, Formula::gelu_tanh, Path::f16_table), Type::bf16);
  EXPECT_EQ(r.verdict, "match") << r.reason;
  EXPECT_EQ(run(pair(Formula::gelu_tanh, Formula::gelu_quick, Path::f16_table), Type::bf16).verdict, "mismatch");
}

TEST(Judge, NanNeverPasses) {
  // tanh by exponentials overflows: inf/inf beyond x = 10.05.
  std::string error;
  auto e = formula::parse_expr(
      "x:f32; t1 = const:f32 0.044715; t2 = mul:f32 x x; t3 = mul:f32 t2 x; t4 = mul:f32 t1 t3; t5 = add:f32 x t4; "
      "t6 = const:f32 1.5957691216057308; t7 = mul:f32 t6 t5; t8 = exp:f32 t7; t9 = const:f32 1; t10 = sub:f32 t8 t9; "
      "t11 = add:f32 t8 t9; t12 = div:f32 t10 t11; t13 = add:f32 t9 t12; t14 = const:f32 0.5; t15 = mul:f32 t14 x; "
      "t16 = mul:f32 t15 t13; return t16",
      &error);
  ASSERT_TRUE(e) << error;
  RowSpec row = pair(Formula::gelu_tanh, Formula::gelu_tanh);
  row.expr = *e;
  row.expr_label = "naive tanh";
  auto r = run(row, Type::f16);
  EXPECT_EQ(r.verdict, "fault");
  EXPECT_GT(r.nan, 100u);
  EXPECT_NE(r.reason.find("NaN"), std::string::npos);
}

TEST(Judge, ATypoInAConstantIsProved) {
  std::string error, text =
                         "x:f32; t1 = const:f32 0.044175; t2 = mul:f32 x x; t3 = mul:f32 t2 x; t4 = mul:f32 t1 t3; "
                         "t5 = add:f32 x t4; t6 = const:f32 0.79788456; t7 = mul:f32 t6 t5; t8 = tanh:f32 t7; "
                         "t9 = const:f32 1; t13 = add:f32 t9 t8; t14 = const:f32 0.5; t15 = mul:f32 t14 x; "
                         "t16 = mul:f32 t15 t13; return t16";
  RowSpec row = pair(Formula::other, Formula::gelu_tanh);
  row.expr = formula::parse_expr(text, &error);
  ASSERT_TRUE(row.expr) << error;
  auto r = run(row, Type::f16);
  EXPECT_EQ(r.verdict, "mismatch");
  EXPECT_TRUE(r.consistent_with.empty());
  text.replace(text.find("0.044175"), 8, "0.044715");
  row.expr = formula::parse_expr(text, &error);
  EXPECT_EQ(run(row, Type::f16).verdict, "match");
  EXPECT_EQ(run(row, Type::bf16).verdict, "match");
}

TEST(Judge, UnknownSidesAreNotRun) {
  EXPECT_EQ(run(pair(Formula::gelu_erf, Formula::unknown), Type::bf16).verdict, "not_run");
  EXPECT_EQ(run(pair(Formula::unknown, Formula::gelu_erf), Type::bf16).verdict, "not_run");
}
