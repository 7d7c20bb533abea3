// What the macros of a tree make of the names that they are given.

#include "scan/knowledge_parts.h"

namespace gelint::scan {

namespace {

struct MacroHead {
  std::vector<std::string_view> parameters;
  size_t body = 0; ///< its first token
};

MacroHead head_of(const LexedFile& lex, const PpDirective& d) {
  MacroHead out;
  size_t tok = lex.token_at(static_cast<uint32_t>(d.name.data() - lex.text.data())) + 1;
  for (; tok < lex.tokens.size() && lex.str(tok) != ")"; ++tok)
    if (lex.tokens[tok].kind == TokKind::identifier)
      out.parameters.push_back(lex.str(tok));
  out.body = tok + 1;
  return out;
}

} // namespace

bool Knowledge::macro_declares(const std::string& macro, int position, int depth) const {
  auto it = macro_definitions_.find(macro);
  if (it == macro_definitions_.end() || position < 0 || depth > 3)
    return false;
  for (const auto& [fi, directive] : it->second) {
    const LexedFile& lex = files_[static_cast<size_t>(fi)].lex;
    const PpDirective& d = lex.directives[directive];
    const auto [parameters, body] = head_of(lex, d);
    if (static_cast<size_t>(position) >= parameters.size())
      return false;
    const std::string_view parameter = parameters[static_cast<size_t>(position)];
    bool declares = false;
    std::string callee;
    int argument = 0, nest = 0;
    for (size_t i = body; i < lex.tokens.size() && lex.tokens[i].offset < d.end; ++i) {
      std::string_view s = lex.str(i);
      if (s == "{" || s == "#" || s == "##" || s == "=")
        return false; // a definition, a text, another name, a table
      const bool behind_name = i > 0 && lex.tokens[i - 1].kind == TokKind::identifier;
      if (s == "(") {
        if (nest++ == 0 && behind_name)
          callee = lex.str(i - 1), argument = 0;
      } else if (s == ")") {
        --nest;
      } else if (s == "," && nest == 1) {
        ++argument;
      }
      if (s != parameter)
        continue;
      if (nest == 0 && behind_name && lex.str(i + 1) == "(") // "void NAME(size_t n, const float* x);"
        declares = true;
      else if (nest == 1 && macro_declares(callee, argument, depth + 1))
        declares = true;
      else
        return false;
    }
    if (!declares)
      return false;
  }
  return true;
}

/// "#define apply apply_fast" above a call of apply, in the same file: what is called; empty: nothing renames it.
std::string Knowledge::renamed_by_macro(int file, const Mention& m) const {
  const FileModel& f = files_[static_cast<size_t>(file)];
  std::string out;
  if (f.language == Language::shader)
    return out;
  for (const PpDirective& d : f.lex.directives) {
    if (d.begin > m.offset)
      break;
    if (d.name != m.name || (d.keyword != "define" && d.keyword != "undef"))
      continue;
    const size_t name = token_at(file, static_cast<uint32_t>(d.name.data() - f.lex.text.data()));
    if (name >= f.lex.tokens.size() || !f.is_active(f.lex.tokens[name].offset, f.lex.tokens[name].arm))
      continue;
    out.clear();
    const bool one = name + 1 < f.lex.tokens.size() && f.lex.tokens[name + 1].kind == TokKind::identifier && f.lex.tokens[name + 1].offset < d.end &&
                     !(name + 2 < f.lex.tokens.size() && f.lex.tokens[name + 2].offset < d.end);
    if (d.keyword == "define" && !d.function_like && one && f.lex.str(name + 1) != m.name)
      out = f.lex.str(name + 1);
  }
  return out;
}

bool Knowledge::pastes(const std::string& macro, int position) const {
  auto it = macro_definitions_.find(macro);
  if (it == macro_definitions_.end() || position < 0)
    return false;
  for (const auto& [fi, directive] : it->second) {
    const LexedFile& lex = files_[static_cast<size_t>(fi)].lex;
    const PpDirective& d = lex.directives[directive];
    const auto [parameters, body] = head_of(lex, d);
    if (static_cast<size_t>(position) >= parameters.size())
      continue;
    for (size_t i = body; i < lex.tokens.size() && lex.tokens[i].offset < d.end; ++i)
      if (lex.str(i) == parameters[static_cast<size_t>(position)] && (lex.str(i - 1) == "##" || lex.str(i + 1) == "##"))
        return true;
  }
  return false;
}

/// An argument that a macro pastes into a name: OP(Gelu) with vendor##NAME names vendorGelu.
Value Knowledge::pasted(int file, const Mention& m, const std::string& macro, int position, int depth) {
  auto it = macro_definitions_.find(macro);
  if (it == macro_definitions_.end() || depth > 3)
    return {};
  for (const auto& [fi, directive] : it->second) {
    const LexedFile& lex = files_[static_cast<size_t>(fi)].lex;
    const PpDirective& d = lex.directives[directive];
    const auto [parameters, body] = head_of(lex, d);
    if (position < 0 || static_cast<size_t>(position) >= parameters.size())
      continue;
    std::string_view parameter = parameters[static_cast<size_t>(position)];
    std::string callee;
    int index = 0, nest = 0;
    for (size_t i = body; i < lex.tokens.size() && lex.tokens[i].offset < d.end; ++i) {
      std::string_view s = lex.str(i);
      if (s == "(") {
        if (lex.tokens[i - 1].kind == TokKind::identifier && is_macro_function(std::string(lex.str(i - 1)))) {
          callee = lex.str(i - 1);
          index = 0;
          nest = 0;
        } else {
          ++nest;
        }
      } else if (s == ")") {
        --nest;
      } else if (s == "," && nest <= 0) {
        ++index;
      }
      if (s != parameter)
        continue;
      std::string name;
      if (lex.str(i - 1) == "##" && lex.tokens[i - 2].kind == TokKind::identifier)
        name = std::string(lex.str(i - 2)) + m.name;
      else if (lex.str(i + 1) == "##" && lex.tokens[i + 2].kind == TokKind::identifier)
        name = m.name + std::string(lex.str(i + 2));
      if (!name.empty()) {
        if (const ApiSymbol* s2 = rules_.find(name))
          if (Value v = of_rule(*s2, file, m); v.tells())
            return v;
        if (auto fn = by_name_.find(name); fn != by_name_.end())
          for (int x : fn->second)
            if (Value v = of_function(x); v.activation())
              return v;
      } else if (!callee.empty()) {
        if (Value v = pasted(file, m, callee, index, depth + 1); v.tells())
          return v;
      }
    }
  }
  return {};
}

} // namespace gelint::scan
