#include "models/models.h"
#include "nn/activations.h"

namespace mini::models {

// T5 1.1: "gated-gelu" is the hyperbolic-tangent form.
array build_t5(const array& x, const nn::gated_weights& w) {
  const array gate = nn::gelu_new(w.gate(x));
  return w.down(multiply(gate, w.up(x)));
}

array build_llama(const array& x, const nn::gated_weights& w) {
  return w.down(nn::swiglu(w.gate(x), w.up(x)));
}

} // namespace mini::models
