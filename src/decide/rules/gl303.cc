#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl303;
const Rule k_gl303{
    "GL303",
    "silent-fallback",
    Level::warning,
    "A name table of the engine turns an unknown activation name into some formula without a word.",
    R"(## What it finds

A table whose look-up ends in a default instead of an error.

## Why it matters

The checkpoint runs with a formula that nobody chose. A refused load is noticed, a wrong formula is not.

## Example

`default: return act::gelu_erf;` after the last comparison: `gelu_new`, `relu` and a typing error all run erf.

## How to mend

Fail the load and list the names that are known.

## How to waive

`// gelint: ignore[GL303] reason` on the line or alone on the line above it. The reason is required.

## Sources

Public reports: vllm-mlx#486; the shared vision config of the engine that this tool comes from.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  for (const scan::NameTable& t : context.scan->tables) {
    if (t.fallback_kind != scan::FallbackKind::silent)
      continue;
    std::string becomes = t.fallback == formula::Formula::unknown
                              ? "some formula"
                              : std::string(to_string(t.fallback));
    findings.push_back(at_place(
        k_gl303, t.fallback_place ? *t.fallback_place : t.place,
        fmt::format(
            "an unknown name becomes {} in silence in {}; fail the load and list the known names",
            becomes, t.symbol),
        t.symbol));
  }
}

} // namespace
} // namespace gelint::decide
