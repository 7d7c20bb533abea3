// Variables and members: where they are, what is known of them before anything is stored, how they are read.

#include "scan/lower_interp.h"

#include <algorithm>

namespace gelint::scan::lower {

Value Interp::decay(CellId c, CXType) {
  if (cell(c).type.array)
    return Value::pointer(c, number(0, Type::i64));
  Value v = read(c);
  if (v.kind == Value::Kind::pointer)
    // A parameter written as an array is a pointer; a real array is the cell itself.
    if (kind_of(cell(c).decl) == CXCursor_ParmDecl || stored(c))
      return v;
  return Value::pointer(c, number(0, Type::i64));
}

Value Interp::read_as(CellId c, CXType type) {
  TypeInfo want = type_info(type);
  Value v = read(c);
  const Cell& info = cell(c);
  if (v.kind == Value::Kind::number && want.shape == Shape::number && !want.lanes && want.known) {
    Type have = dag_[v.node].type;
    // The same memory through a pointer to another type.
    if (have != want.type && info.type.known && !info.type.lanes) {
      if ((have == Type::f32 && is_integer(want.type)) || (is_integer(have) && want.type == Type::f32)) {
        if (depends_on_data(v.node) || info.type.type != want.type)
          return Value::number(bits(v.node, want.type));
      }
    }
  }
  if (want.shape == Shape::record && v.kind != Value::Kind::object && v.kind != Value::Kind::number)
    return v;
  if (want.shape == Shape::pointer && v.kind == Value::Kind::number)
    return v;
  if (want.shape == Shape::pointer && info.type.shape == Shape::unknown && v.kind == Value::Kind::number)
    return Value::pointer(child(c, "*", TypeInfo{}), number(0, Type::i64));
  return v;
}

CellId Interp::variable(CXCursor decl) {
  auto it = variables_.find(decl);
  if (it != variables_.end())
    return it->second;
  CXCursor canonical = clang_getCanonicalCursor(decl);
  it = variables_.find(canonical);
  if (it != variables_.end())
    return it->second;
  Cell c;
  c.path = spelling(decl);
  CXType type = clang_getCursorType(decl);
  c.type = type_info(type);
  c.decl = decl;
  c.global = kind_of(decl) == CXCursor_VarDecl;
  CellId id = new_cell(c);
  variables_[canonical] = id;
  variables_[decl] = id;
  if (!c.global)
    return id;
  CXCursor with_init = clang_getCursorDefinition(decl);
  if (is_null(with_init))
    with_init = decl;
  CXCursor init = clang_Cursor_getVarDeclInitializer(with_init);
  if (is_null(init))
    return id;
  if (may_change(with_init)) {
    cells_[static_cast<size_t>(id)].changing = true;
    return id;
  }
  CXCursor owner = clang_getCursorSemanticParent(decl);
  const bool of_a_body = is_function(kind_of(owner)) || kind_of(owner) == CXCursor_LambdaExpr;
  if (of_a_body && c.type.shape == Shape::number && !clang_isConstQualifiedType(type) && around_.assigned(decl)) {
    cells_[static_cast<size_t>(id)].changing = true; // of the body around a lambda, which also assigns to it
    return id;
  }
  if (std::optional<Constant> k = evaluate(with_init); k && c.type.shape == Shape::number) {
    globals_[id] = Value::number(number(k->value, c.type.type));
    return id;
  }
  if (of_a_body) {
    // A local of a body that is not being run: only what cannot have changed is taken.
    CXCursorKind ik = kind_of(peel(init));
    bool fixed = ik == CXCursor_LambdaExpr || clang_isConstQualifiedType(type) ||
                 (c.type.shape == Shape::function && ik == CXCursor_DeclRefExpr) ||
                 (ik == CXCursor_FloatingLiteral && !around_.assigned(decl));
    if (!fixed) {
      return id;
    }
  }
  // Run once, outside of any branch.
  NodeId returned = returned_, left = left_;
  returned_ = left_ = k_false_;
  Store kept;
  std::swap(store_, kept);
  ++depth_;
  try {
    Value v = eval(init);
    if (v.kind == Value::Kind::object)
      copy_object(v.cell, id);
    else
      store_.put(id, c.type.shape == Shape::number ? cast_value(v, type) : v, 0);
  } catch (const BudgetSpent&) {
    --depth_;
    throw;
  }
  --depth_;
  store_.each([&](CellId c, const Stored& s) { globals_.insert_or_assign(c, s.value); });
  store_ = std::move(kept);
  returned_ = returned;
  jumped_ = false;
  left_ = left;
  return id;
}

/// Its initial value says nothing about a number that is not constant, unless only this unit can see it and none of the
/// unit's functions changes it.
bool Interp::may_change(CXCursor variable) {
  CXType type = clang_getCursorType(variable);
  CXType element = clang_getCanonicalType(type);
  for (CXType inner = element; inner.kind != CXType_Invalid; inner = clang_getArrayElementType(element))
    element = clang_getCanonicalType(inner);
  if (type_info(element).shape != Shape::number || clang_isConstQualifiedType(element) || clang_isConstQualifiedType(type))
    return false;
  CXCursor owner = clang_getCursorSemanticParent(variable);
  if (is_function(kind_of(owner)) || kind_of(owner) == CXCursor_LambdaExpr)
    return false; // a local that another body sees: the caller decides
  bool own = clang_getCursorLinkage(variable) == CXLinkage_Internal || clang_getCursorLinkage(variable) == CXLinkage_UniqueExternal;
  for (CXCursor c : children(variable)) // without relocatable device code a device variable belongs to its unit
    own = own || kind_of(c) == CXCursor_CUDAConstantAttr || kind_of(c) == CXCursor_CUDADeviceAttr;
  return !own || around_.assigned(variable);
}

/// A functor's constant: the default of a member that is const, or that only this file can set and does not.
void Interp::default_member(CellId c, CXCursor field) {
  if (globals_.count(c) || stored(c) || cell(c).type.shape != Shape::number || clang_Cursor_isBitField(field))
    return;
  CXCursor init = clang_getNullCursor();
  for (CXCursor k : children(field))
    if (is_expression(k))
      init = k;
  CXCursor owner = clang_getCursorSemanticParent(field);
  bool functor = std::any_of(stack_.begin(), stack_.end(), [&](CXCursor f) {
    return spelling(f) == "operator()" && clang_equalCursors(clang_getCursorSemanticParent(f), owner);
  });
  bool constant = clang_isConstQualifiedType(clang_getCursorType(field)) ||
                  clang_Location_isFromMainFile(clang_getCursorLocation(field));
  if (is_null(init) || !functor || !constant || around_.assigned(field) || around_.assigned(owner))
    return;
  if (std::optional<Constant> k = evaluate(init))
    globals_[c] = Value::number(number(k->value, cell(c).type.type));
}

} // namespace gelint::scan::lower
