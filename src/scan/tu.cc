#include "scan/tu.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::scan {

std::string take(CXString s) {
  const char* text = clang_getCString(s);
  std::string out = text ? text : "";
  clang_disposeString(s);
  return out;
}

SourcePos expansion_pos(CXSourceLocation loc) {
  SourcePos p;
  clang_getExpansionLocation(loc, &p.file, &p.line, &p.column, &p.offset);
  return p;
}

SourcePos spelling_pos(CXSourceLocation loc) {
  SourcePos p;
  clang_getSpellingLocation(loc, &p.file, &p.line, &p.column, &p.offset);
  return p;
}

Result<Tu> Tu::parse(const ParseInput& input) {
  std::vector<const char*> argv;
  for (const std::string& a : input.args)
    argv.push_back(a.c_str());
  argv.push_back("-ferror-limit=0");
  argv.push_back("-w");
  std::vector<CXUnsavedFile> unsaved;
  std::vector<std::string> names; // libclang wants terminated file names
  names.reserve(input.unsaved.size());
  for (const auto& [name, text] : input.unsaved) {
    names.emplace_back(name);
    unsaved.push_back({names.back().c_str(), text.data(), static_cast<unsigned long>(text.size())});
  }
  unsigned options = CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing;
  if (input.retain_excluded)
    options |= CXTranslationUnit_RetainExcludedConditionalBlocks;
  Tu tu;
  tu.path_ = input.path;
  tu.index_.reset(clang_createIndex(0, 0));
  CXTranslationUnit raw = nullptr;
  CXErrorCode code = clang_parseTranslationUnit2(tu.index_.get(), input.path.c_str(), argv.data(),
                                                 static_cast<int>(argv.size()), unsaved.data(),
                                                 static_cast<unsigned>(unsaved.size()), options, &raw);
  tu.tu_.reset(raw);
  if (code != CXError_Success || !raw) {
    const char* why = code == CXError_Crashed ? "the parser crashed" : code == CXError_InvalidArguments
                          ? "libclang refused the arguments" : "libclang could not read it";
    return Error{why, input.path, 0, 0, {}};
  }
  tu.main_ = clang_getFile(raw, input.path.c_str());
  return tu;
}

bool Tu::in_main_file(CXSourceLocation loc) const {
  SourcePos p = expansion_pos(loc);
  return p.file && main_ && clang_File_isEqual(p.file, main_);
}

std::vector<Tu::Token> Tu::tokens(CXSourceRange range) const {
  CXToken* raw = nullptr;
  unsigned n = 0;
  clang_tokenize(tu_.get(), range, &raw, &n);
  std::vector<Token> out;
  out.reserve(n);
  for (unsigned i = 0; i < n; ++i)
    out.push_back({take(clang_getTokenSpelling(tu_.get(), raw[i])), clang_getTokenKind(raw[i]),
                   spelling_pos(clang_getTokenLocation(tu_.get(), raw[i])).offset});
  clang_disposeTokens(tu_.get(), raw, n);
  return out;
}

std::vector<std::string> Tu::missing_headers() const {
  std::vector<std::string> out;
  unsigned n = clang_getNumDiagnostics(tu_.get());
  for (unsigned i = 0; i < n; ++i) {
    CXDiagnostic d = clang_getDiagnostic(tu_.get(), i);
    if (clang_getDiagnosticSeverity(d) == CXDiagnostic_Fatal) {
      std::string text = take(clang_getDiagnosticSpelling(d));
      size_t a = text.find('\''), b = text.find("' file not found");
      if (a != std::string::npos && b != std::string::npos && b > a)
        out.push_back(text.substr(a + 1, b - a - 1));
    }
    clang_disposeDiagnostic(d);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::pair<unsigned, unsigned>> Tu::skipped_ranges() const {
  std::vector<std::pair<unsigned, unsigned>> out;
  CXSourceRangeList* list = clang_getSkippedRanges(tu_.get(), main_);
  for (unsigned i = 0; list && i < list->count; ++i)
    out.emplace_back(spelling_pos(clang_getRangeStart(list->ranges[i])).offset,
                     spelling_pos(clang_getRangeEnd(list->ranges[i])).offset);
  clang_disposeSourceRangeList(list);
  std::sort(out.begin(), out.end());
  return out;
}

unsigned Tu::error_count() const {
  unsigned errors = 0, n = clang_getNumDiagnostics(tu_.get());
  for (unsigned i = 0; i < n; ++i) {
    CXDiagnostic d = clang_getDiagnostic(tu_.get(), i);
    errors += clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
    clang_disposeDiagnostic(d);
  }
  return errors;
}

void for_each_child(CXCursor parent, const std::function<void(CXCursor)>& visit) {
  clang_visitChildren(
      parent,
      [](CXCursor c, CXCursor, CXClientData data) {
        (*static_cast<const std::function<void(CXCursor)>*>(data))(c);
        return CXChildVisit_Continue;
      },
      const_cast<std::function<void(CXCursor)>*>(&visit));
}

std::vector<CXCursor> children_of(CXCursor parent) {
  std::vector<CXCursor> out;
  for_each_child(parent, [&](CXCursor c) { out.push_back(c); });
  return out;
}

std::string qualified_name(CXCursor c) {
  std::vector<std::string> parts;
  for (; !clang_Cursor_isNull(c); c = clang_getCursorSemanticParent(c)) {
    CXCursorKind k = clang_getCursorKind(c);
    if (k == CXCursor_TranslationUnit || clang_isInvalid(k))
      break;
    if (k == CXCursor_LinkageSpec)
      continue;
    if (k == CXCursor_Namespace && (clang_Cursor_isAnonymous(c) || clang_Cursor_isInlineNamespace(c)))
      continue;
    std::string s = take(clang_getCursorSpelling(c));
    if (size_t lt = s.find('<'); lt != std::string::npos && s.compare(0, 8, "operator") != 0)
      s.resize(lt);
    if (!s.empty() && s[0] != '(')
      parts.push_back(std::move(s));
  }
  std::reverse(parts.begin(), parts.end());
  return fmt::format("{}", fmt::join(parts, "::"));
}

std::string enclosing_name(const std::vector<CXCursor>& ancestors) {
  int lambdas = 0;
  for (auto it = ancestors.rbegin(); it != ancestors.rend(); ++it) {
    switch (clang_getCursorKind(*it)) {
    case CXCursor_LambdaExpr: ++lambdas; break;
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
    case CXCursor_ObjCInstanceMethodDecl:
    case CXCursor_ObjCClassMethodDecl: {
      std::string s = qualified_name(*it);
      return lambdas ? s + "::(lambda)" : s;
    }
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization: {
      std::string s = qualified_name(*it);
      if (!s.empty())
        return lambdas ? s + "::(lambda)" : s;
      break;
    }
    default: break;
    }
  }
  return lambdas ? "(lambda)" : "";
}

} // namespace gelint::scan
