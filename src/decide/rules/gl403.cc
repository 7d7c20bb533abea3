#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl403;
const Rule k_gl403{"GL403",
                   "cube-overflows-f16",
                   Level::warning,
                   "The cube is computed in half precision and overflows.",
                   R"(## What it finds

x·x·x in f16: above |x| = 40.3 the cube passes 65504.

## Why it matters

Activations of that size occur in vision towers. The infinity saturates through tanh to the right limit, but NaN follows where it meets a zero.

## Example

`__half u = c0 * (x + c1 * x * x * x);`

## How to mend

Compute the argument in f32, or factor it as x·(1 + c·x·x) with a clamp.

## How to waive

`// gelint: ignore[GL403] reason` on the line or alone on the line above it. The reason is required.

## Sources

Public reports: mlx-vlm#1163, unsloth-zoo#787.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  report_hazards(k_gl403, formula::HazardKind::cube_overflows_f16, context, findings);
}

} // namespace
} // namespace gelint::decide
