#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl108;
const Rule k_gl108{
    "GL108",
    "key-at-wrong-level",
    Level::warning,
    "An activation key stands at a level where nothing reads it.",
    R"(## What it finds

A key that a slot of this model reads, but in another config of the file: at the top while the text_config holds its
own, or inside the vision_config while the parent reads it. A note when both say the same.

## Why it matters

A stale flat copy misleads engines that read the top level only, or that hand it to the vision tower.

## Example

`hidden_act` at the top of a LLaVA config that has a text_config; `projector_hidden_act` inside vision_config.

## How to mend

Move the key to the level that is read, or remove it.

## How to waive

`--ignore GL108`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

https://github.com/ggml-org/llama.cpp/issues/12202.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl108, context, findings);
}

} // namespace
} // namespace gelint::decide
