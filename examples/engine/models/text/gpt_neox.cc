#include "kernels/half_table.h"
#include "models/models.h"

namespace mini::models {

graph::tensor* build_gpt_neox(graph::context& ctx, graph::tensor* x, const graph::ffn_weights& w) {
  graph::tensor* cur = op_add(ctx, op_mul_mat(ctx, w.up, x), w.up_bias);
  cur = op_map_row(ctx, cur, kernels::gelu_table_row);
  return op_add(ctx, op_mul_mat(ctx, w.down, cur), w.down_bias);
}

} // namespace mini::models
