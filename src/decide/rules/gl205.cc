#include "decide/reason.h"
#include "decide/rules/at_site.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl205;
const Rule k_gl205{"GL205",
                   "sites-disagree",
                   Level::error,
                   "Sites that serve one slot compute different formulas.",
                   R"(## What it finds

Two or more sites of one slot of one checkpoint (eager and graph, quantised and not, one per backend) whose formulas differ. One
finding with all of them, whichever is right; also where the checkpoint's answer is not known.

## Why it matters

The same model gives other results depending on the path that a request takes; at most one of the sites can be right.

## Example

StarCoder2's eager MLP ran the erf form while its compiled graph ran the tanh form.

## How to mend

Bring all of them to the required formula, at the same time.

## How to waive

`// gelint: ignore[GL205] reason` on the line or alone on the line above it. The reason is required.

## Sources

Public reports: quantised against unquantised Gemma 3 (huggingface/candle#3745); ncnn's CPU layer against its Vulkan shader
(Tencent/ncnn#5001).
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.rows)
    return;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const Row*>> slots;
  for (const Row& r : *context.rows)
    if (r.has_site && r.verdict != Verdict::unbound && r.implemented != formula::Formula::unknown)
      slots[{r.checkpoint, r.checkpoint.empty() ? r.family + '|' + r.model_type : "", r.slot.slot}]
          .push_back(&r);
  for (const auto& [key, rows] : slots) {
    std::map<std::string, std::vector<std::string>> by_formula;
    for (const Row* r : rows)
      by_formula[std::string(to_string(r->implemented))].push_back(
          fmt::format("{} ({})", r->site.enclosing.empty() ? r->site.symbol : r->site.enclosing,
                      decide::at(r->site.place.path, r->site.place.line)));
    if (by_formula.size() < 2)
      continue;
    std::string text;
    for (const auto& [name, sites] : by_formula) {
      text += fmt::format("{}{} at", text.empty() ? "" : "; ", name);
      for (size_t i = 0; i < sites.size(); ++i)
        text += (i ? ", " : " ") + sites[i];
    }
    // The site that is wrong is the place to look at first.
    auto wrong = std::find_if(rows.begin(), rows.end(),
                              [](const Row* r) { return r->verdict == Verdict::mismatch; });
    const Row& first = wrong == rows.end() ? *rows.front() : **wrong;
    const std::string who = first.checkpoint.empty() ? first.model_type : first.checkpoint;
    Finding f = at_site(k_gl205, first.site,
                        fmt::format("the sites of {}{} disagree: {}", first.slot.slot,
                                    who.empty() ? "" : " of " + who, text));
    f.row = first.id;
    f.anchor = "disagree|" + first.slot.slot + '|' + first.checkpoint;
    for (const Row* r : rows)
      if (r != &first)
        f.related.push_back({r->site.place.path, r->site.place.line, r->site.place.column,
                             fmt::format("{} here", to_string(r->implemented))});
    findings.push_back(std::move(f));
  }
}

} // namespace
} // namespace gelint::decide
