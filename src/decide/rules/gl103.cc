#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl103;
const Rule k_gl103{
    "GL103",
    "key-not-read",
    Level::warning,
    "A config declares an activation that no reader of its model reads.",
    R"(## What it finds

A key that names an activation, at a level that a model reads, which none of its slots uses: another key is read, or
the formula is hard-coded. A note when the dead key agrees with what is run.

## Why it matters

An engine that reads the dead key runs another formula than the reference. Which key is read depends on the
model_type: `hidden_act`, `hidden_activation`, `activation_function`, `activation`, `afn`, …

## Example

`hidden_act` in a Gemma 2 config, whose MLP reads `hidden_activation`; `hidden_act` of the Llama 4 vision tower, which
hard-codes `nn.GELU()`.

## How to mend

Remove the key, or make it say what the reader runs.

## How to waive

`--ignore GL103`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

https://github.com/huggingface/text-generation-inference/issues/2319.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl103, context, findings);
}

} // namespace
} // namespace gelint::decide
