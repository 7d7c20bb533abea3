#include "decide/rules/at_site.h"
#include "decide/rules/hf_names.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl301;
const Rule k_gl301{
    "GL301",
    "name-mapped-wrong",
    Level::error,
    "A name table of the engine maps an activation name to another formula than ACT2FN does.",
    R"(## What it finds

An entry of a table that reads Hugging Face configs, whose name ACT2FN knows and evaluates as another formula.

## Why it matters

Every checkpoint that declares this name runs the wrong formula, whatever the table was tested with.

## Example

`{"gelu_fast", quick_gelu}`: in ACT2FN `gelu_fast` is the tanh form; in MLX `gelu_fast_approx` is the sigmoid form.

## How to mend

Map the name to the formula that the message names.

## How to waive

`// gelint: ignore[GL301] reason` on the line or alone on the line above it. The reason is required.

## Sources

transformers, `activations.py`.
)",
    check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  for (const scan::NameTable& t : context.scan->tables) {
    if (!reads_hf_names(t))
      continue;
    for (const scan::TableEntry& e : t.entries) {
      const formula::ActivationName* n = formula::find_name(formula::NameSpace::act2fn, e.name);
      if (!n || e.formula == formula::Formula::unknown || e.formula == n->formula)
        continue;
      findings.push_back(
          at_place(k_gl301, e.place,
                   fmt::format("{} maps '{}' to {} ({}), ACT2FN evaluates it as {}", t.symbol,
                               e.name, e.target.empty() ? "another formula" : e.target,
                               to_string(e.formula), to_string(n->formula)),
                   t.symbol + '|' + e.name));
    }
  }
}

} // namespace
} // namespace gelint::decide
