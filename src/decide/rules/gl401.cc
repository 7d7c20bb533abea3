#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl401;
const Rule k_gl401{"GL401",
                   "power-of-negative-base",
                   Level::warning,
                   "The cube is written as pow(x, 3) where x may be negative.",
                   R"(## What it finds

`power(x, 3)`, `pow(x, 3.0f)` and the like over an input that may be negative, in code where the power may be computed as
exp(3·log x).

## Why it matters

The logarithm of a negative number is NaN. It came out as NaN for negative bf16 inputs of a vision tower, and the tanh form
was blamed and replaced by erf.

## Example

`0.044715f * power(x, array(3.0f))`

## How to mend

Write `x * x * x`.

## How to waive

`// gelint: ignore[GL401] reason` on the line or alone on the line above it. The reason is required.

## Sources

The history of the engine that this tool comes from; MLX's compiled graphs.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  report_hazards(k_gl401, formula::HazardKind::pow_negative_base, context, findings);
}

} // namespace
} // namespace gelint::decide
