#pragma once
// Order of transformers releases.

#include <string_view>

namespace gelint::hf {

/// -1, 0, 1 as release `a` is older than, the same as, newer than `b` ("5.0.0.dev0" is older than "5.0.0").
int compare_releases(std::string_view a, std::string_view b);

} // namespace gelint::hf
