#pragma once
// Globs over paths and over qualified names.

#include <string_view>
#include <vector>

namespace gelint {

/// `*` and `?` stay inside one path segment, `**` crosses segments (`src/**/x.cc` also matches
/// `src/x.cc`),
/// `[abc]` and `[!a-z]` are sets. Case-sensitive; the whole path must match.
bool glob_path(std::string_view pattern, std::string_view path);

/// `*` matches any run of characters, `?` one; the whole text must match.
bool glob_text(std::string_view pattern, std::string_view text);

/// A qualified C++ name: the pattern matches any run of whole components, so `build_phi` matches
/// `llm::build_phi::(lambda)` and `llm::build_*` does too. Template arguments of a component are
/// optional in the pattern.
bool glob_name(std::string_view pattern, std::string_view qualified);

/// Components of a qualified name, split at `::` outside of template arguments and parentheses.
std::vector<std::string_view> name_components(std::string_view qualified);

} // namespace gelint
