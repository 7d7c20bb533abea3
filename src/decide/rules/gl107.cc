#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl107;
const Rule k_gl107{
    "GL107",
    "model-type-unknown",
    Level::warning,
    "model_type is missing or unknown.",
    R"(## What it finds

A config without model_type, or with one that the chosen release does not know and that no overlay row covers; the
same for a sub-config whose class depends on it.

## Why it matters

model_type chooses the class, the class chooses the keys and the defaults. Nothing is borrowed from a sibling and
nothing guessed from the directory's name.

## Example

`{"paligemma_config": {…}, "gemma_expert_config": {"model_type": "gemma"}}`.

## How to mend

Write the model_type, or choose a release that knows it with `--transformers`.

## How to waive

`--ignore GL107`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

https://github.com/huggingface/lerobot/issues/1325.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl107, context, findings);
}

} // namespace
} // namespace gelint::decide
