#include "formula/names.h"

#include <gtest/gtest.h>
#include <set>

using namespace gelint::formula;

namespace {
Formula of(NameSpace ns, const char* name) {
  const ActivationName* n = find_name(ns, name);
  return n ? n->formula : Formula::unknown;
}
} // namespace

// The 24 keys of ACT2CLS in transformers 5.10 (src/transformers/activations.py), with what each class computes.
TEST(Names, Act2fn) {
  std::set<std::string_view> keys;
  for (const ActivationName& n : activation_names())
    if (n.ns == NameSpace::act2fn) {
      keys.insert(n.name);
      EXPECT_FALSE(n.since.empty()) << n.name;
      EXPECT_FALSE(n.written.empty()) << n.name;
      EXPECT_NE(n.order, OpOrder::not_stated) << n.name;
    }
  EXPECT_EQ(keys.size(), 24u);
  EXPECT_EQ(of(NameSpace::act2fn, "gelu"), Formula::gelu_erf);
  EXPECT_EQ(of(NameSpace::act2fn, "gelu_fast"), Formula::gelu_tanh);
  EXPECT_EQ(of(NameSpace::act2fn, "gelu_accurate"), Formula::gelu_tanh);
  EXPECT_EQ(of(NameSpace::act2fn, "gelu_10"), Formula::gelu_erf_clip10);
  EXPECT_EQ(of(NameSpace::act2fn, "quick_gelu"), Formula::gelu_quick);
  EXPECT_EQ(of(NameSpace::act2fn, "swish"), Formula::silu);
  EXPECT_EQ(of(NameSpace::act2fn, "linear"), Formula::identity);
  EXPECT_EQ(find_name(NameSpace::act2fn, "gelu_new")->order, OpOrder::op_by_op);
  EXPECT_EQ(find_name(NameSpace::act2fn, "gelu_pytorch_tanh")->order, OpOrder::native);
  // Not keys, however plausible.
  for (const char* name : {"gelu_tanh", "gelu_erf", "geglu", "swiglu", "GELU", "Gelu", "hardsigmoid", "elu", " gelu", ""})
    EXPECT_EQ(find_name(NameSpace::act2fn, name), nullptr) << name;
}

TEST(Names, NamespacesAreNotMixed) {
  EXPECT_EQ(of(NameSpace::mlx, "gelu_fast_approx"), Formula::gelu_quick);
  EXPECT_EQ(of(NameSpace::mlx, "gelu_approx"), Formula::gelu_tanh);
  EXPECT_EQ(find_name(NameSpace::mlx, "gelu_fast"), nullptr);
  EXPECT_EQ(of(NameSpace::ggml, "ggml_gelu"), Formula::gelu_tanh);
  EXPECT_EQ(of(NameSpace::ggml, "LLM_FFN_GELU"), Formula::gelu_tanh);
  EXPECT_EQ(of(NameSpace::torch, "gelu"), Formula::gelu_erf);
  EXPECT_EQ(of(NameSpace::jax, "gelu"), Formula::gelu_tanh);
  EXPECT_EQ(of(NameSpace::tensorflow, "gelu"), Formula::gelu_erf);
  EXPECT_EQ(of(NameSpace::onnx, "com.microsoft.FastGelu"), Formula::gelu_tanh);
  EXPECT_EQ(of(NameSpace::onednn, "eltwise_gelu_tanh"), Formula::gelu_tanh);
}

TEST(Names, Unique) {
  std::set<std::pair<NameSpace, std::string_view>> seen;
  for (const ActivationName& n : activation_names()) {
    EXPECT_TRUE(seen.emplace(n.ns, n.name).second) << n.name;
    EXPECT_LE(n.formula, Formula::identity) << n.name;
    EXPECT_FALSE(n.source.empty()) << n.name;
  }
}

TEST(Names, Nearest) {
  EXPECT_EQ(nearest_names(NameSpace::act2fn, "gelu_pytorch_tahn", 1).at(0), "gelu_pytorch_tanh");
  EXPECT_EQ(nearest_names(NameSpace::act2fn, "quickgelu", 1).at(0), "quick_gelu");
  EXPECT_EQ(nearest_names(NameSpace::act2fn, "x", 3).size(), 3u);
  EXPECT_EQ(nearest_names(NameSpace::act2fn, std::string(100000, 'g'), 100).size(), 24u);
}
