#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl101;
const Rule k_gl101{
    "GL101",
    "unknown-activation-name",
    Level::error,
    "A config names an activation that its reader does not know.",
    R"(## What it finds

A name that is not in ACT2FN of the transformers release in use, or not in the private table that the reader of this
model keeps. The look-up is exact: case counts, and there are no aliases. The nearest names of that release are
offered, and the release that knows the name where there is one.

## Why it matters

transformers raises KeyError. Engines with a fallback load the model and run another function in silence.

## Example

`"hidden_act": "gelu_tanh"`: ACT2FN knows `gelu_pytorch_tanh` and `gelu_new`, and never had `gelu_tanh`.

## How to mend

Write the name that the training code used, as the release spells it.

## How to waive

`--ignore GL101`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

transformers, `activations.py`; https://github.com/secretflow/spu/issues/969.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl101, context, findings);
}

} // namespace
} // namespace gelint::decide
