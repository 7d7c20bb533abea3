#pragma once
// Finds model families in identifiers: `llm_build_phi2`, `Starcoder2MLP`, `LLM_ARCH_GPT_NEOX`,
// "nomic-bert".

#include "support/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::decide {

/// Words of an identifier or path part, in lower case: split at non-alphanumerics and at camel-case
/// borders, digits stay with what precedes them.
std::vector<std::string> identifier_words(std::string_view identifier);

struct NameHit {
  std::string spelling;                 ///< "gptneox"
  std::vector<std::string> model_types; ///< most specific first
  bool exact = false;                   ///< nothing but general words beside it
};

class ModelNames {
public:
  /// Every model_type is its own spelling; `aliases` (YAML, inventory/names/model_names.yaml) adds
  /// and overrides.
  static Result<ModelNames> make(const std::vector<std::string>& model_types,
                                 std::string_view aliases, const std::string& file);

  /// The longest known spelling in the identifier; general words ("llama" in llama-arch.cpp) lose
  /// against others.
  std::optional<NameHit> find(std::string_view identifier) const;

private:
  std::map<std::string, std::vector<std::string>, std::less<>> spellings_;
};

} // namespace gelint::decide
