#include "config/activation_names.h"
#include "models/models.h"
#include "nn/activations.h"

namespace mini::models {
namespace {

config::activation tower_activation(const config::json_value& cfg) {
  const std::string name = cfg.string_at("vision_config.hidden_act");
  if (name.empty())
    return config::activation::gelu_erf;
  return config::parse_activation(name);
}

} // namespace

// Also the tower of Gemma 3 and of PaliGemma.
array build_siglip_vision(const array& x, const nn::mlp_weights& w, const config::json_value& cfg) {
  return w.down(config::apply_activation(tower_activation(cfg), w.up(x)));
}

array build_siglip_text(const array& x, const nn::mlp_weights& w) {
  return w.down(nn::gelu_tanh_f32(w.up(x)));
}

} // namespace mini::models
