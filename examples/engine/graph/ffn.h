// The feed-forward block of every model that is built as a graph.
#pragma once

#include "graph/graph.h"

namespace mini::graph {

enum ffn_op_type {
  FFN_RELU,
  FFN_SILU,
  FFN_GELU,
  FFN_GELU_ERF,
  FFN_GELU_QUICK,
};

enum ffn_gate_type {
  FFN_SEQ, // down(act(up(x)))
  FFN_PAR, // down(act(gate(x)) * up(x))
};

struct ffn_weights {
  tensor* up = nullptr;
  tensor* up_bias = nullptr;
  tensor* gate = nullptr;
  tensor* down = nullptr;
  tensor* down_bias = nullptr;
};

tensor* build_ffn(context& ctx, tensor* x, const ffn_weights& w, ffn_op_type op,
                  ffn_gate_type gate);

// Small reproducible weights for the demo.
ffn_weights demo_ffn(context& ctx, std::size_t width, std::size_t hidden, unsigned seed);

} // namespace mini::graph
