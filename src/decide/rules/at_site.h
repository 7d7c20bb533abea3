#pragma once
// What the rules about sites share.

#include "decide/rule.h"
#include "scan/site.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <utility>

namespace gelint::decide {

inline Finding at_place(const Rule& rule, const scan::Place& place, std::string message,
                        std::string anchor) {
  Finding f = make_finding(rule, std::move(message));
  f.path = place.path;
  f.line = place.line;
  f.column = place.column;
  f.anchor = std::move(anchor);
  return f;
}

inline Finding at_site(const Rule& rule, const scan::Site& site, std::string message) {
  Finding f = at_place(rule, site.place, std::move(message), site.enclosing + '|' + site.symbol);
  f.end_column = site.end_column;
  return f;
}

/// Sites at which a fault of the code itself is reported once: not at each call of a function whose
/// definition is a site too.
inline std::vector<const scan::Site*> own_code(const scan::ScanResult& scan) {
  std::set<std::tuple<std::string_view, int, formula::Formula>> defined;
  for (const scan::Site& s : scan.sites)
    if (s.kind == scan::SiteKind::definition)
      defined.insert({s.place.path, s.place.line, s.formula});
  std::vector<const scan::Site*> out;
  for (const scan::Site& s : scan.sites) {
    bool elsewhere = s.kind != scan::SiteKind::definition && s.definition &&
                     !(*s.definition == s.place) &&
                     defined.contains({s.definition->path, s.definition->line, s.formula});
    if (!elsewhere && s.active)
      out.push_back(&s);
  }
  return out;
}

inline bool has_hazard(const scan::Site& site, formula::HazardKind kind) {
  return std::any_of(site.hazards.begin(), site.hazards.end(),
                     [&](const formula::Hazard& h) { return h.kind == kind; });
}

/// An approximate tanh that an activation is built of: that the activation is approximate is said of the activation.
inline bool builds_on(const scan::Site& whole, const scan::Site& part, formula::HazardKind kind) {
  return kind == formula::HazardKind::approximate && part.formula == formula::Formula::tanh && whole.formula != formula::Formula::tanh &&
         std::find(whole.callees.begin(), whole.callees.end(), part.enclosing) !=
             whole.callees.end();
}

/// Is the hazard reported elsewhere: in a function that the site calls and that is a site of its own, or, for a part, in
/// the activation that is built of it?
inline bool reported_elsewhere(const scan::ScanResult& scan, const scan::Site& site,
                               formula::HazardKind kind) {
  for (const scan::Site& other : scan.sites) {
    if (&other == &site || other.kind != scan::SiteKind::definition ||
        other.enclosing == site.enclosing || !has_hazard(other, kind))
      continue;
    if (builds_on(other, site, kind))
      return true;
    if (!builds_on(site, other, kind) &&
        std::find(site.callees.begin(), site.callees.end(), other.enclosing) != site.callees.end())
      return true;
  }
  return false;
}

/// Reports the hazards of one kind, where the code that has them stands.
inline void report_hazards(const Rule& rule, formula::HazardKind kind, const RuleContext& context,
                           std::vector<Finding>& findings) {
  if (!context.scan)
    return;
  for (const scan::Site* s : own_code(*context.scan))
    for (const formula::Hazard& h : s->hazards)
      if (h.kind == kind && !reported_elsewhere(*context.scan, *s, kind))
        findings.push_back(at_site(rule, *s,
                                   fmt::format("{}{}: {}", s->symbol,
                                               s->enclosing.empty() || s->enclosing == s->symbol
                                                   ? ""
                                                   : " in " + s->enclosing,
                                               h.detail)));
}

} // namespace gelint::decide
