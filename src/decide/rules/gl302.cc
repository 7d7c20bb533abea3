#include "decide/rules/at_site.h"
#include "decide/rules/hf_names.h"

#include <algorithm>

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl302;
const Rule k_gl302{"GL302",
                   "names-missing",
                   Level::note,
                   "A name table of the engine lacks activation names that ACT2FN knows.",
                   R"(## What it finds

A table that reads Hugging Face configs and does not know all names of the GELU family. One finding per table.

## Why it matters

A checkpoint that declares one of them is refused, or worse, falls back in silence (GL303).

## Example

A table with `gelu` and `gelu_new` only meets a checkpoint that says `gelu_pytorch_tanh`.

## How to mend

Add the names; the message lists them with their formulas.

## How to waive

`// gelint: ignore[GL302] reason` on the line or alone on the line above it. The reason is required.

## Sources

transformers, `activations.py`; public reports: StarCoder in several servers stopped by a missing `gelu_pytorch_tanh`.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  for (const scan::NameTable& t : context.scan->tables) {
    if (!reads_hf_names(t))
      continue;
    size_t all = 0, known = 0;
    std::string missing;
    for (const formula::ActivationName& n : formula::activation_names()) {
      if (n.ns != formula::NameSpace::act2fn)
        continue;
      ++all;
      bool has = std::any_of(t.entries.begin(), t.entries.end(),
                             [&](const scan::TableEntry& e) { return e.name == n.name; });
      known += has;
      if (!has && formula::is_gelu_family(n.formula))
        missing +=
            fmt::format("{}{} ({})", missing.empty() ? "" : ", ", n.name, to_string(n.formula));
    }
    if (!missing.empty())
      findings.push_back(at_place(
          k_gl302, t.place,
          fmt::format("{} knows {} of the {} names of ACT2FN; of the GELU family it lacks {}",
                      t.symbol, known, all, missing),
          t.symbol));
  }
}

} // namespace
} // namespace gelint::decide
