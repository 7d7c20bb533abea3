#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl102;
const Rule k_gl102{
    "GL102",
    "null-or-wrong-type",
    Level::error,
    "An activation key holds null or something that is not a string.",
    R"(## What it finds

A key that a slot reads and whose value is null, a number, a list or an object; also a sub-config that is no object.

## Why it matters

null is not an omitted key: transformers takes the class default only when the key is absent, and looks up null
otherwise. An object with a `type` field is understood by some ports only.

## Example

`"hidden_act": {"type": "gelu"}` in a BERT config.

## How to mend

Write the name as a string, or remove the key to get the default of the class.

## How to waive

`--ignore GL102`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

transformers, `activations.py`; https://github.com/waybarrios/vllm-mlx/pull/486.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl102, context, findings);
}

} // namespace
} // namespace gelint::decide
