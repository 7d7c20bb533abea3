#include "decide/inventory.h"
#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl203;
const Rule k_gl203{"GL203",
                   "unbound-site",
                   Level::warning,
                   "A site serves no slot of any model in the inventory.",
                   R"(## What it finds

A place that applies, defines or chooses an activation of the GELU family, that no row of the inventory names, that no bound site
reaches, and that no `ignore` entry excuses. Without an inventory every site is unbound.

## Why it matters

What is not bound is not compared with any checkpoint.

## Example

A new model builder that nobody has entered yet.

## How to mend

`gelint inventory draft` proposes a binding with its evidence; enter it, or an `ignore` entry with the reason.

## How to waive

`// gelint: ignore[GL203] reason` on the line or alone on the line above it. The reason is required.

## Sources

docs/inventory.md.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.rows || !context.inventory)
    return;
  for (const Row& r : *context.rows) {
    if (r.verdict != Verdict::unbound)
      continue;
    Finding f = at_site(k_gl203, r.site, r.reason);
    f.row = r.id;
    // Code that nothing bound runs is no model's code yet; a use is.
    if (r.site.kind == scan::SiteKind::definition || r.site.kind == scan::SiteKind::table_entry ||
        r.site.kind == scan::SiteKind::dispatch)
      f.level = Level::note;
    findings.push_back(std::move(f));
  }
}

} // namespace
} // namespace gelint::decide
