// Overloaded operators: of number classes and tensors, of containers and pointers, and those with a body of their own.

#include "scan/lower_callee.h"
#include "scan/lower_interp.h"

namespace gelint::scan::lower {

Value Interp::eval_operator_call(CXCursor e, CXCursor decl, const std::string& name, std::vector<CXCursor> args) {
  std::string op = name.substr(8);
  CXType type = clang_getCursorType(e);
  CXCursor def = is_null(decl) ? decl : definition_of(decl);
  bool method = !is_null(decl) && (kind_of(decl) == CXCursor_CXXMethod ||
                                   kind_of(clang_getCursorSemanticParent(decl)) == CXCursor_StructDecl ||
                                   kind_of(clang_getCursorSemanticParent(decl)) == CXCursor_ClassDecl ||
                                   kind_of(clang_getCursorSemanticParent(decl)) == CXCursor_ClassTemplate);
  if (op == "()" && !args.empty()) {
    CellId receiver = lvalue(args[0]);
    std::vector<Value> values;
    std::vector<CXCursor> params = is_null(def) ? std::vector<CXCursor>{} : parameters_of(def);
    for (size_t i = 1; i < args.size(); ++i) {
      CXTypeKind pk = i - 1 < params.size() ? clang_getCursorType(params[i - 1]).kind : CXType_Invalid;
      bool ref = pk == CXType_LValueReference || pk == CXType_RValueReference;
      values.push_back(default_argument(args[i]) ? Value{} : ref ? Value::object(lvalue(args[i])) : eval(args[i]));
    }
    Value f = read(receiver);
    if (f.kind == Value::Kind::function || f.kind == Value::Kind::choice)
      return call_value(f, std::move(values), e);
    if (!is_null(def) && !in_system_header(def))
      return call_definition(def, receiver, std::move(values), e);
    return call_value(Value::object(receiver), std::move(values), e);
  }
  bool copies = !is_null(decl) && kind_of(decl) == CXCursor_CXXMethod &&
                (clang_CXXMethod_isCopyAssignmentOperator(decl) || clang_CXXMethod_isMoveAssignmentOperator(decl));
  bool user_body = !is_null(def) && !in_system_header(def) && !copies;
  bool number_class = !args.empty() && type_info(clang_getCursorType(args[0])).shape == Shape::number &&
                      type_info(type).shape == Shape::number;
  if (user_body && !number_class) {
    std::vector<Value> values;
    std::vector<CXCursor> params = parameters_of(def);
    size_t first = method ? 1 : 0;
    for (size_t i = first; i < args.size(); ++i) {
      CXTypeKind pk = i - first < params.size() ? clang_getCursorType(params[i - first]).kind : CXType_Invalid;
      bool ref = pk == CXType_LValueReference || pk == CXType_RValueReference;
      values.push_back(ref ? Value::object(lvalue(args[i])) : eval(args[i]));
    }
    CellId receiver = method && !args.empty() ? lvalue(args[0]) : k_no_cell;
    return call_definition(def, receiver, std::move(values), e);
  }
  if (op == ">>" && args.size() == 2 && type_info(clang_getCursorType(args[0])).shape == Shape::record &&
      type_info(clang_getCursorType(args[1])).shape == Shape::number && kind_of(args[1]) == CXCursor_DeclRefExpr) {
    havoc(lvalue(args[1]), "operator>>", {}); // std::cin >> c
    return eval(args[0]);
  }
  if (op == "[]" && args.size() == 2) {
    CellId base = lvalue(args[0]);
    NodeId at = as_number(eval(args[1]));
    Value whole = read(base);
    TypeInfo t = type_info(type);
    if (whole.kind == Value::Kind::pointer) // unique_ptr<T[]>, and parameters that are pointers to a class
      return Value::object(element(whole.cell, whole.node == k_no_node ? at : binary(Op::add, whole.node, at), t));
    if (whole.is_number())
      return whole;
    if (whole.kind == Value::Kind::object)
      base = whole.cell;
    return Value::object(element(child(base, "*", TypeInfo{}), at, t));
  }
  if (op == "=" && args.size() == 2) {
    Value v = eval(args[1]);
    assign(args[0], v, args[1]);
    return Value::object(lvalue(args[0]));
  }
  if ((op == "*" || op == "->") && args.size() == 1) {
    CellId base = lvalue(args[0]);
    Value whole = read(base);
    CellId to = whole.kind == Value::Kind::pointer ? target(whole, type_info(type)) : child(base, "*", type_info(type));
    return op == "*" ? Value::object(to) : Value::pointer(to);
  }
  static const std::map<std::string, Op> binary_ops{
      {"+", Op::add}, {"-", Op::sub}, {"*", Op::mul}, {"/", Op::div}, {"%", Op::fmod},
      {"<", Op::lt},  {">", Op::gt},  {"<=", Op::le}, {">=", Op::ge}, {"==", Op::eq},
      {"!=", Op::ne}, {"&", Op::bit_and}, {"|", Op::bit_or}, {"^", Op::bit_xor},
      {"&&", Op::logical_and}, {"||", Op::logical_or}, {"<<", Op::shl}, {">>", Op::shr}};
  bool compound = op.size() >= 2 && op.back() == '=' && op != "==" && op != "!=" && op != "<=" && op != ">=";
  std::string base_op = compound ? op.substr(0, op.size() - 1) : op;
  auto it = binary_ops.find(base_op);
  if (it != binary_ops.end() && args.size() == 2) {
    Value left = eval(args[0]), right = eval(args[1]);
    Value v;
    if (left.kind == Value::Kind::text || right.kind == Value::Kind::text || left.kind == Value::Kind::pointer) {
      v = arithmetic(it->second, left, right, type);
    } else {
      NodeId a = as_number(left), b = as_number(right);
      // A scalar beside a tensor or half takes its type.
      TypeInfo lt = type_info(clang_getCursorType(peel(args[0]))), rt = type_info(clang_getCursorType(peel(args[1])));
      bool tensor = lt.shape == Shape::record || rt.shape == Shape::record;
      if (tensor) {
        tensor_types = true;
        if (constant_of(a) && !constant_of(b))
          a = number(*constant_of(a), dag_[b].type);
        else if (constant_of(b) && !constant_of(a))
          b = number(*constant_of(b), dag_[a].type);
        else if (dag_[a].type != dag_[b].type && is_integer(dag_[a].type) != is_integer(dag_[b].type)) {
          Type t = common_type(dag_[a].type, dag_[b].type);
          a = convert(a, t);
          b = convert(b, t);
        }
        v = Value::number(binary(it->second, a, b));
      } else {
        v = arithmetic(it->second, Value::number(a), Value::number(b), type);
      }
    }
    if (compound) {
      assign(args[0], v, e);
      return Value::object(lvalue(args[0]));
    }
    return v;
  }
  if (args.size() == 1 || ((op == "++" || op == "--") && args.size() == 2)) {
    if (op == "-")
      return Value::number(unary(Op::neg, as_number(eval(args[0]))));
    if (op == "+" || op == "++" || op == "--")
      return eval(args[0]);
    if (op == "!")
      return Value::number(unary(Op::logical_not, truth(eval(args[0]))));
    return cast_value(eval(args[0]), type); // conversion operators
  }
  std::vector<Value> values;
  for (CXCursor a : args)
    values.push_back(eval(a));
  return call_unknown(name, decl, values, e);
}

} // namespace gelint::scan::lower
