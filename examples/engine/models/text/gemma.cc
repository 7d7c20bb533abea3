#include "models/models.h"
#include "nn/activations.h"

namespace mini::models {

array build_gemma(const array& x, const nn::gated_weights& w) {
  return w.down(nn::geglu_exact(w.gate(x), w.up(x)));
}

// Gate and up projection are one matrix on the quantised path.
array build_gemma_int8(const array& x, const nn::linear& gate_up, const nn::linear& down) {
  const auto [gate, up] = split_columns(gate_up(x));
  return down(nn::geglu(gate, up));
}

array build_gemma3(const array& x, const nn::gated_weights& w) {
  static const graph_function block =
      compile([](const std::vector<array>& in) -> std::vector<array> {
        const array gate = matmul(in[0], in[1]);
        const array up = matmul(in[0], in[2]);
        const array cubed = gate * gate * gate;
        const array activated =
            gate * 0.5f * (1.0f + tanh(0.7978845608028654f * (gate + 0.044715f * cubed)));
        return {matmul(activated * up, in[3])};
      });
  return block({x, w.gate.weight, w.up.weight, w.down.weight})[0];
}

} // namespace mini::models
