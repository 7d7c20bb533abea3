// The lexical tier: code that no parser reads, evaluated from its tokens.

#include "scan/knowledge_parts.h"

#include <algorithm>

namespace gelint::scan {

using formula::Formula;

void Knowledge::index_constants() {
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    const LexedFile& lex = files_[fi].lex;
    for (const PpDirective& d : lex.directives)
      if (d.keyword == "define" && !d.name.empty() && !d.function_like) {
        size_t tok = token_at(static_cast<int>(fi), static_cast<uint32_t>(d.name.data() - lex.text.data())) + 1;
        size_t end = tok;
        while (end < lex.tokens.size() && lex.tokens[end].offset < d.end)
          ++end;
        if (end > tok && end - tok < 60)
          constants_[std::string(d.name)].push_back({static_cast<int>(fi), tok, end, true});
      }
    std::vector<char> local(lex.tokens.size(), 0);
    for (const Scope& sc : files_[fi].outline.scopes)
      if (sc.kind == ScopeKind::function)
        std::fill(local.begin() + static_cast<long>(std::min(sc.begin, local.size())), local.begin() + static_cast<long>(std::min(sc.end, local.size())), 1);
    bool constant = false;
    for (size_t i = 0; i + 2 < lex.tokens.size(); ++i) {
      if (local[i])
        continue;
      std::string_view s = lex.str(i);
      if (lex.tokens[i].kind == TokKind::punct) {
        if (s == ";" || s == "{" || s == "}")
          constant = false;
        continue;
      }
      constant = constant || s == "const" || s == "constant" || s == "constexpr" || s == "__constant" || s == "__constant__" || s == "let";
      if (!constant || lex.tokens[i].kind != TokKind::identifier)
        continue;
      size_t eq = i + 1;
      if (lex.str(eq) == ":") // WGSL: const X: f32 = …
        while (eq < lex.tokens.size() && eq < i + 6 && lex.str(eq) != "=")
          ++eq;
      if (lex.str(eq) != "=")
        continue;
      size_t end = eq + 1;
      while (end < lex.tokens.size() && end < eq + 60 && lex.str(end) != ";")
        ++end;
      constants_[std::string(s)].push_back({static_cast<int>(fi), eq + 1, end, false});
    }
  }
}

LexicalEnvironment Knowledge::environment(int file) {
  LexicalEnvironment env;
  env.function = [this, file](std::string_view name) -> const LexicalFunction* {
    auto it = by_name_.find(name);
    if (it == by_name_.end())
      return nullptr;
    int best = -1;
    for (int fn : it->second) {
      const FunctionModel& f = functions_[static_cast<size_t>(fn)];
      if (f.is_type)
        continue;
      if (best < 0) {
        best = fn;
        continue;
      }
      const FunctionModel& b = functions_[static_cast<size_t>(best)];
      if (std::pair(distance(file, f.file), !f.active) < std::pair(distance(file, b.file), !b.active))
        best = fn;
    }
    if (best < 0 || distance(file, functions_[static_cast<size_t>(best)].file) > 6)
      return nullptr;
    std::string key = std::to_string(best);
    auto l = lexical_functions_.find(key);
    if (l == lexical_functions_.end()) {
      const FunctionModel& f = functions_[static_cast<size_t>(best)];
      const FileModel& fm = files_[static_cast<size_t>(f.file)];
      l = lexical_functions_.emplace(key, lexical_function(fm.lex, fm.outline.scopes[static_cast<size_t>(f.scope)])).first;
    }
    return &l->second;
  };
  env.constant = [this, file](std::string_view name) -> LexicalEnvironment::Tokens {
    if (constants_.empty())
      index_constants();
    auto it = constants_.find(name);
    if (it == constants_.end())
      return {};
    const ConstantPlace* best = nullptr;
    for (const ConstantPlace& c : it->second)
      if (distance(file, c.file) <= 3 && (!best || distance(file, c.file) < distance(file, best->file)))
        best = &c;
    return best ? LexicalEnvironment::Tokens{&files_[static_cast<size_t>(best->file)].lex, best->begin, best->end, best->macro} : LexicalEnvironment::Tokens{};
  };
  env.macro_function = [this](std::string_view name) { return is_macro_function(std::string(name)); };
  return env;
}

const Evaluated* Knowledge::lexical(int fn) {
  auto it = lexical_values_.find(fn);
  if (it != lexical_values_.end())
    return it->second.ok() || !it->second.either.empty() ? &it->second : nullptr;
  const FunctionModel& f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  const Scope& s = fm.outline.scopes[static_cast<size_t>(f.scope)];
  Evaluated& slot = lexical_values_[fn];
  uint32_t begin = fm.lex.tokens[s.begin].offset;
  uint32_t end = s.end < fm.lex.tokens.size() ? fm.lex.tokens[s.end].offset : static_cast<uint32_t>(fm.lex.text.size());
  if (f.is_type || end - begin > 20000 || !(claim_of(f.name).gelu_family || has_needle(fm.lex.text.substr(begin, end - begin), true)))
    return nullptr;
  LexicalFunction l = lexical_function(fm.lex, s);
  slot = evaluate_tokens(fm.lex, l.begin, l.end, l.parameters, environment(f.file));
  return slot.ok() || !slot.either.empty() ? &slot : nullptr;
}

const Evaluated* Knowledge::of_tokens(int file, size_t begin, size_t end) {
  Evaluated& e = token_values_[{file, begin}];
  if (!e.ok() && e.reason.empty())
    e = evaluate_tokens(files_[static_cast<size_t>(file)].lex, begin, end, {}, environment(file));
  return e.ok() && e.print.formula != Formula::other && e.print.formula != Formula::identity ? &e : nullptr;
}

} // namespace gelint::scan
