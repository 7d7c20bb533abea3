#include "decide/inventory.h"
#include "decide/rules/at_site.h"
#include "decide/waive.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl005;
const Rule k_gl005{"GL005",
                   "waiver-fault",
                   Level::warning,
                   "A waiver has no reason, has expired, or waives nothing.",
                   R"(## What it finds

An inline `gelint: ignore[…]` without a reason or without a rule, a waiver of the inventory whose `expires` date has passed, and
any waiver that covers no finding although its rules were run.

## Why it matters

A waiver that outlives its cause hides the next fault at the same place.

## Example

`x = gelu(x); // gelint: ignore[GL201]` has no reason, so it waives nothing.

## How to mend

Write the reason, renew the date after looking again, or remove the waiver.

## How to waive

Not at all: a waiver of a waiver would be the fault again.

## Sources

docs/inventory.md, section Waivers.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (context.scan)
    for (const scan::InlineWaiver& w : context.scan->waivers) {
      std::string fault = w.rules.empty()    ? "this waiver names no rule"
                          : w.reason.empty() ? "this waiver has no reason and waives nothing"
                                             : "";
      if (!fault.empty())
        findings.push_back(
            at_place(k_gl005, w.place, fault + "; write `gelint: ignore[GL201] why`", "fault"));
    }
  if (context.inventory)
    for (const InventoryWaiver& w : context.inventory->waivers)
      if (expired(w, context.today))
        findings.push_back(at_place(
            k_gl005, {w.where.file, w.where.line, w.where.column},
            fmt::format("this waiver expired on {} ({}); renew or remove it", w.expires, w.reason),
            "expired|" + w.reason));
}

} // namespace
} // namespace gelint::decide
