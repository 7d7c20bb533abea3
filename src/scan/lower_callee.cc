#include "scan/lower_callee.h"

#include <cctype>

namespace gelint::scan::lower {

std::string callee_text(CXCursor e) {
  std::string out, callee;
  int angle = 0, depth = 0;
  for (const std::string& t : tokens(e)) {
    if (t == "(" || t == "{" || t == "[") {
      if (depth++ == 0)
        callee = out;
      continue;
    }
    if (t == ")" || t == "}" || t == "]") {
      --depth;
      continue;
    }
    if (depth > 0)
      continue;
    if (t == "<") {
      ++angle;
      continue;
    }
    if (t == ">" || t == ">>") {
      angle -= static_cast<int>(t.size());
      continue;
    }
    if (angle > 0)
      continue;
    if (t == "." || t == "->" || t == "template") {
      out.clear(); // the method's name is what remains, in a.f(x).g(y) that of the last one
      continue;
    }
    out += t;
  }
  return callee.empty() ? out : callee;
}

std::string callee_in_tree(CXCursor callee) {
  if (kind_of(callee) != CXCursor_OverloadedDeclRef && kind_of(callee) != CXCursor_DeclRefExpr)
    return "";
  std::string out, name = spelling(callee);
  for (CXCursor c : children(callee)) {
    if (kind_of(c) == CXCursor_NamespaceRef)
      out += spelling(c) + "::";
    if (kind_of(c) == CXCursor_OverloadedDeclRef)
      name = spelling(c);
  }
  return name.empty() ? "" : out + name;
}

bool operator_name(const std::string& name) {
  return name.rfind("operator", 0) == 0 && name.size() > 8 && !std::isalnum(static_cast<unsigned char>(name[8])) &&
         name[8] != '_';
}

std::string dependent_operator(const std::vector<CXCursor>& kids) {
  for (CXCursor k : kids)
    if (std::string name = callee_in_tree(k); operator_name(name))
      return name;
  return "";
}

CXCursor candidate_of(CXCursor callee, size_t arguments) {
  CXCursor set = callee;
  for (CXCursor c : children(callee))
    if (kind_of(c) == CXCursor_OverloadedDeclRef)
      set = c;
  if (kind_of(set) != CXCursor_OverloadedDeclRef)
    return clang_getNullCursor();
  for (unsigned i = 0, n = clang_getNumOverloadedDecls(set); i < n; ++i) {
    CXCursor def = definition_of(clang_getOverloadedDecl(set, i));
    if (!is_null(def) && !in_system_header(def) && parameters_of(def).size() == arguments)
      return def;
  }
  return clang_getNullCursor();
}

CXCursor constructed_class(const std::vector<CXCursor>& kids) {
  CXCursor found = clang_getNullCursor();
  for (CXCursor k : kids) {
    if (kind_of(k) == CXCursor_TemplateRef)
      return clang_getCursorReferenced(k);
    if (kind_of(k) == CXCursor_TypeRef && is_null(found))
      found = clang_getCursorReferenced(k);
  }
  return found;
}

bool default_argument(CXCursor arg) {
  CXCursorKind k = kind_of(arg);
  if (is_null(arg) || clang_isInvalid(k))
    return true;
  // What clang could not resolve has no operands either, but it is written somewhere.
  CXSourceRange range = clang_getCursorExtent(arg);
  const bool written = !clang_equalLocations(clang_getRangeStart(range), clang_getRangeEnd(range));
  return k == CXCursor_UnexposedExpr && !written && operands(arg).empty() && !evaluate(arg);
}

bool ends_with_name(const std::string& name, const std::string& tail) {
  return name.ends_with(tail) && (name.size() == tail.size() || name[name.size() - tail.size() - 1] == ':');
}

std::string last_name(const std::string& name) {
  size_t c = name.rfind("::");
  return c == std::string::npos ? name : name.substr(c + 2);
}

} // namespace gelint::scan::lower
