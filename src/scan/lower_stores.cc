#include "scan/lower_stores.h"

namespace gelint::scan::lower {

namespace {

/// The variable that an assignment to one of its elements stores into, canonical; null for other cursors.
CXCursor stored_array(CXCursor c) {
  if (kind_of(c) != CXCursor_BinaryOperator || clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_Assign)
    return clang_getNullCursor();
  std::vector<CXCursor> o = operands(c);
  CXCursor target = o.empty() ? c : peel(o[0]);
  if (kind_of(target) != CXCursor_ArraySubscriptExpr)
    return clang_getNullCursor();
  std::vector<CXCursor> s = operands(target);
  CXCursor base = s.empty() ? target : peel(s[0]);
  CXCursor r = kind_of(base) == CXCursor_DeclRefExpr ? clang_getCursorReferenced(base) : clang_getNullCursor();
  return is_null(r) ? r : clang_getCanonicalCursor(r);
}

/// The variables and fields that `c` may change, and the class of an object that it makes from values.
void note_assignment(CXCursor c, CursorMap<bool>& out) {
  auto note = [&](CXCursor e) {
    CXCursor target = peel(e);
    while (kind_of(target) == CXCursor_ArraySubscriptExpr) {
      std::vector<CXCursor> o = operands(target);
      if (o.empty())
        return;
      target = peel(o[0]);
    }
    CXCursorKind k = kind_of(target);
    CXCursor r = k == CXCursor_DeclRefExpr || k == CXCursor_MemberRefExpr || k == CXCursor_MemberRef
                     ? clang_getCursorReferenced(target)
                     : clang_getNullCursor();
    if (!is_null(r) && (kind_of(r) == CXCursor_VarDecl || kind_of(r) == CXCursor_FieldDecl))
      out[clang_getCanonicalCursor(r)] = true;
  };
  switch (kind_of(c)) {
  case CXCursor_BinaryOperator:
    if (clang_getCursorBinaryOperatorKind(c) != CXBinaryOperator_Assign)
      return;
    [[fallthrough]];
  case CXCursor_CompoundAssignOperator:
    if (std::vector<CXCursor> o = operands(c); !o.empty())
      note(o[0]);
    return;
  case CXCursor_UnaryOperator: {
    CXUnaryOperatorKind k = clang_getCursorUnaryOperatorKind(c);
    if (k == CXUnaryOperator_AddrOf || (k >= CXUnaryOperator_PostInc && k <= CXUnaryOperator_PreDec))
      if (std::vector<CXCursor> o = operands(c); !o.empty())
        note(o[0]);
    return;
  }
  case CXCursor_CallExpr: {
    // An argument that is read stands under a conversion; one that is bound to a reference does not.
    CXCursor callee = clang_getCursorReferenced(c);
    CXType type = is_null(callee) ? CXType{} : clang_getCursorType(callee);
    for (int i = 0, n = clang_Cursor_getNumArguments(c); i < n; ++i) {
      CXCursor a = clang_Cursor_getArgument(c, static_cast<unsigned>(i));
      if (kind_of(a) != CXCursor_DeclRefExpr && kind_of(a) != CXCursor_MemberRefExpr)
        continue;
      CXType p = type.kind == CXType_FunctionProto && i < clang_getNumArgTypes(type) ? clang_getArgType(type, static_cast<unsigned>(i))
                                                                                     : CXType{};
      if (p.kind != CXType_LValueReference || !clang_isConstQualifiedType(clang_getPointeeType(p)))
        note(a);
    }
    return;
  }
  case CXCursor_MemberRef: note(c); return; // initialised by a constructor
  case CXCursor_InitListExpr:
    if (!children(c).empty())
      if (CXCursor made = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(c))); !is_null(made))
        out[clang_getCanonicalCursor(made)] = true;
    return;
  default: return;
  }
}

} // namespace

void each_stored_array(CXCursor def, const std::function<void(CXCursor)>& f) {
  clang_visitChildren(
      def,
      [](CXCursor c, CXCursor, CXClientData data) {
        if (CXCursor array = stored_array(c); !is_null(array))
          (*static_cast<const std::function<void(CXCursor)>*>(data))(array);
        return CXChildVisit_Recurse;
      },
      const_cast<std::function<void(CXCursor)>*>(&f));
}

void note_assignments(CXCursor def, CursorMap<bool>& out) {
  clang_visitChildren(
      def,
      [](CXCursor c, CXCursor, CXClientData data) {
        note_assignment(c, *static_cast<CursorMap<bool>*>(data));
        return CXChildVisit_Recurse;
      },
      &out);
}

} // namespace gelint::scan::lower
