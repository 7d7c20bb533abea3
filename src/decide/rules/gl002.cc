#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl002;
const Rule k_gl002{"GL002",
                   "unit-not-parsed",
                   Level::warning,
                   "A source file could not be parsed.",
                   R"(## What it finds

A translation unit for which libclang gave no syntax tree, or that took longer than the limit; a file with needles behind a
bracket that is never closed.

## Why it matters

Its activations are known at the lexical tier at best.

## Example

The compile database names a file that is not there, or an option that this libclang does not know.

## How to mend

Mend the compile database, or leave the file out with `--exclude`.

## How to waive

A `waivers` entry of the inventory with `rule: GL002` and a `path`.

## Sources

libclang: `clang_parseTranslationUnit2`.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  for (const scan::TuFailure& t : context.scan->failures)
    findings.push_back(at_place(k_gl002, {t.path, 0, 0}, t.reason, ""));
}

} // namespace
} // namespace gelint::decide
