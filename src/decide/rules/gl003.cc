#include "decide/decide.h"
#include "decide/inventory.h"
#include "decide/rules/at_site.h"

#include <map>
#include <tuple>

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl003;
const Rule k_gl003{"GL003",
                   "inventory-invalid",
                   Level::error,
                   "An inventory file has a fault, or two of its rows contradict each other.",
                   R"(## What it finds

A fault of the format: unknown key, wrong type, unknown word, an id used twice, a family that does not exist, YAML that does not
parse. Also two rows that bind the same site to the same slot of the same checkpoint (a warning): one of them is not needed, and
where their references differ they contradict each other.

## Why it matters

An entry at fault is left out, so that its sites show up as unbound or are not audited at all.

## Example

`kind: kall` in a site selector.

## How to mend

The message names file, line, column and what is allowed; docs/inventory.md describes the format.

## How to waive

A `waivers` entry of the inventory with `rule: GL003` and a `path`; an overlap also with a `row`.

## Sources

docs/inventory.md.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (context.inventory)
    for (const Error& e : context.inventory->faults) {
      std::string message = e.mend.empty() ? e.message : e.message + " (" + e.mend + ")";
      findings.push_back(at_place(k_gl003, {e.file, e.line, e.column}, message, e.message));
    }
  if (!context.rows || !context.inventory)
    return;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, const Row*> first;
  std::set<std::pair<std::string, std::string>> reported;
  for (const Row& r : *context.rows) {
    if (!r.has_site || r.verdict == Verdict::unbound)
      continue;
    const scan::Place& p = r.site.place;
    auto [it, fresh] = first.try_emplace({r.checkpoint, r.model_type, r.slot.slot, r.site.id}, &r);
    const Binding *a = binding_of(*context.inventory, it->second->id),
                  *b = binding_of(*context.inventory, r.id);
    if (fresh || !a || !b || a == b || !reported.insert({a->id, b->id}).second)
      continue;
    bool contradict = it->second->required != r.required;
    Finding f = at_place(
        k_gl003, {b->where.file, b->where.line, b->where.column},
        fmt::format("the rows {} and {} bind {}:{} to {} of the same model{}; keep one of them",
                    a->id, b->id, p.path, p.line, r.slot.slot,
                    contradict ? " and require different formulas" : ""),
        a->id + '|' + b->id);
    f.level = contradict ? Level::error : Level::warning;
    f.row = r.id;
    findings.push_back(std::move(f));
  }
}

} // namespace
} // namespace gelint::decide
