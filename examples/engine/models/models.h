// The activation-bearing blocks of the supported models. Attention and norms are left out.
#pragma once

#include "config/json.h"
#include "core/array.h"
#include "graph/ffn.h"
#include "nn/linear.h"

namespace mini::models {

// Text decoders and encoders.
array build_phi(const array& x, const nn::mlp_weights& w);
array build_phi_int8(const array& x, const nn::mlp_weights& w);
graph::tensor* build_gpt2(graph::context& ctx, graph::tensor* x, const graph::ffn_weights& w);
array build_starcoder2(const array& x, const nn::mlp_weights& w);
graph::tensor* build_gpt_bigcode(graph::context& ctx, graph::tensor* x,
                                 const graph::ffn_weights& w);
graph::tensor* build_gpt_neox(graph::context& ctx, graph::tensor* x, const graph::ffn_weights& w);
array build_gemma(const array& x, const nn::gated_weights& w);
array build_gemma_int8(const array& x, const nn::linear& gate_up, const nn::linear& down);
array build_gemma3(const array& x, const nn::gated_weights& w);
array build_t5(const array& x, const nn::gated_weights& w);
array build_llama(const array& x, const nn::gated_weights& w);
array build_modernbert(const array& x, const nn::linear& gate_up, const nn::linear& down);
array build_modernbert_head(const array& x, const nn::linear& dense);
array build_moondream(const array& x, const nn::mlp_weights& w);

// Vision towers and what joins them to the text model.
array build_siglip_vision(const array& x, const nn::mlp_weights& w, const config::json_value& cfg);
array build_siglip_text(const array& x, const nn::mlp_weights& w);
graph::tensor* build_clip_vision(graph::context& ctx, graph::tensor* x,
                                 const graph::ffn_weights& w);
graph::tensor* build_clip_text(graph::context& ctx, graph::tensor* x, const graph::ffn_weights& w);
array build_llava_vision(const array& x, const nn::mlp_weights& w);
array build_llava_projector(const array& x, const nn::mlp_weights& w);
array build_qwen2_vl_vision(const array& x, const nn::mlp_weights& w);
array build_qwen2_vl_merger(const array& x, const nn::mlp_weights& w);
array build_idefics2_vision(const array& x, const nn::mlp_weights& w);
array build_idefics2_connector(const array& x, const nn::gated_weights& w);
array build_idefics2_perceiver(const array& x, const nn::gated_weights& w);
graph::tensor* build_llama4_vision(graph::context& ctx, graph::tensor* x,
                                   const graph::ffn_weights& w);
graph::tensor* build_llama4_adapter(graph::context& ctx, graph::tensor* x,
                                    const graph::ffn_weights& w);
graph::tensor* build_moondream_vision(graph::context& ctx, graph::tensor* x,
                                      const graph::ffn_weights& w);

// Whisper.
graph::tensor* build_whisper_conv_stem(graph::context& ctx, graph::tensor* mel,
                                       const graph::ffn_weights& w);
graph::tensor* build_whisper_encoder(graph::context& ctx, graph::tensor* x,
                                     const graph::ffn_weights& w);
graph::tensor* build_whisper_decoder(graph::context& ctx, graph::tensor* x,
                                     const graph::ffn_weights& w);

} // namespace mini::models
