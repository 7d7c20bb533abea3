// A choice that was stored in a record and is handed on: build(x, params.act).

#include "scan/emitter.h"

#include <algorithm>

namespace gelint::scan {

using formula::Formula;

void Emitter::handed_members() {
  for (const auto& [offset, h] : f_.handed) {
    const size_t tok = f_.lex.token_at(offset);
    if (tok >= f_.lex.tokens.size() || k_.rules().is_message_call(h->callee) || h->callee.starts_with("operator") ||
        (!h->callee.empty() && k_.handling_of(h->callee, fi_) == Handling::handles))
      continue;
    if (!h->chooser.empty()) {
      chosen_elsewhere(tok, *h);
      continue;
    }
    Mention at = mention_at(tok, Role::argument);
    at.member = true;
    at.callee = h->callee;
    Value v;
    v.reachable = k_.formulas_of_member(at.name, h->enumeration, fi_);
    if (v.reachable.size() < 2 || std::none_of(v.reachable.begin(), v.reachable.end(), [](Formula f) { return formula::is_gelu_family(f); }))
      continue;
    v.reason = "whatever " + h->member + " was set to";
    Site s = site(at, SiteKind::config_read, v);
    s.config_key = at.name;
    s.tier = f_.has_command ? Tier::ast : Tier::stub;
    out_.sites.push_back(std::move(s));
  }
}

/// The value of a virtual function, and the local variable that hands it on: any of the enumeration.
void Emitter::chosen_elsewhere(size_t tok, const HandedFact& h) {
  Value v;
  v.reachable = k_.formulas_of_enumeration(h.enumeration, fi_);
  if (v.reachable.size() < 2 || std::none_of(v.reachable.begin(), v.reachable.end(), [](Formula f) { return formula::is_gelu_family(f); }))
    return;
  v.reason = "whatever " + h.chooser + " returns";
  Site s = site(mention_at(tok, Role::argument), SiteKind::selector, v);
  s.tier = f_.has_command ? Tier::ast : Tier::stub;
  out_.sites.push_back(std::move(s));
}

} // namespace gelint::scan
