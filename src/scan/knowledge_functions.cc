// What functions and types compute: by their own body, by what they hand on to, by their methods.

#include "scan/knowledge_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gelint::scan {

using formula::Formula;

/// "calls Fast::tanh, whose body is not known": the parser says that it is not the function of <cmath>.
static bool calls_namesake(std::string_view reason) {
  if (!reason.starts_with("calls "))
    return false;
  const std::string_view name = reason.substr(6, reason.find(',') - 6);
  return is_math_word(name.substr(name.rfind(' ') + 1));
}

/// The parser went through a function of the tree that is named as one of <cmath>, which tokens take for that one.
static bool runs_namesake(const std::vector<std::string>& callees) {
  return std::any_of(callees.begin(), callees.end(), [](std::string_view name) {
    return is_math_word(name.substr(name.rfind(':') == std::string_view::npos ? 0 : name.rfind(':') + 1));
  });
}

Value Knowledge::of_function(int fn) {
  return remembered(function_values_, fn, 0, fn, [&] { return function_value(fn); });
}

Value Knowledge::function_value(int fn) {
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  const Scope& scope = fm.outline.scopes[static_cast<size_t>(f.scope)];
  Place here{fm.path, f.line, f.column};
  std::string shown = f.qualified.empty() ? f.name : f.qualified;
  Claim claim = claim_of(f.name);
  const bool of_family = owner_claims_family(f); // a method of a class that is named after an activation
  Value out;
  bool done = false;
  if (f.fact && f.fact->value.ok()) {
    out = from_evaluated(f.fact->value, fn);
    for (const std::string& c : f.fact->callees)
      out.callees.push_back(c);
    // What the body computes as a whole, be it no known formula, is not what some helper in it computes.
    done = out.formula != Formula::identity;
  }
  if (!done && f.fact && f.fact->alternatives.size() > 1) {
    for (const auto& [condition, e] : f.fact->alternatives)
      add_unique(out.reachable, e.print.formula);
    out.reason = "several arms, chosen by " + f.fact->alternatives[0].first;
    if (out.reachable.size() == 1)
      out = from_evaluated(f.fact->alternatives[0].second, fn);
    // A class stands for its call operator, which has just been judged.
    done = out.reachable.size() == 1 ? out.formula != Formula::other : f.is_type || computes_several(*f.fact);
  }
  bool need_tokens = !done && (fm.language == Language::shader || !fm.parsed || !f.active || !f.fact);
  // The parser lost a part of the body to a missing header, or what it calls is unknown: only a member of the family is believed.
  // Tokens do not see that a call changes a coefficient.
  const bool second_look = !done && !need_tokens && f.fact && !f.fact->value.ok() && f.fact->alternatives.empty() &&
                           !f.fact->value.reason.ends_with("which other code may change") && !calls_namesake(f.fact->value.reason) &&
                           !(f.fact->unresolved.empty() && runs_namesake(f.fact->callees)) &&
                           (!f.fact->unresolved.empty() || f.fact->value.reason.starts_with("returns and stores nothing") ||
                            (claim.gelu_family && f.fact->value.reason.starts_with("is not an elementwise function")));
  if (second_look)
    if (const Evaluated* e = lexical(fn); e && formula::is_gelu_family(e->print.formula)) {
      out = from_evaluated(*e, fn);
      done = true;
    }
  if (need_tokens) {
    if (const Evaluated* e = lexical(fn); e && !e->ok()) {
      out.reachable = e->either;
      out.reason = e->reason;
      done = true;
    } else if (e && e->print.formula != Formula::identity) {
      // Tokens tell less than an AST: "matches nothing" is only believed of a gradient or of a near miss.
      if (e->print.formula != Formula::other || claim.gradient || (claim.gelu_family && e->print.near_miss)) {
        Value v = from_evaluated(*e, fn);
        if (!out.known() || v.formula != Formula::other)
          out = v;
        done = v.formula != Formula::other;
      }
    }
  }
  if (auto doubt = lexical_values_.find(fn); need_tokens && !done && out.reason.empty() && doubt != lexical_values_.end() && !doubt->second.ok())
    out.reason = doubt->second.reason;
  if (!done) {
    // A wrapper: what its body calls, constructs, returns or hands on.
    size_t tokens = scope.end > scope.begin ? scope.end - scope.begin : 0;
    const bool applies = !asks_or_rewrites(f.name);
    bool may = f.is_type || of_family || claim.gelu_family || claim.formula || tokens <= 60 || (tokens <= 600 && classify_identifier(f.name) == NeedleClass::choice);
    // "UnPack", "CreateRelu", "type": the record is made or read, whatever other classes call by the names in it
    if (!f.is_type && ((!claim.gelu_family && handles_by_name(f.name)) || handling(fn) == Handling::flag))
      may = false;
    std::vector<Value> found;
    bool undecided = false;
    if (!applies) {
      if (!out.known())
        out.reason = "asks for an activation or rewrites a graph, and computes none";
    } else if (f.is_type) {
      for (int m : fm.functions) {
        const FunctionModel& g = functions_[static_cast<size_t>(m)];
        if (m == fn || g.is_type || g.first < f.first || g.last > f.last || g.name == f.name)
          continue;
        // A functor is its call operator, an operation what it runs; a class that is named after an activation, any of its methods.
        if (g.name != "operator" && !claim.gelu_family && !claim.formula && !(applies_by_name(g.name) && g.fact))
          continue;
        if (Value v = of_function(m); v.known() || !v.reachable.empty())
          found.push_back(v);
      }
      // A class that chooses among formulas is told by its choice, not by one of its methods.
      bool chooses = false;
      for (size_t t = scope.begin; t < scope.end && !chooses; ++t)
        chooses = fm.lex.str(t) == "switch" || fm.lex.str(t) == "enum";
      if (found.empty() && !chooses && (claim.gelu_family || claim.formula))
        found = methods_elsewhere(fn);
      if (found.empty() && f.first == f.last && claim.gelu_family)
        found = specialised_on(fn);
      // A method that runs one of several leaves the class undecided, whatever another method computes.
      undecided = std::any_of(found.begin(), found.end(), [](const Value& v) { return !v.known() && v.reachable.size() > 1; });
    } else if (may) {
      for (size_t m = f.first; m < f.last; ++m) {
        const Mention& x = fm.outline.mentions[m];
        bool role = x.role == Role::call || x.role == Role::construct || x.role == Role::template_argument || x.role == Role::argument ||
                    x.role == Role::assign || x.role == Role::returned || x.role == Role::ternary || x.role == Role::type_use ||
                    (x.role == Role::operand && x.needle == NeedleClass::gelu);
        if (!role || (x.is_string && x.role != Role::argument && x.role != Role::assign) || is_math_word(x.name))
          continue;
        const bool itself = x.name == f.name && (x.qualified.empty() || x.qualified == x.name || x.qualified == f.qualified);
        if (itself && (by_name_.find(f.name) == by_name_.end() || by_name_.find(f.name)->second.size() < 2))
          continue;
        if (x.needle == NeedleClass::none && x.role != Role::call && x.role != Role::template_argument && x.role != Role::construct)
          continue;
        if (x.is_string && rules_.is_message_call(x.callee))
          continue;
        if (x.name.size() > 1 && x.qualified.ends_with("::max"))
          continue;
        if (claim.gradient && !is_gradient_name(x.name))
          continue;
        Value v = of_mention(f.file, m);
        if (v.building_block || in_product_with_its_argument(f.file, x, v.formula))
          continue;
        if (v.activation() || !v.reachable.empty() || (v.formula == Formula::other && claim_of(x.name).gelu_family))
          found.push_back(v);
      }
      // an arm that computes in place
      for (size_t a = 0; a < fm.outline.arms.size() && tokens <= 3000; ++a)
        if (fm.outline.arms[a].function == f.scope && fm.language == Language::shader)
          if (Value v = of_arm(f.file, a); v.activation())
            found.push_back(v);
    }
    if (found.empty() && applies && (f.is_type || claim.gelu_family))
      found = through_types(fn);
    Value w = combine(found, f.name);
    if (undecided && w.known()) {
      w = Value{};
      for (const Value& v : found)
        for (Formula g : v.known() ? std::vector<Formula>{v.formula} : v.reachable)
          add_unique(w.reachable, g);
      w.reason = "which of several formulas runs is decided at run time";
    }
    // `other` from a body that only hands on is weaker than what it hands on to.
    if (w.known() || (w.reachable.size() > 1 && !out.known())) {
      if (!(out.formula == Formula::other && w.known_by == KnownBy::name)) {
        out = w;
        pass_on_argument(fn, found, out);
        out.callees.insert(out.callees.begin(), shown);
        if (out.reason.empty() && w.definition)
          out.reason = fmt::format("through {}", w.callees.size() > 1 ? w.callees[1] : shown);
      }
    }
    if (f.is_type && !out.known()) {
      out.definition = here;
      if (out.reachable.empty())
        out.reason = out.reason.empty() ? "no method computes a formula that could be evaluated" : out.reason;
    }
  }
  if (!out.known() && out.reason.empty() && f.fact)
    out.reason = f.fact->value.reason;
  if (!out.definition)
    out.definition = here;
  if (out.backend == Backend::unknown)
    out.backend = fm.backend;
  if (claim.gated && out.gating == formula::Gating::none && out.known())
    out.gating = formula::Gating::glu;
  return out;
}

Value Knowledge::default_of_type(int fn) {
  const FunctionModel& f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  for (size_t m = f.first; m < f.last; ++m) {
    const Mention& x = fm.outline.mentions[m];
    if (x.callee != f.name && x.role != Role::assign)
      continue;
    size_t tok = token_at(f.file, x.offset);
    while (tok > 1 && fm.lex.str(tok - 1) == "::")
      tok -= 2;
    if (tok > 0 && fm.lex.str(tok - 1) == "=" && x.callee == f.name)
      if (Value v = of_mention(f.file, m); v.known())
        return v;
  }
  return {};
}

/// An empty class is a tag: "template <> struct Epilogue<T, TagGelu> { using Op = …; }" says what it stands for.
std::vector<Value> Knowledge::specialised_on(int tag) {
  const FunctionModel f = functions_[static_cast<size_t>(tag)];
  std::vector<Value> found;
  for (size_t i = 0; i < functions_.size(); ++i) {
    const FunctionModel g = functions_[i];
    if (!g.is_type || g.name == f.name || distance(f.file, g.file) > 3)
      continue;
    const FileModel& gm = files_[static_cast<size_t>(g.file)];
    const Scope& s = gm.outline.scopes[static_cast<size_t>(g.scope)];
    bool named = false;
    for (size_t t = s.name_tok == SIZE_MAX ? s.head : s.name_tok; t < s.begin && !named; ++t)
      named = gm.lex.str(t) == f.name;
    for (size_t m = g.first; named && m < g.last; ++m)
      if (const Mention& x = gm.outline.mentions[m]; x.needle == NeedleClass::gelu && !x.is_string && !is_math_word(x.name))
        if (Value v = of_mention(g.file, m); v.activation() && formula::is_gelu_family(v.formula))
          found.push_back(v);
  }
  return found;
}

bool Knowledge::owner_claims_family(const FunctionModel& f) {
  size_t end = f.qualified.rfind("::");
  if (f.is_type || end == std::string::npos)
    return false;
  size_t begin = f.qualified.rfind("::", end - 1);
  return claim_of(std::string_view(f.qualified).substr(begin == std::string::npos ? 0 : begin + 2, end - (begin == std::string::npos ? 0 : begin + 2))).gelu_family;
}

const std::map<std::string, std::vector<int>>& Knowledge::by_owner() {
  if (!by_owner_.empty())
    return by_owner_;
  for (size_t i = 0; i < functions_.size(); ++i) {
    const FunctionModel& g = functions_[i];
    size_t colons = g.qualified.rfind("::");
    if (g.is_type || g.is_lambda || colons == std::string::npos || colons == 0)
      continue;
    const std::vector<Scope>& scopes = files_[static_cast<size_t>(g.file)].outline.scopes;
    if (scopes[static_cast<size_t>(std::max(0, scopes[static_cast<size_t>(g.scope)].parent))].kind == ScopeKind::type)
      continue; // of its own class or specialisation
    size_t before = g.qualified.rfind("::", colons - 1);
    size_t from = before == std::string::npos ? 0 : before + 2;
    by_owner_[g.qualified.substr(from, colons - from)].push_back(static_cast<int>(i));
  }
  return by_owner_;
}

/// The methods of a type that are defined outside of it, as "Op::Run" in a source file for a class of a header.
std::vector<Value> Knowledge::methods_elsewhere(int type) {
  const FunctionModel f = functions_[static_cast<size_t>(type)];
  std::vector<Value> found;
  auto it = by_owner().find(f.name);
  if (it == by_owner_.end())
    return found;
  for (int m : it->second) {
    const FunctionModel g = functions_[static_cast<size_t>(m)];
    bool inside = g.file == f.file && g.first >= f.first && g.last <= f.last;
    if (inside || g.name == f.name || g.name.ends_with("::" + f.name) || g.name.find('~') != std::string::npos)
      continue;
    std::string owner = g.qualified.substr(0, g.qualified.rfind("::"));
    const std::string& whole = f.qualified.empty() ? f.name : f.qualified;
    // "ns::Op" and "Op" inside a namespace that the text opens elsewhere are one class; "a::Op" and "b::Op" are not.
    auto within = [](const std::string& name, const std::string& tail) { return name == tail || name.ends_with("::" + tail); };
    if (!within(whole, owner) && !within(owner, whole))
      continue;
    if (Value v = of_function(m); v.activation() || !v.reachable.empty()) {
      found.push_back(v);
      continue;
    }
    // The method does more than the activation, which stands in the midst of it.
    for (const InnerFact* i : inner_)
      if (i->value.ok() && formula::is_gelu_family(i->value.print.formula) && i->file == files_[static_cast<size_t>(g.file)].path &&
          within(i->enclosing, g.qualified)) {
        Value v = value_of(i->value);
        v.definition = Place{i->file, i->line, i->column};
        v.callees = {g.qualified};
        found.push_back(v);
      }
  }
  return found;
}

/// The name stands among the base classes of a type: a constructor that initialises one fills nothing with it.
bool Knowledge::is_base(const FunctionModel& type, std::string_view name) const {
  const LexedFile& lex = files_[static_cast<size_t>(type.file)].lex;
  const Scope& s = files_[static_cast<size_t>(type.file)].outline.scopes[static_cast<size_t>(type.scope)];
  bool derived = false;
  for (size_t i = s.name_tok == SIZE_MAX ? s.begin : s.name_tok; i < s.begin; ++i) {
    derived = derived || lex.str(i) == ":";
    if (derived && lex.str(i) == name)
      return true;
  }
  return false;
}

/// A look-up table object: what its constructor fills it with. For a function, the types that its text names.
std::vector<Value> Knowledge::through_types(int fn) {
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  std::vector<Value> found;
  if (f.is_type) {
    auto it = by_name_.find(f.name);
    for (int c : it == by_name_.end() ? std::vector<int>{} : it->second) {
      const FunctionModel& g = functions_[static_cast<size_t>(c)];
      const FileModel& gm = files_[static_cast<size_t>(g.file)];
      if (g.is_type || g.name != f.name || distance(f.file, g.file) > 3)
        continue;
      for (size_t m = g.first; m < g.last; ++m)
        if ((gm.outline.mentions[m].role == Role::call || gm.outline.mentions[m].role == Role::argument) && !is_base(f, gm.outline.mentions[m].name))
          if (Value v = of_mention(g.file, m); v.activation() && v.known_by == KnownBy::evaluated) {
            v.precision = formula::Precision::unknown;
            v.reason = "a table that its constructor fills";
            found.push_back(v);
          }
    }
    return found;
  }
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  const Scope& s = fm.outline.scopes[static_cast<size_t>(f.scope)];
  for (size_t i = s.head; i < std::min(s.end, fm.lex.tokens.size()) && i < s.begin + 300; ++i) {
    if (fm.lex.tokens[i].kind != TokKind::identifier)
      continue;
    auto it = by_name_.find(fm.lex.str(i));
    for (int c : it == by_name_.end() ? std::vector<int>{} : it->second)
      if (functions_[static_cast<size_t>(c)].is_type && distance(f.file, functions_[static_cast<size_t>(c)].file) <= 3)
        if (Value v = of_function(c); v.activation())
          found.push_back(v);
  }
  return found;
}

std::vector<int> Knowledge::candidates(const std::string& name, const std::string& as_written, int from, bool) {
  auto it = by_name_.find(name);
  if (it == by_name_.end())
    return {};
  std::string qualified = as_written; // "namespace ft = engine;" makes ft::f engine::f
  if (auto alias = namespace_aliases_.find(qualified.substr(0, qualified.find("::"))); alias != namespace_aliases_.end() && !alias->second.empty())
    qualified.replace(0, alias->first.size(), alias->second);
  std::vector<int> out;
  for (int fn : it->second) {
    const FunctionModel& f = functions_[static_cast<size_t>(fn)];
    if (f.is_lambda && f.file != from)
      continue;
    // Host code does not call a shader's functions by name, nor the other way round.
    if ((files_[static_cast<size_t>(f.file)].language == Language::shader) != (files_[static_cast<size_t>(from)].language == Language::shader))
      continue;
    if (qualified.find("::") != std::string::npos && f.qualified.find("::") != std::string::npos && !compatible(qualified, f.qualified))
      continue;
    out.push_back(fn);
  }
  return out;
}

bool Knowledge::is_tag(const std::string& name) const {
  auto it = by_name_.find(name);
  return it != by_name_.end() && std::any_of(it->second.begin(), it->second.end(), [&](int fn) {
    const FunctionModel& f = functions_[static_cast<size_t>(fn)];
    const Scope& s = files_[static_cast<size_t>(f.file)].outline.scopes[static_cast<size_t>(f.scope)];
    return f.is_type && s.end == s.begin + 1;
  });
}

bool Knowledge::has_arms(int fn) const {
  const FunctionModel& f = functions_[static_cast<size_t>(fn)];
  const Outline& o = files_[static_cast<size_t>(f.file)].outline;
  return std::any_of(o.arms.begin(), o.arms.end(), [&](const DispatchArm& a) {
    return a.function == f.scope && std::any_of(a.labels.begin(), a.labels.end(), [&](size_t l) { return o.mentions[l].is_string || is_enumerator(f.file, o.mentions[l]); });
  });
}

bool Knowledge::is_open(int file, const Mention& m) {
  std::set<Formula> formulas;
  for (int fn : candidates(m.name, m.qualified, file, false))
    if (!functions_[static_cast<size_t>(fn)].is_type)
      formulas.insert(has_arms(fn) ? Formula::unknown : of_function(fn).formula);
  return formulas.size() > 1;
}

/// A caller of what computes the activation: its calls are sites, it is none.
bool Knowledge::hands_on(int fn, int body) {
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  const FunctionModel text = functions_[static_cast<size_t>(body < 0 ? fn : body)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  if (f.fact)
    for (const std::string& c : f.fact->callees) {
      std::string last = c.substr(c.rfind(':') == std::string::npos ? 0 : c.rfind(':') + 1);
      auto it = by_name_.find(last);
      if (last == f.name || is_math_word(last) || it == by_name_.end())
        continue;
      for (int g : it->second)
        if (functions_[static_cast<size_t>(g)].fact && functions_[static_cast<size_t>(g)].fact->value.ok() &&
            formula::is_gelu_family(functions_[static_cast<size_t>(g)].fact->value.print.formula))
          return true;
    }
  for (size_t m = text.first; m < text.last; ++m) {
    const Mention& x = fm.outline.mentions[m];
    if (!x.is_string && x.name != f.name && (x.role == Role::call || x.role == Role::construct || x.role == Role::template_argument) &&
        (claim_of(x.name).gelu_family || functor(x.name, f.file) >= 0))
      return true;
  }
  return false;
}

int Knowledge::functor(std::string_view name, int from) const {
  auto it = by_name_.find(name);
  int best = -1;
  for (int fn : it == by_name_.end() ? std::vector<int>{} : it->second) {
    const FunctionModel& f = functions_[static_cast<size_t>(fn)];
    if (f.is_type && f.fact && f.fact->value.ok() && formula::is_gelu_family(f.fact->value.print.formula) &&
        (best < 0 || distance(from, f.file) < distance(from, functions_[static_cast<size_t>(best)].file)))
      best = fn;
  }
  return best;
}

/// An explicit specialisation may be meant as well.
Value Knowledge::of_functor(std::string_view name, int fn) {
  Value v = of_function(fn);
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  std::vector<Formula> all;
  for (int other : by_name_.find(name)->second)
    if (const FunctionModel& g = functions_[static_cast<size_t>(other)]; g.is_type && g.file == f.file && g.qualified == f.qualified)
      if (Value w = of_function(other); w.known())
        add_unique(all, w.formula);
  if (all.size() > 1) {
    v = Value{};
    v.reachable = std::move(all);
    v.reason = "the template's arguments decide which specialisation is meant";
  }
  return v;
}

std::set<std::string> Knowledge::learned_names() {
  std::set<std::string> out;
  for (size_t fn = 0; fn < functions_.size(); ++fn) {
    const FunctionModel& f = functions_[fn];
    if (f.is_lambda || f.name.empty() || f.name.starts_with("operator") || f.name.size() < 3 || f.name == "main" || f.name == "forward" || f.name == "compute" ||
        f.name == "run" || f.name == "apply" || f.name == "call" || f.name == "eval" || classify_identifier(f.name) == NeedleClass::gelu)
      continue;
    const Scope& body = files_[static_cast<size_t>(f.file)].outline.scopes[static_cast<size_t>(f.scope)];
    bool evaluated = body.end - body.begin <= 600 && f.fact && f.fact->value.ok() && formula::is_gelu_family(f.fact->value.print.formula);
    if (evaluated && !hands_on(static_cast<int>(fn)))
      out.insert(f.name);
  }
  return out;
}

} // namespace gelint::scan
