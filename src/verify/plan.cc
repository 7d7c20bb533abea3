#include "verify/plan.h"

#include "formula/names.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::verify {

using formula::Formula;

namespace {

struct Side {
  Formula formula = Formula::unknown;
  std::string act2fn;
};

Result<Side> parse_side(const std::string& name) {
  if (auto f = formula::formula_from_string(name); f && *f <= Formula::identity)
    return Side{*f, ""};
  if (const auto* n = formula::find_name(formula::NameSpace::act2fn, name))
    return Side{n->formula, name};
  if (size_t colon = name.find(':'); colon != std::string::npos)
    for (int i = 0; i <= static_cast<int>(formula::NameSpace::onednn); ++i) {
      auto ns = static_cast<formula::NameSpace>(i);
      if (formula::to_string(ns) != name.substr(0, colon))
        continue;
      if (const auto* n = formula::find_name(ns, name.substr(colon + 1)))
        return Side{n->formula, ns == formula::NameSpace::act2fn ? std::string(n->name) : ""};
    }
  return Error{.message = fmt::format("'{}' is neither a formula nor an ACT2FN key nor NAMESPACE:NAME", name),
               .mend = "for example gelu_erf, gelu_new or mlx:gelu_approx"};
}

/// An unbound site has no checkpoint to hold it against, whatever its hazards.
bool flagged(const decide::Row& row) {
  if (row.verdict == decide::Verdict::unbound)
    return false;
  return row.verdict == decide::Verdict::mismatch || row.verdict == decide::Verdict::conflict || !row.hazard.empty();
}

} // namespace

Result<RowSpec> parse_pair(const std::string& text) {
  size_t comma = text.find(',');
  if (comma == std::string::npos || text.find(',', comma + 1) != std::string::npos)
    return Error{.message = fmt::format("--pair {}: two names are needed", text), .mend = "IMPLEMENTED,REQUIRED"};
  Result<Side> a = parse_side(text.substr(0, comma)), b = parse_side(text.substr(comma + 1));
  if (!a)
    return a.error();
  if (!b)
    return b.error();
  RowSpec row;
  row.id = text;
  row.implemented = a->formula;
  row.required = b->formula;
  row.implemented_name = a->act2fn;
  row.required_name = b->act2fn;
  return row;
}

Result<Plan> plan_of(const report::Report& audit, bool all, const std::vector<std::string>& ids) {
  Plan plan;
  for (const std::string& id : ids)
    if (std::none_of(audit.rows.begin(), audit.rows.end(), [&](const decide::Row& r) { return r.id == id; }))
      return Error{.message = fmt::format("the audit has no row '{}'", id)};
  for (const decide::Row& r : audit.rows) {
    bool named = std::find(ids.begin(), ids.end(), r.id) != ids.end();
    if (ids.empty() ? !(all || flagged(r)) : !named)
      continue;
    if (!r.has_site) {
      if (named || all)
        plan.left_out.emplace_back(r.id, "no site serves it");
      continue;
    }
    RowSpec row;
    row.id = r.id;
    row.implemented = r.implemented;
    row.required = r.required;
    row.path = path_of(r.site.precision);
    row.required_name = r.slot.name;
    row.slot = r.slot.slot;
    row.model_type = r.model_type;
    if (!r.site.expr.empty()) {
      std::string error;
      row.expr = formula::parse_expr(r.site.expr, &error);
      if (!row.expr) {
        plan.left_out.emplace_back(r.id, error);
        continue;
      }
      row.expr_label = fmt::format("expression of {}:{}", r.site.place.path, r.site.place.line);
    }
    plan.rows.push_back(std::move(row));
  }
  return plan;
}

} // namespace gelint::verify
