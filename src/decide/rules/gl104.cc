#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl104;
const Rule k_gl104{
    "GL104",
    "conflicting-keys",
    Level::warning,
    "Two keys of a checkpoint claim different activations for one slot.",
    R"(## What it finds

Two keys at one level with different formulas; a derived field written beside the key that it is derived from (T5's
`dense_act_fn`); CLIP's `vision_config_dict` against `vision_config`; one key twice in an object; a GGUF file against
the config beside it.

## Why it matters

Which of the two counts depends on the reader, and readers differ. The finding names the one that transformers uses.

## Example

`"feed_forward_proj": "gated-gelu"` with `"dense_act_fn": "gelu"`: the first means tanh, the second is exact and wins.

## How to mend

Keep the key that says what the weights were trained with.

## How to waive

`--ignore GL104`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

https://github.com/huggingface/transformers/issues/20250; transformers, `configuration_clip.py`.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl104, context, findings);
}

} // namespace
} // namespace gelint::decide
