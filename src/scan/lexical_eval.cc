#include "scan/lexical_eval.h"

#include "scan/lexical_interp.h"

#include <algorithm>
#include <cctype>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace gelint::scan {

using formula::Expr;
using formula::Type;

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

namespace {

/// One symbol is the input, one may be the gate; the others have values.
struct Roles {
  std::string input, gate;
  std::map<std::string, double> others;
};

formula::NodeId build(Expr& e, const Term& p, const Roles& roles, std::map<const TermNode*, formula::NodeId>& done) {
  auto it = done.find(p.get());
  if (it != done.end())
    return it->second;
  formula::NodeId id;
  if (!p->symbol.empty()) {
    id = p->symbol == roles.input  ? e.leaf(Op::input, Type::f32)
         : p->symbol == roles.gate ? e.leaf(Op::gate, Type::f32)
                                   : e.constant(roles.others.at(p->symbol), Type::f32);
  } else if (p->args.empty())
    id = e.constant(p->value, Type::weak);
  else {
    std::vector<formula::NodeId> a;
    for (const Term& x : p->args)
      a.push_back(build(e, x, roles, done));
    while (a.size() < 3)
      a.push_back(formula::k_no_node);
    bool boolean = p->op == Op::lt || p->op == Op::le || p->op == Op::gt || p->op == Op::ge || p->op == Op::eq || p->op == Op::ne ||
                   p->op == Op::logical_and || p->op == Op::logical_or || p->op == Op::logical_not;
    id = e.make(p->op, boolean ? Type::boolean : Type::f32, a[0], a[1], a[2]);
  }
  done[p.get()] = id;
  return id;
}

Expr expression(const Term& p, const Roles& roles) {
  Expr e;
  std::map<const TermNode*, formula::NodeId> done;
  e.set_root(build(e, p, roles, done));
  return e;
}

/// The numbers that symbols are compared with: a mode is one of them.
void compared_with(const Term& p, std::vector<double>& out) {
  if ((p->op == Op::eq || p->op == Op::ne || p->op == Op::lt || p->op == Op::le || p->op == Op::gt || p->op == Op::ge) && p->symbol.empty())
    for (const Term& a : p->args)
      if (a->symbol.empty() && a->args.empty() && out.size() < 6 && std::find(out.begin(), out.end(), a->value) == out.end())
        out.push_back(a->value);
  for (const Term& a : p->args)
    compared_with(a, out);
}

/// Values for the symbols that are neither input nor gate. A formula that holds for all of these does not depend on them.
std::vector<std::map<std::string, double>> trials(const std::vector<std::string>& others, const std::vector<double>& compared) {
  std::vector<std::map<std::string, double>> out;
  auto all = [&](double v) {
    std::map<std::string, double> m;
    for (const std::string& o : others)
      m[o] = v;
    out.push_back(std::move(m));
  };
  all(1);
  all(0);
  for (double sign : {1.0, -1.0}) {
    std::map<std::string, double> m;
    double v = 1.37;
    for (const std::string& o : others)
      m[o] = sign * (v += 0.61);
    out.push_back(std::move(m));
  }
  for (double c : compared)
    all(c);
  // Flags one at a time: "if (a) …; if (b) …".
  for (size_t i = 0; i < others.size() && others.size() > 1 && i < 6; ++i) {
    std::map<std::string, double> m;
    for (size_t k = 0; k < others.size(); ++k)
      m[others[k]] = k == i ? 1 : 0;
    out.push_back(std::move(m));
  }
  return out;
}

bool nonlinear(const Term& p) {
  switch (p->op) {
  case Op::tanh: case Op::erf: case Op::erfc: case Op::exp: case Op::exp2: case Op::sigmoid: case Op::normcdf: case Op::max: case Op::min:
  case Op::select: case Op::abs: case Op::cosh: case Op::pow: case Op::log: case Op::log1p: case Op::tanh_approx: case Op::expm1:
    if (p->symbol.empty() && !p->args.empty())
      return true;
    break;
  default: break;
  }
  return std::any_of(p->args.begin(), p->args.end(), nonlinear);
}

bool in_vocabulary(formula::Formula f) { return f != formula::Formula::other && f != formula::Formula::unknown; }

std::string names_of(const std::vector<std::string>& symbols) {
  std::string out;
  for (const std::string& s : symbols)
    out += (out.empty() ? "" : ", ") + s;
  return out;
}

/// The text of a symbol that no evaluation got behind, as "grow(s,1.0f)", names another symbol: they are not independent.
bool made_of(const std::string& symbol, const std::string& other) {
  if (symbol.find('(') == std::string::npos || other.find('(') != std::string::npos)
    return false;
  auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = symbol.find(other); at != std::string::npos; at = symbol.find(other, at + 1)) {
    const size_t end = at + other.size();
    if ((at == 0 || !part_of_name(symbol[at - 1])) && (end == symbol.size() || !part_of_name(symbol[end])))
      return true;
  }
  return false;
}

/// The symbol is a parameter, or an element or member of one.
bool of_parameter(std::string_view symbol, const std::vector<std::string>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(), [&](const std::string& p) {
    const size_t at = symbol.starts_with('*') ? 1 : 0;
    return symbol.substr(at).starts_with(p) && (symbol.size() == at + p.size() || !(std::isalnum(static_cast<unsigned char>(symbol[at + p.size()])) || symbol[at + p.size()] == '_'));
  });
}

/// The symbols that conditions are about.
void in_conditions(const Term& p, std::vector<std::string>& out) {
  if (p->op == Op::select && p->symbol.empty() && !p->args.empty())
    collect_symbols(p->args[0], out);
  for (const Term& a : p->args)
    in_conditions(a, out);
}

/// Finds which symbol of a term is the input, and whether what comes out is one formula whatever the other symbols are.
class Judge {
public:
  /// The input is one of `parameters` where the expression holds any of them.
  Judge(const Term& p, const std::vector<std::string>& parameters) : p_(p) {
    collect_symbols(p, symbols_);
    compared_with(p, compared_);
    in_conditions(p, conditions_);
    const bool given = std::any_of(symbols_.begin(), symbols_.end(), [&](const std::string& s) { return of_parameter(s, parameters); });
    for (const std::string& s : symbols_)
      if (!entangled(s) && (!given || of_parameter(s, parameters)) && !changed_parameter(s, parameters))
        inputs_.push_back(s);
  }

  Evaluated run() {
    if (symbols_.empty() || symbols_.size() > 8 || !nonlinear(p_) || count_nodes(p_, 4000) > 4000)
      return {};
    for (const std::string& input : inputs_)
      for (size_t g = 0; g <= symbols_.size(); ++g) {
        const std::string gate = g < symbols_.size() ? symbols_[g] : std::string();
        if (gate == input || decides(gate) || (symbols_.size() == 2 && gate.empty() && compared_.empty() && !decides(symbols_[symbols_[0] == input])))
          continue;
        if (with(input, gate))
          return best_;
      }
    if (doubt_.reason.empty())
      for (const std::string& input : inputs_)
        look_elsewhere(input);
    return doubt_.reason.empty() ? best_ : doubt_;
  }

private:
  /// A condition is about it: no factor of the result.
  bool decides(const std::string& s) const { return std::find(conditions_.begin(), conditions_.end(), s) != conditions_.end(); }
  /// A parameter that a loop has changed is no longer what was given.
  static bool changed_parameter(std::string_view s, const std::vector<std::string>& parameters) {
    return s.ends_with(" round") || s.ends_with(" round before") ? of_parameter(s, parameters) : false;
  }

  bool entangled(const std::string& a) const {
    return std::any_of(symbols_.begin(), symbols_.end(), [&](const std::string& b) { return a != b && (made_of(a, b) || made_of(b, a)); });
  }

  std::vector<std::string> others_of(const std::string& input, const std::string& gate) const {
    std::vector<std::string> out;
    std::copy_if(symbols_.begin(), symbols_.end(), std::back_inserter(out), [&](const std::string& s) { return s != input && s != gate; });
    return out;
  }

  /// True when it is a formula of the vocabulary for all values of the other symbols.
  bool with(const std::string& input, const std::string& gate) {
    const std::vector<std::string> others = others_of(input, gate);
    const auto values = trials(others, compared_);
    Roles roles{input, gate, values[0]};
    const Expr e = expression(p_, roles);
    const formula::Fingerprint print = formula::classify(e);
    const bool known = in_vocabulary(print.formula);
    if (print.formula == formula::Formula::unknown || (known && print.formula == formula::Formula::identity))
      return false;
    std::vector<formula::Formula> seen = {print.formula};
    for (size_t t = 1; t < values.size() && known && !others.empty(); ++t)
      see(roles, values[t], seen);
    if (seen.size() > 1) {
      note_doubt(seen, others);
      return false;
    }
    if (best_.expr.empty() || known || print.distance < best_.print.distance) {
      best_.print = print;
      best_.expr = formula::to_text(e);
      best_.precision = formula::precision_of(e);
      best_.hazards = formula::hazards_of(e);
    }
    return known;
  }

  /// Nothing is known with the other symbols at 1: a mode or a coefficient may have another value.
  void look_elsewhere(const std::string& input) {
    const std::vector<std::string> others = others_of(input, {});
    const auto values = trials(others, compared_);
    Roles roles{input, {}, {}};
    std::vector<formula::Formula> seen;
    for (size_t t = 0; t < std::min<size_t>(values.size(), 6) && !others.empty(); ++t)
      see(roles, values[t], seen);
    note_doubt(seen, others);
  }

  void see(Roles& roles, const std::map<std::string, double>& others, std::vector<formula::Formula>& seen) const {
    roles.others = others;
    const formula::Formula f = formula::classify(expression(p_, roles)).formula;
    if (std::find(seen.begin(), seen.end(), f) == seen.end())
      seen.push_back(f);
  }

  void note_doubt(const std::vector<formula::Formula>& seen, const std::vector<std::string>& others) {
    const bool all_known = std::all_of(seen.begin(), seen.end(), in_vocabulary);
    if (seen.size() < 2 || std::none_of(seen.begin(), seen.end(), formula::is_gelu_family) || !(doubt_.reason.empty() || (all_known && doubt_.either.empty())))
      return;
    doubt_.reason = "depends on " + names_of(others);
    doubt_.either = all_known ? seen : std::vector<formula::Formula>();
  }

  const Term& p_;
  std::vector<std::string> symbols_, inputs_, conditions_;
  std::vector<double> compared_;
  Evaluated best_, doubt_;
};

} // namespace

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
static std::string differing_elements(const std::vector<TokenInterp::Store>& stores, formula::Formula formula, const std::vector<std::string>& parameters) {
  std::map<std::string, std::map<std::string, Term>> places; // place → target → what was stored last
  for (const TokenInterp::Store& s : stores)
    if (!s.target.empty())
      places[stored_place(s.target)][s.target] = s.value;
  for (const auto& [place, targets] : places) {
    std::string other;
    bool here = false;
    for (const auto& [target, value] : targets) {
      const Evaluated e = Judge(value, parameters).run();
      const bool same = e.ok() && e.print.formula == formula;
      here = here || same;
      if (!same)
        other = target;
    }
    if (here && !other.empty())
      return fmt::format("{} is set to something else than its other elements", other);
  }
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
    Evaluated e = Judge(p, parameters).run();
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
  };
  if (interp.returned && interp.returned->symbol != "(nothing)")
    consider(interp.returned);
  if (!doubt.reason.empty())
    return doubt;
  const std::vector<TokenInterp::Store> stores = what_remains(interp);
  if (!best.ok() || best.print.formula == formula::Formula::other) {
    for (const TokenInterp::Store& p : stores)
      several(p.value);
    if (doubt.reason.empty() && best.ok() && formula::is_gelu_family(best.print.formula))
      doubt.reason = differing_elements(stores, best.print.formula, parameters);
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
