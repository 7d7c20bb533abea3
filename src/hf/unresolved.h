#pragma once
// What is left to say of a config whose class is unknown.

#include "hf/resolver.h"

namespace gelint::hf {

/// A slot per key that names an activation, with what it declares and the verdict `unresolved`.
void unresolved_keys(Resolver& r, Value root);

/// Component of a bare checkpoint of this class.
std::string root_component(const ClassRecord& record);

/// Levenshtein distance, bytes.
size_t edit_distance(std::string_view a, std::string_view b);

} // namespace gelint::hf
