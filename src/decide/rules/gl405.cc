#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl405;
const Rule k_gl405{"GL405",
                   "approximate-instruction",
                   Level::note,
                   "The formula goes through an approximate instruction or fast-math.",
                   R"(## What it finds

`tanh.approx.f32`, `__expf`, `-ffast-math`, `--use_fast_math` in the path of an activation.

## Why it matters

The result differs from the formula by more than rounding: up to 5e-4 relative for `tanh.approx.f32`.

## Example

`asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(u));`

## How to mend

Keep it where it is wanted; `gelint verify` says how far it is off.

## How to waive

`// gelint: ignore[GL405] reason` on the line or alone on the line above it. The reason is required.

## Sources

NVIDIA, PTX ISA, `tanh`; CUDA C++ Programming Guide, intrinsic functions.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  report_hazards(k_gl405, formula::HazardKind::approximate, context, findings);
}

} // namespace
} // namespace gelint::decide
