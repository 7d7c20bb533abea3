#include "lower_support.h"

#include <gtest/gtest.h>

namespace gelint::scan {
namespace {

using formula::Formula;
using formula::HazardKind;
using formula::Precision;

const std::string k_math = "#include <cmath>\n#include <cstring>\n#include <algorithm>\n#include <cstdint>\n";

bool has_hazard(const LoweredFunction& f, HazardKind k) {
  for (const formula::Hazard& h : f.hazards)
    if (h.kind == k)
      return true;
  return false;
}

TEST(Lower, ParametersAreInputGateAndOutput) {
  Lowered l = lower_text(k_math + R"(
void glu(int n, float* out, const float* up, const float* gate) {
  for (int i = 0; i < n; ++i)
    out[i] = up[i] * (gate[i] / (1.0f + expf(-gate[i])));
})");
  const LoweredFunction* f = l.find("glu");
  ASSERT_TRUE(f);
  EXPECT_EQ(f->fingerprint.formula, Formula::silu);
  EXPECT_EQ(f->fingerprint.gating, formula::Gating::glu);
  EXPECT_EQ(f->input_param, 3);
  EXPECT_EQ(f->gate_param, 2);
  EXPECT_EQ(f->output_param, 1);
}

TEST(Lower, PrecisionFollowsCastsAndPromotions) {
  Lowered l = lower_text(k_math + R"(
float in_float(float x) { return x / (1.0f + expf(-1.702f * x)); }
double in_double(double x) { return x / (1.0 + exp(-1.702 * x)); }
float promoted(float x) { return x / (1.0 + exp(-1.702 * x)); }
_Float16 in_half(_Float16 x) { return x / ((_Float16)1.0f + (_Float16)expf((float)((_Float16)-1.702f * x))); }
)");
  EXPECT_EQ(l.find("in_float")->precision, Precision::f32);
  EXPECT_EQ(l.find("in_double")->precision, Precision::f64);
  EXPECT_NE(l.find("promoted")->precision, Precision::f32);
  EXPECT_EQ(l.find("promoted")->fingerprint.formula, Formula::gelu_quick);
  EXPECT_EQ(l.find("in_half")->fingerprint.formula, Formula::gelu_quick);
}

TEST(Lower, HazardsComeFromTheSameExpression) {
  Lowered l = lower_text(k_math + R"(
float with_pow(float x) { return 0.5f*x*(1.f + tanhf(0.7978845608f*(x + 0.044715f*powf(x, 3.f)))); }
)");
  ASSERT_TRUE(l.find("with_pow"));
  EXPECT_TRUE(has_hazard(*l.find("with_pow"), HazardKind::pow_negative_base));
}

TEST(Lower, ArgumentsSelectTheArmOfTheCallee) {
  std::string text = k_math + R"(
enum class Kind { erf, tanh };
float act(float x, Kind k) {
  switch (k) {
  case Kind::erf: return 0.5f * x * (1.0f + erff(x * 0.70710678f));
  case Kind::tanh: return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
  }
  return x;
}
float use(float y) { return act(y, Kind::tanh); }
)";
  Lowered l = lower_text(text);
  ASSERT_TRUE(l.find("act"));
  EXPECT_TRUE(l.find("act")->expr.empty());
  ASSERT_EQ(l.find("act")->alternatives.size(), 2u);
  EXPECT_EQ(l.find("act")->alternatives[0].condition, "k == Kind::erf");
  EXPECT_EQ(l.formula("use"), "gelu_tanh");
}

TEST(Lower, WhatIsNotElementwiseSaysWhy) {
  Lowered l = lower_text(k_math + R"(
float helper_without_body(float);
float opaque(float x) { return x * tanhf(helper_without_body(x)); }
void softmax(float* x, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) { x[i] = expf(x[i]); sum += x[i]; }
  for (int i = 0; i < n; ++i) x[i] /= sum;
}
float beta_swish(float x, float beta) { return x / (1.0f + expf(-beta * x)); }
)");
  EXPECT_TRUE(l.find("opaque")->expr.empty());
  EXPECT_NE(l.find("opaque")->reason.find("helper_without_body"), std::string::npos);
  // A slope that is not known leaves the formula unknown: it would be SiLU only for beta = 1.
  EXPECT_TRUE(l.find("beta_swish")->expr.empty());
  EXPECT_NE(l.find("beta_swish")->reason.find("beta"), std::string::npos);
  if (!l.find("softmax")->expr.empty()) {
    EXPECT_EQ(l.find("softmax")->fingerprint.formula, Formula::other);
  }
}

TEST(Lower, AFormulaInsideALongerBodyIsFound) {
  Lowered l = lower_text(k_math + R"(
float dot(const float* a, const float* b, int n);
void fused(float* out, const float* w, const float* v, int n, int m) {
  for (int j = 0; j < m; ++j) {
    float acc = 0;
    for (int i = 0; i < n; ++i) acc += w[i + j * n] * v[i];
    float h = 0.5f * acc * (1.0f + erff(acc * 0.70710678f));
    out[j] = h;
  }
})");
  const LoweredFunction* f = l.find("fused");
  ASSERT_TRUE(f);
  EXPECT_TRUE(f->intermediate_input);
  ASSERT_EQ(f->inner.size(), 1u);
  EXPECT_EQ(f->inner[0].symbol, "h");
  EXPECT_EQ(f->inner[0].fingerprint.formula, Formula::gelu_erf);
}

TEST(Lower, LanesAreTreatedAlikeAndNotChained) {
  Lowered l = lower_text(R"(
__global__ void k(float4* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = data[i];
  v.x = v.x / (1.0f + expf(-v.x));
  v.y = v.y / (1.0f + expf(-v.y));
  v.z = v.z / (1.0f + expf(-v.z));
  v.w = v.w / (1.0f + expf(-v.w));
  data[i] = v;
})", "probe.cu");
  EXPECT_EQ(l.formula("k"), "silu");
}

TEST(Lower, BodiesInOtherUnitsComeThroughTheIndex) {
  Lowered a = lower_text(k_math + "float my_act(float x) { return x / (1.0f + expf(-1.702f * x)); }\n", "a.cc");
  FunctionIndex index;
  for (FunctionSummary& s : a.lowering->summaries([](CXFile) { return true; }))
    index.add(s);
  std::string user = "float my_act(float);\nvoid run(float* x, int n) { for (int i = 0; i < n; ++i) x[i] = my_act(x[i]); }\n";
  EXPECT_TRUE(lower_text(user, "b.cc").functions.empty() || lower_text(user, "b.cc").find("run")->expr.empty());
  Lowered b = lower_text(user, "b.cc", &index);
  CXCursor run = clang_getNullCursor();
  for (CXCursor c : children_of(b.tu->root()))
    if (take(clang_getCursorSpelling(c)) == "run")
      run = c;
  const LoweredFunction& f = b.lowering->lower_function(run);
  EXPECT_EQ(f.fingerprint.formula, Formula::gelu_quick);
  ASSERT_EQ(f.callees.size(), 1u);
  EXPECT_EQ(f.callees[0], "my_act");
}

TEST(Lower, TheIndexDoesNotDependOnTheOrderOfUnits) {
  FunctionSummary p{"u", "ns::f", 1, 0, -1, -1, "x:f32; return x", "b.cc", 3, "identity"};
  FunctionSummary q = p;
  q.file = "a.cc";
  FunctionIndex one, two;
  one.add(p);
  one.add(q);
  two.add(q);
  two.add(p);
  EXPECT_EQ(one.find("u")->file, "a.cc");
  EXPECT_EQ(two.find("u")->file, "a.cc");
  EXPECT_EQ(one.find_by_name("f", 1), one.find("u"));
  EXPECT_EQ(one.find_by_name("g::f", 1), nullptr);
}

TEST(Lower, OddCodeEndsWithAReason) {
  // Recursion, broken names, missing types: no crash, no formula claimed.
  Lowered l = lower_text(k_math + R"(
float loop(float x) { return x > 0 ? loop(x - 1.0f) * tanhf(x) : undeclared::tanh(x); }
template <class T> auto weird(T&& t) { return t->tanh(t.x[t]) ? *t : T::exp(t...); }
struct S { float operator()(float x) const { return missing_tanh(x) + this->nothing; } };
void gotos(float* x) { again: x[0] = tanhf(x[0]); if (x[0] > 0) goto again; }
)");
  for (const LoweredFunction* f : l.functions)
    if (!f->expr.empty()) {
      EXPECT_FALSE(formula::is_gelu_family(f->fingerprint.formula)) << f->name;
    }
}

} // namespace
} // namespace gelint::scan
