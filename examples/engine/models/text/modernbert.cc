#include "models/models.h"
#include "nn/activations.h"

namespace mini::models {

array build_modernbert(const array& x, const nn::linear& gate_up, const nn::linear& down) {
  const auto [gate, up] = split_columns(gate_up(x));
  return down(nn::gelu_pytorch_tanh(gate) * up);
}

array build_modernbert_head(const array& x, const nn::linear& dense) {
  const array y = dense(x);
  return y * 0.5f * (erf(y * 0.70710678f) + 1.0f);
}

} // namespace mini::models
