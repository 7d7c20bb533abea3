#include "kernels/scalar.h"
#include "models/models.h"
#include "nn/activations.h"

namespace mini::models {

array build_moondream(const array& x, const nn::mlp_weights& w) {
  return w.down(nn::gelu_tanh_f32(w.up(x)));
}

graph::tensor* build_moondream_vision(graph::context& ctx, graph::tensor* x,
                                      const graph::ffn_weights& w) {
  graph::tensor* cur = op_add(ctx, op_mul_mat(ctx, w.up, x), w.up_bias);
  cur = op_map_element(ctx, cur, kernels::gelu_exp_f32);
  return op_add(ctx, op_mul_mat(ctx, w.down, cur), w.down_bias);
}

} // namespace mini::models
