#include "scan/lexical_eval.h"

#include "scan/lexical_interp.h"
#include "scan/lexical_judge.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace gelint::scan {

std::optional<double> literal_value(std::string_view t) {
  std::string s;
  for (char c : t)
    if (c != '\'')
      s += c;
  bool hex = s.starts_with("0x") || s.starts_with("0X");
  while (!s.empty() && !hex && (s.back() == 'f' || s.back() == 'F' || s.back() == 'h' || s.back() == 'H' || s.back() == 'l' || s.back() == 'L' ||
                                s.back() == 'u' || s.back() == 'U'))
    s.pop_back();
  if (hex) {
    unsigned long v = 0;
    auto [p, ec] = std::from_chars(s.data() + 2, s.data() + s.size(), v, 16);
    (void)p;
    return ec == std::errc() ? std::optional<double>(static_cast<double>(v)) : std::nullopt;
  }
  double v = 0;
  auto [p, ec] = std::from_chars(s.data(), s.data() + s.size(), v);
  if (ec != std::errc() || p != s.data() + s.size())
    return std::nullopt;
  return v;
}

LexicalFunction lexical_function(const LexedFile& f, const Scope& s) {
  LexicalFunction out;
  out.file = &f;
  out.begin = s.begin + 1;
  out.end = s.end;
  size_t open = s.name_tok == SIZE_MAX ? s.begin : s.name_tok;
  if (s.lambda) // "[…](float x) -> float {"
    for (open = s.begin; open > s.head && !(f.str(open) == "(" && f.str(open - 1) == "]");)
      --open;
  while (open < s.begin && f.str(open) != "(")
    ++open;
  if (open >= s.begin)
    return out;
  size_t close = after_matching(f, open) - 1;
  int depth = 0;
  std::string last;
  bool past_name = false, writes = false, fixed = false;
  for (size_t i = open + 1; i <= close && i < f.tokens.size(); ++i) {
    std::string_view t = f.str(i);
    writes = writes || t == "inout" || t == "out" || t == "&" || t == "*" || t == "ptr";
    fixed = fixed || t == "const" || t == "constant";
    if ((t == "," && depth == 0) || i == close) {
      if (!last.empty() && last != "void") {
        out.parameters.push_back(last);
        out.written.push_back(writes && !fixed);
      }
      writes = fixed = false;
      last.clear();
      past_name = false;
      continue;
    }
    if (t == "(" || t == "<" || t == "[")
      ++depth;
    else if (t == ")" || t == ">" || t == "]")
      --depth;
    else if (t == ":" || t == "=") // what follows is a type in WGSL, a default elsewhere
      past_name = true;
    else if (f.tokens[i].kind == TokKind::identifier && depth == 0 && !past_name)
      last = t;
  }
  return out;
}

/// One value for each target: what was stored last, or what a condition chooses.
static std::vector<TokenInterp::Store> what_remains(const TokenInterp& interp) {
  std::vector<TokenInterp::Store> out;
  std::map<std::string, size_t> at;
  for (const TokenInterp::Store& s : interp.stores) {
    auto known = s.target.empty() ? at.end() : at.find(s.target);
    if (known == at.end()) {
      if (!s.target.empty())
        at[s.target] = out.size();
      out.push_back(s);
      continue;
    }
    auto merged = interp.vars.find(s.target);
    out[known->second].value = merged != interp.vars.end() && contains(merged->second, s.value) ? merged->second : s.value;
  }
  return out;
}

/// The result of a function that is not known goes out: what the variables hold on the way is not it.
static bool stores_unknown_result(const std::vector<TokenInterp::Store>& stores, const std::map<std::string, Term>& vars) {
  return std::any_of(stores.begin(), stores.end(), [&](const TokenInterp::Store& s) {
    const std::string& text = s.value->symbol;
    const size_t open = text.find('(');
    if (s.target.empty() || open == std::string::npos || open == 0)
      return false;
    return std::any_of(vars.begin(), vars.end(), [&](const auto& v) { return v.second->symbol.empty() && made_of(text, v.first); });
  });
}

/// "y" of "y[i + 1]", "y.w" and "*y".
static std::string stored_place(std::string_view target) {
  target.remove_prefix(target.starts_with('*') ? 1 : 0);
  size_t end = 0;
  while (end < target.size() && (std::isalnum(static_cast<unsigned char>(target[end])) || target[end] == '_'))
    ++end;
  const std::string_view rest = target.substr(end);
  const bool lanes = rest.starts_with('.') && rest.find_first_not_of("xyzwrgbas0123456789", 1) == std::string_view::npos;
  return rest.empty() || rest[0] == '[' || lanes ? std::string(target.substr(0, end)) : std::string(target);
}

/// Elements of the place that the formula is stored to and that compute something else; empty: there are none.
/// `computed`: by target.
static std::string differing_elements(const std::map<std::string, formula::Formula>& computed, formula::Formula formula) {
  std::map<std::string, std::pair<bool, std::string>> places; // the formula is there, a target that has another
  for (const auto& [target, f] : computed) {
    auto& [here, other] = places[stored_place(target)];
    if (f == formula)
      here = true;
    else
      other = target;
  }
  for (const auto& [place, found] : places)
    if (found.first && !found.second.empty())
      return fmt::format("{} is set to something else than its other elements", found.second);
  return {};
}

static Evaluated evaluate_reading(const LexedFile& f, const std::vector<std::string>& parameters, const LexicalEnvironment& env) {
  int budget = 20000;
  TokenInterp interp(env, 0, budget);
  for (const std::string& p : parameters) // symbols under their own names, whatever constants are called
    interp.vars[p] = symbol(p);
  interp.run(f, 0, f.tokens.size());
  Evaluated best, doubt;
  auto consider = [&](const Term& p) {
    Evaluated e = judge(p, parameters);
    if (!e.ok() && !e.reason.empty() && doubt.either.size() < e.either.size() + 1)
      doubt = e;
    auto known = [](const Evaluated& v) { return v.ok() && in_vocabulary(v.print.formula); };
    if (e.ok() && (!best.ok() || (known(e) && !known(best)) || (known(e) && formula::is_gelu_family(e.print.formula) && !formula::is_gelu_family(best.print.formula))))
      best = e;
    return e;
  };
  std::vector<formula::Formula> stored;
  auto several = [&](const Term& p) {
    const Evaluated e = consider(p);
    if (e.ok() && formula::is_gelu_family(e.print.formula) && std::find(stored.begin(), stored.end(), e.print.formula) == stored.end())
      stored.push_back(e.print.formula);
    if (stored.size() > 1) {
      doubt.reason = "elements, or arms, of different formulas";
      doubt.either = stored;
    }
    return e.ok() ? e.print.formula : formula::Formula::unknown;
  };
  if (interp.returned && interp.returned->symbol != "(nothing)")
    consider(interp.returned);
  if (!doubt.reason.empty())
    return doubt;
  const std::vector<TokenInterp::Store> stores = what_remains(interp);
  if (!best.ok() || best.print.formula == formula::Formula::other) {
    std::map<std::string, formula::Formula> computed;
    for (const TokenInterp::Store& p : stores)
      if (const formula::Formula f = several(p.value); !p.target.empty())
        computed[p.target] = f;
    if (doubt.reason.empty() && best.ok() && formula::is_gelu_family(best.print.formula))
      doubt.reason = differing_elements(computed, best.print.formula);
    if (!doubt.reason.empty())
      return doubt;
  }
  if (!best.ok() && stores_unknown_result(stores, interp.vars)) {
    doubt.reason = "what a function without a known body makes of it is stored";
    return doubt;
  }
  // "if (n > 0) start = n" is max(n, 0) as well: a variable does not win over what goes out, unless it holds a GELU.
  const bool returns = interp.returned && interp.returned->symbol != "(nothing)";
  if (!best.ok() || best.print.formula == formula::Formula::other) {
    const Evaluated out = best;
    for (const Term& p : interp.variables)
      several(p);
    if (stored.size() > 1)
      return doubt;
    if ((out.ok() || returns) && !formula::is_gelu_family(best.print.formula))
      best = out;
  }
  if (!best.ok() && !returns)
    for (const auto& [name, p] : interp.vars)
      if (p->symbol.empty())
        consider(p);
  if (!best.ok() && !returns)
    for (const Term& p : interp.scoped)
      if (p->symbol.empty())
        consider(p);
  if (!best.ok() && !doubt.reason.empty())
    return doubt;
  if (!best.ok())
    best.reason = "no elementwise expression was found in the tokens";
  return best;
}

Evaluated evaluate_tokens(const LexedFile& f, size_t begin, size_t end, const std::vector<std::string>& parameters, const LexicalEnvironment& env) {
  std::vector<Evaluated> all;
  for (const LexedFile& reading : readings_of(f, begin, end))
    all.push_back(evaluate_reading(reading, parameters, env));
  Evaluated best = all[0], doubt;
  bool differ = false;
  for (const Evaluated& e : all) {
    if (!e.ok() && !e.either.empty())
      return e;
    if (!e.ok() || (!in_vocabulary(e.print.formula) && !e.print.near_miss))
      continue;
    if (!best.ok() || !in_vocabulary(best.print.formula))
      best = e;
    differ = differ || best.print.formula != e.print.formula;
    if (in_vocabulary(e.print.formula) && std::find(doubt.either.begin(), doubt.either.end(), e.print.formula) == doubt.either.end())
      doubt.either.push_back(e.print.formula);
  }
  if (!differ || std::none_of(doubt.either.begin(), doubt.either.end(), formula::is_gelu_family))
    return best;
  doubt.reason = "the arms of #if compute different formulas";
  return doubt;
}

} // namespace gelint::scan
