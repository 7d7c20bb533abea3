#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl105;
const Rule k_gl105{
    "GL105",
    "default-differs-between-versions",
    Level::warning,
    "The answer for a slot differs between transformers releases.",
    R"(## What it finds

A slot whose formula is not the same in every release that knows the model: a changed class default, another key that
is read, or a reader that changed. The finding lists the releases at which the answer changes, among those with a
table.

## Why it matters

The same checkpoint runs another function after an upgrade, and ports agree with one release only.

## Example

Gemma 1 with `"hidden_act": "gelu"`: erf up to 4.38, tanh from 4.39 to 4.47, erf again from 4.48.

## How to mend

Pin the release, or write the keys so that every release gives the trained formula. `--transformers VERSION` shows one
release.

## How to waive

`--ignore GL105`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

https://github.com/huggingface/transformers/pull/29402; the tables under hf_defaults/.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl105, context, findings);
}

} // namespace
} // namespace gelint::decide
