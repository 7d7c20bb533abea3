#include "scan/lexical_judge.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace gelint::scan {

using formula::Expr;
using formula::Type;

bool in_vocabulary(formula::Formula f) { return f != formula::Formula::other && f != formula::Formula::unknown; }

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

std::string names_of(const std::vector<std::string>& symbols) {
  std::string out;
  for (const std::string& s : symbols)
    out += (out.empty() ? "" : ", ") + s;
  return out;
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

Evaluated judge(const Term& p, const std::vector<std::string>& parameters) { return Judge(p, parameters).run(); }

} // namespace gelint::scan
