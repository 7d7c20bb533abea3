// Which body a call runs when the object or the types decide: overriders of virtual methods, functions that are found by
// the class of an argument.

#include "scan/lower_callee.h"
#include "scan/lower_interp.h"

namespace gelint::scan::lower {

namespace {

bool overrides(CXCursor method, CXCursor base) {
  CXCursor* list = nullptr;
  unsigned n = 0;
  clang_getOverriddenCursors(method, &list, &n);
  bool found = false;
  for (unsigned i = 0; i < n && !found; ++i)
    found = clang_equalCursors(clang_getCanonicalCursor(list[i]), clang_getCanonicalCursor(base)) || overrides(list[i], base);
  clang_disposeOverriddenCursors(list);
  return found;
}

} // namespace

bool object_of_known_class(CXCursor member) {
  std::vector<CXCursor> o = operands(member);
  for (CXCursor c : children(member))
    if (is_reference(kind_of(c)))
      return true; // Base::method()
  if (o.empty())
    return false; // this
  CXCursor object = peel(o[0]);
  CXCursor decl = kind_of(object) == CXCursor_DeclRefExpr || kind_of(object) == CXCursor_MemberRefExpr ? clang_getCursorReferenced(object)
                                                                                                      : clang_getNullCursor();
  CXType type = is_null(decl) ? clang_getCursorType(object) : clang_getCursorType(decl);
  if (kind_of(object) == CXCursor_CallExpr || kind_of(object) == CXCursor_CXXThisExpr || kind_of(object) == CXCursor_UnaryOperator)
    return false;
  CXTypeKind k = clang_getCanonicalType(type).kind;
  return k == CXType_Record;
}

/// The method itself, or a choice among it and what overrides it in this unit.
Value Interp::virtual_target(CXCursor member, CXCursor method, CXCursor def, CellId receiver) {
  Value out = Value::function(def, receiver);
  if (is_null(method) || !clang_CXXMethod_isVirtual(method) || object_of_known_class(member))
    return out;
  NodeId kind = k_no_node;
  int number_of = 0;
  for (CXCursor other : around_.named(spelling(method))) {
    if (kind_of(other) != CXCursor_CXXMethod || clang_equalCursors(other, def) || !overrides(other, method) || number_of >= 6)
      continue;
    if (kind == k_no_node)
      kind = index_symbol("class of the object");
    NodeId is = binary(Op::eq, kind, number(++number_of, Type::i32), Type::boolean);
    conditions_.emplace(is, Condition{member, {}});
    Value either;
    either.kind = Value::Kind::choice;
    either.node = is;
    either.a = std::make_shared<const Value>(Value::function(other, receiver));
    either.b = std::make_shared<const Value>(out);
    out = either;
  }
  return out;
}

/// In a template tanh(x) is the library's, or one that stands beside the class of x: then it is a choice, else undefined.
Value Interp::found_by_argument(CXCursor call, const std::string& name, size_t arguments) {
  Value out;
  for (CXCursor c : around_.named(last_name(name))) {
    std::vector<CXCursor> params = parameters_of(c);
    if (kind_of(c) != CXCursor_FunctionDecl || params.size() != arguments || params.empty())
      continue;
    CXType type = clang_getNonReferenceType(clang_getCursorType(params[0]));
    if (type_info(type).shape != Shape::record || in_system_header(clang_getTypeDeclaration(clang_getCanonicalType(type))))
      continue;
    Value library = Value::function(clang_getNullCursor());
    library.text = name;
    NodeId is = binary(Op::eq, index_symbol("class of the argument"), number(1, Type::i32), Type::boolean);
    conditions_.emplace(is, Condition{call, {}});
    out.kind = Value::Kind::choice;
    out.node = is;
    out.a = std::make_shared<const Value>(Value::function(c));
    out.b = std::make_shared<const Value>(library);
    break;
  }
  return out;
}

/// A function of a class or namespace of the tree that gives a number and has no body here: not the namesake in <cmath>.
bool Interp::namesake_of_library(CXCursor decl, CXType result) {
  if (is_null(decl) || in_system_header(decl) || !is_function(kind_of(decl)))
    return false;
  CXCursorKind owner = kind_of(clang_getCursorSemanticParent(decl));
  TypeInfo t = type_info(result);
  return (owner == CXCursor_ClassDecl || owner == CXCursor_StructDecl || owner == CXCursor_Namespace) && t.shape == Shape::number && !t.lanes;
}

} // namespace gelint::scan::lower
