#pragma once
// The MLPs of a checkpoint, found by the names that model libraries give their tensors.

#include "checkpoint/weights.h"

#include <string>
#include <vector>

namespace gelint::verify {

/// A projection out = W·in + b. Rows of W are outputs, or inputs when `transposed` (GPT-2's Conv1D).
struct Projection {
  const checkpoint::Weight* weight = nullptr;
  const checkpoint::Weight* bias = nullptr;
  uint64_t inputs = 0, outputs = 0;
  uint64_t first = 0; ///< first output row of a fused weight
  bool transposed = false;
};

/// down(activation(up(x))), or down(activation(gate(x)) · up(x)).
struct MlpLayer {
  std::string name;  ///< prefix of its tensors: "encoder.layer.0"
  std::string stack; ///< without the number: "encoder.layer"
  int number = -1;
  Projection up, gate, down;
  bool gated = false;
  const checkpoint::Weight* norm = nullptr;      ///< of the norm before the MLP
  const checkpoint::Weight* norm_bias = nullptr;
  uint64_t hidden() const { return down.outputs; }
  uint64_t intermediate() const { return down.inputs; }
};

/// Every MLP, by stack and number. A layer whose shapes do not fit together, or whose weights are quantised, is left
/// out with its reason.
struct MlpLayers {
  std::vector<MlpLayer> layers;
  std::vector<std::string> left_out;
};
MlpLayers find_layers(const checkpoint::Weights& weights);

/// Those of `layers` that a slot names: "vision.mlp" the MLPs whose name says vision, else those whose name says no
/// component at all (a checkpoint with one tower, or the language model beside a named vision tower). Nothing for a slot
/// that is no MLP, such as "text.lm_head". An empty slot names all.
std::vector<MlpLayer> layers_of_slot(const std::vector<MlpLayer>& layers, const std::string& slot);

/// Of `selection`, comma separated: a number, first, middle, last, all, or a glob over the layer's name. Empty: first,
/// middle and last of each stack. An item that picks nothing is an error that lists what there is.
Result<std::vector<MlpLayer>> select_layers(const std::vector<MlpLayer>& layers, const std::string& selection);

} // namespace gelint::verify
