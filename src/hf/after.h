#pragma once
// What is added to resolved slots: other releases, curated facts, ports.

#include "hf/resolver.h"

namespace gelint::hf {

/// Fills versions (GL105), trained_with (GL109) and ports of the slots in `r.report`.
void after_resolution(Resolver& r, const ResolveOptions& options);

} // namespace gelint::hf
