// Activation names per ecosystem. ACT2FN as of transformers 5.10: every key of ACT2CLS in src/transformers/activations.py.

#include "formula/names.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gelint::formula {

namespace {

using F = Formula;
using O = OpOrder;
using N = NameSpace;

constexpr std::string_view k_hf = "transformers src/transformers/activations.py";
constexpr std::string_view k_mlx = "mlx python/mlx/nn/layers/activations.py";
constexpr std::string_view k_torch = "pytorch torch/nn/functional.py, aten/src/ATen/native/Activation.cpp";
constexpr std::string_view k_ggml = "ggml include/ggml.h, src/ggml-cpu/vec.h";
constexpr std::string_view k_llama = "llama.cpp src/llama-graph.cpp";
constexpr std::string_view k_onnx = "ONNX operator documentation (docs/Operators.md)";
constexpr std::string_view k_ort = "onnxruntime docs/ContribOperators.md";
constexpr std::string_view k_tf = "tensorflow python/ops/nn_ops.py, keras activations";
constexpr std::string_view k_jax = "jax jax/_src/nn/functions.py";
constexpr std::string_view k_onednn = "oneDNN documentation, Eltwise primitive";

constexpr auto k_table = std::to_array<ActivationName>({
    // ACT2FN.
    {N::act2fn, "gelu", F::gelu_erf, O::native, "\u22642.8", "F.gelu(x)", k_hf},
    {N::act2fn, "gelu_10", F::gelu_erf_clip10, O::op_by_op, "4.17", "clip(F.gelu(x), -10, 10)", k_hf},
    {N::act2fn, "gelu_accurate", F::gelu_tanh, O::op_by_op, "4.28",
     "0.5*x*(1 + tanh(c*(x + 0.044715*x^3))), c = sqrt(2/pi)", k_hf},
    {N::act2fn, "gelu_fast", F::gelu_tanh, O::op_by_op, "2.8",
     "0.5*x*(1 + tanh(x*0.7978845608*(1 + 0.044715*x*x)))", k_hf},
    {N::act2fn, "gelu_new", F::gelu_tanh, O::op_by_op, "\u22642.8",
     "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3)))", k_hf},
    {N::act2fn, "gelu_python", F::gelu_erf, O::op_by_op, "4.12", "x*0.5*(1 + erf(x/sqrt(2)))", k_hf},
    {N::act2fn, "gelu_python_tanh", F::gelu_tanh, O::op_by_op, "4.57",
     "x*0.5*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3)))", k_hf},
    {N::act2fn, "gelu_pytorch_tanh", F::gelu_tanh, O::native, "4.27", "F.gelu(x, approximate='tanh')", k_hf},
    {N::act2fn, "hardswish", F::hardswish, O::native, "5.3", "x*relu6(x + 3)/6", k_hf},
    {N::act2fn, "laplace", F::laplace, O::op_by_op, "4.28",
     "0.5*(1 + erf((x - 0.707107)/(0.282095*sqrt(2))))", k_hf},
    {N::act2fn, "leaky_relu", F::leaky_relu, O::native, "4.36", "x < 0 ? 0.01*x : x", k_hf},
    {N::act2fn, "linear", F::identity, O::native, "3.3.1", "x", k_hf},
    {N::act2fn, "mish", F::mish, O::native, "3.2", "x*tanh(softplus(x))", k_hf},
    {N::act2fn, "prelu", F::prelu, O::native, "4.49", "x < 0 ? a*x : x, a learned, 0.25 at first", k_hf},
    {N::act2fn, "quick_gelu", F::gelu_quick, O::op_by_op, "4.6", "x*sigmoid(1.702*x)", k_hf},
    {N::act2fn, "relu", F::relu, O::native, "\u22642.8", "max(x, 0)", k_hf},
    {N::act2fn, "relu2", F::relu2, O::op_by_op, "4.28", "relu(x)^2", k_hf},
    {N::act2fn, "relu6", F::relu6, O::native, "4.25", "min(max(x, 0), 6)", k_hf},
    {N::act2fn, "sigmoid", F::sigmoid, O::native, "3.3.1", "1/(1 + exp(-x))", k_hf},
    {N::act2fn, "silu", F::silu, O::native, "3.4", "x*sigmoid(x)", k_hf},
    {N::act2fn, "sqrtsoftplus", F::sqrtsoftplus, O::op_by_op, "5.8", "sqrt(softplus(x))", k_hf},
    {N::act2fn, "swish", F::silu, O::native, "\u22642.8", "x*sigmoid(x)", k_hf},
    {N::act2fn, "tanh", F::tanh, O::native, "\u22642.8", "tanh(x)", k_hf},
    {N::act2fn, "xielu", F::xielu, O::op_by_op, "4.56",
     "x > 0 ? ap*x*x + b*x : (expm1(min(x, eps)) - x)*an + b*x, ap and an learned", k_hf},

    // MLX. "fast" is the sigmoid form here, not the tanh form that ACT2FN calls gelu_fast.
    {N::mlx, "gelu", F::gelu_erf, O::op_by_op, "", "x*(1 + erf(x/sqrt(2)))/2", k_mlx},
    {N::mlx, "gelu_approx", F::gelu_tanh, O::op_by_op, "", "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3)))", k_mlx},
    {N::mlx, "gelu_fast_approx", F::gelu_quick, O::op_by_op, "", "x*sigmoid(1.702*x)", k_mlx},
    {N::mlx, "GELU(none)", F::gelu_erf, O::op_by_op, "", "GELU(approx='none'), the default", k_mlx},
    {N::mlx, "GELU(precise)", F::gelu_tanh, O::op_by_op, "", "GELU(approx='precise')", k_mlx},
    {N::mlx, "GELU(tanh)", F::gelu_tanh, O::op_by_op, "", "GELU(approx='tanh')", k_mlx},
    {N::mlx, "GELU(fast)", F::gelu_quick, O::op_by_op, "", "GELU(approx='fast')", k_mlx},
    {N::mlx, "silu", F::silu, O::op_by_op, "", "x*sigmoid(x)", k_mlx},
    {N::mlx, "relu", F::relu, O::native, "", "max(x, 0)", k_mlx},
    {N::mlx, "relu2", F::relu2, O::op_by_op, "", "max(x, 0)^2", k_mlx},
    {N::mlx, "relu6", F::relu6, O::op_by_op, "", "min(max(x, 0), 6)", k_mlx},
    {N::mlx, "leaky_relu", F::leaky_relu, O::op_by_op, "", "max(0.01*x, x)", k_mlx},
    {N::mlx, "prelu", F::prelu, O::op_by_op, "", "max(0, x) + a*min(0, x)", k_mlx},
    {N::mlx, "hardswish", F::hardswish, O::op_by_op, "", "x*min(max(x + 3, 0), 6)/6", k_mlx},
    {N::mlx, "mish", F::mish, O::op_by_op, "", "x*tanh(softplus(x))", k_mlx},
    {N::mlx, "sigmoid", F::sigmoid, O::native, "", "sigmoid(x)", k_mlx},
    {N::mlx, "tanh", F::tanh, O::native, "", "tanh(x)", k_mlx},

    // PyTorch.
    {N::torch, "gelu", F::gelu_erf, O::native, "", "gelu(x), approximate='none' is the default", k_torch},
    {N::torch, "none", F::gelu_erf, O::native, "", "gelu(x, approximate='none')", k_torch},
    {N::torch, "tanh", F::gelu_tanh, O::native, "1.12", "gelu(x, approximate='tanh'); the argument, not torch.tanh", k_torch},
    {N::torch, "gelu(none)", F::gelu_erf, O::native, "", "gelu(x, approximate='none')", k_torch},
    {N::torch, "gelu(tanh)", F::gelu_tanh, O::native, "1.12", "gelu(x, approximate='tanh')", k_torch},
    {N::torch, "silu", F::silu, O::native, "", "x*sigmoid(x)", k_torch},
    {N::torch, "relu", F::relu, O::native, "", "max(x, 0)", k_torch},
    {N::torch, "relu6", F::relu6, O::native, "", "min(max(x, 0), 6)", k_torch},
    {N::torch, "leaky_relu", F::leaky_relu, O::native, "", "negative_slope = 0.01", k_torch},
    {N::torch, "prelu", F::prelu, O::native, "", "learned slope, 0.25 at first", k_torch},
    {N::torch, "hardswish", F::hardswish, O::native, "", "x*relu6(x + 3)/6", k_torch},
    {N::torch, "mish", F::mish, O::native, "", "x*tanh(softplus(x))", k_torch},
    {N::torch, "sigmoid", F::sigmoid, O::native, "", "sigmoid(x)", k_torch},

    // ggml: the plain name is the tanh form.
    {N::ggml, "ggml_gelu", F::gelu_tanh, O::not_stated, "", "0.5*x*(1 + tanh(c*x*(1 + 0.044715*x*x)))", k_ggml},
    {N::ggml, "ggml_gelu_erf", F::gelu_erf, O::not_stated, "", "0.5*x*(1 + erf(x/sqrt(2)))", k_ggml},
    {N::ggml, "ggml_gelu_quick", F::gelu_quick, O::not_stated, "", "x/(1 + exp(-1.702*x))", k_ggml},
    {N::ggml, "ggml_geglu", F::gelu_tanh, O::not_stated, "", "gated ggml_gelu", k_ggml},
    {N::ggml, "ggml_geglu_erf", F::gelu_erf, O::not_stated, "", "gated ggml_gelu_erf", k_ggml},
    {N::ggml, "ggml_geglu_quick", F::gelu_quick, O::not_stated, "", "gated ggml_gelu_quick", k_ggml},
    {N::ggml, "ggml_silu", F::silu, O::not_stated, "", "x/(1 + exp(-x))", k_ggml},
    {N::ggml, "ggml_swiglu", F::silu, O::not_stated, "", "gated ggml_silu", k_ggml},
    {N::ggml, "ggml_relu", F::relu, O::not_stated, "", "max(x, 0)", k_ggml},
    {N::ggml, "ggml_reglu", F::relu, O::not_stated, "", "gated ggml_relu", k_ggml},
    {N::ggml, "ggml_sigmoid", F::sigmoid, O::not_stated, "", "1/(1 + exp(-x))", k_ggml},
    {N::ggml, "ggml_tanh", F::tanh, O::not_stated, "", "tanh(x)", k_ggml},
    {N::ggml, "ggml_hardswish", F::hardswish, O::not_stated, "", "x*min(1, max(0, (x + 3)/6))", k_ggml},
    {N::ggml, "GGML_UNARY_OP_GELU", F::gelu_tanh, O::not_stated, "", "ggml_gelu", k_ggml},
    {N::ggml, "GGML_UNARY_OP_GELU_ERF", F::gelu_erf, O::not_stated, "", "ggml_gelu_erf", k_ggml},
    {N::ggml, "GGML_UNARY_OP_GELU_QUICK", F::gelu_quick, O::not_stated, "", "ggml_gelu_quick", k_ggml},
    {N::ggml, "GGML_UNARY_OP_SILU", F::silu, O::not_stated, "", "ggml_silu", k_ggml},
    {N::ggml, "GGML_UNARY_OP_RELU", F::relu, O::not_stated, "", "ggml_relu", k_ggml},
    {N::ggml, "GGML_UNARY_OP_SIGMOID", F::sigmoid, O::not_stated, "", "ggml_sigmoid", k_ggml},
    {N::ggml, "GGML_UNARY_OP_TANH", F::tanh, O::not_stated, "", "ggml_tanh", k_ggml},
    {N::ggml, "GGML_UNARY_OP_HARDSWISH", F::hardswish, O::not_stated, "", "ggml_hardswish", k_ggml},
    {N::ggml, "GGML_GLU_OP_GEGLU", F::gelu_tanh, O::not_stated, "", "ggml_geglu", k_ggml},
    {N::ggml, "GGML_GLU_OP_GEGLU_ERF", F::gelu_erf, O::not_stated, "", "ggml_geglu_erf", k_ggml},
    {N::ggml, "GGML_GLU_OP_GEGLU_QUICK", F::gelu_quick, O::not_stated, "", "ggml_geglu_quick", k_ggml},
    {N::ggml, "GGML_GLU_OP_SWIGLU", F::silu, O::not_stated, "", "ggml_swiglu", k_ggml},
    {N::ggml, "GGML_GLU_OP_REGLU", F::relu, O::not_stated, "", "ggml_reglu", k_ggml},
    {N::ggml, "LLM_FFN_GELU", F::gelu_tanh, O::not_stated, "", "build_ffn: ggml_gelu", k_llama},
    {N::ggml, "LLM_FFN_GEGLU", F::gelu_tanh, O::not_stated, "", "build_ffn: ggml_geglu", k_llama},
    {N::ggml, "LLM_FFN_SILU", F::silu, O::not_stated, "", "build_ffn: ggml_silu", k_llama},
    {N::ggml, "LLM_FFN_SWIGLU", F::silu, O::not_stated, "", "build_ffn: ggml_swiglu", k_llama},
    {N::ggml, "LLM_FFN_RELU", F::relu, O::not_stated, "", "build_ffn: ggml_relu", k_llama},
    {N::ggml, "LLM_FFN_RELU_SQR", F::relu2, O::not_stated, "", "build_ffn: ggml_sqr of ggml_relu", k_llama},

    // ONNX and the contributed operators of ONNX Runtime.
    {N::onnx, "Gelu", F::gelu_erf, O::not_stated, "opset 20", "approximate = 'none' is the default", k_onnx},
    {N::onnx, "Gelu(none)", F::gelu_erf, O::not_stated, "opset 20", "approximate = 'none'", k_onnx},
    {N::onnx, "Gelu(tanh)", F::gelu_tanh, O::not_stated, "opset 20", "approximate = 'tanh'", k_onnx},
    {N::onnx, "HardSwish", F::hardswish, O::not_stated, "opset 14", "x*max(0, min(1, x/6 + 0.5))", k_onnx},
    {N::onnx, "Identity", F::identity, O::native, "opset 1", "x", k_onnx},
    {N::onnx, "LeakyRelu", F::leaky_relu, O::not_stated, "opset 1", "alpha = 0.01 is the default", k_onnx},
    {N::onnx, "Mish", F::mish, O::not_stated, "opset 18", "x*tanh(softplus(x))", k_onnx},
    {N::onnx, "PRelu", F::prelu, O::not_stated, "opset 1", "x < 0 ? slope*x : x", k_onnx},
    {N::onnx, "Relu", F::relu, O::not_stated, "opset 1", "max(x, 0)", k_onnx},
    {N::onnx, "Sigmoid", F::sigmoid, O::not_stated, "opset 1", "1/(1 + exp(-x))", k_onnx},
    {N::onnx, "Tanh", F::tanh, O::not_stated, "opset 1", "tanh(x)", k_onnx},
    {N::onnx, "com.microsoft.Gelu", F::gelu_erf, O::not_stated, "", "0.5*x*(1 + erf(x/sqrt(2)))", k_ort},
    {N::onnx, "com.microsoft.BiasGelu", F::gelu_erf, O::not_stated, "", "Gelu(x + bias)", k_ort},
    {N::onnx, "com.microsoft.FastGelu", F::gelu_tanh, O::not_stated, "", "the tanh form, with an optional bias", k_ort},
    {N::onnx, "com.microsoft.QuickGelu", F::gelu_quick, O::not_stated, "", "x*sigmoid(alpha*x), alpha = 1.702", k_ort},

    // TensorFlow and Keras: erf unless approximate is true.
    {N::tensorflow, "gelu", F::gelu_erf, O::not_stated, "2.4", "approximate=False is the default", k_tf},
    {N::tensorflow, "gelu(approximate=False)", F::gelu_erf, O::not_stated, "2.4", "0.5*x*(1 + erf(x/sqrt(2)))", k_tf},
    {N::tensorflow, "gelu(approximate=True)", F::gelu_tanh, O::not_stated, "2.4", "the tanh form", k_tf},
    {N::tensorflow, "relu", F::relu, O::native, "", "max(x, 0)", k_tf},
    {N::tensorflow, "relu6", F::relu6, O::native, "", "min(max(x, 0), 6)", k_tf},
    {N::tensorflow, "silu", F::silu, O::not_stated, "", "x*sigmoid(x)", k_tf},
    {N::tensorflow, "swish", F::silu, O::not_stated, "", "x*sigmoid(x)", k_tf},
    {N::tensorflow, "sigmoid", F::sigmoid, O::not_stated, "", "sigmoid(x)", k_tf},
    {N::tensorflow, "tanh", F::tanh, O::not_stated, "", "tanh(x)", k_tf},
    {N::tensorflow, "mish", F::mish, O::not_stated, "", "x*tanh(softplus(x))", k_tf},
    {N::tensorflow, "linear", F::identity, O::native, "", "x", k_tf},

    // JAX: tanh unless approximate is false, the other way round than torch and TensorFlow.
    {N::jax, "gelu", F::gelu_tanh, O::op_by_op, "", "approximate=True is the default", k_jax},
    {N::jax, "gelu(approximate=True)", F::gelu_tanh, O::op_by_op, "", "the tanh form", k_jax},
    {N::jax, "gelu(approximate=False)", F::gelu_erf, O::op_by_op, "", "0.5*x*erfc(-x/sqrt(2))", k_jax},
    {N::jax, "silu", F::silu, O::op_by_op, "", "x*sigmoid(x)", k_jax},
    {N::jax, "swish", F::silu, O::op_by_op, "", "x*sigmoid(x)", k_jax},
    {N::jax, "relu", F::relu, O::native, "", "max(x, 0)", k_jax},
    {N::jax, "relu6", F::relu6, O::native, "", "min(max(x, 0), 6)", k_jax},
    {N::jax, "leaky_relu", F::leaky_relu, O::native, "", "negative_slope = 0.01", k_jax},
    {N::jax, "hard_swish", F::hardswish, O::op_by_op, "", "x*relu6(x + 3)/6", k_jax},
    {N::jax, "hard_silu", F::hardswish, O::op_by_op, "", "x*relu6(x + 3)/6", k_jax},
    {N::jax, "mish", F::mish, O::op_by_op, "", "x*tanh(softplus(x))", k_jax},
    {N::jax, "sigmoid", F::sigmoid, O::native, "", "1/(1 + exp(-x))", k_jax},
    {N::jax, "tanh", F::tanh, O::native, "", "tanh(x)", k_jax},
    {N::jax, "identity", F::identity, O::native, "", "x", k_jax},

    // oneDNN algorithm kinds.
    {N::onednn, "eltwise_gelu_erf", F::gelu_erf, O::not_stated, "1.4", "0.5*x*(1 + erf(x/sqrt(2)))", k_onednn},
    {N::onednn, "eltwise_gelu_tanh", F::gelu_tanh, O::not_stated, "1.4",
     "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3)))", k_onednn},
    {N::onednn, "eltwise_gelu", F::gelu_tanh, O::not_stated, "", "older name of eltwise_gelu_tanh", k_onednn},
    {N::onednn, "eltwise_relu", F::relu, O::native, "", "alpha = 0", k_onednn},
    {N::onednn, "eltwise_mish", F::mish, O::not_stated, "", "x*tanh(softplus(x))", k_onednn},
    {N::onednn, "eltwise_logistic", F::sigmoid, O::not_stated, "", "1/(1 + exp(-x))", k_onednn},
    {N::onednn, "eltwise_tanh", F::tanh, O::not_stated, "", "tanh(x)", k_onednn},
    {N::onednn, "eltwise_swish(alpha=1)", F::silu, O::not_stated, "", "x*sigmoid(alpha*x), alpha = 1", k_onednn},
    {N::onednn, "eltwise_swish(alpha=1.702)", F::gelu_quick, O::not_stated, "", "x*sigmoid(alpha*x), alpha = 1.702", k_onednn},
});

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t up = row[j];
      row[j] = std::min({up + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = up;
    }
  }
  return row.back();
}

} // namespace

std::string_view to_string(NameSpace ns) {
  constexpr std::array<std::string_view, 8> k_names = {"act2fn", "mlx",        "torch", "ggml",
                                                       "onnx",   "tensorflow", "jax",   "onednn"};
  return k_names[static_cast<size_t>(ns)];
}

std::span<const ActivationName> activation_names() { return k_table; }

const ActivationName* find_name(NameSpace ns, std::string_view name) {
  for (const ActivationName& n : k_table)
    if (n.ns == ns && n.name == name)
      return &n;
  return nullptr;
}

std::vector<std::string_view> nearest_names(NameSpace ns, std::string_view name, size_t n) {
  // A long string (it may come from any file) is cut: beyond this length no name is near anyway.
  name = name.substr(0, 200);
  std::vector<std::pair<size_t, std::string_view>> ranked;
  for (const ActivationName& a : k_table)
    if (a.ns == ns)
      ranked.emplace_back(edit_distance(name, a.name), a.name);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
  std::vector<std::string_view> out;
  for (size_t i = 0; i < std::min(n, ranked.size()); ++i)
    out.push_back(ranked[i].second);
  return out;
}

} // namespace gelint::formula
