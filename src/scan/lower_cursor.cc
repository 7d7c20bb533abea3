#include "scan/lower_cursor.h"

#include "scan/lower_types.h"

#include <cctype>
#include <cstdlib>

namespace gelint::scan::lower {

std::string take(CXString s) {
  const char* text = clang_getCString(s);
  std::string out = text ? text : "";
  clang_disposeString(s);
  return out;
}

std::string spelling(CXCursor c) { return take(clang_getCursorSpelling(c)); }
std::string usr_of(CXCursor c) { return take(clang_getCursorUSR(c)); }
bool is_null(CXCursor c) { return clang_Cursor_isNull(c) != 0; }
bool is_expression(CXCursor c) { return clang_isExpression(clang_getCursorKind(c)) != 0; }
CXCursorKind kind_of(CXCursor c) { return clang_getCursorKind(c); }

std::string qualified_name(CXCursor c) {
  std::string out;
  for (CXCursor p = c; !is_null(p); p = clang_getCursorSemanticParent(p)) {
    CXCursorKind k = kind_of(p);
    if (clang_isTranslationUnit(k) || clang_isInvalid(k))
      break;
    if (k == CXCursor_LinkageSpec || k == CXCursor_UnexposedDecl)
      continue;
    std::string name = spelling(p);
    // Names made up for unnamed entities carry a path.
    if (name.empty() || name.find('(') != std::string::npos) {
      if (name.rfind("operator", 0) != 0)
        continue;
    }
    if (size_t lt = name.find('<'); lt != std::string::npos && lt > 0 && name.rfind("operator", 0) != 0)
      name.resize(lt);
    out = out.empty() ? name : name + "::" + out;
  }
  return out;
}

namespace {

CursorMap<std::vector<CXCursor>>& known_children() {
  thread_local CursorMap<std::vector<CXCursor>> known;
  return known;
}

std::vector<std::string> tokens_in(CXTranslationUnit tu, CXSourceRange range, size_t limit) {
  std::vector<std::string> out;
  CXToken* list = nullptr;
  unsigned n = 0;
  clang_tokenize(tu, range, &list, &n);
  for (unsigned i = 0; i < n && out.size() < limit; ++i)
    if (clang_getTokenKind(list[i]) != CXToken_Comment)
      out.push_back(take(clang_getTokenSpelling(tu, list[i])));
  clang_disposeTokens(tu, list, n);
  return out;
}

} // namespace

const std::vector<CXCursor>& children(CXCursor c) {
  auto [it, fresh] = known_children().try_emplace(c);
  if (fresh)
    clang_visitChildren(
        c,
        [](CXCursor child, CXCursor, CXClientData data) {
          static_cast<std::vector<CXCursor>*>(data)->push_back(child);
          return CXChildVisit_Continue;
        },
        &it->second);
  return it->second;
}

void forget_cursors() {
  known_children() = {};
  forget_types();
}

std::vector<std::string> tokens(CXCursor c, size_t limit) {
  CXTranslationUnit tu = clang_Cursor_getTranslationUnit(c);
  CXSourceRange range = clang_getCursorExtent(c);
  // libclang reads and copies a range to its end; of a long one the beginning is enough.
  CXFile file = nullptr, end_file = nullptr;
  unsigned begin = 0, end = 0, enough = static_cast<unsigned>(limit) * 40;
  clang_getSpellingLocation(clang_getRangeStart(range), &file, nullptr, nullptr, &begin);
  clang_getSpellingLocation(clang_getRangeEnd(range), &end_file, nullptr, nullptr, &end);
  if (file && clang_File_isEqual(file, end_file) && end > begin && end - begin > enough) {
    CXSourceLocation stop = clang_getLocationForOffset(tu, file, begin + enough);
    std::vector<std::string> first = tokens_in(tu, clang_getRange(clang_getRangeStart(range), stop), limit);
    if (first.size() == limit)
      return first;
  }
  return tokens_in(tu, range, limit);
}

std::string source_text(CXCursor c, size_t limit) {
  std::string out;
  for (const std::string& t : tokens(c, limit)) {
    auto word = [](char ch) { return std::isalnum(static_cast<unsigned char>(ch)) || ch == '_'; };
    bool binary = t == "==" || t == "!=" || t == "&&" || t == "||" || t == "<=" || t == ">=";
    if (!out.empty() && ((word(out.back()) && word(t.front())) || binary || out.back() == '='))
      out += ' ';
    out += t;
  }
  return out;
}

CodePlace place_of(CXCursor c) {
  CXFile file = nullptr;
  unsigned line = 0, column = 0;
  clang_getExpansionLocation(clang_getCursorLocation(c), &file, &line, &column, nullptr);
  return {file ? take(clang_getFileName(file)) : "", static_cast<int>(line), static_cast<int>(column)};
}

bool is_reference(CXCursorKind k) {
  switch (k) {
  case CXCursor_TypeRef:
  case CXCursor_TemplateRef:
  case CXCursor_NamespaceRef:
  case CXCursor_CXXBaseSpecifier:
  case CXCursor_LabelRef: return true;
  default: return clang_isAttribute(k) != 0;
  }
}

std::vector<CXCursor> operands(CXCursor c) {
  std::vector<CXCursor> out;
  for (CXCursor child : children(c))
    if (!is_reference(kind_of(child)))
      out.push_back(child);
  return out;
}

CXCursor peel(CXCursor c) {
  for (int i = 0; i < 64; ++i) {
    CXCursorKind k = kind_of(c);
    if (k != CXCursor_ParenExpr && k != CXCursor_UnexposedExpr)
      return c;
    std::vector<CXCursor> list = operands(c);
    if (list.size() != 1)
      return c;
    c = list[0];
  }
  return c;
}

std::optional<Constant> evaluate(CXCursor c) {
  CXEvalResult r = clang_Cursor_Evaluate(c);
  if (!r)
    return std::nullopt;
  std::optional<Constant> out;
  CXEvalResultKind k = clang_EvalResult_getKind(r);
  if (k == CXEval_Float)
    out = Constant{clang_EvalResult_getAsDouble(r), false};
  else if (k == CXEval_Int)
    out = Constant{clang_EvalResult_isUnsignedInt(r)
                       ? static_cast<double>(clang_EvalResult_getAsUnsigned(r))
                       : static_cast<double>(clang_EvalResult_getAsLongLong(r)),
                   true};
  clang_EvalResult_dispose(r);
  return out;
}

std::optional<Constant> parse_literal(std::string_view text) {
  std::string clean;
  for (char ch : text)
    if (ch != '\'')
      clean += ch;
  if (clean.empty() || (!std::isdigit(static_cast<unsigned char>(clean[0])) && clean[0] != '.'))
    return std::nullopt;
  bool hex = clean.size() > 1 && (clean[1] == 'x' || clean[1] == 'X');
  bool floating = clean.find('.') != std::string::npos ||
                  (hex ? clean.find_first_of("pP") : clean.find_first_of("eE")) != std::string::npos;
  if (!floating) {
    if (clean.size() > 1 && (clean[1] == 'b' || clean[1] == 'B'))
      return Constant{static_cast<double>(std::strtoull(clean.c_str() + 2, nullptr, 2)), true};
    return Constant{static_cast<double>(std::strtoull(clean.c_str(), nullptr, 0)), true};
  }
  return Constant{std::strtod(clean.c_str(), nullptr), false};
}

std::string string_literal(CXCursor c) {
  std::string s = spelling(c);
  size_t first = s.find('"');
  if (first == std::string::npos)
    return s;
  size_t last = s.rfind('"');
  return last > first ? s.substr(first + 1, last - first - 1) : s;
}

bool is_function(CXCursorKind k) {
  switch (k) {
  case CXCursor_FunctionDecl:
  case CXCursor_CXXMethod:
  case CXCursor_FunctionTemplate:
  case CXCursor_Constructor:
  case CXCursor_ConversionFunction: return true;
  default: return false;
  }
}

CXCursor body_of(CXCursor def) {
  // The body is the last CompoundStmt; a function-try-block is not followed.
  CXCursor body = clang_getNullCursor();
  for (CXCursor c : children(def))
    if (kind_of(c) == CXCursor_CompoundStmt)
      body = c;
  return body;
}

CXCursor definition_of(CXCursor decl) {
  if (is_null(decl))
    return decl;
  if (!is_null(body_of(decl)))
    return decl;
  CXCursor def = clang_getCursorDefinition(decl);
  if (!is_null(def) && !is_null(body_of(def)))
    return def;
  // A specialisation that clang had no reason to instantiate: its pattern is the next best.
  CXCursor pattern = clang_getSpecializedCursorTemplate(decl);
  if (!is_null(pattern)) {
    if (!is_null(body_of(pattern)))
      return pattern;
    def = clang_getCursorDefinition(pattern);
    if (!is_null(def) && !is_null(body_of(def)))
      return def;
  }
  return clang_getNullCursor();
}

std::vector<CXCursor> parameters_of(CXCursor def) {
  std::vector<CXCursor> out;
  for (CXCursor c : children(def))
    if (kind_of(c) == CXCursor_ParmDecl)
      out.push_back(c);
  return out;
}

bool in_system_header(CXCursor c) {
  return clang_Location_isInSystemHeader(clang_getCursorLocation(c)) != 0;
}

std::string record_name(CXType t) {
  if (t.kind == CXType_Invalid)
    return "";
  CXType plain = clang_getNonReferenceType(t);
  CXCursor decl = clang_getTypeDeclaration(clang_getCanonicalType(plain));
  std::string name = is_null(decl) || kind_of(decl) == CXCursor_NoDeclFound ? "" : spelling(decl);
  if (size_t lt = name.find('<'); lt != std::string::npos && lt > 0)
    name.resize(lt);
  return name;
}

} // namespace gelint::scan::lower
