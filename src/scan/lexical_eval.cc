#include "scan/lexical_eval.h"

#include "scan/lexical_interp.h"

#include <algorithm>
#include <charconv>
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

formula::NodeId build(Expr& e, const Term& p, const std::string& input, const std::string& gate, std::map<const TermNode*, formula::NodeId>& done) {
  auto it = done.find(p.get());
  if (it != done.end())
    return it->second;
  formula::NodeId id;
  if (!p->symbol.empty())
    id = p->symbol == input ? e.leaf(Op::input, Type::f32) : p->symbol == gate ? e.leaf(Op::gate, Type::f32) : e.constant(1, Type::f32);
  else if (p->args.empty())
    id = e.constant(p->value, Type::weak);
  else {
    std::vector<formula::NodeId> a;
    for (const Term& x : p->args)
      a.push_back(build(e, x, input, gate, done));
    while (a.size() < 3)
      a.push_back(formula::k_no_node);
    bool boolean = p->op == Op::lt || p->op == Op::le || p->op == Op::gt || p->op == Op::ge || p->op == Op::eq || p->op == Op::ne ||
                   p->op == Op::logical_and || p->op == Op::logical_or || p->op == Op::logical_not;
    id = e.make(p->op, boolean ? Type::boolean : Type::f32, a[0], a[1], a[2]);
  }
  done[p.get()] = id;
  return id;
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

Evaluated judge(const Term& p) {
  Evaluated best;
  std::vector<std::string> symbols;
  collect_symbols(p, symbols);
  if (symbols.empty() || symbols.size() > 5 || !nonlinear(p) || count_nodes(p, 4000) > 4000)
    return best;
  for (const std::string& input : symbols)
    for (size_t g = 0; g <= symbols.size(); ++g) {
      std::string gate = g < symbols.size() ? symbols[g] : std::string();
      if (gate == input || (symbols.size() > 1 && gate.empty() && symbols.size() == 2))
        continue;
      Expr e;
      std::map<const TermNode*, formula::NodeId> done;
      e.set_root(build(e, p, input, gate, done));
      formula::Fingerprint print = formula::classify(e);
      bool known = print.formula != formula::Formula::other && print.formula != formula::Formula::unknown;
      bool better = best.expr.empty() || (known && best.print.formula == formula::Formula::other) ||
                    (!known && best.print.formula == formula::Formula::other && print.distance < best.print.distance);
      if (!better || (known && print.formula == formula::Formula::identity))
        continue;
      best.print = print;
      best.expr = formula::to_text(e);
      best.precision = formula::precision_of(e);
      best.hazards = formula::hazards_of(e);
      if (known)
        return best;
    }
  return best;
}

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
  bool past_name = false;
  for (size_t i = open + 1; i <= close && i < f.tokens.size(); ++i) {
    std::string_view t = f.str(i);
    if ((t == "," && depth == 0) || i == close) {
      if (!last.empty() && last != "void")
        out.parameters.push_back(last);
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

Evaluated evaluate_tokens(const LexedFile& f, size_t begin, size_t end, const std::vector<std::string>& parameters, const LexicalEnvironment& env) {
  int budget = 20000;
  TokenInterp interp(env, 0, budget);
  for (const std::string& p : parameters) // symbols under their own names, whatever constants are called
    interp.vars[p] = symbol(p);
  interp.run(f, begin, std::min(end, f.tokens.size()));
  Evaluated best;
  auto consider = [&](const Term& p) {
    Evaluated e = judge(p);
    auto known = [](const Evaluated& v) { return v.ok() && v.print.formula != formula::Formula::other && v.print.formula != formula::Formula::unknown; };
    if (e.ok() && (!best.ok() || (known(e) && !known(best)) || (known(e) && formula::is_gelu_family(e.print.formula) && !formula::is_gelu_family(best.print.formula))))
      best = e;
  };
  if (interp.returned && interp.returned->symbol != "(nothing)")
    consider(interp.returned);
  if (!best.ok() || best.print.formula == formula::Formula::other)
    for (const Term& p : interp.stores)
      consider(p);
  // "if (n > 0) start = n" is max(n, 0) as well: a variable does not win over what goes out, unless it holds a GELU.
  const bool returns = interp.returned && interp.returned->symbol != "(nothing)";
  if (!best.ok() || best.print.formula == formula::Formula::other) {
    const Evaluated out = best;
    for (const Term& p : interp.variables)
      consider(p);
    if ((out.ok() || returns) && !formula::is_gelu_family(best.print.formula))
      best = out;
  }
  if (!best.ok() && !returns)
    for (const auto& [name, p] : interp.vars)
      if (p->symbol.empty())
        consider(p);
  if (!best.ok())
    best.reason = "no elementwise expression was found in the tokens";
  return best;
}

} // namespace gelint::scan
