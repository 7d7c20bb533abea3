// The CUDA backend against the CPU backend, which is tested against MPFR.

#include "verify/cost.h"
#include "verify/cuda/session.h"
#include "verify/judge.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace gelint;
using namespace gelint::verify;
using formula::Expr;
using formula::Formula;
using formula::NodeId;
using formula::Op;
using formula::Type;

namespace {

class Gpu : public testing::Test {
protected:
  void SetUp() override {
    auto gpu = make_cuda_backend();
    if (!gpu)
      GTEST_SKIP() << gpu.error().text();
    gpu_ = std::move(*gpu);
    cpu_ = make_cpu_backend(0);
  }
  std::unique_ptr<Backend> gpu_, cpu_;
};

class GpuTiming : public Gpu {};

double ulps(Type t, double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  if (!std::isfinite(a) || !std::isfinite(b))
    return INFINITY;
  int core = core_type(t);
  return std::fabs(a - b) * core::power_of_two(core::mantissa_bits(core) - core::spacing_exponent(core, b));
}

} // namespace

TEST_F(Gpu, OutputsOfArithmeticAreThoseOfTheCpuBitForBit) {
  // IEEE operations only: no elementary function may differ.
  for (Type t : {Type::bf16, Type::f16})
    for (Formula f : {Formula::relu, Formula::relu2, Formula::relu6, Formula::leaky_relu, Formula::prelu,
                      Formula::hardswish, Formula::identity})
      for (Path p : {Path::f32, Path::input}) {
        auto c = candidate_of(f, p, t);
        auto a = gpu_->outputs(*c, t), b = cpu_->outputs(*c, t);
        ASSERT_TRUE(a) << a.error().text();
        ASSERT_TRUE(b);
        for (uint32_t i = 0; i < 65536; ++i)
          ASSERT_TRUE((*a)[i] == (*b)[i] || (std::isnan((*a)[i]) && std::isnan((*b)[i])))
              << c->label << " " << formula::to_string(t) << " pattern " << i << ": " << (*a)[i] << " " << (*b)[i];
      }
}

TEST_F(Gpu, OutputsOfElementaryFunctionsAreWithinOneRounding) {
  // CUDA's f32 functions are within 2 ulp; after rounding to a 16-bit type that moves a result by one spacing at most,
  // and seldom. Where 1 + erf cancels, f32 noise is all there is: compared in absolute terms.
  for (Type t : {Type::bf16, Type::f16})
    for (Formula f : {Formula::gelu_erf, Formula::gelu_tanh, Formula::gelu_quick, Formula::silu, Formula::mish,
                      Formula::sigmoid, Formula::tanh, Formula::laplace, Formula::sqrtsoftplus, Formula::xielu}) {
      auto c = candidate_of(f, Path::f32, t);
      auto a = gpu_->outputs(*c, t), b = cpu_->outputs(*c, t);
      ASSERT_TRUE(a) << a.error().text();
      int differing = 0;
      for (uint32_t i = 0; i < 65536; ++i) {
        double y = static_cast<double>((*a)[i]), z = static_cast<double>((*b)[i]);
        if (ulps(t, y, z) == 0)
          continue;
        ++differing;
        ASSERT_TRUE(ulps(t, y, z) <= 1 || std::fabs(y - z) < 1e-6) << c->label << " " << value_of(t, i) << " " << y << " " << z;
      }
      EXPECT_LT(differing, 400) << c->label << " " << formula::to_string(t);
    }
}

TEST_F(Gpu, ReferencesAndCountsAreThoseOfTheCpu) {
  // The identity as a candidate: every formula's reference is compared, on all bf16 inputs.
  auto c = candidate_of(Formula::identity, Path::f32, Type::bf16);
  for (int f = 0; f < formula::k_formula_count; ++f) {
    auto a = gpu_->sweep(*c, static_cast<Formula>(f), Type::bf16, {}, {});
    auto b = cpu_->sweep(*c, static_cast<Formula>(f), Type::bf16, {}, {});
    ASSERT_TRUE(a) << a.error().text();
    const core::Metrics &m = a->metrics, &n = b->metrics;
    EXPECT_EQ(m.inputs, n.inputs);
    EXPECT_EQ(m.differing, n.differing) << formula::to_string(static_cast<Formula>(f));
    EXPECT_EQ(m.nan_made, n.nan_made);
    EXPECT_EQ(m.nan_lost, n.nan_lost);
    EXPECT_EQ(m.inf_made, n.inf_made);
    EXPECT_EQ(m.sign_faults, n.sign_faults);
    EXPECT_EQ(m.order_faults, n.order_faults) << formula::to_string(static_cast<Formula>(f));
    EXPECT_EQ(m.over, n.over);
    EXPECT_EQ(m.abs.pattern, n.abs.pattern);
    EXPECT_NEAR(m.abs.value, n.abs.value, 1e-12 * n.abs.value);
    EXPECT_NEAR(m.ulp.value, n.ulp.value, 1e-12 * n.ulp.value);
  }
}

TEST_F(Gpu, VerdictsAreThoseOfTheCpu) {
  for (Type t : {Type::bf16, Type::f16})
    for (Path p : {Path::f32, Path::input})
      for (Formula a : {Formula::gelu_erf, Formula::gelu_tanh, Formula::gelu_quick, Formula::silu})
        for (Formula b : {Formula::gelu_erf, Formula::gelu_tanh}) {
          RowSpec row;
          row.id = "pair";
          row.implemented = a;
          row.required = b;
          row.path = p;
          auto x = judge(*gpu_, row, t, {}), y = judge(*cpu_, row, t, {});
          ASSERT_TRUE(x) << x.error().text();
          EXPECT_EQ(x->verdict, y->verdict) << formula::to_string(a) << " for " << formula::to_string(b) << " " << x->reason;
          EXPECT_EQ(x->consistent_with, y->consistent_with);
        }
}

TEST_F(Gpu, F32IsExhaustiveAndMeetsPublishedAccuracy) {
  // 4.5e-7 and 4.3e-7: the largest errors of torch's f32 forms over a dense set of inputs, measured on a CPU.
  struct Case {
    Formula f;
    double max_abs;
  };
  for (Case c : {Case{Formula::gelu_erf, 6e-7}, Case{Formula::gelu_tanh, 6e-7}}) {
    auto candidate = candidate_of(c.f, Path::f32, Type::f32);
    auto r = gpu_->sweep(*candidate, c.f, Type::f32, {}, {});
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->metrics.inputs, 4294967296u);
    EXPECT_LE(r->metrics.abs.value, c.max_abs);
    EXPECT_GT(r->metrics.abs.value, 1e-7);
    EXPECT_EQ(r->metrics.over, 0u);
    EXPECT_EQ(r->metrics.nan_made_finite, 0u);
    EXPECT_EQ(r->metrics.nan_made, 1u); // at -inf, as torch
    EXPECT_EQ(r->metrics.nan_lost, 0u);
    EXPECT_EQ(r->metrics.sign_faults, 0u);
  }
  auto erf = candidate_of(Formula::gelu_erf, Path::f32, Type::f32), tanh = candidate_of(Formula::gelu_tanh, Path::f32, Type::f32);
  auto pair = gpu_->compare(*erf, *tanh, Type::f32, {});
  ASSERT_TRUE(pair) << pair.error().text();
  EXPECT_NEAR(pair->abs.value, 4.732e-4, 1e-6);
  EXPECT_NEAR(std::fabs(value_of(Type::f32, pair->abs.pattern)), 2.70, 0.02);
}

TEST_F(Gpu, F32FiguresOfArithmeticAreThoseOfTheCpuBitForBit) {
  // hardswish is additions, products, a division and comparisons: all 2^32 inputs on both, every figure the same.
  auto c = candidate_of(Formula::hardswish, Path::f32, Type::f32);
  auto a = gpu_->sweep(*c, Formula::hardswish, Type::f32, {}, {}), b = cpu_->sweep(*c, Formula::hardswish, Type::f32, {}, {});
  ASSERT_TRUE(a) << a.error().text();
  ASSERT_TRUE(b) << b.error().text();
  const core::Metrics &m = a->metrics, &n = b->metrics;
  EXPECT_EQ(m.inputs, n.inputs);
  EXPECT_EQ(m.differing, n.differing);
  EXPECT_EQ(m.nan_made, n.nan_made);
  EXPECT_EQ(m.nan_lost, n.nan_lost);
  EXPECT_EQ(m.inf_made, n.inf_made);
  EXPECT_EQ(m.inf_lost, n.inf_lost);
  EXPECT_EQ(m.sign_faults, n.sign_faults);
  EXPECT_EQ(m.order_faults, n.order_faults);
  EXPECT_EQ(m.over, n.over);
  EXPECT_EQ(m.abs.pattern, n.abs.pattern);
  EXPECT_EQ(m.abs.value, n.abs.value);
  EXPECT_EQ(m.ulp.pattern, n.ulp.pattern);
  EXPECT_EQ(m.ulp.value, n.ulp.value);
}

TEST_F(Gpu, CostIsTimedAgainstItsNullArm) {
  auto watch = make_cuda_stopwatch();
  ASSERT_TRUE(watch) << watch.error().text();
  const Shape shape{512, 4096, ""};
  for (Type t : {Type::bf16, Type::f16, Type::f32}) {
    RowSpec same;
    same.id = "same";
    same.implemented = same.required = Formula::gelu_tanh;
    auto r = cost_of(**watch, same, t, shape, 6);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->backend, "cuda");
    EXPECT_EQ(r->elements, shape.elements());
    EXPECT_EQ(r->runs, 6u);
    EXPECT_GT(r->implemented_ms, 0);
    EXPECT_LE(r->null_low, r->null_ms);
    EXPECT_LE(r->null_ms, r->null_high);
    EXPECT_LE(r->difference_low, r->difference_ms);
    EXPECT_LE(r->difference_ms, r->difference_high);
  }
}

// Left out under a sanitizer, which changes what code costs.
TEST_F(GpuTiming, CostTellsSlowerCodeFromTheSame) {
  auto watch = make_cuda_stopwatch();
  ASSERT_TRUE(watch) << watch.error().text();
  const Shape shape{4096, 4096, ""};
  RowSpec row;
  row.id = "same";
  row.implemented = row.required = Formula::gelu_tanh;
  auto same = cost_of(**watch, row, Type::bf16, shape, 12);
  ASSERT_TRUE(same) << same.error().text();
  EXPECT_LT(std::fabs(same->difference_ms), 0.2 * same->implemented_ms) << same->reason;
  // Op by op in bf16, gelu_new rounds after each of its nine operations: more work than a copy has time for, measured at
  // twice the time of the fused form (bench/results/2026-11-29-cost-h200.md).
  row.required_name = "gelu_new";
  auto slower = cost_of(**watch, row, Type::bf16, shape, 12);
  ASSERT_TRUE(slower) << slower.error().text();
  EXPECT_EQ(slower->verdict, "slower") << slower->reason;
}

TEST_F(Gpu, HardwareTanhAndFastMathRun) {
  auto exact = candidate_of(Formula::gelu_tanh, Path::f32, Type::f32);
  for (Path p : {Path::tanh_approx, Path::fast_math}) {
    auto c = candidate_of(Formula::gelu_tanh, p, Type::f32);
    auto r = gpu_->sweep(*c, Formula::gelu_tanh, Type::f32, {}, {});
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_GT(r->metrics.abs.value, 1e-6) << c->label; // it is not the exact function
    EXPECT_LT(r->metrics.abs.value, 3e-3) << c->label;
  }
}

TEST_F(Gpu, LoweredExpressionsRunAsWritten) {
  // An exponential through the exponent bits and a table: code that no built-in form resembles.
  Expr e;
  NodeId x = e.leaf(Op::input, Type::f32);
  NodeId scaled = e.make(Op::mul, Type::f32, x, e.constant(0.125, Type::f32));
  NodeId whole = e.make(Op::cast, Type::i32, e.make(Op::floor, Type::f32, scaled));
  NodeId limited = e.make(Op::min, Type::i32, e.make(Op::max, Type::i32, whole, e.constant(-100, Type::i32)), e.constant(100, Type::i32));
  NodeId bits = e.make(Op::shl, Type::i32, e.make(Op::add, Type::i32, limited, e.constant(127, Type::i32)), e.constant(23, Type::i32));
  NodeId power = e.make(Op::f32_of_bits, Type::f32, bits);
  NodeId table = e.make(Op::f16_table, Type::f16, e.make(Op::mul, Type::f32, x, e.constant(0.3, Type::f32)));
  e.set_root(e.make(Op::add, Type::f32, power, e.make(Op::cast, Type::f32, table)));
  Candidate c = candidate_of(e, "bits", Type::f16);
  auto a = gpu_->outputs(c, Type::f16), b = cpu_->outputs(c, Type::f16);
  ASSERT_TRUE(a) << a.error().text();
  for (uint32_t i = 0; i < 65536; ++i)
    if (std::isfinite(value_of(Type::f16, i))) {
      ASSERT_EQ((*a)[i], (*b)[i]) << value_of(Type::f16, i);
    }
}

TEST_F(Gpu, ASecondSessionCompilesNothing) {
  auto folder = std::filesystem::temp_directory_path() / ("gelint-gpu-cache-" + std::to_string(::getpid()));
  const char* before = std::getenv("GELINT_CACHE_DIR");
  std::string old = before ? before : "";
  ::setenv("GELINT_CACHE_DIR", folder.c_str(), 1);
  for (int round = 0; round < 2; ++round) {
    auto s = cuda::Session::open();
    ASSERT_TRUE(s) << s.error().text();
    ASSERT_TRUE((*s)->kernel("extern \"C\" __global__ void k(float* y) { *y = 1; }", false, "k"));
    EXPECT_EQ((*s)->cache().counts().compiled, round == 0 ? 1 : 0);
    EXPECT_EQ((*s)->cache().counts().hits, round);
  }
  old.empty() ? ::unsetenv("GELINT_CACHE_DIR") : ::setenv("GELINT_CACHE_DIR", old.c_str(), 1);
  std::filesystem::remove_all(folder);
}

TEST_F(Gpu, FaultsAreNamed) {
  auto s = cuda::Session::open();
  ASSERT_TRUE(s);
  auto broken = (*s)->kernel("extern \"C\" __global__ void k() { nonsense }", false, "k");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("does not compile"), std::string::npos);
  auto absent = (*s)->kernel("extern \"C\" __global__ void k() {}", false, "other");
  ASSERT_FALSE(absent);
  auto huge = (*s)->allocate(size_t{1} << 50);
  ASSERT_FALSE(huge);
  EXPECT_NE(huge.error().message.find("allocating"), std::string::npos);
}
