#include "graph/ffn.h"

#include "nn/linear.h"

namespace mini::graph {

tensor* build_ffn(context& ctx, tensor* x, const ffn_weights& w, ffn_op_type op,
                  ffn_gate_type gate) {
  tensor* up = op_mul_mat(ctx, w.up, x);
  if (w.up_bias != nullptr)
    up = op_add(ctx, up, w.up_bias);
  tensor* cur = gate == FFN_PAR ? op_mul_mat(ctx, w.gate, x) : up;

  switch (op) {
  case FFN_RELU:
    cur = op_relu(ctx, cur);
    break;
  case FFN_SILU:
    cur = op_silu(ctx, cur);
    break;
  case FFN_GELU:
    cur = op_gelu(ctx, cur);
    break;
  case FFN_GELU_ERF:
    cur = op_gelu_erf(ctx, cur);
    break;
  case FFN_GELU_QUICK:
    cur = op_gelu_quick(ctx, cur);
    break;
  }

  if (gate == FFN_PAR)
    cur = op_mul(ctx, cur, up);
  cur = op_mul_mat(ctx, w.down, cur);
  return w.down_bias != nullptr ? op_add(ctx, cur, w.down_bias) : cur;
}

ffn_weights demo_ffn(context& ctx, std::size_t width, std::size_t hidden, unsigned seed) {
  const nn::gated_weights w = nn::demo_gated(width, hidden, seed);
  ffn_weights out;
  out.up = new_tensor(ctx, w.up.weight.eval(), width, hidden);
  out.up_bias = new_tensor(ctx, w.up.bias.eval(), 1, hidden);
  out.gate = new_tensor(ctx, w.gate.weight.eval(), width, hidden);
  out.down = new_tensor(ctx, w.down.weight.eval(), hidden, width);
  out.down_bias = new_tensor(ctx, w.down.bias.eval(), 1, width);
  return out;
}

} // namespace mini::graph
