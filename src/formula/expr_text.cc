// The text form: "x:f32; t1 = mul:f32 x x; t2 = const:f32 0.044715; t3 = mul:f32 t1 t2; return t3".

#include "formula/expr.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace gelint::formula {

namespace {

std::optional<Type> type_from_string(std::string_view s) {
  for (int i = 0; i <= static_cast<int>(Type::weak); ++i)
    if (to_string(static_cast<Type>(i)) == s)
      return static_cast<Type>(i);
  return std::nullopt;
}

std::string number(double v) {
  if (std::isnan(v))
    return "nan";
  if (std::isinf(v))
    return v > 0 ? "inf" : "-inf";
  return fmt::format("{:.17g}", v);
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\n' || s.front() == '\r'))
    s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\n' || s.back() == '\r'))
    s.remove_suffix(1);
  return s;
}

/// Next word; `s` moves past it.
std::string_view word(std::string_view& s) {
  s = trim(s);
  size_t end = s.find_first_of(" \t\n\r");
  std::string_view w = s.substr(0, end);
  s.remove_prefix(w.size());
  return w;
}

class Parser {
public:
  explicit Parser(std::string* error) : error_(error) {}

  std::optional<Expr> parse(std::string_view text) {
    int statement = 0;
    while (!(text = trim(text)).empty()) {
      size_t end = text.find(';');
      std::string_view s = trim(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++statement;
      if (s.empty())
        continue;
      if (done_)
        return fail(statement, "text after 'return'");
      if (!one(statement, s))
        return std::nullopt;
    }
    if (!done_)
      return fail(statement, "no 'return'");
    return std::move(e_);
  }

private:
  std::nullopt_t fail(int statement, std::string what) {
    if (error_)
      *error_ = fmt::format("expression, statement {}: {}", statement, what);
    return std::nullopt;
  }

  bool one(int statement, std::string_view s) {
    std::string_view first = word(s);
    if (first == "return") {
      auto id = operand(statement, word(s));
      if (!id)
        return false;
      if (!trim(s).empty())
        return fail(statement, "text after the returned value"), false;
      e_.set_root(*id);
      done_ = true;
      return true;
    }
    std::string_view head = first;
    std::string name;
    if (first.find(':') == std::string_view::npos) {
      name = first;
      if (word(s) != "=")
        return fail(statement, fmt::format("expected '=' after '{}'", name)), false;
      head = word(s);
    }
    size_t colon = head.find(':');
    if (colon == std::string_view::npos)
      return fail(statement, fmt::format("'{}' has no type", head)), false;
    auto op = op_from_string(head.substr(0, colon));
    auto type = type_from_string(head.substr(colon + 1));
    if (!op)
      return fail(statement, fmt::format("unknown operation '{}'", head.substr(0, colon))), false;
    if (!type)
      return fail(statement, fmt::format("unknown type '{}'", head.substr(colon + 1))), false;
    double value = 0;
    if (*op == Op::constant || *op == Op::parameter) {
      std::string_view w = word(s);
      if (w == "nan")
        value = std::numeric_limits<double>::quiet_NaN();
      else if (w == "inf" || w == "-inf")
        value = w[0] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
      else {
        auto [p, ec] = std::from_chars(w.data(), w.data() + w.size(), value);
        if (ec != std::errc() || p != w.data() + w.size())
          return fail(statement, fmt::format("'{}' is not a number", w)), false;
      }
    }
    NodeId args[3] = {k_no_node, k_no_node, k_no_node};
    for (int i = 0; i < arity(*op); ++i) {
      auto id = operand(statement, word(s));
      if (!id)
        return false;
      args[i] = *id;
    }
    if (!trim(s).empty())
      return fail(statement, fmt::format("'{}' takes {} operands", to_string(*op), arity(*op))), false;
    // What evaluating it costs is bounded: a table inside a table is filled again for every entry of the outer one.
    if (e_.size() >= k_most_nodes)
      return fail(statement, fmt::format("more than {} operations", k_most_nodes)), false;
    if (*op == Op::f16_table && ++tables_ > k_most_tables)
      return fail(statement, fmt::format("more than {} look-up tables", k_most_tables)), false;
    NodeId id = arity(*op) == 0 ? e_.leaf(*op, *type, value) : e_.make(*op, *type, args[0], args[1], args[2]);
    if (name.empty())
      name = to_string(*op); // "x:f32" and "g:f32" name themselves
    if (!names_.emplace(name, id).second)
      return fail(statement, fmt::format("'{}' is defined twice", name)), false;
    return true;
  }

  std::optional<NodeId> operand(int statement, std::string_view name) {
    auto it = names_.find(std::string(name));
    if (it == names_.end())
      return fail(statement, fmt::format("'{}' is not defined", name));
    return it->second;
  }

  static constexpr size_t k_most_nodes = 20000;
  static constexpr int k_most_tables = 8;

  std::string* error_;
  Expr e_;
  int tables_ = 0;
  std::map<std::string, NodeId> names_;
  bool done_ = false;
};

} // namespace

std::string to_text(const Expr& e) {
  if (e.empty())
    return "";
  // Only what the root needs, so that left-overs of the lowering do not travel.
  std::vector<bool> used(e.size(), false);
  used[e.root()] = true;
  for (NodeId i = e.root() + 1; i-- > 0;)
    if (used[i])
      for (NodeId o : {e[i].a, e[i].b, e[i].c})
        if (o != k_no_node)
          used[o] = true;
  std::string out;
  std::vector<std::string> names(e.size());
  int next = 1;
  bool seen[2] = {false, false};
  for (NodeId i = 0; i <= e.root(); ++i) {
    if (!used[i])
      continue;
    const Node& n = e[i];
    if ((n.op == Op::input || n.op == Op::gate) && !seen[n.op == Op::gate]) {
      seen[n.op == Op::gate] = true;
      names[i] = to_string(n.op);
      out += fmt::format("{}:{}; ", names[i], to_string(n.type));
      continue;
    }
    names[i] = fmt::format("t{}", next++);
    out += fmt::format("{} = {}:{}", names[i], to_string(n.op), to_string(n.type));
    if (n.op == Op::constant || n.op == Op::parameter)
      out += " " + number(n.value);
    for (NodeId o : {n.a, n.b, n.c})
      if (o != k_no_node)
        out += " " + names[o];
    out += "; ";
  }
  return out + "return " + names[e.root()];
}

std::optional<Expr> parse_expr(std::string_view text, std::string* error) { return Parser(error).parse(text); }

} // namespace gelint::formula
