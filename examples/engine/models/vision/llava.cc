#include <vector>

#include "models/models.h"
#include "nn/activations.h"
#include "nn/functors.h"

namespace mini::models {

array build_llava_vision(const array& x, const nn::mlp_weights& w) {
  return w.down(nn::quick_gelu(w.up(x)));
}

array build_llava_projector(const array& x, const nn::mlp_weights& w) {
  const array hidden = matmul(x, w.up.weight);
  std::vector<float> out(hidden.size());
  nn::bias_activation<float, nn::gelu_erf_op>(hidden.eval().data(), w.up.bias.eval().data(),
                                              out.data(), hidden.rows(), hidden.cols());
  return w.down(array(std::move(out), hidden.rows(), hidden.cols()));
}

} // namespace mini::models
