// What the members of records are set to, as the tokens of the whole tree show it.

#include "scan/knowledge_parts.h"

#include <algorithm>

namespace gelint::scan {

using formula::Formula;

std::vector<Formula> Knowledge::formulas_of_member(const std::string& member, const std::string& enumeration, int from) {
  std::vector<Formula> out;
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    const LexedFile& lex = files_[fi].lex;
    for (size_t i = 0; i + 2 < lex.tokens.size(); ++i) {
      if (lex.tokens[i].kind != TokKind::identifier || lex.str(i) != member)
        continue;
      const std::string_view before = i > 0 ? lex.str(i - 1) : std::string_view(), next = lex.str(i + 1);
      if ((next == "(" || next == "{") && (before == ":" || before == ","))
        return formulas_of_enumeration(enumeration, from); // "Layer(Act a) : act(a) {}"
      if (next != "=")
        continue;
      // "= Act::gelu;" and nothing else
      size_t end = i + 2;
      while (lex.tokens[end].kind == TokKind::identifier && lex.str(end + 1) == "::")
        end += 2;
      auto owners = enumerations_.find(std::string(lex.str(end)));
      const std::string_view after = lex.str(end + 1);
      if (owners == enumerations_.end() || !owners->second.count(enumeration) || (after != ";" && after != "," && after != "}"))
        return formulas_of_enumeration(enumeration, from);
      const std::string name(lex.str(end));
      if (Value v = of_enumerator(enumeration + "::" + name, from); v.activation())
        add_unique(out, v.formula);
      else if (Claim c = claim_of(name); c.formula)
        add_unique(out, *c.formula);
    }
  }
  return out.size() < 2 ? formulas_of_enumeration(enumeration, from) : out; // there are other ways to set it than these
}

} // namespace gelint::scan
