// Functions and types that bear an activation's name and neither compute nor choose one: accessors, flags, constructors,
// helpers for sizes and alignment, records.

#include "scan/knowledge_parts.h"

#include <algorithm>

namespace gelint::scan {

namespace {

bool one_of(std::string_view s, std::initializer_list<std::string_view> list) { return std::find(list.begin(), list.end(), s) != list.end(); }

bool is_integer_word(std::string_view s) {
  return one_of(s, {"bool", "int", "unsigned", "signed", "long", "short", "char", "size_t", "ssize_t", "ptrdiff_t"}) ||
         (s.ends_with("_t") && (s.starts_with("int") || s.starts_with("uint")));
}

/// The head of a function as its tokens show it.
struct Head {
  bool returns_pointer = false, returns_number = false, returns_bool = false, returns_void = false;
  bool no_parameters = false, whole_numbers_only = false;
};

Head head_of(const LexedFile& f, const Scope& s) {
  Head h;
  size_t name = s.name_tok;
  while (name > s.head + 1 && f.str(name - 1) == "::")
    name -= 2;
  for (size_t i = s.head; i < name; ++i) {
    std::string_view t = f.str(i);
    h.returns_pointer = h.returns_pointer || t == "*" || t == "&";
    h.returns_bool = h.returns_bool || t == "bool";
    h.returns_number = h.returns_number || is_integer_word(t) || t == "float" || t == "double";
    h.returns_void = h.returns_void || t == "void";
  }
  size_t open = s.name_tok + 1;
  while (open < s.begin && f.str(open) != "(")
    ++open;
  if (open >= s.begin)
    return h;
  size_t close = after_matching(f, open) - 1;
  h.no_parameters = close == open + 1 || (close == open + 2 && f.str(open + 1) == "void");
  if (h.no_parameters)
    return h;
  h.whole_numbers_only = true;
  size_t words = 0; // of this parameter
  for (size_t i = open + 1; i < close; ++i) {
    std::string_view t = f.str(i);
    if (t == ",") {
      words = 0;
      continue;
    }
    bool type = is_integer_word(t) || t == "const";
    bool name_of_it = words > 0 && f.tokens[i].kind == TokKind::identifier && (f.str(i + 1) == "," || i + 1 == close);
    if (!type && !name_of_it)
      h.whole_numbers_only = false;
    ++words;
  }
  return h;
}

bool has_word(std::string_view name, const std::vector<std::string>& words) {
  for (const std::string& w : words_of(name))
    if (std::find(words.begin(), words.end(), w) != words.end())
      return true;
  return false;
}

} // namespace

void Knowledge::index_quantities() {
  std::set<std::string, std::less<>> numbers;
  for (const FileModel& f : files_)
    for (const PpDirective& d : f.lex.directives)
      if (d.keyword == "define" && !d.function_like && enumerators_.count(std::string(d.name)))
        numbers.insert(std::string(d.name));
  for (const FileModel& f : files_)
    for (size_t i = 1; i + 1 < f.lex.tokens.size(); ++i) {
      if (f.lex.tokens[i].kind != TokKind::identifier || !numbers.count(f.lex.str(i)))
        continue;
      std::string_view before = f.lex.str(i - 1), after = f.lex.str(i + 1);
      if (one_of(before, {"+", "-", "*", "/", "%"}) || one_of(after, {"+", "-", "*", "/", "%"}))
        quantities_.emplace(f.lex.str(i));
    }
}

size_t Knowledge::enumeration_size(const std::string& enumerator) const {
  auto it = enumeration_sizes_.find(enumerator);
  return it == enumeration_sizes_.end() ? 0 : it->second;
}

bool Knowledge::is_type_name(const std::string& name) const {
  auto it = by_name_.find(name);
  return it != by_name_.end() && std::any_of(it->second.begin(), it->second.end(), [&](int fn) { return functions_[static_cast<size_t>(fn)].is_type; });
}

bool Knowledge::handles_by_name(const std::string& name) const { return has_word(name, rules_.handling_words()); }

bool Knowledge::type_chooses(const std::string& name) {
  auto it = by_name_.find(name);
  return it != by_name_.end() &&
         std::any_of(it->second.begin(), it->second.end(), [&](int fn) { return functions_[static_cast<size_t>(fn)].is_type && of_function(fn).reachable.size() > 1; });
}

Handling Knowledge::function_handling(const FunctionModel& f) const {
  if (f.is_lambda || f.from_macro || f.name.starts_with("operator"))
    return Handling::computes;
  if (has_word(f.name, rules_.handling_words()) || f.name.starts_with("~"))
    return Handling::handles;
  const LexedFile& lex = files_[static_cast<size_t>(f.file)].lex;
  const Scope& s = files_[static_cast<size_t>(f.file)].outline.scopes[static_cast<size_t>(f.scope)];
  std::string_view owner = f.qualified;
  owner = owner.size() > f.name.size() + 2 ? owner.substr(0, owner.size() - f.name.size() - 2) : std::string_view();
  owner = owner.substr(owner.rfind(':') == std::string_view::npos ? 0 : owner.rfind(':') + 1);
  if (!owner.empty() && owner == f.name)
    return Handling::handles; // a constructor stores
  if (s.name_tok == SIZE_MAX || s.end >= lex.tokens.size())
    return Handling::computes;
  Head h = head_of(lex, s);
  size_t statements = 0;
  bool single = s.end > s.begin + 1 && s.end - s.begin < 60;
  for (size_t i = s.begin + 1; i < s.end && single; ++i) {
    statements += lex.str(i) == ";";
    single = statements <= 1 && !one_of(lex.str(i), {"{", "for", "while", "if"});
  }
  const std::vector<std::string> words = words_of(f.name);
  const bool asks = !words.empty() && (one_of(words[0], {"is", "has", "can", "should", "supports", "need", "needs", "check"}) ||
                                       std::any_of(words.begin(), words.end(), [](const std::string& w) { return w == "support" || w == "supported"; }));
  if (h.returns_bool && asks)
    return Handling::handles; // it answers a question
  // "Type Op::type() { return Type_Relu; }"
  bool names_only = h.no_parameters && single && lex.str(s.begin + 1) == "return";
  for (size_t i = s.begin + 2; i < s.end && names_only; ++i)
    names_only = lex.tokens[i].kind == TokKind::identifier || lex.str(i) == "::" || lex.str(i) == ";";
  if (names_only)
    return h.returns_bool ? Handling::flag : Handling::handles;
  // nothing goes in: what comes out was stored
  if (h.no_parameters && single && lex.str(s.begin + 1) == "return" && (h.returns_pointer || h.returns_number))
    return h.returns_number && !h.returns_pointer ? Handling::flag : Handling::handles;
  if (h.no_parameters && h.returns_pointer && owner.empty())
    return Handling::handles;
  // only switches and sizes go in, nothing comes out
  if (h.whole_numbers_only && h.returns_void && single)
    return Handling::handles;
  return Handling::computes;
}

/// A call operator, or a method that is given something.
bool Knowledge::has_work_to_do(int type) {
  const FunctionModel t = functions_[static_cast<size_t>(type)];
  const FileModel& fm = files_[static_cast<size_t>(t.file)];
  auto works = [&](int fn) {
    const FunctionModel& g = functions_[static_cast<size_t>(fn)];
    if (g.is_type || g.name == t.name)
      return false;
    if (g.name.starts_with("operator"))
      return g.name == "operator" || g.name == "operator()";
    const Scope& s = files_[static_cast<size_t>(g.file)].outline.scopes[static_cast<size_t>(g.scope)];
    return handling(fn) == Handling::computes && s.name_tok != SIZE_MAX && !head_of(files_[static_cast<size_t>(g.file)].lex, s).no_parameters;
  };
  for (int fn : fm.functions) {
    const FunctionModel& g = functions_[static_cast<size_t>(fn)];
    const Scope& inner = fm.outline.scopes[static_cast<size_t>(g.scope)];
    const Scope& outer = fm.outline.scopes[static_cast<size_t>(t.scope)];
    if (fn != type && inner.begin > outer.begin && inner.end < outer.end && works(fn))
      return true;
  }
  if (auto it = by_owner().find(t.name); it != by_owner_.end() && std::any_of(it->second.begin(), it->second.end(), works))
    return true;
  // methods that are only declared
  const Scope& s = fm.outline.scopes[static_cast<size_t>(t.scope)];
  int depth = 0;
  for (size_t i = s.begin + 1; i + 2 < std::min(s.end, fm.lex.tokens.size()); ++i) {
    std::string_view x = fm.lex.str(i);
    depth += x == "{" || x == "(" ? 1 : x == "}" || x == ")" ? -1 : 0;
    if (depth == 1 && x == "(" && fm.lex.tokens[i - 1].kind == TokKind::identifier && fm.lex.str(i + 1) != ")" && fm.lex.str(i - 1) != t.name &&
        (fm.lex.tokens[i - 2].kind == TokKind::identifier || one_of(fm.lex.str(i - 2), {"*", "&", ">"})) &&
        !has_word(fm.lex.str(i - 1), rules_.handling_words()))
      return true;
  }
  return false;
}

Handling Knowledge::handling(int fn) {
  if (auto it = handlings_.find(fn); it != handlings_.end())
    return it->second;
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  Handling h = Handling::computes;
  if (!f.is_type)
    h = function_handling(f);
  else if (has_word(f.name, rules_.handling_words()) || !has_work_to_do(fn))
    h = Handling::handles;
  handlings_[fn] = h;
  return h;
}

Handling Knowledge::handling_of(const std::string& name, int from) {
  auto it = by_name_.find(name);
  std::vector<int> meant = it == by_name_.end() ? std::vector<int>{} : it->second;
  const bool shader = files_[static_cast<size_t>(from)].language == Language::shader;
  std::erase_if(meant, [&](int fn) { return (files_[static_cast<size_t>(functions_[static_cast<size_t>(fn)].file)].language == Language::shader) != shader; });
  if (meant.empty())
    return has_word(name, rules_.handling_words()) ? Handling::handles : Handling::computes;
  Handling all = Handling::handles;
  for (int fn : meant) {
    Handling h = handling(fn);
    if (h == Handling::computes)
      return h;
    if (h == Handling::flag)
      all = h;
  }
  return all;
}

bool Knowledge::has_flag_accessor(const std::string& name) {
  auto it = by_name_.find(name);
  return it != by_name_.end() && std::any_of(it->second.begin(), it->second.end(), [&](int fn) { return handling(fn) == Handling::flag; });
}

} // namespace gelint::scan
