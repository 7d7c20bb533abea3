#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl106;
const Rule k_gl106{
    "GL106",
    "remote-code-decides",
    Level::warning,
    "The code that reads the config is not part of transformers.",
    R"(## What it finds

A config with `auto_map`. A note where the answer is known all the same: a native class exists, the overlay covers the
family, or the repository's .py files are beside the config and were read.

## Why it matters

A declared key may be unused, and a native class may read other keys than the repository's code.

## Example

Qwen 1 declared `"activation": "swiglu"`, which its code never read.

## How to mend

Look at the repository's modeling code, and put it beside the config to have it read.

## How to waive

`--ignore GL106`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

https://huggingface.co/docs/transformers/custom_models.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl106, context, findings);
}

} // namespace
} // namespace gelint::decide
