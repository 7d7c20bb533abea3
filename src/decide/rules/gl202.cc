#include "decide/rules/at_site.h"

#include <set>
#include <tuple>

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

It speaks of a definition whose own body was evaluated, and within the GELU family also of calls and dispatch arms. A
name of several meanings (`relu_with_slope`, `gelu_fast_approx`) claims nothing; a ReLU whose slope or bound comes from
outside may be called ReLU, leaky ReLU or PReLU; enumerators, strings and rows are left to the code they lead to.

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

using formula::Formula;

bool is_relu(Formula f) {
  return f == Formula::relu || f == Formula::relu6 || f == Formula::leaky_relu || f == Formula::prelu;
}

/// A name that is right in a way that engines use: a slope from outside is that of a leaky ReLU, a
/// "ReLU" operator of a model format has a slope or an upper bound as its attributes.
bool may_mean(const scan::Site& s) {
  if (s.claimed == s.formula || (is_relu(s.claimed) && is_relu(s.formula)))
    return true;
  // "tanh" in a name may mean the tanh form. Sigmoid and tanh are parts of most other formulas: a
  // name may speak of the part, and of a body the part may be all that could be read.
  for (Formula f : {s.claimed, s.formula})
    if (f == Formula::tanh || f == Formula::sigmoid || f == Formula::identity)
      return true;
  // The sigmoid form is an approximation too.
  return s.formula == Formula::gelu_quick && s.claimed == Formula::gelu_tanh &&
         s.claimed_by.find("pprox") != std::string::npos;
}

/// Was the formula read from the code that the claim stands at?
bool own_formula(const scan::Site& s) {
  if (s.known_by != scan::KnownBy::evaluated && s.known_by != scan::KnownBy::rule)
    return false;
  if (s.formula == Formula::unknown || s.formula == Formula::other || s.reachable.size() > 1)
    return false;
  const bool both_gelu = formula::is_gelu_family(s.claimed) && formula::is_gelu_family(s.formula);
  switch (s.kind) {
  case scan::SiteKind::definition:
    if (both_gelu)
      return true;
    // What another function computes is told there, and tokens alone do not carry an accusation.
    return s.known_by == scan::KnownBy::evaluated && s.tier != scan::Tier::lexical &&
           s.definition == s.place;
  case scan::SiteKind::dispatch:
  case scan::SiteKind::call: return both_gelu;
  // Rows, enumerators and strings are linked to code through other places, which are sites too.
  default: return false;
  }
}

void check(const RuleContext& context, std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  // A call is not accused of what is said of the function that it calls; a label that lies over an honest function is.
  std::set<std::tuple<std::string_view, int, Formula>> said;
  for (const scan::Site& s : context.scan->sites)
    if (s.kind == scan::SiteKind::definition)
      said.insert({s.place.path, s.place.line, s.claimed});
  for (const scan::Site& site : context.scan->sites) {
    const scan::Site* s = &site;
    if (!s->active || s->claimed == Formula::unknown || may_mean(*s) || !own_formula(*s))
      continue;
    if (s->kind != scan::SiteKind::definition && s->definition && said.contains({s->definition->path, s->definition->line, s->claimed}))
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
