// The account of the needles that are no site.

#include "scan/emitter.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace gelint::scan {

using formula::Formula;

void Emitter::fate(M m, NeedleFate n) {
  if (counts(m.needle))
    out_.fates.emplace_back(m.offset, n);
}

void Emitter::add(M m, Site s) {
  if (std::optional<NeedleFate> n = bystander(m, s))
    return fate(m, *n);
  fate(m, s.active ? NeedleFate::site : NeedleFate::inactive);
  if (counts(m.needle) && s.active == false)
    out_.fates.back().second = NeedleFate::site; // an inactive site is still a site; the ledger's class is for the rest
  out_.sites.push_back(std::move(s));
}

NeedleFate Emitter::math_fate(M m) const {
  if (!f_.is_active(m.offset, m.arm))
    return NeedleFate::inactive;
  return inside_site(m) ? NeedleFate::site : NeedleFate::unrelated;
}

bool Emitter::inside_site(M m) const {
  for (int fn : defined_) {
    const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
    size_t mi = static_cast<size_t>(&m - f_.outline.mentions.data());
    if (g.first <= mi && mi < g.last)
      return true;
  }
  return false;
}

/// A needle that names a site, or is the mathematics in the arm of one, is accounted for with it, whatever listed it.
void Emitter::settle_fates() {
  std::set<std::pair<int, int>> places;
  for (const Site& s : out_.sites)
    places.emplace(s.place.line, s.place.column);
  std::set<uint32_t> in_site;
  std::vector<std::pair<uint32_t, uint32_t>> arms;
  for (const DispatchArm& a : f_.outline.arms)
    for (size_t l : a.labels) {
      M m = f_.outline.mentions[l];
      if (a.begin < a.end && a.end <= f_.lex.tokens.size() && places.count({static_cast<int>(m.line), static_cast<int>(m.column)}))
        arms.emplace_back(f_.lex.tokens[a.begin].offset, f_.lex.tokens[a.end - 1].offset);
    }
  for (const Mention& m : f_.outline.mentions)
    if (places.count({static_cast<int>(m.line), static_cast<int>(m.column)}) ||
        (is_math_word(m.name) && std::any_of(arms.begin(), arms.end(), [&](const auto& a) { return a.first <= m.offset && m.offset <= a.second; })))
      in_site.insert(m.offset);
  for (auto& [offset, fate] : out_.fates)
    if ((fate == NeedleFate::unrelated || fate == NeedleFate::declaration) && in_site.count(offset))
      fate = NeedleFate::site;
}

/// Comments and numbers.
void Emitter::other_needles() {
  for (const Comment& c : f_.lex.comments) {
    std::string_view s = f_.lex.text.substr(c.offset, c.length);
    for (size_t a = 0; a < s.size();) {
      if (!std::isalpha(static_cast<unsigned char>(s[a])) && s[a] != '_') {
        ++a;
        continue;
      }
      size_t b = a;
      while (b < s.size() && (std::isalnum(static_cast<unsigned char>(s[b])) || s[b] == '_'))
        ++b;
      if (counts(classify_identifier(s.substr(a, b - a))))
        out_.fates.emplace_back(c.offset + static_cast<uint32_t>(a), NeedleFate::comment);
      a = b;
    }
  }
  std::vector<std::pair<uint32_t, uint32_t>> covered;
  for (const Site& s : out_.sites)
    if (s.kind == SiteKind::definition)
      for (int fn : f_.functions) {
        const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
        if (g.line == s.place.line && g.column == s.place.column) {
          const Scope& sc = f_.outline.scopes[static_cast<size_t>(g.scope)];
          covered.emplace_back(f_.lex.tokens[sc.begin].offset,
                               sc.end < f_.lex.tokens.size() ? f_.lex.tokens[sc.end].offset : static_cast<uint32_t>(f_.lex.text.size()));
        }
      }
  for (const Tok& t : f_.lex.tokens)
    if (t.kind == TokKind::number && counts(classify_number(f_.lex.str(t)))) {
      bool in = std::any_of(covered.begin(), covered.end(), [&](const auto& c) { return c.first <= t.offset && t.offset < c.second; });
      out_.fates.emplace_back(t.offset, in ? NeedleFate::site : !f_.is_active(t.offset, t.arm) ? NeedleFate::inactive : NeedleFate::unrelated);
    }
  // Identifiers that no mention accounts for: conditions of #if, qualifiers, labels.
  std::set<uint32_t> done;
  for (const auto& [o, n] : out_.fates)
    done.insert(o);
  for (const Tok& t : f_.lex.tokens)
    if (t.kind == TokKind::identifier && !done.count(t.offset) && counts(classify_identifier(f_.lex.str(t)))) {
      bool unread = !f_.parsed && f_.language != Language::shader && t.directive < 0 && !is_math_like(f_.lex.str(t));
      NeedleFate n = t.directive >= 0 ? NeedleFate::declaration
                     : !f_.is_active(t.offset, t.arm) ? NeedleFate::inactive
                     : f_.lex.text.substr(t.offset + t.length, 2) == "::" ? NeedleFate::declaration
                     : unread ? NeedleFate::unparsed : NeedleFate::unrelated;
      out_.fates.emplace_back(t.offset, n);
    }
}

} // namespace gelint::scan
