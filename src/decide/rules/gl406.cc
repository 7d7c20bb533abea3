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
    "The code computes a formula that is close to a known one: a constant is off, or an approximation is coarse.",
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

/// A definition that hands on to another near miss has no constant of its own.
bool hands_on(const scan::Site& s, const std::set<std::string>& near_misses) {
  if (s.kind != scan::SiteKind::definition)
    return false;
  return (s.definition && !(*s.definition == s.place)) || std::any_of(s.callees.begin(), s.callees.end(), [&](const std::string& callee) {
           return callee != s.symbol && near_misses.contains(callee);
         });
}

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  const std::vector<const scan::Site*> sites = own_code(*context.scan);
  std::set<std::string> near_misses;
  for (const scan::Site* s : sites)
    if (s->near_miss && s->kind == scan::SiteKind::definition)
      near_misses.insert(s->symbol);
  for (const scan::Site* s : sites)
    if (s->near_miss && !hands_on(*s, near_misses))
      findings.push_back(at_site(
          k_gl406, *s,
          fmt::format(
              "{} computes no known formula; the nearest is {}, {:.1e} away: a constant is off, or an approximation is coarse",
              s->symbol, to_string(s->nearest), s->distance)));
}

} // namespace
} // namespace gelint::decide
