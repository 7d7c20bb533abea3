#include "scan/header_share.h"

#include "scan/lex.h"
#include "scan/needles.h"

namespace gelint::scan {

std::map<std::string, std::set<std::string>> HeaderShare::share(const std::vector<std::string>& units, const std::set<std::string>& wanted) {
  std::map<std::string, std::set<std::string>> out;
  std::set<std::pair<std::string, std::string>> taken;
  for (const std::string& unit : units) {
    std::set<std::string>& mine = out[unit];
    mine.insert(unit);
    if (language_of(unit) == Language::header)
      continue;
    for (const std::string& h : tree_.includes_of(unit).files)
      if (wanted.count(h) && taken.emplace(h, macros_for(unit, h)).second)
        mine.insert(h);
  }
  return out;
}

std::string HeaderShare::macros_for(const std::string& unit, const std::string& header) {
  std::string out;
  for (const auto& [name, text] : macros_of(unit))
    if (words_of(header).count(name))
      out += text + "\n";
  return out;
}

const std::map<std::string, std::string>& HeaderShare::macros_of(const std::string& unit) {
  auto [it, fresh] = macros_.try_emplace(unit);
  if (!fresh)
    return it->second;
  MappedFile f(tree_.absolute(unit));
  const LexedFile lexed = lex(f.text());
  for (const PpDirective& d : lexed.directives)
    if (d.keyword == "define")
      it->second[std::string(d.name)] = lexed.text.substr(d.begin, d.end - d.begin);
  if (const CompileCommand* c = command_(unit))
    for (const std::string& a : c->args)
      if (a.starts_with("-D") || a.starts_with("-U"))
        it->second[a.substr(2, a.find('=') == std::string::npos ? a.npos : a.find('=') - 2)] = a;
  return it->second;
}

const std::set<std::string, std::less<>>& HeaderShare::words_of(const std::string& header) {
  auto [it, fresh] = words_.try_emplace(header);
  if (!fresh)
    return it->second;
  MappedFile f(tree_.absolute(header));
  const LexedFile lexed = lex(f.text());
  bool computes = false;
  for (const Tok& t : lexed.tokens)
    if (t.kind == TokKind::identifier && t.directive < 0)
      computes = computes || is_math_word(lexed.str(t));
  if (!computes) // declarations are the same for every unit
    return it->second;
  for (const Tok& t : lexed.tokens)
    if (t.kind == TokKind::identifier && !lexed.str(t).starts_with('_'))
      it->second.emplace(lexed.str(t));
  for (const PpDirective& d : lexed.directives) // its own macros, with or without a guard
    if (d.keyword == "define")
      it->second.erase(std::string(d.name));
  return it->second;
}

} // namespace gelint::scan
