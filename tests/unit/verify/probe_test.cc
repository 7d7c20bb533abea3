// The identification of a library's formula from its outputs, with outputs made here.

#include "verify/probe.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gelint::verify;
namespace formula = gelint::formula;
using formula::Formula;
using formula::Type;

namespace {
ProbeRun outputs_of(Formula f, Path path, Type type) {
  ProbeRun run;
  run.product = "stand-in 1.0";
  run.entry = "GELU";
  run.type = type;
  run.x = probe_inputs(type);
  std::vector<double> x(run.x.begin(), run.x.end()), y(x.size());
  auto c = candidate_of(f, path, type);
  formula::eval_typed_many(c->expr, x, 1, y);
  run.y.assign(y.begin(), y.end());
  return run;
}
} // namespace

TEST(Probe, NamesTheFormulaOfEachType) {
  for (Type t : {Type::f16, Type::bf16, Type::f32})
    for (Formula f : {Formula::gelu_erf, Formula::gelu_tanh, Formula::gelu_quick, Formula::silu}) {
      auto row = identify(outputs_of(f, Path::f32, t));
      EXPECT_EQ(row.verdict, formula::to_string(f)) << row.reason;
      EXPECT_EQ(row.consistent_with.size(), 1u) << row.reason;
    }
}

TEST(Probe, InfinitiesAreNamedApart) {
  ProbeRun run = outputs_of(Formula::gelu_tanh, Path::f32, Type::bf16);
  for (size_t i = 0; i < run.x.size(); ++i)
    if (run.x[i] > 1e38f)
      run.y[i] = INFINITY; // x·(1 + t) before the halving overflows
  auto row = identify(run);
  EXPECT_EQ(row.verdict, "gelu_tanh");
  EXPECT_GT(row.inf, 10u);
  EXPECT_NE(row.reason.find("infinite for"), std::string::npos);
}

TEST(Probe, WhatIsNoFormulaIsOther) {
  ProbeRun run = outputs_of(Formula::gelu_erf, Path::f32, Type::f16);
  for (float& y : run.y)
    y += 0.01f;
  EXPECT_EQ(identify(run).verdict, "other");
  ProbeRun absent;
  absent.failure = "libcublasLt.so was not found";
  EXPECT_EQ(identify(absent).verdict, "not_run");
}
