// Uses of a name: calls, selectors, dispatch arms, types and tensor operations.

#include "scan/emitter.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace gelint::scan {

using formula::Formula;

/// The arm of this label passes on to another name of the family: what other backends run for the label says nothing.
std::string Emitter::hands_to(size_t mi) const {
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

int Emitter::arm_of_label(size_t mi) const {
  for (size_t a = 0; a < f_.outline.arms.size(); ++a)
    if (std::find(f_.outline.arms[a].labels.begin(), f_.outline.arms[a].labels.end(), mi) != f_.outline.arms[a].labels.end())
      return static_cast<int>(a);
  return -1;
}

Value Emitter::arm_value(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (int a = arm_of_label(mi); a >= 0)
    if (Value v = k_.of_arm(fi_, static_cast<size_t>(a)); v.tells())
      return v;
  if (int a = arm_of_label(mi); a >= 0 && k_.is_gradient_arm(fi_, static_cast<size_t>(a)) && !is_gradient_name(m.name)) {
    Value v;
    v.reason = "an arm of a gradient, which could not be followed";
    return v;
  }
  if (std::string through = hands_to(mi); !through.empty()) {
    Value v;
    v.reason = fmt::format("hands it to {}, which could not be evaluated", through);
    return v;
  }
  return k_.of_mention(fi_, mi).known() ? k_.of_mention(fi_, mi) : k_.of_enumerator(m.qualified.empty() ? m.name : m.qualified, fi_);
}

bool Emitter::arm_is_empty(size_t mi) {
  int a = arm_of_label(mi);
  if (a < 0)
    return in_capability_function(f_.outline.mentions[mi]);
  Value v = k_.of_arm(fi_, static_cast<size_t>(a));
  return !v.known() && v.reachable.empty();
}

void Emitter::type_use(size_t mi) {
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

/// The function around evaluates to an activation that this tensor operation is a part of.
bool Emitter::tensor_operation(size_t mi, Value& v) {
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
      v = value_of(i->value);
      return true;
    }
  return false;
}

void Emitter::use(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (k_.is_mathematics(fi_, mi) && !names_tanh(m)) {
    Value v;
    if (tensor_operation(mi, v))
      return add(m, site(m, SiteKind::call, v));
    return fate(m, math_fate(m));
  }
  const bool made = m.role == Role::construct || (m.role == Role::template_argument && m.callee.starts_with("make_"));
  if (in_type_scope(m) && m.role != Role::call && m.role != Role::assign && !k_.is_enumerator(fi_, m) && !made)
    return fate(m, NeedleFate::declaration);
  if (m.function < 0 && m.role == Role::argument && (m.callee.find("TEST") != std::string::npos || m.callee.find("BENCHMARK") != std::string::npos))
    return fate(m, NeedleFate::declaration); // TEST_F(Suite, Gelu): the name of a test
  if (m.function < 0 && m.role == Role::argument && !m.in_macro && k_.macro_declares(m.callee, m.argument))
    return fate(m, NeedleFate::declaration); // KERNEL(gelu_f32_u8, 8, float): a row of an X-macro
  if (default_choice(mi))
    return;
  if (m.role == Role::call && in_type_scope(m) && f_.outline.scopes[static_cast<size_t>(m.scope)].name == m.name)
    return fate(m, NeedleFate::declaration); // a constructor's declaration
  bool enumerator = k_.is_enumerator(fi_, m);
  if (enumerator && is_sentinel(m.name))
    return fate(m, NeedleFate::declaration);
  const auto ref = f_.refs.find(m.offset);
  if (ref != f_.refs.end() && ref->second->boolean && m.role != Role::call) { // "bool gelu": a flag, whatever else bears the name
    if (!flag(mi) && !key_macro(mi))
      fate(m, NeedleFate::unrelated);
    return;
  }
  Value v = m.role == Role::compare && arm_of_label(mi) >= 0 ? arm_value(mi) : k_.of_mention(fi_, mi);
  // What another function of the tree computes under such a name says nothing of a library that is not there.
  const bool pasted_name = m.role == Role::argument && m.qualified == m.name && constant_like(m) && k_.pastes(m.callee, m.argument);
  if (v.known_by == KnownBy::name && claim_of(m.name).gelu_family && (pasted_name || names_external(m))) {
    v = Value();
    v.reason = "a name of a library that is neither in the tree nor in the rules";
  }
  if (v.building_block)
    return fate(m, math_fate(m));
  if (!v.tells() && flag_call(mi))
    return;
  SiteKind kind = SiteKind::call;
  bool look_up = k_.table(m.name) && !enumerator && m.role != Role::call;
  if (look_up && written_to(m))
    return fate(m, NeedleFate::declaration);
  if (v.is_epilogue)
    kind = SiteKind::epilogue;
  else if (enumerator || m.role == Role::assign || m.role == Role::returned || m.role == Role::ternary || m.role == Role::operand)
    kind = SiteKind::selector;
  if (m.role == Role::call || m.role == Role::construct || m.role == Role::template_argument)
    kind = v.is_epilogue ? SiteKind::epilogue : enumerator ? SiteKind::selector : SiteKind::call;
  if (look_up)
    kind = SiteKind::call;
  else if (m.role == Role::argument && !enumerator)
    kind = k_.is_macro_function(m.callee) ? SiteKind::registration : k_.is_function_name(m.name) ? SiteKind::call : SiteKind::selector;
  if (m.role == Role::element && enumerator && in_string_row(mi))
    return fate(m, NeedleFate::site); // part of the table entry
  bool nameable = enumerator || k_.is_function_name(m.name) || v.tells() || m.role == Role::call || k_.is_macro_function(m.callee);
  bool external = false;
  if (!enumerator && !k_.is_function_name(m.name) && !v.known() && v.reachable.empty()) {
    if (flag(mi) || key_macro(mi))
      return;
    bool variable = ref != f_.refs.end() && (ref->second->kind == TargetKind::variable || ref->second->kind == TargetKind::parameter);
    bool pasted = m.role == Role::argument && k_.is_macro_function(m.callee) && !variable && !m.member && !is_local(m);
    Claim c = claim_of(m.name);
    external = c.gelu_family && names_external(m);
    if ((m.role != Role::call && !pasted && !external) || !(c.gelu_family || (all_ && c.formula && m.role == Role::call)))
      return fate(m, constant_like(m) ? NeedleFate::unrelated : NeedleFate::declaration);
  }
  if (!nameable && !external)
    return fate(m, NeedleFate::unrelated);
  if (!enumerator && !k_.is_function_name(m.name) && m.role != Role::call && m.role != Role::construct && (is_local(m) || (v.known_by == KnownBy::name && is_parameter(m))))
    return fate(m, inside_site(m) ? NeedleFate::site : NeedleFate::unrelated);
  if (m.offset > 10 && f_.lex.text.substr(m.offset - 9, 9) == "decltype(")
    return fate(m, NeedleFate::declaration);
  // a local variable that merely holds a number
  if (external && m.role != Role::template_argument)
    kind = SiteKind::selector;
  if (kind == SiteKind::selector && !enumerator && !external && is_value_variable(mi, v))
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

/// A constant or a type of a library whose header is nowhere: "VENDOR_ACT_GELU", "vendor::Act::kGelu", make<vendor::Gelu>(…).
bool Emitter::names_external(M m) const {
  const auto r = f_.refs.find(m.offset);
  if ((r != f_.refs.end() && r->second->kind != TargetKind::none) || m.member || m.is_string || is_local(m) || m.function < 0 || m.in_macro ||
      f_.language == Language::shader)
    return false;
  static constexpr std::array k_of_numbers = std::to_array<std::string_view>({"coef", "coeff", "coefficient", "const", "constant", "scale", "size", "block", "len", "max", "min", "num", "count"});
  const std::vector<std::string> words = words_of(m.name);
  if (std::any_of(words.begin(), words.end(), [](const std::string& w) { return std::find(k_of_numbers.begin(), k_of_numbers.end(), w) != k_of_numbers.end(); }))
    return false;
  const std::string_view after = f_.lex.str(f_.lex.token_at(m.offset) + 1);
  if (after == "*" || after == "+" || after == "-" || after == "/")
    return false; // a coefficient
  const bool role = m.role == Role::argument || m.role == Role::assign || m.role == Role::ternary || m.role == Role::returned ||
                    m.role == Role::element || m.role == Role::template_argument;
  if (m.qualified.find("::") != std::string::npos)
    return role && (std::isupper(static_cast<unsigned char>(m.name[0])) || (m.name[0] == 'k' && m.name.size() > 1 && std::isupper(static_cast<unsigned char>(m.name[1]))));
  return role && m.name.find('_') != std::string::npos &&
         std::none_of(m.name.begin(), m.name.end(), [](char c) { return std::islower(static_cast<unsigned char>(c)); });
}

/// "GeluType::END", "Act::kCount": the number of an enumeration's members, or none of them.
bool Emitter::is_sentinel(std::string_view name) {
  static constexpr std::array k_sentinels = std::to_array<std::string_view>({"end", "count", "last", "max", "num", "size", "invalid", "undefined"});
  std::vector<std::string> words = words_of(name);
  if (!words.empty() && words.front() == "k")
    words.erase(words.begin());
  return words.size() == 1 && std::find(k_sentinels.begin(), k_sentinels.end(), words[0]) != k_sentinels.end();
}

/// An enumerator with a word of mathematics in its name that stands for an activation all the same: always for a member of
/// the GELU family, for tanh itself where all activations are asked for.
bool Emitter::names_tanh(M m) const {
  // "GeluType::Tanh", "GELU::Approximation::Tanh": a form of what the scope is named after
  if (const size_t end = m.qualified.rfind("::"); !m.is_string && end != std::string::npos && end > 0 && k_.is_enumerator(fi_, m) &&
                                                   claim_of(std::string_view(m.qualified).substr(0, end)).gelu_family)
    return true;
  return all_ && !m.is_string && !is_math_word(m.name) && k_.is_enumerator(fi_, m) && claim_of(m.name).formula == Formula::tanh;
}

/// "table[i] = …"
bool Emitter::written_to(M m) const {
  size_t next = f_.lex.token_at(m.offset) + 1;
  if (f_.lex.str(next) == "[")
    next = after_matching(f_.lex, next);
  return f_.lex.str(next) == "=";
}

bool Emitter::constant_like(M m) const {
  return std::all_of(m.name.begin(), m.name.end(), [](char c) { return std::isupper(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) || c == '_'; });
}

/// A plain variable or member used as data: not a handle, not a function, no enumerator.
bool Emitter::is_value_variable(size_t mi, const Value& v) const {
  M m = f_.outline.mentions[mi];
  if (v.tells())
    return !m.member && m.role == Role::operand && v.known_by == KnownBy::name;
  if (auto r = f_.refs.find(m.offset); r != f_.refs.end() && r->second->kind == TargetKind::function && m.role == Role::assign)
    return false; // a kernel that is chosen, whatever it computes
  return true;
}

bool Emitter::in_string_row(size_t mi) const {
  for (const RowModel& r : k_.rows())
    if (r.file == fi_ && r.key != SIZE_MAX && f_.outline.mentions[r.key].is_string &&
        std::find(r.values.begin(), r.values.end(), mi) != r.values.end())
      return true;
  return false;
}

/// Names without a needle whose function computes an activation: callers of a helper with any name.
void Emitter::maybe_choice(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (default_choice(mi) || switched_call(mi) || m.is_string)
    return;
  if (const ApiSymbol* s = m.role == Role::call ? k_.rules().find(m.qualified.empty() ? m.name : m.qualified) : nullptr;
      s && s->formula == Formula::other && formula::is_gelu_family(s->nearest)) {
    Value v = k_.of_mention(fi_, mi);
    if (v.known_by != KnownBy::evaluated) {
      v = Value();
      v.formula = Formula::other;
      v.known_by = KnownBy::rule;
      v.gating = s->gating;
      v.reason = s->name + " by rule: " + s->note + " (" + s->source + ")";
    }
    Site x = site(m, SiteKind::call, v);
    x.nearest = s->nearest;
    out_.sites.push_back(std::move(x));
    return;
  }
  if (m.needle != NeedleClass::none)
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

/// "Pointwise op;" in a body: an activation that will be applied, under the name of a class that tells nothing.
void Emitter::functor_objects() {
  const auto& tokens = f_.lex.tokens;
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    const Tok& t = tokens[i];
    if (t.kind != TokKind::identifier || t.directive >= 0)
      continue;
    size_t next = i + 1;
    if (f_.lex.str(next) == "<")
      while (next < std::min(tokens.size(), i + 30) && f_.lex.str(next++) != ">")
        ;
    std::string_view after = f_.lex.str(next + 1);
    const bool declares = next < tokens.size() && tokens[next].kind == TokKind::identifier && (after == ";" || after == "{" || after == "=" || after == "(");
    const std::string_view before = i > 0 ? f_.lex.str(i - 1) : std::string_view();
    if (!declares && (f_.lex.str(next) != "{" || before == "struct" || before == "class"))
      continue;
    const int fn = k_.functor(f_.lex.str(i), fi_);
    if (fn < 0 || classify_identifier(f_.lex.str(i)) == NeedleClass::gelu)
      continue;
    const Mention at = mention_at(i, declares ? Role::type_use : Role::construct);
    if (at.function < 0)
      continue;
    out_.sites.push_back(site(at, SiteKind::call, k_.of_functor(f_.lex.str(i), fn)));
  }
}

} // namespace gelint::scan
