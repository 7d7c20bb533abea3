#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl004;
const Rule k_gl004{"GL004",
                   "verification-not-run",
                   Level::warning,
                   "A row was to be verified numerically and was not.",
                   R"(## What it finds

A row for which `gelint verify` has no result: the backend is not there, the formula is not known, or the kernel does not build.

## Why it matters

A row without a measurement rests on the scanner alone; silence would look like a proof.

## Example

`verify --backend cuda` on a machine without a GPU.

## How to mend

Run it where the backend is, or ask for another one; the message says what was missing.

## How to waive

A `waivers` entry of the inventory with `rule: GL004` and a `row`.

## Sources

docs on `gelint verify`.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.not_verified)
    return;
  for (const NotVerified& n : *context.not_verified) {
    Finding f = make_finding(k_gl004, fmt::format("not verified: {}: {}", n.row, n.reason));
    f.row = n.row;
    f.anchor = n.row;
    findings.push_back(std::move(f));
  }
}

} // namespace
} // namespace gelint::decide
