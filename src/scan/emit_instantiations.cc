// Explicit instantiations: "template void apply_gelu(float*, int);", "template class GeluLayer<half>;". The parser shows
// no cursor for those of functions, so they are read from the tokens.

#include "scan/emitter.h"

#include <algorithm>

namespace gelint::scan {

void Emitter::instantiations() {
  const auto& tokens = f_.lex.tokens;
  if (f_.language == Language::shader)
    return;
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].directive >= 0 || f_.lex.str(i) != "template" || f_.lex.str(i + 1) == "<")
      continue;
    // "extern template" makes none, "x.template f<T>()" is a call
    const std::string_view before = i > 0 && tokens[i - 1].directive < 0 ? f_.lex.str(i - 1) : std::string_view();
    if (!before.empty() && before != ";" && before != "}" && before != "{" && before != "]" && before != ")")
      continue;
    size_t end = i + 1;
    while (end < tokens.size() && end < i + 600 && f_.lex.str(end) != ";" && f_.lex.str(end) != "{")
      ++end;
    if (end < tokens.size() && f_.lex.str(end) == ";")
      instantiation(i + 1, end);
  }
}

/// [from, end): what follows the word "template", without the semicolon.
void Emitter::instantiation(size_t from, size_t end) {
  const bool type = f_.lex.str(from) == "class" || f_.lex.str(from) == "struct";
  size_t name = SIZE_MAX, open = end;
  for (size_t i = from + type; i < end;) {
    const std::string_view s = f_.lex.str(i);
    if (s == "(") {
      open = i;
      break;
    }
    if (s == "<") {
      i = after_matching(f_.lex, i);
      continue;
    }
    if (s == "operator")
      return;
    if (f_.lex.tokens[i].kind == TokKind::identifier) {
      if (f_.lex.str(i + 1) == "(" && (s == "__attribute__" || s == "__declspec" || s == "alignas")) {
        i = after_matching(f_.lex, i + 1);
        continue;
      }
      name = i;
    }
    ++i;
  }
  if (name == SIZE_MAX || (!type && open == end))
    return;
  Mention at;
  at.name = f_.lex.str(name);
  if (is_math_like(at.name))
    return;
  const Tok& t = f_.lex.tokens[name];
  at.offset = t.offset;
  at.length = t.length;
  at.line = t.line;
  at.column = t.column;
  at.arm = t.arm;
  at.role = Role::declaration;
  at.needle = classify_identifier(at.name);
  at.qualified = at.name;
  for (size_t k = name; k > from + 1 && f_.lex.str(k - 1) == "::";) {
    k -= 2;
    while (k > from && f_.lex.tokens[k].kind != TokKind::identifier) // Owner<T>::name
      --k;
    at.qualified = std::string(f_.lex.str(k)) + "::" + at.qualified;
  }
  for (size_t s = 0; s < f_.outline.scopes.size(); ++s)
    if (f_.outline.scopes[s].begin <= name && name < f_.outline.scopes[s].end) {
      at.scope = static_cast<int>(s);
      if (f_.outline.scopes[s].kind == ScopeKind::function)
        return; // no place for one
    }
  Value v = k_.of_instantiation(fi_, at.name, at.qualified, type, name, end);
  if (!v.tells() && !v.by_template_argument && f_.lex.str(name + 1) == "<") // "template void each<GeluOp<float>>(…);"
    for (size_t m = 0; m < f_.outline.mentions.size(); ++m) {
      const Mention& x = f_.outline.mentions[m];
      if (x.offset <= t.offset || x.is_string || x.role != Role::template_argument || x.needle != NeedleClass::gelu || is_math_like(x.name))
        continue;
      if (x.offset >= f_.lex.tokens[std::min(open, f_.lex.tokens.size() - 1)].offset)
        break;
      if (Value w = k_.of_mention(fi_, m); w.activation() && formula::is_gelu_family(w.formula)) {
        v = w;
        v.by_template_argument = true;
        v.is_epilogue = false;
        break;
      }
    }
  // The class or function of another name that merely contains an activation is none.
  const bool telling = counts(at.needle) || v.by_template_argument;
  // What a base class shares with a GELU layer does not make a ReLU layer one.
  if (const Claim c = claim_of(at.name); c.formula && !c.gelu_family && !v.by_template_argument && v.formula != *c.formula) {
    v = Value();
    v.formula = *c.formula;
    v.known_by = KnownBy::name;
    v.reason = "by its name alone";
  }
  if (!telling || !(v.by_template_argument || (v.tells() && listed(v, at))))
    return;
  out_.sites.push_back(site(at, SiteKind::registration, v));
}

} // namespace gelint::scan
