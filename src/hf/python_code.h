#pragma once
// The repository's own modeling code, as far as simple patterns go.

#include "hf/resolver.h"

namespace gelint::hf {

/// Finds activation uses in the model's *.py files and adds a slot for each. `overlay` is the class the tables would
/// use; may be null. False when the files show no activation.
bool resolve_from_python(Resolver& r, Value root, const ClassRecord* overlay);

} // namespace gelint::hf
