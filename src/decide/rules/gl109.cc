#include "decide/model_issues.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl109;
const Rule k_gl109{
    "GL109",
    "trained-with-another-formula",
    Level::warning,
    "The weights were trained with another formula than the reference runs.",
    R"(## What it finds

A slot with a curated fact about training that differs from the formula that the reference implementation evaluates
for this file.

## Why it matters

The declared config decides what the reference runs; the loss against the original training code stays. Both are
shown, neither replaces the other.

## Example

Gemma 1 was trained with tanh, while its first configs say `gelu`.

## How to mend

Decide which of the two to serve; to follow training, write the trained name in the key that is read.

## How to waive

`--ignore GL109`, or a baseline entry; a config file has no comments to carry a waiver.

## Sources

https://github.com/google/gemma_pytorch/pull/37; the overlay's rows with their sources.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  add_model_issues(k_gl109, context, findings);
}

} // namespace
} // namespace gelint::decide
