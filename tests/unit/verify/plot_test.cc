// The points of a plot, against the formulas in double and a scan of the type written out here.

#include "verify/plot.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gelint;
using namespace gelint::verify;
using formula::Formula;
using formula::Type;

namespace {

report::Plot plot(Formula implemented, Formula required, Type type) {
  auto cpu = make_cpu_backend(1);
  auto p = plot_of(*cpu, *candidate_of(implemented, Path::f32, type), required, type);
  EXPECT_TRUE(p);
  return p ? *p : report::Plot{};
}

} // namespace

TEST(Plot, DifferenceOfErfAndTanhHasItsKnownHeightAndPlace) {
  report::Plot p = plot(Formula::gelu_tanh, Formula::gelu_erf, Type::f32);
  EXPECT_FALSE(p.every_input);
  double largest = 0, at = 0;
  for (size_t i = 0; i < p.x.size(); ++i)
    if (double d = std::fabs(p.implemented[i] - p.required[i]); d > largest)
      largest = d, at = p.x[i];
  auto gap = formula::gap(Formula::gelu_tanh, Formula::gelu_erf); // 4.73e-4 at ±2.70
  EXPECT_NEAR(largest, gap.max_abs_diff, 2e-6);
  EXPECT_NEAR(std::fabs(at), std::fabs(gap.at), 0.06);
}

TEST(Plot, ColumnsHoldTheWorstOfEveryInput) {
  report::Plot p = plot(Formula::gelu_quick, Formula::gelu_erf, Type::bf16);
  ASSERT_EQ(p.x.size(), 300u);
  EXPECT_TRUE(p.every_input);
  auto cpu = make_cpu_backend(1);
  auto y = cpu->outputs(*candidate_of(Formula::gelu_quick, Path::f32, Type::bf16), Type::bf16);
  ASSERT_TRUE(y);
  // Column 190 is [2.1333, 2.1867): bf16 numbers are 2^-6 apart there, and so are the values, between 2 and 4.
  const double low = -8 + 16.0 * 190 / 300, high = -8 + 16.0 * 191 / 300;
  double worst = 0;
  int inputs = 0;
  for (uint32_t k = 0; k < 128; ++k) {
    double x = 2.0 + k / 64.0; // pattern 0x4000 + k
    if (x < low || x >= high)
      continue;
    ++inputs;
    double value = (*y)[0x4000 + k];
    worst = std::max(worst, std::fabs(value - formula::eval(Formula::gelu_erf, x)) * 64);
  }
  EXPECT_EQ(inputs, 3);
  EXPECT_GT(worst, 0.5);
  EXPECT_DOUBLE_EQ(p.ulp[190], worst);
}

TEST(Plot, RoundedCorrectlyStaysBelowHalfAnUlp) {
  report::Plot p = plot(Formula::relu, Formula::relu, Type::f16);
  for (double u : p.ulp)
    EXPECT_LE(u, 0.5);
  EXPECT_TRUE(plot(Formula::relu, Formula::unknown, Type::f16).x.empty());
}
