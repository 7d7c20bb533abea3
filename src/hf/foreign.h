#pragma once
// Files of other libraries than transformers: open_clip, diffusers, timm, Mistral's params.json, GGUF.

#include "hf/resolver.h"

namespace gelint::hf {

void resolve_foreign(Resolver& r, const ResolveOptions& options);

} // namespace gelint::hf
