// Names that are declared, shader bodies between #ifdef lines, and formulas that are written out in the middle of a function.

#include "scan/emitter.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace gelint::scan {

using formula::Formula;

void Emitter::macro(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (is_math_like(m.name) || m.needle != NeedleClass::gelu)
    return fate(m, NeedleFate::declaration);
  if (key_macro(mi))
    return;
  if (!k_.is_macro_function(m.name) && k_.is_enumerator(fi_, m)) {
    Value v = k_.of_enumerator(m.name, fi_);
    weak_name(v, m);
    if (v.known() || claim_of(m.name).gelu_family)
      return add(m, site(m, SiteKind::registration, v));
  }
  fate(m, NeedleFate::declaration);
}

void Emitter::declared(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (k_.table(m.name) && m.function < 0 && !is_math_like(m.name)) {
    Value v = k_.of_mention(fi_, mi);
    size_t line_begin = f_.lex.text.rfind('\n', m.offset);
    std::string_view before = f_.lex.text.substr(line_begin + 1, m.offset - line_begin - 1);
    const TableSummary* t = k_.table(m.name);
    const bool other_static = before.find("static") != std::string_view::npos && t && t->file != f_.path; // filled elsewhere, not here
    if (v.known() && before.find("extern") == std::string_view::npos && !other_static)
      return add(m, site(m, SiteKind::definition, v));
  }
  // auto gelu = [](float x) { … };
  for (int fn : f_.functions) {
    const FunctionModel& f = k_.functions()[static_cast<size_t>(fn)];
    if (!f.is_lambda || f.name != m.name || f.line != static_cast<int>(m.line) || defined_.count(fn))
      continue;
    Value v = k_.of_function(fn);
    if (!listed(v, m))
      break;
    defined_.insert(fn);
    return add(m, site(m, SiteKind::definition, v));
  }
  fate(m, NeedleFate::declaration);
}

/// Shaders choose a body by "#ifdef NAME" around plain statements.
void Emitter::conditional_bodies() {
  if (f_.language != Language::shader)
    return;
  for (const PpArm& a : f_.lex.arms) {
    auto d = std::find_if(f_.lex.directives.begin(), f_.lex.directives.end(), [&](const PpDirective& x) { return x.begin == a.begin; });
    if (d == f_.lex.directives.end() || d->keyword != "ifdef")
      continue;
    std::string_view line = f_.lex.text.substr(d->begin, d->end - d->begin);
    size_t e = line.find_last_not_of(" \t\r\n"), b = line.find_last_of(" \t", e);
    if (b == std::string_view::npos)
      continue;
    std::string name(line.substr(b + 1, e - b));
    if (!claim_of(name).gelu_family)
      continue;
    auto first = f_.lex.tokens.begin() + static_cast<long>(f_.lex.token_at(d->end));
    auto last = f_.lex.tokens.begin() + static_cast<long>(f_.lex.token_at(a.end));
    if (first == last || std::any_of(first, last, [&](const Tok& t) { return f_.lex.str(t) == "fn" || f_.lex.str(t) == "void"; }))
      continue;
    const Evaluated* e2 = k_.of_tokens(fi_, static_cast<size_t>(first - f_.lex.tokens.begin()), static_cast<size_t>(last - f_.lex.tokens.begin()));
    Mention at;
    at.name = name;
    at.offset = first->offset;
    at.line = first->line;
    at.column = first->column;
    at.length = first->length;
    at.arm = first->arm;
    Value v = e2 ? value_of(*e2) : Value();
    weak_name(v, at);
    out_.sites.push_back(site(at, SiteKind::definition, v));
  }
}

/// What a body computes where the preprocessor takes another of its arms.
void Emitter::left_out_arms() {
  for (const ArmFact* a : k_.arms()) {
    const Formula formula = a->value.print.formula;
    if (a->file != f_.path || (formula == Formula::other && a->value.print.nearest == Formula::unknown))
      continue;
    const bool listed = std::any_of(out_.sites.begin(), out_.sites.end(), [&](const Site& s) {
      return !s.active && s.formula == formula && std::abs(s.place.line - a->line) <= 12;
    });
    auto tok = std::lower_bound(f_.lex.tokens.begin(), f_.lex.tokens.end(), static_cast<uint32_t>(a->line), [](const Tok& t, uint32_t l) { return t.line < l; });
    if (listed || tok == f_.lex.tokens.end())
      continue;
    Site s;
    s.place = {f_.path, a->line, static_cast<int>(tok->column)};
    s.end_column = s.place.column + static_cast<int>(tok->length);
    s.kind = SiteKind::definition;
    s.symbol = a->name;
    s.enclosing = a->qualified;
    s.active = false;
    s.tier = f_.has_command ? Tier::ast : Tier::stub;
    fill(s, value_of(a->value), a->name);
    out_.sites.push_back(std::move(s));
  }
}

/// A formula written out in the middle of a larger function.
void Emitter::inline_formulas() {
  std::vector<const InnerFact*> mine;
  for (const InnerFact* i : k_.inner())
    if (i->file == f_.path && i->value.ok() && (formula::is_gelu_family(i->value.print.formula) || (all_ && i->value.print.formula == Formula::silu)))
      mine.push_back(i);
  std::sort(mine.begin(), mine.end(), [](const InnerFact* a, const InnerFact* b) { return std::tie(a->line, a->column, a->symbol) < std::tie(b->line, b->column, b->symbol); });
  int last_line = -10;
  for (const InnerFact* i : mine) {
    if (i->line <= last_line + 2)
      continue; // the same expression under another name
    bool covered = std::any_of(out_.sites.begin(), out_.sites.end(), [&](const Site& s) {
      return std::abs(s.place.line - i->line) <= 1 && s.formula == i->value.print.formula;
    });
    for (int fn : f_.functions) {
      const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
      const Scope& sc = f_.outline.scopes[static_cast<size_t>(g.scope)];
      bool within = sc.end < f_.lex.tokens.size() && static_cast<int>(f_.lex.tokens[sc.begin].line) <= i->line && i->line <= static_cast<int>(f_.lex.tokens[sc.end].line);
      bool listed_definition = std::any_of(out_.sites.begin(), out_.sites.end(), [&](const Site& s) {
        return s.kind == SiteKind::definition && s.place.line == g.line && s.place.column == g.column;
      });
      covered = covered || (within && listed_definition);
    }
    if (covered)
      continue;
    // the mathematical function in it names it best
    auto tok = std::lower_bound(f_.lex.tokens.begin(), f_.lex.tokens.end(), static_cast<uint32_t>(i->line), [](const Tok& t, uint32_t l) { return t.line < l; });
    auto best = f_.lex.tokens.end();
    for (auto t = tok; t != f_.lex.tokens.end() && t->line <= static_cast<uint32_t>(i->line) + 4; ++t)
      if (t->kind == TokKind::identifier && is_math_word(f_.lex.str(*t))) {
        best = t;
        break;
      }
    if (best == f_.lex.tokens.end())
      continue;
    last_line = i->line;
    size_t index = static_cast<size_t>(best - f_.lex.tokens.begin());
    Mention at;
    at.name = f_.lex.str(index);
    at.offset = best->offset;
    at.length = best->length;
    at.line = best->line;
    at.column = best->column;
    at.arm = best->arm;
    at.role = Role::call;
    for (size_t s = 0; s < f_.outline.scopes.size(); ++s)
      if (f_.outline.scopes[s].begin <= index && index < f_.outline.scopes[s].end)
        at.scope = static_cast<int>(s);
    Value v = value_of(i->value);
    Site s = site(at, SiteKind::call, v);
    s.expr = i->value.expr;
    s.tier = f_.has_command ? Tier::ast : Tier::stub;
    s.claimed = Formula::unknown;
    s.claimed_by.clear();
    out_.sites.push_back(std::move(s));
  }
}

} // namespace gelint::scan
