#include "decide/rule.h"
#include "hf/model_report.h"

#include <fmt/format.h>

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl201;
const Rule k_gl201{"GL201",
                   "formula-mismatch",
                   Level::error,
                   "The code computes another formula than the checkpoint asks for.",
                   R"(## What it finds

A row of the decision table whose site computes another formula than its slot requires. Where the site's formula is known
by its name alone the finding is a warning: nobody has seen that code.

## Why it matters

The weights were trained with one function and run with another. Nothing crashes; accuracy is lost in silence. erf and
tanh differ by up to 4.7e-4 per element, either of them and quick_gelu by 2.0e-2, GELU and SiLU by 0.19.

## Example

A StarCoder2 checkpoint declares `gelu_pytorch_tanh`, the engine's MLP calls a helper that computes the erf form.

## How to mend

Run the formula that the row's reason names, at the place it names.

## How to waive

`// gelint: ignore[GL201] reason` on the site's line, or a `waivers` entry in the inventory. The reason is required.

## Sources

Hendrycks and Gimpel, arXiv:1606.08415; the activation table of transformers, `activations.py`.
)",
                   check};

namespace {

/// The config file of a checkpoint that is given as a folder.
std::string config_file(const RuleContext& context, const std::string& checkpoint) {
  if (context.models)
    for (const hf::ModelReport& m : *context.models)
      if (m.path == checkpoint && !m.config_file.empty())
        return m.config_file;
  return checkpoint;
}

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.rows)
    return;
  for (const Row& row : *context.rows) {
    if (row.verdict != Verdict::mismatch)
      continue;
    Finding f = make_finding(k_gl201, row.reason);
    if (row.site.known_by == scan::KnownBy::name)
      f.level = Level::warning; // nobody has seen that code
    f.path = row.site.place.path;
    f.line = row.site.place.line;
    f.column = row.site.place.column;
    f.end_column = row.site.end_column;
    f.config_path = row.slot.config_path;
    f.row = row.id;
    f.anchor = row.site.enclosing + '|' + row.site.symbol + '|' + row.slot.slot;
    if (row.slot.line > 0)
      f.related.push_back({config_file(context, row.checkpoint), row.slot.line, row.slot.column,
                           "the key that decides"});
    if (row.site.definition)
      f.related.push_back({row.site.definition->path, row.site.definition->line,
                           row.site.definition->column, "the code that computes"});
    findings.push_back(std::move(f));
  }
}

} // namespace
} // namespace gelint::decide
