#include <vector>

#include "models/models.h"
#include "nn/functors.h"

namespace mini::models {

array build_qwen2_vl_vision(const array& x, const nn::mlp_weights& w) {
  const array h = w.up(x);
  return w.down(h / (1.0f + exp(h * -1.702f)));
}

array build_qwen2_vl_merger(const array& x, const nn::mlp_weights& w) {
  const array hidden = matmul(x, w.up.weight);
  std::vector<float> out(hidden.size());
  nn::bias_activation<float, nn::gelu_tanh_op>(hidden.eval().data(), w.up.bias.eval().data(),
                                               out.data(), hidden.rows(), hidden.cols());
  return w.down(array(std::move(out), hidden.rows(), hidden.cols()));
}

} // namespace mini::models
