#include "decide/rules/at_site.h"

#include <map>

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl001;
const Rule k_gl001{"GL001",
                   "unparsed-needle",
                   Level::warning,
                   "A place that may compute or choose an activation could not be understood.",
                   R"(## What it finds

Text that looks like an activation (`gelu`, `erf`, `0.044715`, an epilogue enumerator, …) and that the scanner could neither
explain as a site nor as a comment, string, declaration, inactive branch or unrelated code. One finding per file, with the lines.
In an audit also a site that serves a slot and whose formula is not known: its row is `unresolved` because of the code.

## Why it matters

Whatever the table says, it does not speak about these places. An incomplete answer must not look like a clean one.

## Example

A kernel behind a macro of a header that is missing: the call never reaches the syntax tree.

## How to mend

Give the compile database (`-p DIR`), or the missing header's API as a file for `--rules`. If the file cannot be parsed at all, GL002
says why.

## How to waive

A `waivers` entry of the inventory with `rule: GL001` and a `path`. `--fail-on GL001` makes an incomplete scan fail.

## Sources

The ledger of `gelint scan`, which accounts for every needle.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  std::map<std::string, std::vector<const scan::Place*>> files;
  for (const scan::Place& p : context.scan->ledger.unparsed_at)
    files[p.path].push_back(&p);
  for (const auto& [path, places] : files) {
    std::string lines;
    int last = 0;
    size_t shown = 0;
    for (const scan::Place* p : places) {
      if (p->line == last)
        continue;
      last = p->line;
      if (++shown > 8) {
        lines += ", …";
        break;
      }
      lines += fmt::format("{}{}", lines.empty() ? "" : ", ", p->line);
    }
    std::string what =
        places.size() == 1 ? "1 needle was" : fmt::format("{} needles were", places.size());
    findings.push_back(at_place(
        k_gl001, *places.front(),
        fmt::format("{} not understood, line {}; give the compile database or rules for the API",
                    what, lines),
        ""));
  }
  if (context.rows)
    for (const Row& row : *context.rows)
      if (row.verdict == Verdict::unresolved && row.has_site && row.required != formula::Formula::unknown &&
          row.implemented == formula::Formula::unknown) {
        Finding f = at_site(k_gl001, row.site,
                            fmt::format("{} asks for {}, and what {} computes is not known{}; give the compile database or rules for the API",
                                        row.slot.slot, to_string(row.required), row.site.symbol,
                                        row.site.reason.empty() ? "" : ": " + row.site.reason));
        f.row = row.id;
        findings.push_back(std::move(f));
      }
}

} // namespace
} // namespace gelint::decide
