#pragma once
// Proposes bindings for an engine that nobody has described, each with a confidence and the
// evidence for it.

#include "decide/arch_cases.h"
#include "decide/model_names.h"
#include "hf/model_report.h"
#include "scan/site.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::decide {

struct DraftInput {
  const scan::ScanResult* scan = nullptr;
  const ModelNames* names = nullptr;
  std::vector<ArchCase> cases;
  std::vector<ArchName> arch_names;
  /// The text of a source file of the scan; empty when it cannot be read. May be unset.
  std::function<std::string_view(const std::string& path)> source;
  /// The slots of a model type; nullptr when the tables do not know it.
  std::function<const hf::ModelReport*(std::string_view model_type)> defaults;
};

struct Proposal {
  std::string id;       ///< "D-phi2-text-mlp"
  std::string spelling; ///< as the engine spells the model: "phi2"
  std::vector<std::string> model_types;
  std::string slot;
  struct Selector {
    std::string path, enclosing, symbol;
    bool enumerator = false;
  };
  std::vector<Selector> selectors;
  std::vector<size_t> sites;         ///< indices into the scan's sites
  double confidence = 0;             ///< 0 to 1
  std::vector<std::string> evidence; ///< one clause each, strongest first
};

struct Draft {
  std::vector<Proposal> proposals; ///< by falling confidence, then by id
  std::vector<size_t> unplaced;    ///< uses of the GELU family for which nothing speaks
};

Draft draft_bindings(const DraftInput& input);

/// An inventory of the proposals at or above `least`, with confidence and evidence as comments; the
/// others and the unplaced sites follow as comments.
std::string draft_yaml(const Draft& draft, const scan::ScanResult& scan, const std::string& engine,
                       double least);

} // namespace gelint::decide
