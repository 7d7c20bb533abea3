#pragma once
// Resolution of a checkpoint: which formula does each of its slots evaluate, who says so, where.

#include "checkpoint/model.h"
#include "hf/model_report.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gelint::hf {

class Tables;

struct ResolveOptions {
  std::string transformers;     ///< "" newest, "auto" the file's own transformers_version, or a version
  bool compare_releases = true; ///< fill Slot::versions and GL105
  bool ports = true;            ///< fill Slot::ports
};

/// Never fails: what cannot be resolved is a slot with a verdict or an issue.
ModelReport resolve_model(const checkpoint::Model& model, const ResolveOptions& options = {});
ModelReport resolve_model(Tables& tables, const checkpoint::Model& model, const ResolveOptions& options);

/// The slots of a config that declares nothing but its model_type.
Result<ModelReport> defaults_of(std::string_view model_type, std::string_view transformers = "");
Result<ModelReport> defaults_of(Tables& tables, std::string_view model_type, std::string_view transformers);

/// Releases that have a table, newest first: "5.24.0", …
std::vector<std::string> table_versions();

/// Every model_type of a release ("" newest), sorted.
std::vector<std::string> model_types(std::string_view transformers = "");

} // namespace gelint::hf
