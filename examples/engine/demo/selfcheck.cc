#include "demo/selfcheck.h"

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "config/activation_names.h"
#include "core/ops.h"
#include "demo/reference.h"
#include "graph/graph.h"
#include "kernels/callbacks.h"
#include "kernels/half_table.h"
#include "kernels/row_kernels.h"
#include "kernels/scalar.h"
#include "models/models.h"
#include "nn/activations.h"
#include "nn/functors.h"

namespace mini::demo {
namespace {

using activation = std::function<float(float)>;
using reference = double (*)(double);

struct check {
  std::string name;
  activation engine;
  reference formula;
  const char* formula_name;
  // Largest accepted |engine - formula|. The two closest formulas, erf and tanh, differ by 4.7e-4
  // at x = -2.7, so 2e-5 tells them apart and leaves room for float arithmetic.
  double tolerance = 2e-5;
  // Compared at every 1/32 from -4 up to here.
  double upper = 4.0;
};

activation op_graph(array (*f)(const array&)) {
  return [f](float x) { return f(array(x)).at(0); };
}

activation gated(array (*f)(const array&, const array&)) {
  return [f](float x) { return f(array(x), array(1.0f)).at(0); };
}

activation unary_op(graph::tensor* (*f)(graph::context&, graph::tensor*)) {
  return [f](float x) {
    graph::context ctx;
    graph::tensor* out = f(ctx, graph::new_tensor(ctx, {x}, 1, 1));
    graph::graph_compute(ctx);
    return out->data[0];
  };
}

activation row(kernels::row_kernel f) {
  return [f](float x) {
    float y = 0.0f;
    f(&x, &y, 1);
    return y;
  };
}

template <template <typename> class Op> activation functor() {
  return [](float x) { return Op<float>{}(x); };
}

// A feed-forward block with identity weights is its activation.
nn::linear identity() { return {array(1.0f), array(0.0f)}; }

activation block(array (*f)(const array&, const nn::mlp_weights&)) {
  return [f](float x) { return f(array(x), {identity(), identity()}).at(0); };
}

// Gate 1, up 0 * x + 1: the other branch is one.
activation gated_block(array (*f)(const array&, const nn::gated_weights&)) {
  return [f](float x) {
    const nn::gated_weights w = {identity(), {array(0.0f), array(1.0f)}, identity()};
    return f(array(x), w).at(0);
  };
}

activation graph_block(graph::tensor* (*f)(graph::context&, graph::tensor*,
                                           const graph::ffn_weights&)) {
  return [f](float x) {
    graph::context ctx;
    const auto leaf = [&ctx](float v) { return graph::new_tensor(ctx, {v}, 1, 1); };
    graph::ffn_weights w;
    w.up = leaf(1.0f);
    w.up_bias = leaf(0.0f);
    w.gate = leaf(1.0f);
    w.down = leaf(1.0f);
    w.down_bias = leaf(0.0f);
    graph::tensor* out = f(ctx, leaf(x), w);
    graph::graph_compute(ctx);
    return out->data[0];
  };
}

float siglip_without_key(float x) {
  const config::json_value cfg = config::parse_json(R"({"vision_config": {}})");
  return models::build_siglip_vision(array(x), {identity(), identity()}, cfg).at(0);
}

float gemma3_block(float x) {
  // The block ignores biases, so the other branch is x itself and is divided out.
  return x == 0.0f ? 0.0f
                   : models::build_gemma3(array(x), {identity(), identity(), identity()}).at(0) / x;
}

float modernbert_head(float x) { return models::build_modernbert_head(array(x), identity()).at(0); }

std::vector<check> checks() {
  const reference e = reference_erf;
  const reference t = reference_tanh;
  const reference q = reference_quick;
  const reference s = reference_silu;
  // The 16-bit table: the points are exact in 16 bits, so that only the output is rounded. Below
  // zero it stays under 0.17 in size and its rounding under 2^-14, which still tells erf from tanh.
  const double table = 0x1p-14;
  return {
      {"nn::gelu_approx", op_graph(nn::gelu_approx), e, "erf"},
      {"nn::gelu_tanh_f32", op_graph(nn::gelu_tanh_f32), t, "tanh"},
      {"nn::gelu_new", op_graph(nn::gelu_new), t, "tanh"},
      {"nn::gelu_pytorch_tanh", op_graph(nn::gelu_pytorch_tanh), t, "tanh"},
      {"nn::quick_gelu", op_graph(nn::quick_gelu), q, "quick"},
      {"nn::silu", op_graph(nn::silu), s, "silu"},
      {"nn::geglu", gated(nn::geglu), t, "tanh"},
      {"nn::geglu_exact", gated(nn::geglu_exact), e, "erf"},
      {"nn::swiglu", gated(nn::swiglu), s, "silu"},
      {"nn::gelu_erf_op", functor<nn::gelu_erf_op>(), e, "erf"},
      {"nn::gelu_tanh_op", functor<nn::gelu_tanh_op>(), t, "tanh"},
      {"kernels::gelu_row", row(kernels::gelu_row), t, "tanh"},
      {"kernels::gelu_erf_row", row(kernels::gelu_erf_row), e, "erf"},
      {"kernels::gelu_quick_row", row(kernels::gelu_quick_row), q, "quick"},
      {"kernels::gelu_table_row", row(kernels::gelu_table_row), e, "erf", table, 0.0},
      {"kernels::gelu_exp_f32", kernels::gelu_exp_f32, t, "tanh"},
      {"callback_exact", kernels::activation_callback(kernels::callback_exact), e, "erf"},
      {"callback_tanh", kernels::activation_callback(kernels::callback_tanh), t, "tanh"},
      {"callback_sigmoid", kernels::activation_callback(kernels::callback_sigmoid), q, "quick"},
      {"graph::op_gelu", unary_op(graph::op_gelu), t, "tanh"},
      {"graph::op_gelu_erf", unary_op(graph::op_gelu_erf), e, "erf"},
      {"graph::op_gelu_quick", unary_op(graph::op_gelu_quick), q, "quick"},
      {"graph::op_silu", unary_op(graph::op_silu), s, "silu"},
      {"build_phi", block(models::build_phi), t, "tanh"},
      {"build_gpt2", graph_block(models::build_gpt2), t, "tanh"},
      {"build_gpt_bigcode", graph_block(models::build_gpt_bigcode), e, "erf"},
      {"build_starcoder2", block(models::build_starcoder2), e, "erf"},
      {"build_gpt_neox", graph_block(models::build_gpt_neox), e, "erf", table, 0.0},
      {"build_gemma", gated_block(models::build_gemma), e, "erf"},
      {"build_gemma3", gemma3_block, t, "tanh"},
      {"build_t5", gated_block(models::build_t5), t, "tanh"},
      {"build_llama", gated_block(models::build_llama), s, "silu"},
      {"build_modernbert_head", modernbert_head, e, "erf"},
      {"build_moondream", block(models::build_moondream), t, "tanh"},
      {"build_moondream_vision", graph_block(models::build_moondream_vision), t, "tanh"},
      {"build_siglip_vision, key omitted", siglip_without_key, e, "erf"},
      {"build_siglip_text", block(models::build_siglip_text), t, "tanh"},
      {"build_clip_vision", graph_block(models::build_clip_vision), e, "erf"},
      {"build_clip_text", graph_block(models::build_clip_text), q, "quick"},
      {"build_llava_vision", block(models::build_llava_vision), q, "quick"},
      {"build_llava_projector", block(models::build_llava_projector), e, "erf"},
      {"build_qwen2_vl_vision", block(models::build_qwen2_vl_vision), q, "quick"},
      {"build_qwen2_vl_merger", block(models::build_qwen2_vl_merger), t, "tanh"},
      {"build_idefics2_vision", block(models::build_idefics2_vision), q, "quick"},
      {"build_idefics2_connector", gated_block(models::build_idefics2_connector), s, "silu"},
      {"build_idefics2_perceiver", gated_block(models::build_idefics2_perceiver), s, "silu"},
      {"build_llama4_vision", graph_block(models::build_llama4_vision), q, "quick"},
      {"build_whisper_encoder", graph_block(models::build_whisper_encoder), t, "tanh"},
      {"build_whisper_decoder", graph_block(models::build_whisper_decoder), e, "erf"},
  };
}

double worst_difference(const activation& f, reference formula, double upper = 4.0) {
  double worst = 0.0;
  for (int i = -128; i <= static_cast<int>(upper * 32.0); ++i) {
    const float x = static_cast<float>(i) / 32.0f;
    worst =
        std::fmax(worst, std::fabs(static_cast<double>(f(x)) - formula(static_cast<double>(x))));
  }
  return worst;
}

bool report(bool good, const std::string& name, const std::string& what, double worst) {
  std::printf("%-4s %-34s %-24s max |difference| %.2e\n", good ? "ok" : "FAIL", name.c_str(),
              what.c_str(), worst);
  return good;
}

// The two activations after each other, as in the adapter of Llama 4 and the convolution stem of
// Whisper.
int check_applied_twice() {
  int failures = 0;
  const activation adapter = graph_block(models::build_llama4_adapter);
  const activation stem = graph_block(models::build_whisper_conv_stem);
  const auto twice_erf = [](double x) { return reference_erf(reference_erf(x)); };
  const auto twice_tanh = [](double x) { return reference_tanh(reference_tanh(x)); };
  const double a = worst_difference(adapter, twice_erf);
  const double b = worst_difference(stem, twice_tanh);
  failures += !report(a < 2e-5, "build_llama4_adapter", "erf, twice", a);
  failures += !report(b < 2e-5, "build_whisper_conv_stem", "tanh, twice", b);
  return failures;
}

// Both halves of one fused matrix: the left is the gate, the right is one.
int check_fused_gates() {
  const nn::linear gate_up = {array({1.0f, 0.0f}, 1, 2), array({0.0f, 1.0f}, 1, 2)};
  const activation bert = [&](float x) {
    return models::build_modernbert(array(x), gate_up, identity()).at(0);
  };
  const activation gemma = [&](float x) {
    return models::build_gemma_int8(array(x), gate_up, identity()).at(0);
  };
  const double a = worst_difference(bert, reference_tanh);
  const double b = worst_difference(gemma, reference_tanh);
  int failures = 0;
  failures += !report(a < 2e-5, "build_modernbert", "tanh", a);
  failures += !report(b < 2e-5, "build_gemma_int8", "tanh", b);
  return failures;
}

// The int8 row kernel of Phi has a wrong constant: it is neither of the formulas, and nearest to
// tanh.
int check_near_miss() {
  const activation near = row(kernels::gelu_new_row);
  const double from_tanh = worst_difference(near, reference_tanh);
  const double from_erf = worst_difference(near, reference_erf);
  return !report(from_tanh > 1e-4 && from_tanh < from_erf, "kernels::gelu_new_row",
                 "near tanh, not tanh", from_tanh);
}

int check_names() {
  using config::activation;
  using config::parse_activation;
  int failures = 0;
  const auto expect = [&failures](const char* name, activation want) {
    const activation got = parse_activation(name);
    const bool good = got == want;
    std::printf("%-4s name %-29s -> %s\n", good ? "ok" : "FAIL", name, config::to_string(got));
    failures += !good;
  };
  expect("gelu", activation::gelu_erf);
  expect("gelu_new", activation::gelu_tanh);
  expect("gelu_pytorch_tanh", activation::gelu_tanh);
  expect("gelu_fast", activation::gelu_quick);
  expect("quick_gelu", activation::gelu_quick);
  expect("silu", activation::silu);
  expect("gelu_python_tanh", activation::gelu_erf);
  return failures;
}

} // namespace

int run_selfcheck() {
  int failures = 0;
  for (const check& c : checks()) {
    const double worst = worst_difference(c.engine, c.formula, c.upper);
    failures += !report(worst < c.tolerance, c.name, c.formula_name, worst);
  }
  failures += check_applied_twice();
  failures += check_fused_gates();
  failures += check_near_miss();
  failures += check_names();
  std::printf("%d failure%s\n", failures, failures == 1 ? "" : "s");
  return failures;
}

} // namespace mini::demo
