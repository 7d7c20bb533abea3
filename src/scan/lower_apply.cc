// Operation models applied to values, and the few library functions that work on memory.

#include "scan/lower_interp.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelint::scan::lower {

namespace {

bool bitwise(Op op) { return op == Op::bit_and || op == Op::bit_or || op == Op::bit_xor; }

} // namespace

const OpTerm* Interp::choose_case(const OpModel& m, const std::vector<Value>& args) {
  for (const OpCase& c : m.cases) {
    if (c.argument < 0 || c.argument >= static_cast<int>(args.size()))
      continue;
    const Value& v = args[static_cast<size_t>(c.argument)];
    std::string text = v.text;
    if (text.empty() && v.is_number())
      if (std::optional<double> k = constant_of(v.node))
        text = std::to_string(static_cast<long long>(*k));
    if (!c.equals.empty() ? text == c.equals : !text.empty() && text.find(c.contains) != std::string::npos)
      return &c.term;
    if (text.empty() && v.kind != Value::Kind::undef)
      return nullptr; // given, and only known at run time
  }
  return m.term ? &*m.term : nullptr;
}

NodeId Interp::apply_term(const OpTerm& t, std::vector<NodeId>& args, Type type) {
  switch (t.kind) {
  case OpTerm::Kind::argument:
    return t.argument < static_cast<int>(args.size()) ? args[static_cast<size_t>(t.argument)] : number(0, type);
  case OpTerm::Kind::number: return number(t.number, type);
  case OpTerm::Kind::cast: return convert(apply_term(t.args[0], args, type), t.type);
  case OpTerm::Kind::formula: return formula_nodes(t.formula, dag_, apply_term(t.args[0], args, type), type);
  case OpTerm::Kind::operation: break;
  }
  std::vector<NodeId> in;
  for (const OpTerm& a : t.args)
    in.push_back(apply_term(a, args, type));
  bool compare = t.op >= Op::lt && t.op <= Op::logical_or;
  if (compare)
    return binary(t.op, in[0], in[1], Type::boolean);
  if (t.op == Op::select) {
    if (dag_[in[0]].type != Type::boolean)
      in[0] = dag_[in[0]].op == Op::select && dag_[in[0]].type != Type::boolean ? truth(Value::number(in[0]))
                                                                                 : truth(Value::number(in[0]));
    return select(in[0], in[1], in[2]);
  }
  if (t.op == Op::bits_of_f32)
    return bits(in[0], is_integer(type) ? type : Type::i32);
  if (t.op == Op::f32_of_bits)
    return bits(in[0], Type::f32);
  if (bitwise(t.op))
    return bitwise_nodes(t.op, in[0], in[1]);
  if (t.op == Op::shl || t.op == Op::shr) {
    Type it = is_integer(dag_[in[0]].type) ? dag_[in[0]].type : Type::i32;
    return binary(t.op, bits(in[0], it), convert(in[1], it), it);
  }
  if (in.size() == 1) {
    // All bits the other way round, unless it is a mask: "andnot(-0.f, x)" is |x|.
    if (t.op == Op::logical_not && dag_[in[0]].type != Type::boolean)
      return binary(Op::bit_xor, bits(in[0], Type::i32), number(-1, Type::i32), Type::i32);
    return unary(t.op, in[0], t.op == Op::logical_not ? Type::boolean : type);
  }
  if (in.size() == 2)
    return binary(t.op, in[0], in[1], type);
  return dag_.make(t.op, type, in[0], in[1], in[2]);
}

/// SIMD masks: a comparison's result is a boolean, "mask & x" chooses between x and 0.
NodeId Interp::bitwise_nodes(Op op, NodeId a, NodeId b) {
  bool ma = dag_[a].type == Type::boolean, mb = dag_[b].type == Type::boolean;
  if (ma && mb)
    return op == Op::bit_and ? binary(Op::logical_and, a, b, Type::boolean)
           : op == Op::bit_or ? binary(Op::logical_or, a, b, Type::boolean)
                              : binary(Op::ne, a, b, Type::boolean);
  if ((ma || mb) && op == Op::bit_and) {
    NodeId mask = ma ? a : b, value = ma ? b : a;
    return select(mask, value, number(0, dag_[value].type));
  }
  auto chosen = [&](NodeId n) {
    return dag_[n].op == Op::select &&
           ((dag_[dag_[n].b].op == Op::constant && dag_[dag_[n].b].value == 0) ||
            (dag_[dag_[n].c].op == Op::constant && dag_[dag_[n].c].value == 0));
  };
  if (op == Op::bit_or && chosen(a) && chosen(b))
    return dag_.make(Op::add, dag_[a].type, a, b); // one of them is zero
  Type result = dag_[a].type;
  bool floating = is_floating(dag_[a].type) || is_floating(dag_[b].type);
  if (floating && result != Type::f32)
    result = dag_[b].type;
  NodeId x = bits(a, Type::i32), y = bits(b, Type::i32);
  NodeId out = binary(op, x, y, Type::i32);
  return floating && result == Type::f32 ? bits(out, Type::f32) : out;
}

/// A call that runs over whole arrays is a loop in this place: the elements are those of the loops before and behind it.
std::vector<Value> Interp::element_arguments(const std::vector<Value>& args) {
  NodeId index = index_symbol(fmt::format("loop {}", loops_ + 1));
  std::vector<Value> out = args;
  for (Value& v : out) {
    if (v.kind == Value::Kind::pointer)
      v.node = v.node == k_no_node ? index : binary(Op::add, v.node, index);
    else if (v.kind == Value::Kind::object && cell(v.cell).type.array)
      v = Value::pointer(v.cell, index);
  }
  return out;
}

std::optional<Value> Interp::apply_model(const OpModels::Match& m, const std::string& name, std::vector<Value>& given,
                                         CXCursor at) {
  const OpModel& model = *m.model;
  if (model.view) {
    const Value p = given.empty() ? Value{} : element_arguments(given)[0];
    if (p.kind != Value::Kind::pointer || is_null(at))
      return std::nullopt;
    CXType pointer = clang_getCanonicalType(clang_getCursorType(clang_Cursor_getArgument(at, 0)));
    Value place = Value::object(target(p, type_info(clang_getPointeeType(pointer))));
    place.view = true;
    return place;
  }
  std::vector<Value> each;
  if (model.arrays)
    each = element_arguments(given);
  std::vector<Value>& args = model.arrays ? each : given;
  CXType call_type = is_null(at) ? CXType{} : clang_getCursorType(at);
  if (model.callback_function >= 0) {
    if (model.callback_function >= static_cast<int>(args.size()))
      return std::nullopt;
    std::vector<Value> in;
    CellId target_cell = k_no_cell;
    for (int i : model.callback_arguments) {
      if (i < 0 || i >= static_cast<int>(args.size()))
        return std::nullopt;
      const Value& v = args[static_cast<size_t>(i)];
      if (v.kind == Value::Kind::pointer && model.callback_store < 0)
        in.push_back(Value::object(target_cell = target(v, TypeInfo{}))); // for_each: by reference
      else
        in.push_back(Value::number(as_number(v)));
    }
    Value v = call_value(args[static_cast<size_t>(model.callback_function)], in, at);
    if (model.callback_store >= 0 && model.callback_store < static_cast<int>(args.size())) {
      const Value& out = args[static_cast<size_t>(model.callback_store)];
      if (out.kind == Value::Kind::pointer || out.kind == Value::Kind::object)
        write(out.kind == Value::Kind::pointer ? target(out, TypeInfo{}) : out.cell, Value::number(as_number(v)));
    }
    return Value::nothing();
  }
  const OpTerm* term = choose_case(model, args);
  if (!term)
    return std::nullopt;
  for (int i : model.scalar)
    if (i >= static_cast<int>(args.size()) || !args[static_cast<size_t>(i)].is_number())
      return std::nullopt;
  // `&x` handed to a load or store is x.
  std::vector<NodeId> in;
  std::vector<bool> literal;
  for (const Value& v : args) {
    bool text = v.kind == Value::Kind::text || v.kind == Value::Kind::function || v.kind == Value::Kind::undef ||
                v.kind == Value::Kind::nothing;
    NodeId lanes = model.consecutive ? loaded_lanes(v, type_info(call_type)) : k_no_node;
    in.push_back(lanes != k_no_node ? lanes : text ? number(0, Type::weak) : as_number(v));
    literal.push_back(constant_of(in.back()).has_value());
  }
  if (model.same && (in.size() < 2 || in[0] != in[1]))
    return std::nullopt;
  for (int i : model.steady)
    if (i >= static_cast<int>(in.size()) || depends_on_data(in[static_cast<size_t>(i)]))
      return std::nullopt;
  Type type = Type::weak;
  TypeInfo call_info = type_info(call_type);
  if (model.type)
    type = *model.type;
  else if (call_info.shape == Shape::number && call_info.known && model.store < 0 && call_info.type != Type::boolean)
    type = call_info.type;
  else {
    bool any = false;
    for (size_t i = 0; i < in.size(); ++i)
      if (!literal[i] && args[i].kind != Value::Kind::text && dag_[in[i]].type != Type::boolean) {
        type = any ? common_type(type, dag_[in[i]].type) : dag_[in[i]].type;
        any = true;
      }
    if (!any)
      for (NodeId n : in)
        type = common_type(type, dag_[n].type);
    if (is_integer(type) && term->kind == OpTerm::Kind::operation && term->op >= Op::exp && term->op <= Op::softplus)
      type = Type::f64;
  }
  // Scalars of a wider literal type take the tensor's or register's type.
  for (size_t i = 0; i < in.size() && !model.untyped; ++i)
    if (literal[i] && is_floating(type) && type != Type::weak)
      in[i] = number(*constant_of(in[i]), type);
    else if (dag_[in[i]].type != type && is_floating(dag_[in[i]].type) && is_floating(type) && type != Type::weak &&
             !model.type && call_info.shape == Shape::number)
      in[i] = convert(in[i], type);
  if (call_info.shape == Shape::record)
    tensor_types = true;
  // One register of two without a type: both as floats when one is.
  if (model.untyped && term->kind == OpTerm::Kind::operation && term->op == Op::select)
    for (size_t i = 1; i < in.size(); ++i)
      if (std::any_of(in.begin() + 1, in.end(), [&](NodeId n) { return dag_[n].type == Type::f32; }))
        in[i] = bits(in[i], Type::f32);
  // A vector made of different constants.
  const OpTerm* taken = term->kind == OpTerm::Kind::cast ? &term->args[0] : term;
  if (taken->kind == OpTerm::Kind::argument && model.store < 0 && taken->argument == 0 && in.size() > 1 &&
      std::all_of(in.begin(), in.end(), [&](NodeId n) { return constant_of(n) && is_floating(dag_[n].type); }) &&
      std::all_of(args.begin(), args.end(), [](const Value& v) { return v.is_number(); }))
    in[0] = lane_values(in);
  NodeId out = apply_term(*term, in, type);
  if (out == k_no_node)
    return std::nullopt;
  if (model.by_rule)
    by_rule.insert(name);
  // A vector made of two values stands for the first; the other may compute something else. What stands before it, as in
  // Set(tag, value), says of what type the vector is.
  if (taken->kind == OpTerm::Kind::argument && model.store < 0 && taken->argument < static_cast<int>(in.size()))
    for (size_t used = static_cast<size_t>(taken->argument), i = used + 1; i < in.size(); ++i)
      if (in[i] != in[used] && args[i].is_number() && !literal[i] && is_floating(dag_[in[i]].type) && depends_on_data(in[i])) {
        std::vector<NodeId> other = in;
        other[used] = in[i];
        note_lane(out, apply_term(*term, other, type));
      }
  if (model.store >= 0) {
    if (model.store >= static_cast<int>(args.size()))
      return std::nullopt;
    const Value& to = args[static_cast<size_t>(model.store)];
    if (to.kind == Value::Kind::pointer) {
      TypeInfo t;
      t.shape = Shape::number;
      t.type = dag_[out].type;
      t.known = true;
      TypeInfo vector;
      if (!is_null(at) && term->kind == OpTerm::Kind::argument && term->argument < clang_Cursor_getNumArguments(at))
        vector = type_info(clang_getCursorType(clang_Cursor_getArgument(at, static_cast<unsigned>(term->argument))));
      if (!store_lanes(to, out, vector))
        write(target(to, t), Value::number(out));
      if (depth_ == 0)
        note_trace(out, at, "", at);
    } else if (to.kind == Value::Kind::object) {
      write(to.cell, Value::number(out));
    }
    return Value::nothing();
  }
  return Value::number(out);
}

/// std::transform, thrust::transform and for_each, with or without an execution policy: the last argument is run on
/// an element of each range.
/// Memory is set from its beginning, as far as a size says that is not written out: what was stored there is gone.
void Interp::overwrite_all(const Value& to, const Value& size) {
  const bool beginning = to.kind == Value::Kind::pointer && (to.node == k_no_node || constant_of(to.node) == 0.0);
  if (!beginning || cell(to.cell).key != "*" || (size.is_number() && constant_of(size.node)))
    return;
  filled_.insert(to.cell);
  if (!last_stored_below(to.cell))
    return;
  forget_below(to.cell);
  overwritten = true;
}

std::optional<Value> Interp::call_algorithm(const std::string& name, std::vector<Value>& args, CXCursor at) {
  if ((name == "fill" || name == "fill_n") && args.size() == 3 && args[0].kind == Value::Kind::pointer) {
    const NodeId item = as_number(args[2]);
    overwrite_all(args[0], args[1]);
    write(target(args[0], TypeInfo{}), Value::number(item));
    return Value::nothing();
  }
  bool transform = name == "transform" || name == "transform_if", each = name == "for_each" || name == "for_each_n";
  if ((!transform && !each) || args.size() < 3)
    return std::nullopt;
  const Value f = args.back();
  if (f.kind != Value::Kind::function && f.kind != Value::Kind::object && f.kind != Value::Kind::choice)
    return std::nullopt;
  std::vector<Value> ranges;
  for (size_t i = 0; i + 1 < args.size(); ++i)
    if (args[i].kind == Value::Kind::pointer)
      ranges.push_back(args[i]);
  auto item = [&](const Value& p) { return target(p, TypeInfo{}); };
  if (each) {
    if (ranges.empty())
      return std::nullopt;
    call_value(f, {Value::object(item(ranges[0]))}, at);
    return Value::nothing();
  }
  if (ranges.size() < 3)
    return std::nullopt;
  std::vector<Value> in{Value::number(as_number(ranges[0]))};
  if (ranges.size() >= 4)
    in.push_back(Value::number(as_number(ranges[2])));
  Value v = call_value(f, in, at);
  if (v.kind == Value::Kind::nothing)
    return std::nullopt;
  write(item(ranges.back()), Value::number(as_number(v)));
  return Value::nothing();
}

std::optional<Value> Interp::call_builtin(const std::string& name, const std::vector<CXCursor>& args, CXCursor at) {
  size_t colon = name.rfind("::");
  std::string last = colon == std::string::npos ? name : name.substr(colon + 2);
  CXType type = clang_getCursorType(at);
  if ((last == "memcpy" || last == "__builtin_memcpy" || last == "memmove") && args.size() >= 2) {
    Value to = eval(args[0]), from = eval(args[1]);
    if (to.kind != Value::Kind::pointer || from.kind != Value::Kind::pointer)
      return Value::nothing();
    auto pointee = [](CXCursor a) {
      // The pointer's type before its conversion to void*.
      CXCursor inner = peel(a);
      CXType t = clang_getCanonicalType(clang_getCursorType(inner));
      if (t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray)
        return type_info(clang_getArrayElementType(t));
      return type_info(clang_getPointeeType(t));
    };
    TypeInfo tt = pointee(args[0]), ft = pointee(args[1]);
    CellId dst = target(to, tt), src = target(from, ft);
    Value v = read(src);
    if (args.size() > 2)
      overwrite_all(to, eval(args[2]));
    if (v.kind == Value::Kind::object || cell(src).type.shape == Shape::record) {
      if (std::optional<Value> last_value = last_stored_below(src); last_value && tt.shape == Shape::number)
        write(dst, *last_value);
      else
        copy_object(src, dst);
      return Value::nothing();
    }
    if (v.kind == Value::Kind::pointer) {
      write(dst, v);
      return Value::nothing();
    }
    NodeId n = as_number(v);
    if (tt.shape == Shape::number && tt.known && !tt.lanes && (tt.type == Type::f32 || dag_[n].type == Type::f32) &&
        ft.shape == Shape::number && is_integer(tt.type) != is_integer(ft.type) && !ft.lanes)
      n = bits(n, tt.type);
    write(dst, Value::number(n));
    return Value::nothing();
  }
  if (last == "memset" && args.size() == 3 && (name == last || name == "std::memset")) {
    // Zero bytes are zero in every type; other bytes make no value that is known.
    Value to = eval(args[0]);
    CXType t = clang_getCanonicalType(clang_getCursorType(peel(args[0])));
    TypeInfo item = type_info(clang_getPointeeType(t));
    if (to.kind != Value::Kind::pointer || item.shape != Shape::number || !item.known || item.lanes)
      return std::nullopt;
    CellId place = target(to, item);
    std::optional<double> byte = constant_of(as_number(eval(args[1])));
    overwrite_all(to, eval(args[2]));
    if (byte && *byte == 0)
      write(place, Value::number(number(0, item.type)));
    else
      havoc(place, last, {});
    return to;
  }
  if ((name == "std::fill" || name == "std::fill_n") && args.size() == 3) {
    // The whole of a local array, as far as is known: what is stored in its elements afterwards differs from that.
    const Value to = eval(args[0]), v = eval(args[2]);
    eval(args[1]);
    if (to.kind != Value::Kind::pointer || !v.is_number() || !cell(to.cell).local || !cell(to.cell).type.array)
      return std::nullopt;
    forget_below(to.cell);
    write(to.cell, v);
    return to;
  }
  if (name == "std::swap" && args.size() == 2 && type_info(clang_getCursorType(args[0])).shape == Shape::number) {
    CellId left = lvalue(args[0]), right = lvalue(args[1]);
    Value a = read(left), b = read(right);
    write(left, b);
    write(right, a);
    return Value::nothing();
  }
  if ((last == "move" || last == "forward" || last == "ref" || last == "cref" || last == "as_const" ||
       last == "addressof") &&
      args.size() == 1 && (name == last || name.rfind("std::", 0) == 0)) {
    Value f = eval(args[0]);
    if (f.kind == Value::Kind::function)
      return f;
    CellId c = lvalue(args[0]);
    return last == "addressof" ? Value::pointer(c) : Value::object(c);
  }
  if (last == "bit_cast" || last == "__builtin_bit_cast") {
    if (args.size() != 1)
      return std::nullopt;
    NodeId n = as_number(eval(args[0]));
    TypeInfo t = type_info(type);
    return Value::number(t.shape == Shape::number && t.known && !t.lanes ? bits(n, t.type) : n);
  }
  if ((last == "__builtin_expect" || last == "__builtin_assume_aligned" || last == "__ldg" || last == "launder") &&
      !args.empty()) {
    Value v = eval(args[0]);
    if (last != "__ldg")
      return v;
    return v.kind == Value::Kind::pointer ? read_as(target(v, type_info(type)), type) : v;
  }
  return std::nullopt;
}

} // namespace gelint::scan::lower
