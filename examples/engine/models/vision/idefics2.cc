#include "models/models.h"
#include "nn/activations.h"

namespace mini::models {

array build_idefics2_vision(const array& x, const nn::mlp_weights& w) {
  return w.down(nn::quick_gelu(w.up(x)));
}

array build_idefics2_connector(const array& x, const nn::gated_weights& w) {
  return w.down(nn::silu(w.gate(x)) * w.up(x));
}

array build_idefics2_perceiver(const array& x, const nn::gated_weights& w) {
  return w.down(nn::swiglu(w.gate(x), w.up(x)));
}

} // namespace mini::models
