#include "decide/rules/at_site.h"
#include "decide/select_sites.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl204;
const Rule k_gl204{"GL204",
                   "stale-binding",
                   Level::warning,
                   "A site selector of the inventory fits nothing in the code.",
                   R"(## What it finds

A selector without any site. Where exactly one place fits under another path or function name, the binding is followed there, and
the finding is a note that says where.

## Why it matters

A row whose code was moved or renamed is no longer audited.

## Example

`enclosing: build_phi` after the function became `build_phi3`.

## How to mend

Change the selector to what the message names, or remove the row.

## How to waive

A `waivers` entry of the inventory with `rule: GL204` and a reason.

## Sources

docs/inventory.md.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.selection)
    return;
  for (const BindingState& b : context.selection->bindings)
    for (const SelectorState& s : b.selectors) {
      if (!s.sites.empty() && !s.followed)
        continue;
      std::string message = fmt::format("a selector of row {} fits no site", b.binding->id);
      message += s.followed ? fmt::format("; followed: {}; change the selector", s.evidence)
                            : fmt::format("{}; correct or remove it",
                                          s.evidence.empty() ? "" : "; " + s.evidence);
      const Where& w = s.selector->where;
      Finding f = at_place(k_gl204, {w.file, w.line, w.column}, message,
                           b.binding->id + '|' + std::to_string(&s - b.selectors.data()));
      f.row = b.binding->id;
      if (s.followed)
        f.level = Level::note;
      findings.push_back(std::move(f));
    }
}

} // namespace
} // namespace gelint::decide
