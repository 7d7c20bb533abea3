// Definitions: functions and types.

#include "scan/emitter.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

namespace gelint::scan {

using formula::Formula;

void Emitter::definition(size_t mi) {
  M m = f_.outline.mentions[mi];
  int fn = k_.function_at(fi_, mi);
  if (fn < 0)
    return fate(m, NeedleFate::declaration); // an enumeration's name
  const FunctionModel& f = k_.functions()[static_cast<size_t>(fn)];
  // constructors and destructors store, they do not compute
  const Scope& sc = f_.outline.scopes[static_cast<size_t>(f.scope)];
  const Scope& around = f_.outline.scopes[static_cast<size_t>(std::max(0, sc.parent))];
  const bool outside = around.kind != ScopeKind::type && (f.qualified == f.name + "::" + f.name || f.qualified.ends_with("::" + f.name + "::" + f.name));
  const bool maker = outside ? !k_.type_chooses(f.name) : around.kind == ScopeKind::type && around.name == f.name;
  if (!f.is_type && (maker || f.name.starts_with("~")))
    return fate(m, NeedleFate::declaration);
  Value v = k_.of_function(fn);
  const bool constructor = !f.is_type && (f.qualified == f.name + "::" + f.name || f.qualified.ends_with("::" + f.name + "::" + f.name));
  const bool takes_nothing = sc.name_tok != SIZE_MAX && f_.lex.str(sc.name_tok + 1) == "(" && f_.lex.str(sc.name_tok + 2) == ")";
  if (constructor && takes_nothing && !v.tells())
    return fate(m, NeedleFate::declaration);
  Claim c = claim_of(m.name);
  if (!v.known() && v.reachable.empty())
    weak_name(v, m);
  bool family = c.gelu_family || formula::is_gelu_family(v.formula);
  if (is_math_like(m.name) || (!family && !all_))
    return fate(m, NeedleFate::unrelated);
  if (f.is_type && !v.known() && v.reachable.empty() && f.last == f.first)
    return fate(m, NeedleFate::declaration);
  if (!listed(v, m))
    return fate(m, NeedleFate::unrelated);
  // A class stands for what its body computes; what its methods elsewhere compute stands there.
  if (f.is_type && v.known() && call_operator(f) < 0 && !computed_inside(f, v) && !chooses_for_base(f) && !k_.of_layer(fn).activation())
    return fate(m, NeedleFate::declaration);
  Site s = site(m, SiteKind::definition, v);
  if (!bystander(m, s))
    defined_.insert(fn);
  add(m, std::move(s));
}

bool Emitter::computed_inside(const FunctionModel& type, const Value& v) const {
  const Scope& sc = f_.outline.scopes[static_cast<size_t>(type.scope)];
  return v.activation() && v.definition && v.definition->path == f_.path && sc.end < f_.lex.tokens.size() &&
         static_cast<int>(f_.lex.tokens[sc.begin].line) <= v.definition->line && v.definition->line <= static_cast<int>(f_.lex.tokens[sc.end].line);
}

/// "class GeluLayer : public Layer { Act act() const override { return Act::Gelu; } };", "class ParallelGelu : public Gelu":
/// the base class computes, and this one says what.
bool Emitter::chooses_for_base(const FunctionModel& type) const {
  const Scope& sc = f_.outline.scopes[static_cast<size_t>(type.scope)];
  if (!claim_of(type.name).gelu_family || sc.name_tok == SIZE_MAX)
    return false;
  bool derived = false;
  for (size_t i = sc.name_tok + 1; i < sc.begin; ++i) {
    derived = derived || f_.lex.str(i) == ":";
    if (derived && f_.lex.tokens[i].kind == TokKind::identifier && f_.lex.str(i) != type.name && claim_of(f_.lex.str(i)).gelu_family)
      return true;
  }
  for (size_t m = type.first; derived && m < type.last; ++m)
    if (M x = f_.outline.mentions[m]; x.role == Role::returned && !x.is_string && claim_of(x.name).gelu_family && k_.is_enumerator(fi_, x))
      return true;
  return false;
}

int Emitter::call_operator(const FunctionModel& type) const {
  auto it = std::find_if(f_.functions.begin(), f_.functions.end(), [&](int fn) {
    const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
    return g.name == "operator" && type.first <= g.first && g.last <= type.last;
  });
  return it == f_.functions.end() ? -1 : *it;
}

void Emitter::unnamed_definitions() {
  for (int fn : f_.functions) {
    const FunctionModel& f = k_.functions()[static_cast<size_t>(fn)];
    if (defined_.count(fn))
      continue;
    if (f.from_macro) {
      made_by_macro(fn);
      continue;
    }
    if (f.is_type) {
      if (!tagged(fn))
        functor(fn);
      continue;
    }
    if (method_of_family(fn))
      continue;
    if (Value t = k_.of_template(fn); t.by_template_argument && !claim_of(f.name).gelu_family) {
      Site s = definition_site(f);
      fill(s, t, f.name);
      out_.sites.push_back(std::move(s));
      defined_.insert(fn);
      continue;
    }
    const Evaluated* e = f.fact && f.fact->value.ok() ? &f.fact->value : nullptr;
    Value v;
    if (e || f_.language == Language::shader || !f_.parsed)
      v = k_.of_function(fn);
    bool special = own_mathematics(f) && specialised(f);
    if (special)
      v = k_.of_function(fn);
    bool plain = v.known_by == KnownBy::evaluated && v.evaluated && v.activation() && (all_ || formula::is_gelu_family(v.formula));
    // A network's forward() that ends in one, and a gradient that has one in it, are no activation.
    if (plain && !formula::is_gelu_family(v.formula) && (is_gradient_name(f.name) || (f.fact && f.fact->intermediate)))
      continue;
    // A constant that is declared nowhere: clang drops the expression.
    bool dropped = !plain && !special && f.fact && !e && reads_like_family(f) &&
                   (f.fact->value.reason.starts_with("returns and stores nothing") || // libclang 22 keeps what is left of it
                    (f.fact->value.reason.starts_with("is not an elementwise function") && f.fact->alternatives.empty() && !holds_formula(f)));
    if (dropped) {
      v = Value{};
      v.reason = "a name in its formula is declared nowhere: give the compile database";
    }
    const bool chosen = own_mathematics(f) && (almost(v) || (e == nullptr && f.fact && choice_of(*f.fact, v)));
    // It has the coefficient and the function of a GELU, and what it makes of them is not known.
    const bool undecided = !plain && !special && !dropped && !chosen && !v.known() && e == nullptr && coefficient_and_curve(f);
    if (undecided && v.reachable.size() < 2) {
      v = Value{};
      v.reason = f.fact ? f.fact->value.reason : "its tokens tell no formula";
    }
    if (!plain && !special && !dropped && !chosen && !undecided)
      continue;
    if (v.definition && !(v.definition->path == f_.path && v.definition->line == f.line && v.definition->column == f.column))
      continue; // a wrapper without a telling name: its calls are sites, it is none
    if (claim_of(f.name).gelu_family || inside_listed_type(f) || k_.hands_on(fn))
      continue;
    if (size_of(f) > 600 && !(undecided && Knowledge::owner_claims_family(f)))
      continue; // a program that has an activation somewhere in it
    Site s = definition_site(f);
    if (f.is_lambda && f.name == "(lambda)" && covered_by_outer(f))
      continue;
    fill(s, v, f.name);
    out_.sites.push_back(std::move(s));
  }
}

/// A literal 0.044715, its product with the scale, or 1.702, and a call of exp, tanh, erf or the logistic function, in a
/// body that no other site stands in.
bool Emitter::coefficient_and_curve(const FunctionModel& f) const {
  const Scope& s = f_.outline.scopes[static_cast<size_t>(f.scope)];
  if (f.is_type || is_gradient_name(f.name) || s.end >= f_.lex.tokens.size())
    return false;
  bool coefficient = false, curve = false;
  for (size_t i = s.begin; i < s.end; ++i) {
    const std::string_view t = f_.lex.str(i);
    if (f_.lex.tokens[i].kind == TokKind::number)
      coefficient = coefficient || t.starts_with("0.044715") || t.starts_with("1.702") || t.starts_with("0.03567740") || t.starts_with(".044715");
    else if (f_.lex.tokens[i].kind == TokKind::identifier && f_.lex.str(i + 1) == "(")
      curve = curve || is_math_word(t) || t.find("exp") != std::string_view::npos || t.find("sigmoid") != std::string_view::npos;
  }
  const int first = static_cast<int>(f_.lex.tokens[s.begin].line), last = static_cast<int>(f_.lex.tokens[s.end].line);
  return coefficient && curve && !holds_formula(f) && std::none_of(out_.sites.begin(), out_.sites.end(), [&](const Site& x) {
    return x.place.path == f_.path && first <= x.place.line && x.place.line <= last;
  });
}

/// A formula that was found in the middle of the body.
bool Emitter::holds_formula(const FunctionModel& f) const {
  const Scope& s = f_.outline.scopes[static_cast<size_t>(f.scope)];
  if (s.end >= f_.lex.tokens.size())
    return false;
  const int first = static_cast<int>(f_.lex.tokens[s.begin].line), last = static_cast<int>(f_.lex.tokens[s.end].line);
  return std::any_of(k_.inner().begin(), k_.inner().end(),
                     [&](const InnerFact* x) { return x->file == f_.path && first <= x->line && x->line <= last; });
}

/// UNARY(act, x / (1 + exp(-1.702f * x))): listed where the macro is used, unless its arguments are a site there.
void Emitter::made_by_macro(int fn) {
  const FunctionModel& f = k_.functions()[static_cast<size_t>(fn)];
  if (!f.fact || !f.fact->value.ok() || !formula::is_gelu_family(f.fact->value.print.formula))
    return;
  const Formula formula = f.fact->value.print.formula;
  if (std::any_of(out_.sites.begin(), out_.sites.end(), [&](const Site& s) { return s.place.line == f.line && s.formula == formula; }))
    return;
  Value v = k_.of_function(fn);
  if (v.formula != formula)
    return;
  Site s = definition_site(f);
  s.tier = f_.has_command ? Tier::ast : Tier::stub;
  fill(s, v, f.name);
  out_.sites.push_back(std::move(s));
}

/// What the site of a definition is before its value is known.
Site Emitter::definition_site(const FunctionModel& f) const {
  Site s;
  s.place = {f_.path, f.line, f.column};
  s.end_column = f.column + static_cast<int>(f.name.size());
  s.kind = SiteKind::definition;
  s.symbol = f.name;
  s.enclosing = f.qualified;
  s.active = f.active;
  s.tier = f_.parsed && f.fact && f.active ? (f_.has_command ? Tier::ast : Tier::stub) : Tier::lexical;
  return s;
}

/// "template <…> struct Epilogue<T, TagGelu> { using Op = Combination<GeluOp>; };": what an empty class stands for.
bool Emitter::tagged(int type) {
  const FunctionModel& f = k_.functions()[static_cast<size_t>(type)];
  const Scope& sc = f_.outline.scopes[static_cast<size_t>(f.scope)];
  if (sc.name_tok == SIZE_MAX || f_.lex.str(sc.name_tok + 1) != "<" || claim_of(f.name).gelu_family)
    return false;
  const uint32_t from = f_.lex.tokens[sc.name_tok].offset, to = f_.lex.tokens[sc.begin].offset;
  const bool by_tag = std::any_of(f_.outline.mentions.begin(), f_.outline.mentions.end(), [&](const Mention& m) {
    return from < m.offset && m.offset < to && m.role == Role::template_argument && claim_of(m.name).gelu_family && k_.is_tag(m.name);
  });
  for (size_t m = f.first; by_tag && m < f.last; ++m) {
    M x = f_.outline.mentions[m];
    if (x.is_string || x.needle != NeedleClass::gelu || is_math_like(x.name))
      continue;
    if (Value v = k_.of_mention(fi_, m); v.activation() && formula::is_gelu_family(v.formula)) {
      Site s = definition_site(f);
      fill(s, v, f.name);
      out_.sites.push_back(std::move(s));
      defined_.insert(type);
      return true;
    }
  }
  return false;
}

/// A class whose name tells nothing stands for its call operator: the parser's facts of the operator lie at the class.
void Emitter::functor(int type) {
  const FunctionModel& f = k_.functions()[static_cast<size_t>(type)];
  if (!f.fact || claim_of(f.name).gelu_family || inside_listed_type(f))
    return;
  const int body = call_operator(f);
  if (body < 0 || size_of(k_.functions()[static_cast<size_t>(body)]) > 600 || k_.hands_on(type, body))
    return;
  const bool own = own_mathematics(k_.functions()[static_cast<size_t>(body)]);
  Value v;
  if (f.fact->value.ok()) {
    const Formula formula = f.fact->value.print.formula;
    v = k_.of_function(type);
    const bool wanted = formula::is_gelu_family(formula) || (all_ && !is_gradient_name(f.name) && !f.fact->intermediate);
    if (!(own && almost(v)) && (v.formula != formula || !v.activation() || !wanted))
      return;
  } else if (!own || !choice_of(*f.fact, v)) {
    return;
  }
  Site s = definition_site(f);
  fill(s, v, f.name);
  out_.sites.push_back(std::move(s));
  defined_.insert(type);
}

/// "void GELU::operator()(…)" outside of its class: applies what the class chooses.
bool Emitter::method_of_family(int fn) {
  const FunctionModel& f = k_.functions()[static_cast<size_t>(fn)];
  const Scope& sc = f_.outline.scopes[static_cast<size_t>(f.scope)];
  if (!applies_by_name(f.name) || !Knowledge::owner_claims_family(f) ||
      f_.outline.scopes[static_cast<size_t>(std::max(0, sc.parent))].kind == ScopeKind::type || inside_listed_type(f))
    return false;
  Value v = k_.of_function(fn);
  if (v.known() || v.reachable.size() < 2)
    return false; // one formula: listed where it is computed
  Site s;
  s.place = {f_.path, f.line, f.column};
  s.end_column = f.column + static_cast<int>(f.name.size());
  s.kind = SiteKind::definition;
  s.symbol = s.enclosing = f.qualified;
  s.active = f.active;
  s.tier = f_.parsed && f.fact && f.active ? (f_.has_command ? Tier::ast : Tier::stub) : Tier::lexical;
  fill(s, v, f.name);
  out_.sites.push_back(std::move(s));
  defined_.insert(fn);
  return true;
}

/// "template <> float act_bwd<Act::gelu>(…)": the body of one activation, or its gradient, under a name that tells nothing.
bool Emitter::specialised(const FunctionModel& f) const {
  const Scope& s = f_.outline.scopes[static_cast<size_t>(f.scope)];
  if (s.name_tok == SIZE_MAX || s.head >= s.begin || f_.lex.str(s.name_tok + 1) != "<")
    return false;
  const uint32_t from = f_.lex.tokens[s.name_tok].offset, to = f_.lex.tokens[s.begin].offset;
  return std::any_of(f_.outline.mentions.begin(), f_.outline.mentions.end(), [&](const Mention& m) {
    return from < m.offset && m.offset < to && m.role == Role::template_argument && claim_of(m.name).gelu_family && k_.is_enumerator(fi_, m);
  });
}

/// A constant seems to be off, whatever the function is called.
bool Emitter::almost(const Value& v) {
  return v.known_by == KnownBy::evaluated && v.evaluated && v.formula == Formula::other && v.evaluated->print.near_miss &&
         formula::is_gelu_family(v.evaluated->print.nearest);
}

/// Arms of its own that compute members of the family.
bool Emitter::choice_of(const DefinitionFact& fact, Value& v) {
  std::vector<Formula> arms;
  bool family = false;
  for (const auto& [condition, e] : fact.alternatives) {
    if (std::find(arms.begin(), arms.end(), e.print.formula) == arms.end())
      arms.push_back(e.print.formula);
    family = family || formula::is_gelu_family(e.print.formula);
  }
  if (!family || arms.size() < 2)
    return false;
  v = Value{};
  v.reachable = std::move(arms);
  v.reason = "several arms, chosen by " + fact.alternatives[0].first;
  return true;
}

/// The formula stands in this body, not in what it calls.
bool Emitter::own_mathematics(const FunctionModel& f) const {
  const Scope& s = k_.files()[static_cast<size_t>(f.file)].outline.scopes[static_cast<size_t>(f.scope)];
  for (size_t i = s.begin; i < s.end && i < f_.lex.tokens.size(); ++i) {
    const Tok& t = f_.lex.tokens[i];
    if (t.kind == TokKind::number && classify_number(f_.lex.str(t)) != NeedleClass::none)
      return true;
  }
  for (size_t m = f.first; m < f.last; ++m)
    if (f_.outline.mentions[m].needle == NeedleClass::gelu && k_.is_mathematics(f.file, m))
      return true;
  return false;
}

/// A statement that has a half, "1 + erf(… x …)" or the same with tanh, and x once more outside of that call.
bool Emitter::reads_like_family(const FunctionModel& f) const {
  const LexedFile& lex = f_.lex;
  const Scope& s = f_.outline.scopes[static_cast<size_t>(f.scope)];
  auto number = [&](size_t i, double wanted) {
    return i < lex.tokens.size() && lex.tokens[i].kind == TokKind::number && std::strtod(std::string(lex.str(i)).c_str(), nullptr) == wanted;
  };
  bool half = false, sum = false;
  std::set<std::string_view> inside, outside;
  for (size_t i = s.begin + 1; i < s.end && i < lex.tokens.size(); ++i) {
    const std::string_view text = lex.str(i), next = lex.str(i + 1);
    half = half || number(i, 0.5);
    if (text == ";" || text == "{" || text == "}") {
      half = sum = false;
      inside.clear();
      outside.clear();
    } else if (lex.tokens[i].kind == TokKind::identifier && next == "(" && (text == "erf" || text == "erff" || text == "tanh" || text == "tanhf")) {
      size_t b = i; // before it "1 +" or "T(1) +", std:: or not
      while (b >= 2 && lex.str(b - 1) == "::")
        b -= lex.tokens[b - 2].kind == TokKind::identifier ? 2 : 1;
      sum = sum || (b >= 2 && lex.str(b - 1) == "+" && (number(b - 2, 1) || (b >= 3 && lex.str(b - 2) == ")" && number(b - 3, 1))));
      int depth = 0;
      do {
        ++i;
        depth += lex.str(i) == "(" ? 1 : lex.str(i) == ")" ? -1 : 0;
        if (lex.tokens[i].kind == TokKind::identifier && lex.str(i + 1) != "(")
          inside.insert(lex.str(i));
      } while (depth && i + 1 < s.end);
    } else if (lex.tokens[i].kind == TokKind::identifier && next != "(" && next != "::") {
      outside.insert(text);
    }
    if (half && sum && std::any_of(inside.begin(), inside.end(), [&](std::string_view x) { return outside.count(x) != 0; }))
      return true;
  }
  return false;
}

size_t Emitter::size_of(const FunctionModel& f) const {
  const Scope& s = k_.files()[static_cast<size_t>(f.file)].outline.scopes[static_cast<size_t>(f.scope)];
  return s.end - s.begin;
}

bool Emitter::inside_listed_type(const FunctionModel& f) const {
  for (int fn : f_.functions) {
    const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
    if (g.is_type && defined_.count(fn) && g.first <= f.first && f.last <= g.last)
      return true;
  }
  return false;
}

/// A lambda inside a function that is listed for the same reason.
bool Emitter::covered_by_outer(const FunctionModel& l) const {
  for (int fn : f_.functions) {
    const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
    if (defined_.count(fn) && g.first <= l.first && l.last <= g.last)
      return true;
  }
  return false;
}

} // namespace gelint::scan
