#include "scan/emit.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <tuple>

namespace gelint::scan {

using formula::Formula;

namespace {

class Emitter {
public:
  Emitter(Knowledge& k, int file, bool all) : k_(k), fi_(file), f_(k.files()[static_cast<size_t>(file)]), all_(all) {}

  EmittedFile run() {
    for (size_t m = 0; m < f_.outline.mentions.size(); ++m)
      mention(m);
    unnamed_definitions();
    conditional_bodies();
    inline_formulas();
    other_needles();
    // The roles are guesses from tokens, and here the parser has nothing to hold against them.
    for (auto& [offset, fate] : out_.fates)
      if ((fate == NeedleFate::declaration || fate == NeedleFate::unrelated) && std::binary_search(f_.lost.begin(), f_.lost.end(), offset))
        fate = NeedleFate::unparsed;
    std::sort(out_.fates.begin(), out_.fates.end());
    return std::move(out_);
  }

private:
  using M = const Mention&;

  void fate(M m, NeedleFate n) {
    if (counts(m.needle))
      out_.fates.emplace_back(m.offset, n);
  }
  bool counts(NeedleClass c) const { return c == NeedleClass::gelu || (all_ && c == NeedleClass::activation); }

  bool in_type_scope(M m) const {
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
  bool listed(const Value& v, M m) const {
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

  Site site(M m, SiteKind kind, const Value& v) {
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
  bool near_ref(M m) const { return m.is_string || (m.role == Role::definition); }

  void fill(Site& s, const Value& v, const std::string& name) const {
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
  static bool names_several_forms(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    auto any = [&](std::initializer_list<std::string_view> words) {
      return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return lower.find(w) != std::string::npos; });
    };
    return any({"erf", "exact"}) + any({"tanh"}) + any({"quick", "sigmoid"}) > 1;
  }

  void claim(Site& s, M m) const {
    Claim c = claim_of(m.name);
    if (c.formula && !c.gradient) {
      s.claimed = *c.formula;
      s.claimed_by = m.name;
      return;
    }
    // A comment on the same line or the line above that names a formula.
    for (const Comment& k : f_.lex.comments) {
      if (k.line + 1 < m.line || k.line > m.line)
        continue;
      std::string_view said = f_.lex.text.substr(k.offset, std::min<uint32_t>(k.length, 160));
      if (names_several_forms(said))
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

  void add(M m, Site s) {
    fate(m, s.active ? NeedleFate::site : NeedleFate::inactive);
    if (counts(m.needle) && s.active == false)
      out_.fates.back().second = NeedleFate::site; // an inactive site is still a site; the ledger's class is for the rest
    out_.sites.push_back(std::move(s));
  }

  bool capability(M m, const Value& v) const {
    if (m.role == Role::compare || m.role == Role::element)
      return in_capability_function(m) || !v.known();
    return false;
  }
  bool in_capability_function(M m) const {
    if (m.function < 0)
      return false;
    std::string name = f_.outline.scopes[static_cast<size_t>(m.function)].name;
    for (const std::string& w : k_.rules().capability_words())
      if (name.find(w) != std::string::npos)
        return true;
    return false;
  }

  void mention(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (m.needle == NeedleClass::none || (m.needle != NeedleClass::gelu && m.needle != NeedleClass::choice && !all_)) {
      if (m.needle == NeedleClass::none || m.needle == NeedleClass::activation)
        maybe_choice(mi);
      return;
    }
    if (m.needle == NeedleClass::choice) {
      choice(mi);
      return;
    }
    if (m.is_string) {
      string(mi);
      return;
    }
    switch (m.role) {
    case Role::definition: definition(mi); return;
    case Role::enumerator: {
      if (is_math_like(m.name))
        break;
      Value v = k_.of_enumerator(f_.outline.enclosing(m) + "::" + m.name, fi_);
      if (!v.known() && v.reachable.empty())
        v = k_.of_enumerator(m.name, fi_);
      weak_name(v, m);
      if (listed(v, m))
        return add(m, site(m, SiteKind::registration, v));
      break;
    }
    case Role::macro_name: macro(mi); return;
    case Role::declaration:
    case Role::parameter: declared(mi); return;
    case Role::type_use: type_use(mi); return;
    case Role::case_label: {
      Value v = arm_value(mi);
      weak_name(v, m);
      if (!is_math_like(m.name) && listed(v, m)) {
        Site s = site(m, SiteKind::dispatch, v);
        s.capability_only = arm_is_empty(mi);
        return add(m, std::move(s));
      }
      break;
    }
    default: use(mi); return;
    }
    fate(m, is_math_like(m.name) ? math_fate(m) : NeedleFate::unrelated);
  }

  /// The last resort: a name that claims one formula exactly.
  void weak_name(Value& v, M m) const {
    if (v.known() || !v.reachable.empty())
      return;
    Claim c = claim_of(m.name);
    if (c.formula && c.gelu_family && !c.gradient && !is_math_like(m.name)) {
      v.formula = *c.formula;
      v.known_by = KnownBy::name;
      v.reason = "by its name alone";
    }
  }

  /// The arm of this label passes on to another name of the family: what other backends run for the label says nothing.
  std::string hands_to(size_t mi) const {
    int a = arm_of_label(mi);
    if (a < 0)
      return {};
    const DispatchArm& arm = f_.outline.arms[static_cast<size_t>(a)];
    if (arm.begin >= arm.end || arm.end > f_.lex.tokens.size())
      return {};
    uint32_t begin = f_.lex.tokens[arm.begin].offset, end = f_.lex.tokens[arm.end - 1].offset;
    for (const Mention& x : f_.outline.mentions) {
      if (x.offset < begin || x.is_string)
        continue;
      if (x.offset > end)
        break;
      bool passes = x.role == Role::returned || x.role == Role::assign || x.role == Role::call;
      if (passes && claim_of(x.name).gelu_family && x.name != f_.outline.mentions[mi].name)
        return x.name;
    }
    return {};
  }

  int arm_of_label(size_t mi) const {
    for (size_t a = 0; a < f_.outline.arms.size(); ++a)
      if (std::find(f_.outline.arms[a].labels.begin(), f_.outline.arms[a].labels.end(), mi) != f_.outline.arms[a].labels.end())
        return static_cast<int>(a);
    return -1;
  }
  Value arm_value(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (int a = arm_of_label(mi); a >= 0)
      if (Value v = k_.of_arm(fi_, static_cast<size_t>(a)); v.known() || v.reachable.size() > 1)
        return v;
    if (std::string through = hands_to(mi); !through.empty()) {
      Value v;
      v.reason = fmt::format("hands it to {}, which could not be evaluated", through);
      return v;
    }
    return k_.of_mention(fi_, mi).known() ? k_.of_mention(fi_, mi) : k_.of_enumerator(m.qualified.empty() ? m.name : m.qualified, fi_);
  }
  bool arm_is_empty(size_t mi) {
    int a = arm_of_label(mi);
    if (a < 0)
      return in_capability_function(f_.outline.mentions[mi]);
    Value v = k_.of_arm(fi_, static_cast<size_t>(a));
    return !v.known() && v.reachable.empty();
  }

  void definition(size_t mi) {
    M m = f_.outline.mentions[mi];
    int fn = k_.function_at(fi_, mi);
    if (fn < 0)
      return fate(m, NeedleFate::declaration); // an enumeration's name
    const FunctionModel& f = k_.functions()[static_cast<size_t>(fn)];
    // constructors and destructors store, they do not compute
    const Scope& sc = f_.outline.scopes[static_cast<size_t>(f.scope)];
    const Scope& around = f_.outline.scopes[static_cast<size_t>(std::max(0, sc.parent))];
    if (!f.is_type && ((around.kind == ScopeKind::type && around.name == f.name) || f.name.starts_with("~")))
      return fate(m, NeedleFate::declaration);
    Value v = k_.of_function(fn);
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
    // A class with one static method that computes: the method is the definition.
    if (f.is_type && v.known() && !has_call_operator(f))
      return fate(m, NeedleFate::declaration);
    defined_.insert(fn);
    add(m, site(m, SiteKind::definition, v));
  }

  bool has_call_operator(const FunctionModel& type) const {
    return std::any_of(f_.functions.begin(), f_.functions.end(), [&](int fn) {
      const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
      return g.name == "operator" && type.first <= g.first && g.last <= type.last;
    });
  }

  void unnamed_definitions() {
    for (int fn : f_.functions) {
      const FunctionModel& f = k_.functions()[static_cast<size_t>(fn)];
      if (defined_.count(fn) || f.is_type || f.from_macro)
        continue;
      const Evaluated* e = f.fact && f.fact->value.ok() ? &f.fact->value : nullptr;
      Value v;
      if (e || f_.language == Language::shader || !f_.parsed)
        v = k_.of_function(fn);
      bool plain = v.known_by == KnownBy::evaluated && v.evaluated && v.activation() && (all_ || formula::is_gelu_family(v.formula));
      if (!plain && !(own_mathematics(f) && (almost(v) || (e == nullptr && f.fact && choice_of(*f.fact, v)))))
        continue;
      if (v.definition && !(v.definition->path == f_.path && v.definition->line == f.line))
        continue; // a wrapper without a telling name: its calls are sites, it is none
      if (claim_of(f.name).gelu_family || inside_listed_type(f) || k_.hands_on(fn))
        continue;
      if (size_of(f) > 600)
        continue; // a program that has an activation somewhere in it
      Site s;
      s.place = {f_.path, f.line, f.column};
      s.end_column = f.column + static_cast<int>(f.name.size());
      s.kind = SiteKind::definition;
      s.symbol = f.name;
      s.enclosing = f.qualified;
      s.active = f.active;
      s.tier = f_.parsed && f.fact && f.active ? (f_.has_command ? Tier::ast : Tier::stub) : Tier::lexical;
      if (f.is_lambda && f.name == "(lambda)" && covered_by_outer(f))
        continue;
      fill(s, v, f.name);
      out_.sites.push_back(std::move(s));
    }
  }

  /// A constant seems to be off, whatever the function is called.
  static bool almost(const Value& v) {
    return v.known_by == KnownBy::evaluated && v.evaluated && v.formula == Formula::other && v.evaluated->print.near_miss &&
           formula::is_gelu_family(v.evaluated->print.nearest);
  }

  /// Arms of its own that compute members of the family.
  bool choice_of(const DefinitionFact& fact, Value& v) {
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
  bool own_mathematics(const FunctionModel& f) const {
    const Scope& s = k_.files()[static_cast<size_t>(f.file)].outline.scopes[static_cast<size_t>(f.scope)];
    for (size_t i = s.begin; i < s.end && i < f_.lex.tokens.size(); ++i) {
      const Tok& t = f_.lex.tokens[i];
      if (t.kind == TokKind::number && classify_number(f_.lex.str(t)) != NeedleClass::none)
        return true;
    }
    for (size_t m = f.first; m < f.last; ++m)
      if (f_.outline.mentions[m].needle == NeedleClass::gelu && is_math_like(f_.outline.mentions[m].name))
        return true;
    return false;
  }

  size_t size_of(const FunctionModel& f) const {
    const Scope& s = k_.files()[static_cast<size_t>(f.file)].outline.scopes[static_cast<size_t>(f.scope)];
    return s.end - s.begin;
  }

  bool inside_listed_type(const FunctionModel& f) const {
    for (int fn : f_.functions) {
      const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
      if (g.is_type && defined_.count(fn) && g.first <= f.first && f.last <= g.last)
        return true;
    }
    return false;
  }

  /// A lambda inside a function that is listed for the same reason.
  bool covered_by_outer(const FunctionModel& l) const {
    for (int fn : f_.functions) {
      const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
      if (defined_.count(fn) && g.first <= l.first && l.last <= g.last)
        return true;
    }
    return false;
  }

  void macro(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (is_math_like(m.name) || m.needle != NeedleClass::gelu)
      return fate(m, NeedleFate::declaration);
    if (!k_.is_macro_function(m.name) && k_.is_enumerator(fi_, m)) {
      Value v = k_.of_enumerator(m.name, fi_);
      weak_name(v, m);
      if (v.known() || claim_of(m.name).gelu_family)
        return add(m, site(m, SiteKind::registration, v));
    }
    fate(m, NeedleFate::declaration);
  }

  void declared(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (k_.table(m.name) && m.function < 0 && !is_math_like(m.name)) {
      Value v = k_.of_mention(fi_, mi);
      size_t line_begin = f_.lex.text.rfind('\n', m.offset);
      std::string_view before = f_.lex.text.substr(line_begin + 1, m.offset - line_begin - 1);
      if (v.known() && before.find("extern") == std::string_view::npos)
        return add(m, site(m, SiteKind::definition, v));
    }
    fate(m, NeedleFate::declaration);
  }

  void type_use(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (is_math_like(m.name) || k_.is_enumerator(fi_, m))
      return fate(m, NeedleFate::declaration);
    // "const ops::GELU _gelu;" is an activation that will be applied; "enum gelu_kind k" is none.
    Value v = k_.of_mention(fi_, mi);
    bool parameter = !m.callee.empty();
    if (!parameter && (v.activation() || v.reachable.size() > 1) && listed(v, m) && claim_of(m.name).gelu_family)
      return add(m, site(m, SiteKind::call, v));
    fate(m, NeedleFate::declaration);
  }

  NeedleFate math_fate(M m) const {
    if (!f_.is_active(m.offset, m.arm))
      return NeedleFate::inactive;
    return inside_site(m) ? NeedleFate::site : NeedleFate::unrelated;
  }
  bool inside_site(M m) const {
    for (int fn : defined_) {
      const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
      size_t mi = static_cast<size_t>(&m - f_.outline.mentions.data());
      if (g.first <= mi && mi < g.last)
        return true;
    }
    return false;
  }

  /// The function around evaluates to an activation that this tensor operation is a part of.
  bool tensor_operation(size_t mi, Value& v) {
    M m = f_.outline.mentions[mi];
    auto r = f_.refs.find(m.offset);
    std::string q = r != f_.refs.end() && !r->second->qualified.empty() ? r->second->qualified : m.qualified;
    const ApiSymbol* s = k_.rules().find(q);
    if (!s || !s->building_block || m.role != Role::call)
      return false;
    for (int fn : f_.functions) {
      const FunctionModel& g = k_.functions()[static_cast<size_t>(fn)];
      if (g.is_type || mi < g.first || mi >= g.last || !g.fact || !g.fact->value.ok())
        continue;
      Value w = k_.of_function(fn);
      if (w.known_by == KnownBy::evaluated && formula::is_gelu_family(w.formula)) {
        v = w;
        return true;
      }
    }
    for (const InnerFact* i : k_.inner())
      if (i->file == f_.path && std::abs(i->line - static_cast<int>(m.line)) <= 1 && formula::is_gelu_family(i->value.print.formula)) {
        v.formula = i->value.print.formula;
        v.known_by = KnownBy::evaluated;
        v.evaluated = &i->value;
        v.gating = i->value.print.gating;
        v.precision = i->value.precision;
        return true;
      }
    return false;
  }

  void use(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (is_math_like(m.name)) {
      Value v;
      if (tensor_operation(mi, v))
        return add(m, site(m, SiteKind::call, v));
      return fate(m, math_fate(m));
    }
    if (in_type_scope(m) && m.role != Role::call && m.role != Role::assign && !k_.is_enumerator(fi_, m) && m.role != Role::construct)
      return fate(m, NeedleFate::declaration);
    bool enumerator = k_.is_enumerator(fi_, m);
    Value v = m.role == Role::compare && arm_of_label(mi) >= 0 ? arm_value(mi) : k_.of_mention(fi_, mi);
    if (v.building_block)
      return fate(m, math_fate(m));
    SiteKind kind = SiteKind::call;
    bool look_up = k_.table(m.name) && !enumerator && m.role != Role::call;
    if (look_up && written_to(m))
      return fate(m, NeedleFate::declaration);
    if (v.is_epilogue)
      kind = SiteKind::epilogue;
    else if (enumerator)
      kind = SiteKind::selector;
    else if (m.role == Role::assign || m.role == Role::returned || m.role == Role::ternary || m.role == Role::operand)
      kind = k_.is_function_name(m.name) ? SiteKind::selector : SiteKind::selector;
    if (m.role == Role::call || m.role == Role::construct || m.role == Role::template_argument)
      kind = v.is_epilogue ? SiteKind::epilogue : enumerator ? SiteKind::selector : SiteKind::call;
    if (look_up)
      kind = SiteKind::call;
    else if (m.role == Role::argument && !enumerator)
      kind = k_.is_macro_function(m.callee) ? SiteKind::registration : k_.is_function_name(m.name) ? SiteKind::call : SiteKind::selector;
    if (m.role == Role::element && enumerator && in_string_row(mi))
      return fate(m, NeedleFate::site); // part of the table entry
    bool nameable = enumerator || k_.is_function_name(m.name) || v.known() || v.reachable.size() > 1 || m.role == Role::call || k_.is_macro_function(m.callee);
    if (!enumerator && !k_.is_function_name(m.name) && !v.known() && v.reachable.empty()) {
      if (flag(mi))
        return;
      auto r = f_.refs.find(m.offset);
      bool variable = r != f_.refs.end() && (r->second->kind == TargetKind::variable || r->second->kind == TargetKind::parameter);
      bool pasted = m.role == Role::argument && k_.is_macro_function(m.callee) && !variable && !m.member && !is_local(m);
      if ((m.role != Role::call && !pasted) || !claim_of(m.name).gelu_family)
        return fate(m, constant_like(m) ? NeedleFate::unrelated : NeedleFate::declaration);
    }
    if (!nameable)
      return fate(m, NeedleFate::unrelated);
    if (!enumerator && !k_.is_function_name(m.name) && m.role != Role::call && m.role != Role::construct && is_local(m))
      return fate(m, inside_site(m) ? NeedleFate::site : NeedleFate::unrelated);
    if (m.offset > 10 && f_.lex.text.substr(m.offset - 9, 9) == "decltype(")
      return fate(m, NeedleFate::declaration);
    // a local variable that merely holds a number
    if (kind == SiteKind::selector && !enumerator && is_value_variable(mi, v))
      return fate(m, inside_site(m) ? NeedleFate::site : NeedleFate::unrelated);
    if (m.role == Role::call && k_.is_macro_function(m.name) && !v.known())
      return fate(m, NeedleFate::unrelated);
    weak_name(v, m);
    if (!listed(v, m))
      return fate(m, NeedleFate::unrelated);
    Site s = site(m, kind, v);
    s.capability_only = capability(m, m.role == Role::compare && arm_of_label(mi) >= 0 ? k_.of_arm(fi_, static_cast<size_t>(arm_of_label(mi))) : v);
    add(m, std::move(s));
  }

  /// "table[i] = …"
  bool written_to(M m) const {
    auto t = std::lower_bound(f_.lex.tokens.begin(), f_.lex.tokens.end(), m.offset, [](const Tok& x, uint32_t o) { return x.offset < o; });
    size_t next = static_cast<size_t>(t - f_.lex.tokens.begin()) + 1;
    if (f_.lex.str(next) == "[")
      next = after_matching(f_.lex, next);
    return f_.lex.str(next) == "=";
  }

  bool constant_like(M m) const {
    return std::all_of(m.name.begin(), m.name.end(), [](char c) { return std::isupper(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) || c == '_'; });
  }

  /// A plain variable or member used as data: not a handle, not a function, no enumerator.
  bool is_value_variable(size_t mi, const Value& v) const {
    M m = f_.outline.mentions[mi];
    if (v.known() || v.reachable.size() > 1)
      return !m.member && m.role == Role::operand && v.known_by == KnownBy::name;
    return true;
  }

  /// A flag that turns an activation on: "if (use_gelu)", "gelu_fusion = atoi(argv[i + 1])".
  bool flag(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (!claim_of(m.name).gelu_family)
      return false;
    bool condition = m.role == Role::compare || m.role == Role::ternary;
    size_t tok = static_cast<size_t>(std::lower_bound(f_.lex.tokens.begin(), f_.lex.tokens.end(), m.offset,
                                                      [](const Tok& t, uint32_t o) { return t.offset < o; }) - f_.lex.tokens.begin());
    size_t begin = tok;
    while (begin > 2 && (f_.lex.str(begin - 1) == "." || f_.lex.str(begin - 1) == "->"))
      begin -= 2;
    std::string_view before = begin > 0 ? f_.lex.str(begin - 1) : std::string_view();
    std::string_view after = f_.lex.str(tok + 1);
    if ((before == "(" || before == "!" || before == "&&" || before == "||") && begin >= 2 &&
        (f_.lex.str(begin - 2) == "if" || before != "(" || after == "&&" || after == "||" || after == "<" || after == ">" || after == ">="))
      condition = condition || after == ")" || after == "&&" || after == "||" || after == ">" || after == "<" || after == ">=";
    if (after == "<" || after == ">=" || after == ">" || after == "?")
      condition = true;
    bool set = after == "=" && m.function >= 0;
    if (set) { // from the command line, a file or a literal
      bool plain = false;
      for (size_t i = tok + 2; i < f_.lex.tokens.size() && i < tok + 20 && f_.lex.str(i) != ";"; ++i) {
        std::string_view s = f_.lex.str(i);
        plain = plain || (i == tok + 2 && f_.lex.tokens[i].kind == TokKind::number) || s == "argv" || s == "true" || s == "false" || s.starts_with("get") || s == "atoi";
      }
      set = plain;
    }
    if (!set && (!condition || is_local(m)))
      return false;
    Value v;
    v.reason = "a flag that turns the activation on";
    Site s = site(m, SiteKind::config_read, v);
    s.config_key = m.name;
    std::vector<Formula> reach = reachable_near(mi, condition);
    if (reach.empty())
      reach = guarded_by(m.name);
    s.reachable = reach;
    if (reach.size() == 1) {
      s.formula = reach[0];
      s.known_by = KnownBy::name; // what the flag guards was evaluated, that it is guarded was read from the tokens
    }
    if (reach.empty() && !set)
      return false;
    add(m, std::move(s));
    return true;
  }

  /// Declared in the function it is used in.
  bool is_local(M m) const {
    if (m.member || m.function < 0)
      return false;
    return std::any_of(f_.outline.mentions.begin(), f_.outline.mentions.end(), [&](const Mention& d) {
      return d.name == m.name && d.function == m.function && d.role == Role::declaration && !d.is_string;
    });
  }

  /// What any condition on this flag, in any file, leads to.
  std::vector<Formula> guarded_by(const std::string& name) {
    std::vector<Formula> out;
    for (size_t fi = 0; fi < k_.files().size(); ++fi) {
      const FileModel& g = k_.files()[fi];
      for (size_t mi = 0; mi < g.outline.mentions.size(); ++mi) {
        const Mention& o = g.outline.mentions[mi];
        if (o.name != name || o.is_string)
          continue;
        for (size_t x = mi + 1; x < g.outline.mentions.size() && g.outline.mentions[x].line <= o.line + 3; ++x) {
          const Mention& t = g.outline.mentions[x];
          if (t.function != o.function || t.name == name || is_math_like(t.name) || (t.role != Role::call && t.role != Role::argument && t.role != Role::assign))
            continue;
          Value v = k_.of_mention(static_cast<int>(fi), x);
          if (v.activation() && formula::is_gelu_family(v.formula) && std::find(out.begin(), out.end(), v.formula) == out.end())
            out.push_back(v.formula);
        }
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  /// What the arms that this flag guards compute; failing that, what the function does.
  std::vector<Formula> reachable_near(size_t mi, bool condition) {
    M m = f_.outline.mentions[mi];
    std::vector<Formula> out;
    auto note = [&](const Value& v) {
      if (v.activation() && formula::is_gelu_family(v.formula) && std::find(out.begin(), out.end(), v.formula) == out.end())
        out.push_back(v.formula);
    };
    for (size_t x = mi + 1; x < f_.outline.mentions.size() && f_.outline.mentions[x].line <= m.line + 14 && condition; ++x) {
      M o = f_.outline.mentions[x];
      if (o.function != m.function)
        break;
      if (o.role == Role::call || o.role == Role::argument || o.role == Role::assign || o.role == Role::ternary || o.role == Role::returned)
        if (o.name != m.name && !is_math_like(o.name))
          note(k_.of_mention(fi_, x));
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  bool in_string_row(size_t mi) const {
    for (const RowModel& r : k_.rows())
      if (r.file == fi_ && r.key != SIZE_MAX && f_.outline.mentions[r.key].is_string &&
          std::find(r.values.begin(), r.values.end(), mi) != r.values.end())
        return true;
    return false;
  }

  void string(size_t mi) {
    M m = f_.outline.mentions[mi];
    bool identifier_like = !m.name.empty() && m.name.size() < 100 && std::all_of(m.name.begin(), m.name.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '+';
    });
    if (!identifier_like || k_.rules().is_message_call(m.callee) || m.in_macro || is_math_like(m.name))
      return fate(m, NeedleFate::string);
    Value v = k_.of_mention(fi_, mi);
    SiteKind kind = SiteKind::registration;
    if (m.role == Role::element || m.role == Role::assign)
      kind = SiteKind::table_entry;
    if (m.role == Role::compare || m.role == Role::case_label) {
      if (int a = arm_of_label(mi); a >= 0)
        if (Value w = k_.of_arm(fi_, static_cast<size_t>(a)); w.known() || w.reachable.size() > 1)
          v = w;
      kind = SiteKind::table_entry;
    }
    if (m.role == Role::argument && k_.rules().is_config_call(m.callee) && !v.known())
      kind = SiteKind::config_read;
    for (const RowModel& r : k_.rows())
      if (r.file == fi_ && r.key == mi) {
        // what stands beside the name decides, not a function that happens to be called the same
        if (Value w = k_.of_row(r); w.known() || w.reachable.size() > 1)
          v = w;
        kind = SiteKind::table_entry;
      }
    for (size_t r = 0; r < k_.rows().size() && !v.known(); ++r)
      if (k_.rows()[r].file == fi_ && k_.rows()[r].key == SIZE_MAX && k_.rows()[r].values.size() == 1 && k_.rows()[r].values[0] == mi)
        if (std::string e = k_.positional_enumerator(r); !e.empty())
          v = k_.of_enumerator(e, fi_);
    if (m.role == Role::argument) {
      // strcmp(name, "gelu"), name == "gelu": the arm's label
      if (int a = arm_of_label(mi); a >= 0) {
        if (Value w = k_.of_arm(fi_, static_cast<size_t>(a)); w.known() || w.reachable.size() > 1)
          v = w;
        kind = m.name.starts_with("-") ? SiteKind::config_read : SiteKind::table_entry;
      }
    }
    weak_name(v, m);
    if (!listed(v, m))
      return fate(m, NeedleFate::string);
    Site s = site(m, kind, v);
    if (kind == SiteKind::config_read)
      s.config_key = m.name;
    add(m, std::move(s));
  }

  /// "hidden_act", "activation": a key that chooses, or a call that hands a run-time choice on.
  void choice(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (m.is_string) {
      bool key_like = m.name.size() < 60 && m.name.find(' ') == std::string::npos && m.name.find('%') == std::string::npos;
      if (!key_like || m.in_macro || k_.rules().is_message_call(m.callee))
        return;
      bool reads = (m.role == Role::argument || m.role == Role::element || m.role == Role::operand) &&
                   ((k_.rules().is_config_call(m.callee) && m.name.ends_with("activation")) || ((indexes(m) || !m.callee.empty()) && is_activation_key(m.name)));
      if (!reads)
        return;
      Value v;
      v.reason = "the value of this key chooses";
      Site s = site(m, SiteKind::config_read, v);
      s.config_key = m.name;
      s.reachable = chosen_formulas(mi);
      add(m, std::move(s));
      return;
    }
    if (k_.is_enumerator(fi_, m) && classify_identifier(m.name) == NeedleClass::choice)
      return; // "kActivationBatched" names a caller
    if (m.role == Role::call || m.role == Role::argument || m.role == Role::compare || m.role == Role::assign || m.role == Role::ternary) {
      Value v = k_.of_mention(fi_, mi);
      bool gelu = formula::is_gelu_family(v.formula) || std::any_of(v.reachable.begin(), v.reachable.end(), [](Formula f) { return formula::is_gelu_family(f); });
      if (!gelu || k_.function_at(fi_, mi) >= 0)
        return;
      bool callable = m.role == Role::call && v.reachable.size() > 1;
      bool selects = m.role != Role::call && v.activation() && v.reachable.size() < 2;
      if (!callable && !selects)
        return;
      add(m, site(m, callable ? SiteKind::call : SiteKind::selector, v));
    }
  }

  /// The last part of "text_config.hidden_act", "encoder/activation": a key that names an activation.
  static bool is_activation_key(std::string_view s) {
    std::string_view last = s.substr(s.find_last_of("./:") == std::string_view::npos ? 0 : s.find_last_of("./:") + 1);
    for (std::string_view k : {"hidden_act", "hidden_activation", "activation_function", "projector_hidden_act", "activation", "act_fn", "activation_fn",
                               "ffn_activation", "mlp_activation", "feed_forward_act", "classifier_activation", "mlp_hidden_act"})
      if (last == k)
        return true;
    return false;
  }

  bool indexes(M m) const {
    size_t o = m.offset;
    return o > 0 && f_.lex.text[o - 1] == '[';
  }

  std::vector<Formula> chosen_formulas(size_t mi) {
    M m = f_.outline.mentions[mi];
    std::vector<Formula> out;
    for (size_t x = mi; x < f_.outline.mentions.size() && f_.outline.mentions[x].line <= m.line + 30; ++x) {
      M o = f_.outline.mentions[x];
      if (o.function != m.function)
        break;
      if (o.name == m.name || is_math_like(o.name))
        continue;
      Value v = k_.of_mention(fi_, x);
      std::vector<Formula> all = v.reachable;
      if (v.activation())
        all.push_back(v.formula);
      for (Formula f : all)
        if (std::find(out.begin(), out.end(), f) == out.end())
          out.push_back(f);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  /// Names without a needle whose function computes an activation: callers of a helper with any name.
  void maybe_choice(size_t mi) {
    M m = f_.outline.mentions[mi];
    if (m.is_string || m.needle != NeedleClass::none)
      return;
    if (k_.is_enumerator(fi_, m) && (m.role == Role::argument || m.role == Role::assign || m.role == Role::returned || m.role == Role::ternary)) {
      Value e = k_.of_mention(fi_, mi);
      if (e.known_by == KnownBy::evaluated && formula::is_gelu_family(e.formula) && e.reachable.size() < 2)
        out_.sites.push_back(site(m, SiteKind::selector, e));
      return;
    }
    if (m.role != Role::call && m.role != Role::template_argument && m.role != Role::argument)
      return;
    auto r = f_.refs.find(m.offset);
    if (!k_.is_function_name(m.name) && (r == f_.refs.end() || r->second->kind != TargetKind::function))
      return;
    if (k_.is_enumerator(fi_, m))
      return;
    Value v = k_.of_mention(fi_, mi);
    if (v.known_by != KnownBy::evaluated || !v.evaluated || !formula::is_gelu_family(v.formula) || v.reachable.size() > 1)
      return;
    // Only the function that computes: what merely contains it somewhere is no activation.
    if (v.callees.empty() || v.callees[0].substr(v.callees[0].rfind(':') == std::string::npos ? 0 : v.callees[0].rfind(':') + 1) != m.name)
      return;
    if (!(v.definition && k_.is_function_name(m.name)))
      return;
    bool direct = false;
    for (size_t fn = 0; fn < k_.functions().size() && !direct; ++fn)
      if (const FunctionModel& f = k_.functions()[fn]; f.name == m.name && !k_.hands_on(static_cast<int>(fn)))
        direct = (size_of(f) <= 600 && f.line == v.definition->line && k_.files()[static_cast<size_t>(f.file)].path == v.definition->path);
    if (direct)
      out_.sites.push_back(site(m, SiteKind::call, v));
  }

  /// Shaders choose a body by "#ifdef NAME" around plain statements.
  void conditional_bodies() {
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
      auto first = std::lower_bound(f_.lex.tokens.begin(), f_.lex.tokens.end(), d->end, [](const Tok& t, uint32_t o) { return t.offset < o; });
      auto last = std::lower_bound(f_.lex.tokens.begin(), f_.lex.tokens.end(), a.end, [](const Tok& t, uint32_t o) { return t.offset < o; });
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
      Value v;
      if (e2) {
        v.formula = e2->print.formula;
        v.known_by = KnownBy::evaluated;
        v.evaluated = e2;
        v.gating = e2->print.gating;
        v.precision = e2->precision;
      }
      weak_name(v, at);
      out_.sites.push_back(site(at, SiteKind::definition, v));
    }
  }

  /// A formula written out in the middle of a larger function.
  void inline_formulas() {
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
      Value v;
      v.formula = i->value.print.formula;
      v.known_by = KnownBy::evaluated;
      v.evaluated = &i->value;
      v.gating = i->value.print.gating;
      v.precision = i->value.precision;
      Site s = site(at, SiteKind::call, v);
      s.expr = i->value.expr;
      s.tier = f_.has_command ? Tier::ast : Tier::stub;
      s.claimed = Formula::unknown;
      s.claimed_by.clear();
      out_.sites.push_back(std::move(s));
    }
  }

  /// Comments and numbers.
  void other_needles() {
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

  Knowledge& k_;
  int fi_;
  const FileModel& f_;
  bool all_;
  EmittedFile out_;
  std::set<int> defined_;
};

} // namespace

EmittedFile emit_file(Knowledge& k, int file, bool all_activations) { return Emitter(k, file, all_activations).run(); }

} // namespace gelint::scan
