// What is decided at run time: flags that turn an activation on, and keys of a configuration that choose one.

#include "scan/config_keys.h"
#include "scan/emitter.h"

#include <algorithm>
#include <set>

namespace gelint::scan {

using formula::Formula;

/// A flag that turns an activation on: "if (use_gelu)", "gelu_fusion = atoi(argv[i + 1])".
bool Emitter::flag(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (!claim_of(m.name).gelu_family)
    return false;
  bool condition = m.role == Role::compare || m.role == Role::ternary;
  size_t tok = f_.lex.token_at(m.offset);
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
      plain = plain || (i == tok + 2 && (f_.lex.tokens[i].kind == TokKind::number || (s == m.name && f_.lex.str(i + 1) == ";"))) || s == "argv" || s == "true" || s == "false" || s.starts_with("get") || s == "atoi";
    }
    set = plain;
  }
  if (!set && (!condition || (is_local(m) && !boolean_variable(m)) || initialises_boolean(tok)))
    return false;
  Value v;
  v.reason = "a flag that turns the activation on";
  Site s = site(m, SiteKind::config_read, v);
  s.config_key = m.name;
  const FlagArms arms = condition ? arms_of_condition(fi_, m) : arms_of_flag(m.name);
  const std::string_view literal = set && f_.lex.str(tok + 3) == ";" ? f_.lex.str(tok + 2) : std::string_view();
  std::vector<Formula> reach = literal == "true" ? arms.on : literal == "false" ? arms.off : arms.either();
  if (reach.empty())
    reach = arms.either();
  if (reach.empty() && !arms.tells())
    reach = reachable_near(mi, condition);
  if (reach.empty() && !arms.tells() && !k_.is_template_parameter(fi_, m))
    reach = guarded_by(m.name);
  bool none = reach.empty();
  // "if (fast_gelu) helper(p); else erf_form(p);": only what runs without it is known.
  if (arms.on.empty() && !arms.off.empty() && literal != "false")
    s.reachable = std::move(reach);
  else
    settle(s, std::move(reach));
  if (none && !set)
    return false;
  add(m, std::move(s));
  return true;
}

/// "bool has_gelu = …" in the same function.
bool Emitter::boolean_variable(M m) const {
  return std::any_of(f_.outline.mentions.begin(), f_.outline.mentions.end(), [&](const Mention& d) {
    if (d.name != m.name || d.function != m.function || d.role != Role::declaration || d.is_string)
      return false;
    size_t tok = f_.lex.token_at(d.offset);
    return tok > 0 && f_.lex.str(tok - 1) == "bool";
  });
}

/// The right side of "bool x = …;": x is the flag.
bool Emitter::initialises_boolean(size_t tok) const {
  for (size_t i = tok; i > 2 && tok - i < 40; --i) {
    std::string_view s = f_.lex.str(i - 1);
    if (s == ";" || s == "{" || s == "}")
      return false;
    if (s == "=")
      return f_.lex.str(i - 3) == "bool";
  }
  return false;
}

/// What a flag turns on, when that is one formula.
void Emitter::settle(Site& s, std::vector<Formula> reach) {
  if (claim_of(s.enclosing.substr(s.enclosing.rfind(':') == std::string::npos ? 0 : s.enclosing.rfind(':') + 1)).gradient && !reach.empty()) {
    s.formula = Formula::other;
    s.known_by = KnownBy::name;
    s.reason = "a flag that turns the gradient of an activation on";
    return;
  }
  if (reach.size() == 1) {
    s.formula = reach[0];
    s.known_by = KnownBy::name; // what the flag guards was evaluated, that it is guarded was read from the tokens
  }
  s.reachable = std::move(reach);
}

/// "use_gelu", "enableGelu"
bool Emitter::begins_like_a_flag(std::string_view name) const {
  std::vector<std::string> words = words_of(name);
  const std::vector<std::string>& flags = k_.rules().flag_words();
  return words.size() > 1 && std::find(flags.begin(), flags.end(), words[0]) != flags.end();
}

/// The flag that a text names, alone or as the end of a path ("model_conf/use_gelu"); empty: none.
std::string Emitter::flag_key(std::string_view text) const {
  size_t at = text.find_last_of("/.:");
  std::string_view last = text.substr(at == std::string_view::npos ? 0 : at + 1);
  return begins_like_a_flag(last) ? std::string(last) : std::string();
}

void Emitter::read_flag(M m, const std::string& key, std::vector<Formula> reach) {
  for (const std::string& variable : {key, "_" + key, key + "_"})
    if (reach.empty() && claim_of(key).gelu_family) {
      reach = arms_of_flag(variable).either();
      if (reach.empty())
        reach = guarded_by(variable);
    }
  Value v;
  v.reason = "a flag that turns the activation on";
  Site s = site(m, SiteKind::config_read, v);
  s.config_key = key;
  s.reachable = reach;
  if (reach.size() == 1) {
    s.formula = reach[0];
    s.known_by = KnownBy::name;
  }
  add(m, std::move(s));
}

/// "conf.use_gelu()", "layer->relu()" where relu() returns a stored number or stands in a condition.
bool Emitter::flag_call(size_t mi) {
  M m = f_.outline.mentions[mi];
  Claim c = claim_of(m.name);
  size_t tok = f_.lex.token_at(m.offset);
  if (m.role != Role::call || !m.member || f_.lex.str(tok + 1) != "(" || f_.lex.str(tok + 2) != ")" || !(c.gelu_family || (all_ && c.formula)))
    return false;
  if (k_.handling_of(m.name, fi_) == Handling::handles)
    return false;
  bool turns_on = k_.has_flag_accessor(m.name) || begins_like_a_flag(m.name);
  if (!turns_on) {
    std::string_view after = f_.lex.str(tok + 3);
    size_t begin = tok; // of "op->common()->relu"
    while (begin > 2 && (f_.lex.str(begin - 1) == "." || f_.lex.str(begin - 1) == "->"))
      begin -= begin > 4 && f_.lex.str(begin - 2) == ")" && f_.lex.str(begin - 3) == "(" ? 4 : 2;
    std::string_view before = begin > 0 ? f_.lex.str(begin - 1) : std::string_view();
    bool condition = after == "?" || after == "&&" || after == "||" || before == "!" || before == "&&" || before == "||";
    turns_on = condition || (before == "(" && begin > 1 && f_.lex.str(begin - 2) == "if" && after == ")");
  }
  if (!turns_on)
    return false;
  read_flag(m, m.name, reachable_near(mi, true));
  return true;
}

/// What the arms that this flag guards compute; failing that, what the function does.
std::vector<Formula> Emitter::reachable_near(size_t mi, bool condition) {
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
      if (o.name != m.name && !k_.is_mathematics(fi_, x))
        note(k_.of_mention(fi_, x));
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// A call of a function that runs an activation because of one of its arguments.
bool Emitter::switched_call(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (m.role != Role::call || m.is_string || !k_.is_function_name(m.name))
    return false;
  std::vector<ActivationSwitch> all = k_.switches(m.name);
  if (all.empty())
    return false;
  const std::vector<std::string> arguments = k_.argument_texts(fi_, m), of_template = k_.template_argument_texts(fi_, f_.lex.token_at(m.offset));
  static const std::set<std::string, std::less<>> off = {"NULL", "nullptr", "false", "0", "{}", "None", "std::nullopt"};
  for (const ActivationSwitch& s : all) {
    const std::vector<std::string>& given = s.in_template ? of_template : arguments;
    if (s.parameter >= given.size() || off.count(given[s.parameter]))
      continue;
    // Of what is not known, only a plain request is listed.
    if (!s.value.tells() && given[s.parameter] != "true" && !claim_of(given[s.parameter]).gelu_family)
      continue;
    Value v = s.value;
    if (m.function >= 0 && claim_of(f_.outline.scopes[static_cast<size_t>(m.function)].name).gradient && v.known()) {
      v = Value();
      v.formula = Formula::other;
      v.known_by = KnownBy::name;
      v.reason = "the gradient of an activation";
    }
    out_.sites.push_back(site(m, SiteKind::call, v));
    return true;
  }
  return false;
}

/// "Layer(…, Act act = Act::ReLU)": what a caller gets who says nothing.
bool Emitter::default_choice(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (m.is_string || m.role != Role::assign || m.callee.empty() || !k_.is_enumerator(fi_, m))
    return false;
  size_t tok = f_.lex.token_at(m.offset);
  while (tok > 1 && f_.lex.str(tok - 1) == "::")
    tok -= 2;
  // a declared parameter stands before the "=", and its type before it
  if (tok < 3 || f_.lex.str(tok - 1) != "=" || f_.lex.tokens[tok - 2].kind != TokKind::identifier || f_.lex.tokens[tok - 3].kind == TokKind::punct)
    return false;
  Value v = k_.of_mention(fi_, mi);
  if (Claim c = claim_of(m.name); c.formula && (!v.activation() || !c.gelu_family)) {
    v = Value();
    v.formula = *c.formula;
    v.known_by = KnownBy::name;
  }
  if (!v.activation() || (!formula::is_gelu_family(v.formula) && !k_.is_of_activation_enumeration(m)))
    return false;
  v.reason = "the default of the parameter " + std::string(f_.lex.str(tok - 2));
  Site s = site(m, SiteKind::selector, v);
  s.config_default = s.symbol;
  add(m, std::move(s));
  return true;
}

/// "Dense(model, &activation_)": any member of the enumeration, decided when the model is loaded.
bool Emitter::handed_on_by_address(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (m.role != Role::argument || m.offset == 0 || f_.lex.text[m.offset - 1] != '&' || is_local(m))
    return false;
  std::string enumeration = k_.enumeration_of_variable(m.name, fi_);
  if (enumeration.empty())
    return false;
  Value v;
  v.reachable = k_.formulas_of_enumeration(enumeration, fi_);
  v.reason = "any of " + enumeration + ", handed on by its address";
  if (v.reachable.size() < 2)
    return false;
  add(m, site(m, SiteKind::selector, v));
  return true;
}

/// "hidden_act", "activation": a key that chooses, or a call that hands a run-time choice on.
void Emitter::choice(size_t mi) {
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
    s.config_default = default_beside(f_.lex, f_.lex.token_at(m.offset));
    s.reachable = chosen_formulas(mi);
    add(m, std::move(s));
    return;
  }
  if (k_.is_enumerator(fi_, m) && classify_identifier(m.name) == NeedleClass::choice)
    return; // "kActivationBatched" names a caller
  if (m.role == Role::definition)
    return applier(mi);
  if (m.role == Role::call || m.role == Role::argument || m.role == Role::compare || m.role == Role::assign || m.role == Role::ternary) {
    Value v = k_.of_mention(fi_, mi);
    bool gelu = formula::is_gelu_family(v.formula) || std::any_of(v.reachable.begin(), v.reachable.end(), [](Formula f) { return formula::is_gelu_family(f); });
    if (!gelu && handed_on_by_address(mi))
      return;
    if (!gelu || k_.function_at(fi_, mi) >= 0)
      return;
    if (m.role == Role::call && v.activation() && v.reachable.size() < 2 && k_.is_open(fi_, m)) {
      Value open;
      open.reachable = {v.formula};
      open.reason = "several functions have this name, and not all are known to compute the same";
      open.definition = v.definition;
      fate(m, NeedleFate::site);
      out_.sites.push_back(site(m, SiteKind::call, open));
      return;
    }
    bool callable = m.role == Role::call && (v.reachable.size() > 1 || v.activation());
    bool selects = m.role != Role::call && v.activation() && v.reachable.size() < 2;
    if (!callable && !selects)
      return;
    add(m, site(m, callable ? SiteKind::call : SiteKind::selector, v));
  }
}

/// "void add_bias_activation(…) {": a function that applies an activation to what it is given.
void Emitter::applier(size_t mi) {
  M m = f_.outline.mentions[mi];
  const int fn = k_.function_at(fi_, mi);
  if (fn < 0 || k_.functions()[static_cast<size_t>(fn)].is_type || k_.handling(fn) != Handling::computes)
    return;
  const std::vector<std::string> words = words_of(m.name);
  if (std::any_of(words.begin(), words.end(), [](const std::string& w) { return w == "test" || w == "bench" || w == "benchmark" || w == "check"; }))
    return;
  Value v = k_.of_function(fn);
  // One that chooses among several is told by what it chooses from.
  if (!v.activation() || v.reachable.size() > 1 || k_.has_arms(fn) || !listed(v, m))
    return;
  Site s = site(m, SiteKind::definition, v);
  if (!bystander(m, s))
    defined_.insert(fn);
  add(m, std::move(s));
}

bool Emitter::indexes(M m) const {
  size_t o = m.offset;
  return o > 0 && f_.lex.text[o - 1] == '[';
}

std::vector<Formula> Emitter::chosen_formulas(size_t mi) {
  M m = f_.outline.mentions[mi];
  std::vector<Formula> out;
  for (size_t x = mi; x < f_.outline.mentions.size() && f_.outline.mentions[x].line <= m.line + 30; ++x) {
    M o = f_.outline.mentions[x];
    if (o.function != m.function)
      break;
    if (o.name == m.name || k_.is_mathematics(fi_, x))
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

} // namespace gelint::scan
