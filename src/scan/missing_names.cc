#include "scan/missing_names.h"

#include "scan/lex.h"
#include "scan/needles.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace gelint::scan {

namespace {

constexpr size_t k_most_macros = 16;

bool is_one_of(std::string_view s, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

bool in_capitals(std::string_view s) {
  return s.size() >= 3 && std::any_of(s.begin(), s.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         std::all_of(s.begin(), s.end(), [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

/// Words after which a name is a type or a value, and not the decoration of what follows.
bool expects_type(std::string_view s) {
  return is_one_of(s, {"static", "inline", "const", "constexpr", "extern", "virtual", "explicit", "typename", "friend", "typedef", "volatile",
                       "unsigned", "signed", "mutable", "return", "new", "else", "case", "goto", "using", "throw", "operator", "do"});
}

struct ReadFile {
  MappedFile map;
  LexedFile lexed;
  explicit ReadFile(const std::string& path) : map(path), lexed(lex(map.text())) {}
};

enum class Use { neither, decoration, call, type };

/// What one use of the name tells; `t` is its token.
Use use_at(const LexedFile& f, size_t t) {
  auto identifier = [&](size_t i) { return i < f.tokens.size() && f.tokens[i].kind == TokKind::identifier; };
  const std::string_view before = t ? f.str(t - 1) : std::string_view(), next = f.str(t + 1), then = f.str(t + 2);
  const bool starts_line = !t || f.tokens[t - 1].line != f.tokens[t].line;
  const bool starts = !t || is_one_of(before, {";", "}", "{"}) || f.tokens[t - 1].directive >= 0;
  if (next == "(") {
    size_t i = t + 2;
    for (int depth = 1; i < f.tokens.size() && depth; ++i)
      depth += f.str(i) == "(" ? 1 : f.str(i) == ")" ? -1 : 0;
    bool needle = i <= f.tokens.size() && has_needle(f.text.substr(f.tokens[t].offset, f.tokens[i - 1].offset - f.tokens[t].offset), true);
    return identifier(i) && !needle && !is_one_of(before, {"if", "while", "switch", "=", "return", ","}) ? Use::call : Use::neither;
  }
  if (identifier(t + 1)) {
    const bool behind_star = before == "*" || before == "&";
    if (behind_star || (starts && starts_line && f.tokens[t + 1].line != f.tokens[t].line))
      return Use::decoration;
    if (is_one_of(then, {")", ",", "=", ";", "["}))
      return Use::type;
    if ((before == "struct" || before == "class") && is_one_of(then, {"{", ":", "final"}))
      return Use::decoration;
    if (next != "const" && (identifier(t + 2) || is_one_of(then, {"*", "&", "::", "<"})))
      return Use::decoration;
    if (then == "(" && t && identifier(t - 1) && !expects_type(before) && !in_capitals(before))
      return Use::decoration;
    return Use::neither;
  }
  if (is_one_of(next, {"*", "&", ">", "::", "<"}) && before != ")")
    return Use::type;
  if (next == "{" && (before == ")" || is_one_of(before, {"const", "noexcept", "override"})))
    return Use::decoration;
  return Use::neither;
}

/// "X=" or "X(...)=" when all uses in the file agree that the name only decorates.
std::optional<std::string> as_macro(const LexedFile& f, std::string_view name) {
  bool decoration = false, call = false;
  for (size_t t = 0; t < f.tokens.size(); ++t) {
    if (f.tokens[t].kind != TokKind::identifier || f.str(t) != name)
      continue;
    if (f.tokens[t].directive >= 0)
      return std::nullopt; // the file asks for it, or defines it somewhere
    Use u = use_at(f, t);
    if (u == Use::type)
      return std::nullopt;
    decoration = decoration || u == Use::decoration;
    call = call || u == Use::call;
  }
  if (decoration == call)
    return std::nullopt;
  return std::string(name) + (call ? "(...)=" : "=");
}

std::string_view quoted(std::string_view text) {
  size_t a = text.find('\''), b = a == std::string_view::npos ? a : text.find('\'', a + 1);
  return b == std::string_view::npos ? std::string_view() : text.substr(a + 1, b - a - 1);
}

/// "use of undeclared identifier 'std'", "no member named 'erf' in namespace 'std'", "call to undeclared library
/// function 'erff' with type …".
bool misses_standard(std::string_view text) {
  std::string_view name = quoted(text);
  if (text.starts_with("use of undeclared identifier"))
    return name == "std" || is_math_word(name);
  if (text.starts_with("no member named"))
    return text.find("in namespace 'std'") != std::string_view::npos && is_math_word(name);
  return text.starts_with("call to undeclared library function") ||
         (text.starts_with("call to undeclared function") && is_math_word(name));
}

} // namespace

MissingNames missing_names(const Tu& tu, const std::set<std::string>& paths) {
  MissingNames out;
  std::map<std::string, std::unique_ptr<ReadFile>> files;
  std::map<std::string, std::string> asked; // name → file
  for (unsigned i = 0, n = clang_getNumDiagnostics(tu.get()); i < n; ++i) {
    CXDiagnostic d = clang_getDiagnostic(tu.get(), i);
    const bool error = clang_getDiagnosticSeverity(d) == CXDiagnostic_Error;
    const std::string text = error ? take(clang_getDiagnosticSpelling(d)) : std::string();
    const SourcePos at = spelling_pos(clang_getDiagnosticLocation(d));
    clang_disposeDiagnostic(d);
    if (!error || !at.file)
      continue;
    const std::string path = clang_File_isEqual(at.file, tu.main_file()) ? tu.path() : take(clang_getFileName(at.file));
    if (path != tu.path() && !paths.count(path))
      continue;
    if (misses_standard(text)) {
      out.standard_library = true;
      continue;
    }
    if (!text.starts_with("unknown type name") && !text.starts_with("expected") && !text.starts_with("a type specifier") &&
        !text.starts_with("type specifier missing") && !text.starts_with("variable has incomplete type"))
      continue;
    auto& file = files[path];
    if (!file)
      file = std::make_unique<ReadFile>(path);
    const LexedFile& f = file->lexed;
    // The error stands at the name, at its end, or at the end of the token before it.
    const size_t t = f.token_at(at.offset);
    for (size_t k : {t, t - 1})
      if (k < f.tokens.size() && f.tokens[k].kind == TokKind::identifier && in_capitals(f.str(k)))
        asked.emplace(std::string(f.str(k)), path);
  }
  if (asked.empty())
    return out;
  for_each_child(tu.root(), [&](CXCursor c) { // what a macro of the unit is, is known
    if (clang_getCursorKind(c) == CXCursor_MacroDefinition)
      asked.erase(take(clang_getCursorSpelling(c)));
  });
  for (const auto& [name, path] : asked)
    if (auto macro = as_macro(files[path]->lexed, name); macro && out.macros.size() < k_most_macros)
      out.macros.push_back(std::move(*macro));
  return out;
}

} // namespace gelint::scan
