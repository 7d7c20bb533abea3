#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl402;
const Rule k_gl402{"GL402",
                   "exponential-overflow",
                   Level::warning,
                   "An exponential overflows before the result stops being finite.",
                   R"(## What it finds

tanh or a logistic function written with exponentials whose argument overflows for inputs that still occur, so that inf/inf gives NaN.

## Why it matters

One large activation makes the whole answer NaN. In f32 exp overflows above 88.7; a tanh written with exp(2u) in GELU fails above x = 10.06.

## Example

`(exp(2*u) - 1) / (exp(2*u) + 1)`

## How to mend

Use tanh, or 1/(1+exp(-z)) with the negative sign, or clamp the argument.

## How to waive

`// gelint: ignore[GL402] reason` on the line or alone on the line above it. The reason is required.

## Sources

Public reports: MPS above 10; llama.cpp on Vulkan (Phi-2); gpuweb#4458.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  report_hazards(k_gl402, formula::HazardKind::exp_overflow, context, findings);
}

} // namespace
} // namespace gelint::decide
