// How a call stands in its expression: a sigmoid that is multiplied with its own argument is a part of the formula,
// not the formula; and what the literal arguments of a call say of it.

#include "scan/knowledge_parts.h"

#include <algorithm>

namespace gelint::scan {

using formula::Formula;

namespace {

bool is_one_of(std::string_view s, std::initializer_list<std::string_view> list) { return std::find(list.begin(), list.end(), s) != list.end(); }

/// Names of values in [a, b): no callees, no types in angle brackets, no indices.
std::set<std::string_view> values_in(const LexedFile& f, size_t a, size_t b) {
  std::set<std::string_view> out;
  int brackets = 0;
  for (size_t i = a; i < b; ++i) {
    std::string_view t = f.str(i);
    brackets += t == "[" ? 1 : t == "]" ? -1 : 0;
    if (brackets == 0 && f.tokens[i].kind == TokKind::identifier && !is_one_of(f.str(i + 1), {"(", "<", "::"}) && !(i > 0 && f.str(i - 1) == "<"))
      out.insert(t);
  }
  return out;
}

/// The token is a binary "*" or "/".
bool multiplies(const LexedFile& f, size_t i) {
  if (!is_one_of(f.str(i), {"*", "/"}) || i == 0)
    return false;
  TokKind before = f.tokens[i - 1].kind;
  return before == TokKind::identifier || before == TokKind::number || is_one_of(f.str(i - 1), {")", "]"});
}

} // namespace

/// "return s * logistic(alpha * s);", "float t = tanh_of(g); return x * t;". `f` is what the call computes.
bool Knowledge::in_product_with_its_argument(int file, const Mention& m, Formula f) const {
  if (m.is_string)
    return false;
  const FileModel& fm = files_[static_cast<size_t>(file)];
  const LexedFile& lex = fm.lex;
  auto [a, b] = argument_tokens(file, m);
  if (a >= b || b >= lex.tokens.size())
    return false;
  size_t first = token_at(file, m.offset);
  while (first > 1 && lex.str(first - 1) == "::")
    first -= 2;
  // The expression around the call, out to the statement or to the argument list that it stands in.
  size_t begin = first, end = b + 1;
  int depth = 0;
  for (; begin > 0 && first - begin < 200; --begin) {
    std::string_view t = lex.str(begin - 1);
    if (is_one_of(t, {";", "{", "}", "=", "return", ":", "?"}) || (t == "," && depth == 0))
      break;
    depth += t == ")" ? 1 : t == "(" ? -1 : 0;
    if (t == "(" && depth < 0) {
      if (begin > 1 && lex.tokens[begin - 2].kind == TokKind::identifier && lex.str(begin - 2) != "return")
        break; // the arguments of another call
      depth = 0;
    }
  }
  depth = 0;
  for (; end < lex.tokens.size() && end - b < 200; ++end) {
    std::string_view t = lex.str(end);
    if (is_one_of(t, {";", "{", "}", ":", "?"}) || (t == "," && depth == 0))
      break;
    depth += t == "(" ? 1 : t == ")" ? -1 : 0;
    if (depth < 0)
      depth = 0;
  }
  bool product = false;
  for (size_t i = begin; i < end && !product; ++i)
    product = (i < first || i > b) && multiplies(lex, i);
  if (product) {
    const std::set<std::string_view> inside = values_in(lex, a, b);
    for (auto [from, to] : {std::pair(begin, first), std::pair(b + 1, end)})
      for (std::string_view v : values_in(lex, from, to))
        if (inside.count(v))
          return true;
  }
  // A local variable that is multiplied later on.
  if ((f != Formula::sigmoid && f != Formula::tanh) || begin < 2 || lex.str(begin - 1) != "=" || lex.str(b + 1) != ";" || m.function < 0)
    return false;
  const std::string_view variable = lex.str(begin - 2);
  if (lex.tokens[begin - 2].kind != TokKind::identifier)
    return false;
  const Scope& body = fm.outline.scopes[static_cast<size_t>(m.function)];
  for (size_t i = b; i < std::min(body.end, lex.tokens.size()); ++i)
    if (lex.str(i) == variable && (multiplies(lex, i + 1) || multiplies(lex, i - 1)))
      return true;
  return false;
}

/// gelu(x, "tanh"), gelu(x, "none"): torch's names of the approximation, handed to a function that says which activation
/// it is and not which form.
Value Knowledge::approximation_argument(int file, const Mention& m) const {
  Value v;
  const Claim claim = claim_of(m.name);
  if (!claim.gelu_family || claim.formula)
    return v;
  const LexedFile& lex = files_[static_cast<size_t>(file)].lex;
  auto [a, b] = argument_tokens(file, m);
  for (size_t i = a; i < b; ++i) {
    if (lex.tokens[i].kind != TokKind::string || !is_one_of(lex.str(i - 1), {"(", ","}) || !is_one_of(lex.str(i + 1), {")", ","}))
      continue;
    const std::string_view text = lex.unquoted(lex.tokens[i]);
    if (text == "tanh" || text == "none") {
      v.formula = text == "tanh" ? Formula::gelu_tanh : Formula::gelu_erf;
      v.known_by = KnownBy::name;
      v.reason = "an argument names the approximation";
      return v;
    }
  }
  return v;
}

} // namespace gelint::scan
