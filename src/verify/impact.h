#pragma once
// What a formula does to a checkpoint: the MLP of a layer, run with both formulas in the checkpoint's type.
//
// Inputs: vectors of normal numbers from a fixed seed, scaled to unit mean square, times the weights of the norm before
// the MLP plus its bias, rounded to the type: what the norm hands on when its own input is spread like that. Projections
// are summed in double and rounded to the type once, with the bias, which is what a fused matrix product promises at
// best; the activation runs along its precision path; the gate's product is rounded.

#include "verify/judge.h"
#include "verify/layers.h"

namespace gelint::verify {

struct ImpactOptions {
  uint64_t inputs = 64; ///< vectors
  uint64_t seed = 20240229;
  bool norm_plus_one = false; ///< the norm multiplies by 1 + weight (Gemma)
};

/// The swept type of the layer's weights.
formula::Type layer_type(const MlpLayer& layer);

/// `reference`: the required formula, run in double for the rounding error.
report::ImpactRow run_layer(const MlpLayer& layer, const Candidate& implemented, const Candidate& required,
                            formula::Formula reference, const ImpactOptions& options);

struct Impact {
  std::vector<report::ImpactRow> rows;
  std::vector<std::string> left_out; ///< layers and rows, with the reason
};

/// Every row on those of the selected layers (select_layers) of a checkpoint's directory that its slot names
/// (layers_of_slot); a pair, which has no slot, on all. A row of another model_type than config.json's is left out. Rows
/// that run the same two candidates on a layer are run once, under the first one's id.
Result<Impact> impact_of(const std::vector<RowSpec>& rows, const std::string& model, const std::string& selection,
                         uint64_t inputs, const Progress& progress);

/// True when the model's norms multiply by 1 + weight, from its config.json; false without one.
bool norm_plus_one(const std::string& model);

} // namespace gelint::verify
