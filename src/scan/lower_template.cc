// Which explicit specialisation a call in a template means.

#include "scan/lower_interp.h"

#include <algorithm>

namespace gelint::scan::lower {

/// f<A>(x): the specialisation whose value argument is A's; where A is not known, a choice among all of them. Undefined
/// when f has no specialisation by value.
Value Interp::specialisation(CXCursor callee, const std::string& name, size_t arguments) {
  struct Candidate {
    CXCursor def;
    std::vector<long long> values;
  };
  std::vector<Candidate> candidates;
  size_t colon = name.rfind("::");
  for (CXCursor c : around_.named(colon == std::string::npos ? name : name.substr(colon + 2))) {
    int n = clang_Cursor_getNumTemplateArguments(c);
    if (n <= 0 || parameters_of(c).size() != arguments)
      continue;
    std::string whole = qualified_name(c);
    if (!whole.ends_with(name) || (whole.size() > name.size() && whole[whole.size() - name.size() - 1] != ':'))
      continue;
    Candidate k{c, {}};
    for (int i = 0; i < n; ++i)
      if (clang_Cursor_getTemplateArgumentKind(c, static_cast<unsigned>(i)) == CXTemplateArgumentKind_Integral)
        k.values.push_back(clang_Cursor_getTemplateArgumentValue(c, static_cast<unsigned>(i)));
    if (!k.values.empty())
      candidates.push_back(std::move(k));
  }
  if (candidates.empty())
    return {};
  std::vector<CXCursor> written;
  for (CXCursor c : children(callee))
    if (is_expression(c) && kind_of(c) != CXCursor_OverloadedDeclRef)
      written.push_back(c);
  Value out;
  for (size_t k = candidates.size(); k-- > 0;) {
    const Candidate& c = candidates[k];
    NodeId condition = k_no_node;
    bool possible = true;
    for (size_t i = 0; i < std::min(c.values.size(), written.size()) && possible; ++i) {
      NodeId given = as_number(eval(written[i]));
      NodeId wanted = number(static_cast<double>(c.values[i]), Type::i32);
      if (std::optional<double> v = constant_of(given)) {
        possible = *v == static_cast<double>(c.values[i]);
        continue;
      }
      NodeId same = binary(Op::eq, given, wanted);
      Condition condition_as_written{written[i], {}};
      for (CXCursor label : children(c.def)) // act<Act::gelu>: its argument
        if (is_expression(label) && condition_as_written.labels.empty())
          condition_as_written.labels.push_back(label);
      conditions_.emplace(same, std::move(condition_as_written));
      condition = condition == k_no_node ? same : binary(Op::logical_and, condition, same);
    }
    if (!possible)
      continue;
    Value f = Value::function(c.def);
    if (out.kind == Value::Kind::undef || condition == k_no_node) {
      out = f;
      continue;
    }
    Value either;
    either.kind = Value::Kind::choice;
    either.node = condition;
    either.a = std::make_shared<const Value>(f);
    either.b = std::make_shared<const Value>(out);
    out = either;
  }
  return out;
}

} // namespace gelint::scan::lower
