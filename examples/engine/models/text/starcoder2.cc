#include "models/models.h"
#include "nn/activations.h"

namespace mini::models {

array build_starcoder2(const array& x, const nn::mlp_weights& w) {
  return w.down(nn::gelu_approx(w.up(x)));
}

} // namespace mini::models
