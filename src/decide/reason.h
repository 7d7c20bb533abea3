#pragma once
// The one sentence that says why a row has its verdict.

#include "decide/engine_parser.h"
#include "decide/row.h"
#include "hf/model_report.h"

#include <string>

namespace gelint::decide {

/// "`vision_config.hidden_act` is omitted, and SiglipVisionConfig's default gelu_pytorch_tanh
/// (…:97) asks for gelu_tanh"
std::string required_clause(const hf::Slot& slot, const hf::ModelReport& model,
                            const Binding& binding);

/// "nn::gelu_approx in build_phi (models/phi.cc:13) computes gelu_erf (evaluated at nn/act.cc:16)"
std::string site_clause(const scan::Site& site, const EngineAnswer* engine);

/// The sentence, without a trailing full stop missing: both clauses and, for a mismatch, the size
/// of the gap.
std::string reason_of(const Row& row, const hf::ModelReport& model, const Binding& binding,
                      const EngineAnswer* engine);

/// "path:line" or "path" when the line is not known.
std::string at(const std::string& path, int line);

} // namespace gelint::decide
