#include "config/activation_names.h"

#include "core/ops.h"
#include "nn/activations.h"

namespace mini::config {
namespace {

struct name_entry {
  const char* name;
  activation act;
};

constexpr name_entry k_names[] = {
    {"gelu", activation::gelu_erf},
    {"gelu_new", activation::gelu_tanh},
    {"gelu_pytorch_tanh", activation::gelu_tanh},
    {"gelu_fast", activation::gelu_quick},
    {"quick_gelu", activation::gelu_quick},
    {"silu", activation::silu},
    {"swish", activation::silu},
    {"relu", activation::relu},
};

} // namespace

activation parse_activation(const std::string& name) {
  for (const name_entry& entry : k_names) {
    if (name == entry.name)
      return entry.act;
  }
  return activation::gelu_erf;
}

array apply_activation(activation act, const array& x) {
  switch (act) {
  case activation::gelu_erf:
    return nn::gelu_approx(x);
  case activation::gelu_tanh:
    return nn::gelu_tanh_f32(x);
  case activation::gelu_quick:
    return nn::quick_gelu(x);
  case activation::silu:
    return nn::silu(x);
  case activation::relu:
    return nn::relu(x);
  }
  return x;
}

const char* to_string(activation act) {
  switch (act) {
  case activation::gelu_erf:
    return "erf";
  case activation::gelu_tanh:
    return "tanh";
  case activation::gelu_quick:
    return "quick";
  case activation::silu:
    return "silu";
  case activation::relu:
    return "relu";
  }
  return "?";
}

} // namespace mini::config
