#include "kernels/callbacks.h"
#include "models/models.h"

namespace mini::models {

using graph::context;
using graph::ffn_weights;
using graph::tensor;

tensor* build_llama4_vision(context& ctx, tensor* x, const ffn_weights& w) {
  tensor* cur = op_add(ctx, op_mul_mat(ctx, w.up, x), w.up_bias);
  cur = op_gelu_quick(ctx, cur);
  return op_add(ctx, op_mul_mat(ctx, w.down, cur), w.down_bias);
}

// The adapter applies its activation after both layers.
tensor* build_llama4_adapter(context& ctx, tensor* x, const ffn_weights& w) {
  const kernels::scalar_activation act = kernels::activation_callback(kernels::callback_exact);
  tensor* cur = op_map_element(ctx, op_mul_mat(ctx, w.up, x), act);
  return op_map_element(ctx, op_mul_mat(ctx, w.down, cur), act);
}

} // namespace mini::models
