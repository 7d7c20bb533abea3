#include "decide/rules/at_site.h"

namespace gelint::decide {
namespace {

void check(const RuleContext& context, std::vector<Finding>& findings);

} // namespace

extern const Rule k_gl202;
const Rule k_gl202{"GL202",
                   "misleading-name",
                   Level::warning,
                   "The code computes another formula than its name or comment says.",
                   R"(## What it finds

A function, enumerator or comment that claims one formula of the vocabulary over code that computes another.

## Why it matters

The next person picks the function by its name. This is how one engine ran the erf form through a helper called
`gelu_approx` in a dozen model families.

## Example

`array gelu_approx(array x) { return x * 0.5 * (1 + erf(x / sqrt(2))); }`

## How to mend

Rename the function or correct the comment. Do not change what it computes unless GL201 says so: callers may rely on it.

## How to waive

`// gelint: ignore[GL202] reason` on the line or alone on the line above it. The reason is required.

## Sources

In MLX `gelu_approx` is the tanh form; in torch `approximate="tanh"`; ACT2FN's `gelu_fast` is the tanh form too.
)",
                   check};

namespace {

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  for (const scan::Site* s : own_code(*context.scan)) {
    bool known = s->formula != formula::Formula::unknown && s->formula != formula::Formula::other &&
                 (s->known_by == scan::KnownBy::evaluated || s->known_by == scan::KnownBy::rule);
    // "tanh" in a name may mean the tanh form.
    bool tanh_form =
        s->claimed == formula::Formula::tanh && s->formula == formula::Formula::gelu_tanh;
    if (!known || tanh_form || s->claimed == formula::Formula::unknown || s->claimed == s->formula)
      continue;
    Finding f = at_site(k_gl202, *s,
                        fmt::format("{} computes {}, but {} says {}; rename it or correct the text",
                                    s->symbol, to_string(s->formula),
                                    s->claimed_by.empty() ? "its name" : "'" + s->claimed_by + "'",
                                    to_string(s->claimed)));
    if (s->definition && !(*s->definition == s->place))
      f.related.push_back({s->definition->path, s->definition->line, s->definition->column,
                           "the code that computes"});
    findings.push_back(std::move(f));
  }
}

} // namespace
} // namespace gelint::decide
