#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl404;
const Rule k_gl404{"GL404",
                   "half-precision-table",
                   Level::note,
                   "The formula is read from a table indexed by a half-precision input.",
                   R"(## What it finds

A look-up table with one entry per f16 value, in a function that takes f32.

## Why it matters

The input is rounded to f16 before the formula acts: a relative error of 2^-11, which is not a formula mismatch but explains a lost parity.

## Example

`y[i] = table_gelu_f16[f32_to_f16_bits(x[i])]`

## How to mend

Evaluate the formula where parity with f32 matters.

## How to waive

`// gelint: ignore[GL404] reason` on the line or alone on the line above it. The reason is required.

## Sources

Public report: ggml-org/llama.cpp#29252.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  report_hazards(k_gl404, formula::HazardKind::f16_table, context, findings);
  if (!context.scan)
    return;
  // The precision path says so even where the conversions around the table could not be followed.
  for (const scan::Site* s : own_code(*context.scan)) {
    bool told = std::any_of(s->hazards.begin(), s->hazards.end(), [](const formula::Hazard& h) {
      return h.kind == formula::HazardKind::f16_table;
    });
    if (!told && s->kind == scan::SiteKind::definition &&
        s->precision == formula::Precision::f16_table)
      findings.push_back(
          at_site(k_gl404, *s, s->symbol + ": the formula is read from a half-precision table"));
  }
}

} // namespace
} // namespace gelint::decide
