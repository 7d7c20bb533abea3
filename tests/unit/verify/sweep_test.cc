// The shared core of the sweeps, the intervals and the CPU backend.

#include "verify/backend.h"
#include "verify/interval.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gelint::verify;
namespace formula = gelint::formula;
using formula::Formula;
using formula::Type;

TEST(SweepCore, FormulaNumbersAreTheEnumeration) {
  for (int f = 0; f < formula::k_formula_count; ++f)
    for (double x : {-50.0, -11.0, -2.5, -1e-3, 0.0, 1e-12, 0.7, 3.3, 12.0, 41.0, 900.0, -900.0}) {
      double a = core::reference(f, x), b = formula::eval(static_cast<Formula>(f), x);
      EXPECT_TRUE(a == b || std::fabs(a - b) <= 0x1p-52 * std::fabs(b))
          << formula::to_string(static_cast<Formula>(f)) << " " << x << " " << a << " " << b;
    }
}

TEST(SweepCore, ShortcutsEqualTheCarefulForm) {
  // Every f16 and bf16 input, and both sides of each threshold.
  for (int f : {core::f_gelu_erf, core::f_gelu_tanh, core::f_gelu_quick, core::f_silu, core::f_gelu_erf_clip10}) {
    auto check = [&](double x) {
      double a = core::reference(f, x), b = formula::eval(static_cast<Formula>(f), x);
      ASSERT_TRUE((a != a && b != b) || a == b || std::fabs(a - b) <= 0x1p-51 * std::fabs(b)) << f << " " << x;
      ASSERT_EQ(std::signbit(a), std::signbit(b)) << f << " " << x;
    };
    for (uint32_t p = 0; p < 65536; ++p)
      for (Type t : {Type::f16, Type::bf16})
        if (double x = value_of(t, p); !std::isnan(x))
          check(x);
    for (double x : {0x1p-28, 40.0, 800.0})
      for (double s : {-1.0, 1.0})
        for (double y : {std::nextafter(x, 0.0), x, std::nextafter(x, 1e9)})
          check(s * y);
  }
}

// The counts of inputs whose correctly rounded erf and tanh forms differ: 405 of the finite bf16 and 3,695 of the f16
// inputs, found independently with mpmath.
TEST(SweepCore, CorrectlyRoundedErfAndTanh) {
  for (Type t : {Type::bf16, Type::f16}) {
    int n = 0;
    for (uint32_t p = 0; p < 65536; ++p)
      if (double x = value_of(t, p); std::isfinite(x))
        n += core::round_to_type(core_type(t), core::reference(core::f_gelu_erf, x)) !=
             core::round_to_type(core_type(t), core::reference(core::f_gelu_tanh, x));
    EXPECT_EQ(n, t == Type::bf16 ? 405 : 3695);
  }
}

// What a report of bf16 says, against counts of bench/gpu/bf16_counts.py (mpmath for the exact values, numpy for f32): 354
// outputs of torch's erf that are not the correctly rounded tanh form, and the NaN at -inf; 238 that are not torch's tanh;
// 1,134 and 1,006 likewise for gelu_new, which rounds after every operation.
TEST(CpuBackend, CountsOfErfAgainstTanhInBf16) {
  auto cpu = make_cpu_backend(2);
  auto erf = act2fn_candidate("gelu", Type::bf16), tanh = act2fn_candidate("gelu_pytorch_tanh", Type::bf16),
       by_op = act2fn_candidate("gelu_new", Type::bf16);
  auto against_formula = [&](const Candidate& c) {
    return cpu->sweep(c, Formula::gelu_tanh, Type::bf16, {}, {})->metrics.differing;
  };
  EXPECT_EQ(against_formula(*erf), 354u + 1);
  EXPECT_EQ(against_formula(*by_op), 1134u + 1);
  EXPECT_EQ(cpu->compare(*erf, *tanh, Type::bf16, {})->differing, 238u);
  EXPECT_EQ(cpu->compare(*by_op, *tanh, Type::bf16, {})->differing, 1006u);
}

// The runs of neighbours of a sweep change no figure: input by input, by the definitions of sweep_core.h.
TEST(CpuBackend, FiguresAreThoseOfASweepInputByInput) {
  auto cpu = make_cpu_backend(2);
  for (Type t : {Type::bf16, Type::f16})
    for (Formula f : {Formula::gelu_erf, Formula::gelu_tanh, Formula::silu, Formula::xielu, Formula::relu6})
      for (Path p : {Path::f32, Path::input}) {
        auto c = candidate_of(f, p, t);
        const Tolerance tolerance{1e-3, 1e-3};
        core::Metrics n = core::no_metrics();
        float before = NAN, y_before = NAN;
        for (uint32_t i = 0; i < 65536; ++i) {
          auto x = static_cast<float>(value_of(t, i));
          auto y = static_cast<float>(formula::eval_typed(c->expr, static_cast<double>(x)));
          core::count(n, core_type(t), i, x, y, core::reference(static_cast<int>(f), static_cast<double>(x)), tolerance.atol,
                      tolerance.rtol);
          if (i % 32768 != 0 && std::isfinite(before) && std::isfinite(x))
            n.order_faults += core::out_of_order(static_cast<int>(f), before, x, y_before, y);
          before = x, y_before = y;
        }
        core::Metrics m = cpu->sweep(*c, f, t, tolerance, {})->metrics;
        EXPECT_EQ(m.inputs, 65536u);
        EXPECT_EQ(m.differing, n.differing) << c->label;
        EXPECT_EQ(m.order_faults, n.order_faults) << c->label << " " << formula::to_string(t);
        EXPECT_EQ(m.over, n.over);
        EXPECT_EQ(m.nan_made, n.nan_made);
        EXPECT_EQ(m.sign_faults, n.sign_faults);
        EXPECT_EQ(m.abs.value, n.abs.value);
        EXPECT_EQ(m.abs.pattern, n.abs.pattern);
        EXPECT_EQ(m.ulp.value, n.ulp.value);
        EXPECT_EQ(m.ulp.pattern, n.ulp.pattern);
      }
}

TEST(SweepCore, DirectionIsThatOfTheFormula) {
  for (int f = 0; f < formula::k_formula_count; ++f)
    for (float a = -30; a < 30; a += 0.0171f) {
      float b = a + 0.0171f;
      int d = core::direction(f, a, b);
      double rise = core::reference(f, static_cast<double>(b)) - core::reference(f, static_cast<double>(a));
      EXPECT_TRUE(d == 0 || rise * d >= 0) << formula::to_string(static_cast<Formula>(f)) << " " << a;
    }
  for (int f = 0; f < formula::k_formula_count; ++f)
    if (double turn = core::turning_point(f); std::isfinite(turn)) {
      float below = core::turn_below(f), above = core::turn_above(f);
      EXPECT_TRUE(static_cast<double>(below) <= turn && turn <= static_cast<double>(above));
      EXPECT_TRUE(below == above || std::nextafter(below, 0.0f) == above);
    } else {
      EXPECT_EQ(core::direction(f, -INFINITY, 0.0f), 1);
    }
}

// What plain_factor() lets skip must have nothing to count: the full count of the same input is compared.
TEST(SweepCore, WhatIsSkippedCountsNothing) {
  int skipped = 0;
  for (int f = 0; f < formula::k_formula_count; ++f)
    for (uint64_t p = 0; p < (uint64_t{1} << 32); p += 40009) {
      float x = core::decode(core::k_f32, static_cast<uint32_t>(p));
      for (float y : {x, 0.5f * x, 0.0f, -0.0f}) {
        float factor = core::plain_factor(f, x, x, true);
        if (!(factor >= 0 && y == factor * x))
          continue;
        ++skipped;
        core::Metrics m = core::no_metrics();
        core::count(m, core::k_f32, static_cast<uint32_t>(p), x, y, core::reference(f, static_cast<double>(x)), 0, 0x1p-24);
        ASSERT_EQ(m.differing + m.nan_made + m.nan_lost + m.inf_made + m.inf_lost + m.sign_faults + m.over, 0u) << f << " " << x;
        ASSERT_LE(m.abs.value, core::HalvedBound::abs) << f << " " << x;
        ASSERT_LE(m.ulp.value, core::HalvedBound::ulp) << f << " " << x;
      }
    }
  EXPECT_GT(skipped, 300000);
}

TEST(SweepCore, DecodeAndRoundAgreeWithTheEvaluator) {
  for (uint32_t p = 0; p < 65536; ++p)
    for (Type t : {Type::f16, Type::bf16}) {
      double v = value_of(t, p);
      if (std::isnan(v))
        continue;
      ASSERT_EQ(formula::round_to(t, v), v);
      for (double d : {v * 1.0007, v + 1e-9, v * 0.99951171875}) {
        double a = core::round_to_type(core_type(t), d), b = formula::round_to(t, d);
        ASSERT_TRUE(a == b) << d;
      }
    }
}

TEST(SweepCore, Counts) {
  core::Metrics m = core::no_metrics();
  const float inf = INFINITY, nan = NAN;
  core::count(m, core::k_f32, 1, 1.0f, 1.5f, 1.25, 0.1, 0);     // differs by 0.25: 2^21 ulp
  core::count(m, core::k_f32, 2, 1.0f, nan, 1.25, 0.1, 0);      // NaN made at a finite input
  core::count(m, core::k_f32, 3, -inf, nan, -0.0, 0.1, 0);      // at an infinite one
  core::count(m, core::k_f32, 4, nan, 1.0f, NAN, 0.1, 0);       // lost
  core::count(m, core::k_f32, 5, 9.0f, inf, 9, 0.1, 0);         // infinity made
  core::count(m, core::k_f32, 6, inf, 3e38f, INFINITY, 0.1, 0); // lost
  core::count(m, core::k_f32, 7, -1.0f, 1e-3f, -1e-3, 0.1, 0);  // wrong sign
  core::count(m, core::k_f32, 8, 1.0f, 2.0f, 2.0, 0.1, 0);      // right
  core::count(m, core::k_f32, 9, nan, nan, NAN, 0.1, 0);        // NaN stays NaN
  EXPECT_EQ(m.differing, 7u);
  EXPECT_EQ(m.nan_made, 2u);
  EXPECT_EQ(m.nan_made_finite, 1u);
  EXPECT_EQ(m.nan_lost, 1u);
  EXPECT_EQ(m.inf_made, 1u);
  EXPECT_EQ(m.inf_lost, 1u);
  EXPECT_EQ(m.sign_faults, 1u);
  EXPECT_EQ(m.over, 4u);
  EXPECT_EQ(m.abs.value, 0.25);
  EXPECT_EQ(m.abs.pattern, 1u);
  EXPECT_NEAR(m.ulp.value, 2e-3 * 0x1p33, 1e4); // the wrong sign, in units of 2^-33
  EXPECT_EQ(m.ulp.pattern, 7u);
  EXPECT_TRUE(core::out_of_order(core::f_silu, 1.0f, 1.0000001f, 0.8f, 0.7f));
  EXPECT_FALSE(core::out_of_order(core::f_silu, -3.0f, -2.9f, -0.142f, -0.15f)); // falls there
  EXPECT_TRUE(core::out_of_order(core::f_relu, -3.0f, -3.1f, 0.0f, 1.0f));
}

// The theorem that the verdict rests on: whatever the path, what the expression means lies within reach of its
// roundings, and so does what it returns.
TEST(Intervals, HoldTheIdealAndTheTypedValue) {
  for (int f = 0; f < formula::k_formula_count; ++f)
    for (Path path : {Path::f32, Path::input, Path::tanh_approx})
      for (Type t : {Type::bf16, Type::f16}) {
        auto c = candidate_of(static_cast<Formula>(f), path, t);
        ASSERT_TRUE(c);
        std::vector<double> x;
        for (uint32_t p = 0; p < 65536; p += 7)
          if (double v = value_of(t, p); std::isfinite(v))
            x.push_back(v);
        auto reach = rounding_intervals(c->expr, x);
        ASSERT_TRUE(reach);
        std::vector<double> ideal(x.size()), typed(x.size());
        formula::eval_ideal_many(c->expr, x, 1, ideal);
        formula::eval_typed_many(c->expr, x, 1, typed);
        for (size_t i = 0; i < x.size(); ++i) {
          const Interval& r = (*reach)[i];
          if (!std::isnan(ideal[i])) {
            ASSERT_TRUE(r.lo <= ideal[i] && ideal[i] <= r.hi)
                << c->label << " " << formula::to_string(t) << " " << x[i] << " ideal " << ideal[i] << " in " << r.lo << " "
                << r.hi;
          }
          if (!std::isnan(typed[i])) {
            ASSERT_TRUE(r.lo <= typed[i] && typed[i] <= r.hi)
                << c->label << " " << formula::to_string(t) << " " << x[i] << " typed " << typed[i] << " in " << r.lo << " "
                << r.hi;
          }
        }
      }
}

TEST(CpuBackend, ThreadsDoNotChangeTheResult) {
  auto one = make_cpu_backend(1), four = make_cpu_backend(4);
  auto c = candidate_of(Formula::gelu_tanh, Path::input, Type::bf16);
  auto a = one->sweep(*c, Formula::gelu_erf, Type::bf16, {}, {});
  auto b = four->sweep(*c, Formula::gelu_erf, Type::bf16, {}, {});
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->metrics.differing, b->metrics.differing);
  EXPECT_EQ(a->metrics.order_faults, b->metrics.order_faults);
  EXPECT_EQ(a->metrics.ulp.pattern, b->metrics.ulp.pattern);
  EXPECT_EQ(a->metrics.abs.value, b->metrics.abs.value);
}

TEST(Paths, EveryAct2fnNameIsItsFormula) {
  for (const formula::ActivationName& n : formula::activation_names()) {
    if (n.ns != formula::NameSpace::act2fn)
      continue;
    auto c = act2fn_candidate(n.name, Type::f32);
    ASSERT_TRUE(c) << n.name;
    // xielu keeps its parameters in bf16: 0.80078 for 0.8 is 0.11 at x = 12.
    if (n.formula != Formula::xielu) {
      EXPECT_EQ(formula::classify(c->expr).formula, n.formula) << n.name;
    }
  }
  EXPECT_FALSE(act2fn_candidate("gelu_tanh", Type::f32));
  for (int f = 0; f < formula::k_formula_count; ++f)
    for (Path p : {Path::f32, Path::input, Path::tanh_approx, Path::fast_math}) {
      auto c = candidate_of(static_cast<Formula>(f), p, Type::bf16);
      ASSERT_TRUE(c);
      EXPECT_EQ(formula::classify(c->expr).formula, static_cast<Formula>(f)) << c->label;
    }
}
