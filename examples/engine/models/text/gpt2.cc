#include "models/models.h"

namespace mini::models {

using graph::context;
using graph::ffn_weights;
using graph::tensor;

tensor* build_gpt2(context& ctx, tensor* x, const ffn_weights& w) {
  return build_ffn(ctx, x, w, graph::FFN_GELU, graph::FFN_SEQ);
}

// The multi-query attention is what sets this model apart; its feed-forward block is that of GPT-2.
tensor* build_gpt_bigcode(context& ctx, tensor* x, const ffn_weights& w) {
  return build_ffn(ctx, x, w, graph::FFN_GELU_ERF, graph::FFN_SEQ);
}

} // namespace mini::models
