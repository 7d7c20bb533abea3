#include "models/models.h"

namespace mini::models {

using graph::context;
using graph::ffn_weights;
using graph::tensor;

tensor* build_clip_vision(context& ctx, tensor* x, const ffn_weights& w) {
  return build_ffn(ctx, x, w, graph::FFN_GELU_ERF, graph::FFN_SEQ);
}

tensor* build_clip_text(context& ctx, tensor* x, const ffn_weights& w) {
  return build_ffn(ctx, x, w, graph::FFN_GELU_QUICK, graph::FFN_SEQ);
}

} // namespace mini::models
