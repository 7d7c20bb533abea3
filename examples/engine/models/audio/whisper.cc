#include "models/models.h"

namespace mini::models {

using graph::context;
using graph::ffn_weights;
using graph::tensor;

// Both convolutions are written as matrix products over the unfolded input.
tensor* build_whisper_conv_stem(context& ctx, tensor* mel, const ffn_weights& w) {
  // exact GELU after each convolution
  tensor* cur = op_gelu(ctx, op_add(ctx, op_mul_mat(ctx, w.up, mel), w.up_bias));
  return op_gelu(ctx, op_add(ctx, op_mul_mat(ctx, w.down, cur), w.down_bias));
}

tensor* build_whisper_encoder(context& ctx, tensor* x, const ffn_weights& w) {
  return build_ffn(ctx, x, w, graph::FFN_GELU, graph::FFN_SEQ);
}

tensor* build_whisper_decoder(context& ctx, tensor* x, const ffn_weights& w) {
  return build_ffn(ctx, x, w, graph::FFN_GELU_ERF, graph::FFN_SEQ);
}

} // namespace mini::models
