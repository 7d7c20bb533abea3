#include "scan/needles.h"

#include <gtest/gtest.h>

namespace gelint::scan {
namespace {

using formula::Formula;

TEST(Needles, IdentifiersHaveClasses) {
  EXPECT_EQ(classify_identifier("ggml_vec_gelu_f16"), NeedleClass::gelu);
  EXPECT_EQ(classify_identifier("GeLUTanh"), NeedleClass::gelu);
  EXPECT_EQ(classify_identifier("vec_erf"), NeedleClass::gelu);
  EXPECT_EQ(classify_identifier("interface"), NeedleClass::none);
  EXPECT_EQ(classify_identifier("perform"), NeedleClass::none);
  EXPECT_EQ(classify_identifier("swiglu_oai"), NeedleClass::activation);
  EXPECT_EQ(classify_identifier("hidden_act"), NeedleClass::choice);
  EXPECT_EQ(classify_number("0.044715f"), NeedleClass::gelu);
  EXPECT_EQ(classify_number("0.79788456080286535588f"), NeedleClass::gelu);
  EXPECT_EQ(classify_number("0.5f"), NeedleClass::none);
}

TEST(Needles, ThePrefilterSeesWhatTheTokensSee) {
  EXPECT_TRUE(has_needle("x = GELU(y)", false));
  EXPECT_TRUE(has_needle("x * erff(y)", false));
  EXPECT_FALSE(has_needle("an interface for performance", false));
  EXPECT_FALSE(has_needle("relu(x)", false));
  EXPECT_TRUE(has_needle("relu(x)", true));
}

TEST(Needles, WordsSplitAtCaseAndDigits) {
  EXPECT_EQ(words_of("kernel_geglu_f16"), (std::vector<std::string>{"kernel", "geglu", "f", "16"}));
  EXPECT_EQ(words_of("GELUTanh"), (std::vector<std::string>{"gelu", "tanh"}));
  EXPECT_EQ(words_of("GeLU"), (std::vector<std::string>{"gelu"}));
  EXPECT_EQ(words_of("AudioGeGLUMLP"), (std::vector<std::string>{"audio", "geglu", "mlp"}));
  EXPECT_EQ(words_of("SiLUActivation"), (std::vector<std::string>{"silu", "activation"}));
}

TEST(Needles, ClaimsFollowTheWords) {
  EXPECT_EQ(claim_of("GGML_UNARY_OP_GELU_QUICK").formula, Formula::gelu_quick);
  EXPECT_EQ(claim_of("gelu_pytorch_tanh").formula, Formula::gelu_tanh);
  EXPECT_EQ(claim_of("geglu_erf").formula, Formula::gelu_erf);
  EXPECT_TRUE(claim_of("geglu_erf").gated);
  EXPECT_FALSE(claim_of("gelu").formula);
  EXPECT_TRUE(claim_of("gelu").gelu_family);
  EXPECT_TRUE(claim_of("gelu_backward").gradient);
  EXPECT_EQ(claim_of("swiglu").formula, Formula::silu);
}

TEST(Needles, ClaimsOfNamesThatHoldAnotherName) {
  EXPECT_EQ(claim_of("engine_v2_vec_relu_f32").formula, Formula::relu); // version 2
  EXPECT_EQ(claim_of("vec_relu2_f32").formula, Formula::relu2);
  EXPECT_EQ(claim_of("LLM_FFN_RELU_SQR").formula, Formula::relu2);
  EXPECT_EQ(claim_of("Relu6f16").formula, Formula::relu6);
  EXPECT_EQ(claim_of("relu_6").formula, Formula::relu); // the sixth
  EXPECT_EQ(claim_of("MyHardSwish").formula, Formula::hardswish);
  EXPECT_EQ(claim_of("_SSE_h_swish").formula, Formula::hardswish);
  for (const char* name : {"PReLU", "kPReLUKernel", "PReLUExecute", "p_relu", "prelu"})
    EXPECT_EQ(claim_of(name).formula, Formula::prelu) << name;
  EXPECT_EQ(claim_of("MLPReLU").formula, Formula::relu);
}

TEST(Needles, NamesOfGradients) {
  for (const char* name : {"onGrad", "UnaryGrad", "act_bwd", "gelu_backward", "GGML_UNARY_OP_SILU_BACK", "reluBack", "DGelu_dgelu", "derivative", "Backprop"})
    EXPECT_TRUE(is_gradient_name(name)) << name;
  for (const char* name : {"push_back", "callback", "fallback", "upgrade", "gelu", "emplace_back", "Background"})
    EXPECT_FALSE(is_gradient_name(name)) << name;
}

TEST(Needles, AClaimIsSureWhenNothingBesidesTheNameChangesIt) {
  for (const char* name : {"gelu_erf", "gelu_approx", "vec_silu_f32", "MyHardSwish", "leaky_relu", "geglu_quick", "bias_relu"})
    EXPECT_TRUE(claim_of(name).sure) << name;
  for (const char* name : {"gelu", "ReluWithSlope", "silu_or_relu", "gelu_fast_approx", "gelu_erf_to_tanh", "log_sigmoid", "clipped_relu", "FFN_SWIGLU_OAI", "conv"})
    EXPECT_FALSE(claim_of(name).sure) << name;
}

} // namespace
} // namespace gelint::scan
