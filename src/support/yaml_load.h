#pragma once
// YAML files as every reader of gelint takes them: a mapping at the top, and the same words for the same fault. Header
// only, so that support does not need yaml-cpp.

#include "support/result.h"

#include <string>
#include <string_view>
#include <yaml-cpp/yaml.h>

namespace gelint {

/// The place of a mark, 1-based; none for a null mark.
inline Error yaml_error(const std::string& file, const YAML::Mark& mark, std::string message, std::string mend) {
  const bool known = !mark.is_null() && mark.line >= 0;
  return Error{std::move(message), file, known ? mark.line + 1 : 0, known ? mark.column + 1 : 0, std::move(mend)};
}

/// What yaml-cpp threw, as an Error.
inline Error yaml_error(const std::string& file, const YAML::Exception& e) {
  return yaml_error(file, e.mark, "is not valid YAML: " + e.msg, "mend the syntax there");
}

/// The document's top node, which is a mapping. `what` names the kind of file ("an inventory"), `mend` says how one
/// begins. An empty file is a fault, too.
inline Result<YAML::Node> load_yaml_map(std::string_view text, const std::string& file, std::string_view what,
                                        std::string mend) {
  try {
    YAML::Node root = YAML::Load(std::string(text));
    if (!root || root.IsNull())
      return Error{"is empty", file, 1, 1, std::move(mend)};
    if (!root.IsMap())
      return yaml_error(file, root.Mark(), "is not " + std::string(what) + ": there is no mapping at its top",
                        std::move(mend));
    return root;
  } catch (const YAML::Exception& e) {
    return yaml_error(file, e);
  }
}

} // namespace gelint
