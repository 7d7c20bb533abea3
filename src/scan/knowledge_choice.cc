// One value out of several: those found side by side in a body, and those of functions that share a name.

#include "scan/knowledge_parts.h"

#include <algorithm>
#include <tuple>

namespace gelint::scan {

using formula::Formula;

void add_unique(std::vector<Formula>& v, Formula f) {
  if (std::find(v.begin(), v.end(), f) == v.end())
    v.push_back(f);
  std::sort(v.begin(), v.end());
}

Value value_of(const Evaluated& e) {
  Value v;
  v.formula = e.print.formula;
  v.known_by = v.known() ? KnownBy::evaluated : KnownBy::none;
  v.gating = e.print.gating;
  v.precision = e.precision;
  v.evaluated = &e;
  return v;
}

Value Knowledge::from_evaluated(const Evaluated& e, int fn) const {
  Value v = value_of(e);
  if (fn >= 0) {
    const FunctionModel& f = functions_[static_cast<size_t>(fn)];
    v.definition = Place{files_[static_cast<size_t>(f.file)].path, f.line, f.column};
    v.callees = {f.qualified.empty() ? f.name : f.qualified};
  }
  return v;
}

/// One value out of several that were found side by side.
Value Knowledge::combine(const std::vector<Value>& found, const std::string& name) const {
  std::vector<Formula> all;
  // What is called GELU is no plain tanh or sigmoid: those are its parts.
  const bool of_family = claim_of(name).gelu_family;
  auto part = [&](Formula f) { return of_family && (f == Formula::tanh || f == Formula::sigmoid); };
  for (const Value& v : found)
    if (v.activation()) {
      if (!part(v.formula))
        add_unique(all, v.formula);
    } else {
      for (Formula f : v.reachable)
        if (!part(f))
          add_unique(all, f);
    }
  if (all.size() == 1) {
    const Value* best = nullptr;
    for (const Value& v : found)
      if (v.activation() && v.formula == all[0] && (!best || v.known_by < best->known_by))
        best = &v;
    if (best)
      return *best;
  }
  Claim claim = claim_of(name);
  if (all.size() > 1 && claim.gelu_family) {
    // a name of the GELU family over a body that also gates with something else: only the family counts
    std::vector<Formula> family;
    for (Formula f : all)
      if (formula::is_gelu_family(f))
        add_unique(family, f);
    if (family.size() == 1)
      for (const Value& v : found)
        if (v.formula == family[0])
          return v;
    if (!family.empty())
      all = family;
  }
  Value v;
  if (all.size() > 1) {
    v.reachable = all;
    v.reason = "which of several formulas runs is decided at run time";
    return v;
  }
  for (const Value& x : found)
    if (x.formula == Formula::other)
      return x;
  return v;
}

/// The nearest known values decide; among equally near ones the CPU's, then agreement.
Value Knowledge::choose(std::vector<std::pair<int, Value>> options, int from) const {
  if (options.empty())
    return {};
  std::vector<Formula> all;
  for (const auto& [file, v] : options)
    if (v.activation())
      add_unique(all, v.formula);
  auto rank = [&](const std::pair<int, Value>& o) {
    const Value& v = o.second;
    int backend = v.backend == Backend::cpu ? 0 : v.backend == Backend::unknown ? 1 : 2;
    return std::tuple(!v.activation() && v.formula != Formula::other && v.reachable.size() < 2, distance(from, o.first), backend, static_cast<int>(v.known_by));
  };
  std::stable_sort(options.begin(), options.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  Value best = options[0].second;
  // As near as the best and of the same standing, but different: a run-time matter.
  std::vector<Formula> equal;
  for (const auto& o : options)
    if (rank(o) == rank(options[0]) && o.second.activation())
      add_unique(equal, o.second.formula);
  if (equal.size() > 1) { // none of them is nearer: the name does not tell
    Value several;
    several.reachable = equal;
    several.backend = best.backend;
    several.reason = "several of this name compute different formulas";
    return several;
  }
  if (all.size() > 1 && best.reachable.empty())
    best.reachable = all;
  return best;
}

} // namespace gelint::scan
