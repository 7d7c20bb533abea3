// How one site is filled in: its formula, what its name or a comment claims, its tier, and whether it is listed at all.

#include "scan/emitter.h"

#include <algorithm>
#include <cctype>

namespace gelint::scan {

using formula::Formula;

bool Emitter::in_type_scope(M m) const {
  for (int s = m.scope; s >= 0; s = f_.outline.scopes[static_cast<size_t>(s)].parent) {
    ScopeKind kind = f_.outline.scopes[static_cast<size_t>(s)].kind;
    if (kind == ScopeKind::function)
      return false;
    if (kind == ScopeKind::type)
      return true;
  }
  return false;
}

/// True when the formula, or what may be chosen, belongs into the list.
bool Emitter::listed(const Value& v, M m) const {
  if (v.formula == Formula::other || v.formula == Formula::unknown) {
    Claim c = claim_of(m.name);
    bool family = c.gelu_family || (m.needle == NeedleClass::gelu && !is_math_like(m.name) && !c.formula);
    for (Formula f : v.reachable)
      family = family || formula::is_gelu_family(f);
    return family || (all_ && (c.formula || !v.reachable.empty()));
  }
  return all_ || formula::is_gelu_family(v.formula) || claim_of(m.name).gelu_family ||
         std::any_of(v.reachable.begin(), v.reachable.end(), [](Formula f) { return formula::is_gelu_family(f); });
}

/// A place that the outline has no mention for.
Mention Emitter::mention_at(size_t token, Role role) const {
  const Tok& t = f_.lex.tokens[token];
  Mention at;
  at.name = f_.lex.str(token);
  at.offset = t.offset;
  at.length = t.length;
  at.line = t.line;
  at.column = t.column;
  at.arm = t.arm;
  at.role = role;
  at.scope = 0;
  for (size_t s = 0; s < f_.outline.scopes.size(); ++s)
    if (f_.outline.scopes[s].begin <= token && token < f_.outline.scopes[s].end) {
      at.scope = static_cast<int>(s);
      if (f_.outline.scopes[s].kind == ScopeKind::function)
        at.function = static_cast<int>(s);
    }
  return at;
}

Site Emitter::site(M m, SiteKind kind, const Value& v) {
  Site s;
  s.place = k_.place_of(fi_, m);
  s.end_column = s.place.column + static_cast<int>(m.length);
  s.kind = kind;
  s.symbol = m.is_string || m.qualified.empty() ? m.name : m.qualified;
  s.enclosing = f_.outline.enclosing(m);
  if (m.role == Role::definition && kind == SiteKind::definition)
    if (int fn = k_.function_at(fi_, &m - f_.outline.mentions.data()); fn >= 0)
      s.enclosing = k_.functions()[static_cast<size_t>(fn)].qualified;
  s.active = f_.is_active(m.offset, m.arm);
  bool seen = f_.parsed && s.active && f_.language != Language::shader && (f_.refs.count(m.offset) || near_ref(m));
  s.tier = !seen ? Tier::lexical : f_.has_command ? Tier::ast : Tier::stub;
  fill(s, v, m.name);
  claim(s, m);
  return s;
}

/// Strings and definitions have no cursor of their own at the name; an AST that covers the line's code will do.
bool Emitter::near_ref(M m) const { return m.is_string || (m.role == Role::definition); }

void Emitter::fill(Site& s, const Value& v, const std::string& name) const {
  s.formula = v.formula;
  s.known_by = v.known_by;
  s.precision = v.precision;
  s.gating = v.gating;
  if (claim_of(name).gated && v.known())
    s.gating = formula::Gating::glu;
  if (v.evaluated) {
    s.deviation = v.evaluated->print.deviation;
    s.nearest = v.evaluated->print.nearest;
    s.distance = v.evaluated->print.distance;
    s.near_miss = v.evaluated->print.near_miss;
    s.hazards = v.evaluated->hazards;
    if (s.kind == SiteKind::definition)
      s.expr = v.evaluated->expr;
  }
  s.reachable = v.reachable;
  std::sort(s.reachable.begin(), s.reachable.end());
  s.definition = v.definition;
  s.callees = v.callees;
  s.reason = v.reason;
  if (s.formula == Formula::unknown && s.reason.empty())
    s.reason = v.reachable.empty() ? "nothing in the tree or the rules says what it computes" : "decided at run time";
  s.backend = f_.backend != Backend::unknown ? f_.backend : v.backend;
  if (s.backend == Backend::unknown && s.kind == SiteKind::definition && s.known_by == KnownBy::evaluated)
    s.backend = Backend::cpu;
}

/// "A uses the erf GELU, B the tanh form" says nothing about one of the two.
bool Emitter::names_several_forms(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  auto any = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return lower.find(w) != std::string::npos; });
  };
  return any({"erf", "exact"}) + any({"tanh"}) + any({"quick", "sigmoid"}) > 1;
}

/// A sentence about the code rather than a label of it: "since erf is missing here, …".
bool Emitter::explains(std::string_view text) {
  size_t words = 0;
  for (std::string& w : words_of(text.substr(0, text.find('\n')))) {
    ++words;
    for (std::string_view s : {"not", "no", "since", "because", "instead", "lacks", "without", "unlike", "approximation", "replace", "replaced", "was", "than", "should"})
      if (w == s)
        return true;
  }
  return words > 16;
}

void Emitter::claim(Site& s, M m) const {
  Claim c = claim_of(m.name);
  if (c.formula && !c.gradient) {
    if (!c.sure)
      return; // a name of several meanings
    s.claimed = *c.formula;
    s.claimed_by = m.name;
    return;
  }
  // A comment on the same line or the line above that names a formula.
  for (const Comment& k : f_.lex.comments) {
    if (k.line + 1 < m.line || k.line > m.line)
      continue;
    std::string_view said = f_.lex.text.substr(k.offset, std::min<uint32_t>(k.length, 160));
    if (names_several_forms(said) || explains(said))
      continue;
    Claim x = claim_of(said);
    if (x.gelu_family && x.formula) {
      s.claimed = *x.formula;
      std::string text(f_.lex.text.substr(k.offset, std::min<uint32_t>(k.length, 120)));
      s.claimed_by = text.substr(0, text.find('\n'));
      return;
    }
  }
}

bool Emitter::capability(M m, const Value& v) const {
  if (m.role == Role::compare || m.role == Role::element)
    return in_capability_function(m) || !v.known();
  return false;
}

bool Emitter::in_capability_function(M m) const {
  if (m.function < 0)
    return false;
  std::string name = f_.outline.scopes[static_cast<size_t>(m.function)].name;
  for (const std::string& w : k_.rules().capability_words())
    if (name.find(w) != std::string::npos)
      return true;
  return false;
}

/// The last resort: a name that claims one formula exactly.
void Emitter::weak_name(Value& v, M m) const {
  if (v.known() || !v.reachable.empty() || (k_.in_gradient(fi_, m) && !is_gradient_name(m.name)))
    return;
  if (int a = arm_of_label(static_cast<size_t>(&m - f_.outline.mentions.data())); a >= 0 && k_.is_gradient_arm(fi_, static_cast<size_t>(a)))
    return;
  Claim c = claim_of(m.name);
  if (c.formula && c.gelu_family && !c.gradient && !is_math_like(m.name)) {
    v.formula = *c.formula;
    v.known_by = KnownBy::name;
    v.reason = "by its name alone";
  }
}

/// A parameter of the function that it is used in, or in whose initialisers it stands.
bool Emitter::is_parameter(M m) const {
  if (m.member)
    return false;
  return std::any_of(f_.outline.mentions.begin(), f_.outline.mentions.end(), [&](const Mention& d) {
    if (d.name != m.name || d.is_string || d.role != Role::parameter || d.offset > m.offset || d.line + 40 < m.line)
      return false;
    // no other function lies between
    return std::none_of(f_.outline.scopes.begin(), f_.outline.scopes.end(), [&](const Scope& s) {
      return s.kind == ScopeKind::function && s.end < f_.lex.tokens.size() && f_.lex.tokens[s.begin].offset > d.offset && f_.lex.tokens[s.end].offset < m.offset && !s.lambda;
    });
  });
}

/// Declared in the function it is used in.
bool Emitter::is_local(M m) const {
  if (m.member || m.function < 0)
    return false;
  return std::any_of(f_.outline.mentions.begin(), f_.outline.mentions.end(), [&](const Mention& d) {
    return d.name == m.name && d.function == m.function && d.role == Role::declaration && !d.is_string;
  });
}

} // namespace gelint::scan
