#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl406;
const Rule k_gl406{
    "GL406",
    "near-miss",
    Level::warning,
    "The code computes a formula that is close to a known one, but a constant is off.",
    R"(## What it finds

Code that was evaluated, matches no formula of the vocabulary, and is close enough to one to be a mistyped constant.

## Why it matters

0.044175 for 0.044715 is off by 3.2e-4: as much as erf against tanh, and no test with a tolerance of 1e-3 sees it.

## Example

`tanhf(0.79788456f * (x + 0.044175f * x * x * x))`

## How to mend

Correct the constant, or say in a waiver why it is another one.

## How to waive

`// gelint: ignore[GL406] reason` on the line or alone on the line above it. The reason is required.

## Sources

Public reports: two constants swapped in TensorFlow's gelu_fast; libxsmm#829.
)",
    check};

namespace {

/// A definition that only hands on has no constant of its own.
bool hands_on(const scan::Site& s) {
  return s.kind == scan::SiteKind::definition && s.definition && !(*s.definition == s.place);
}

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  for (const scan::Site* s : own_code(*context.scan))
    if (s->near_miss && !hands_on(*s))
      findings.push_back(at_site(
          k_gl406, *s,
          fmt::format(
              "{} computes no known formula; the nearest is {}, {:.1e} away: a constant is off",
              s->symbol, to_string(s->nearest), s->distance)));
}

} // namespace
} // namespace gelint::decide
