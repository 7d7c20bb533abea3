// Vectors whose lanes hold different constants. Such a vector is a choice by the number of the lane, which is a position
// of the output like a loop's counter: where the choice reaches the output, some of the elements get one formula and
// others another.

#include "scan/lower_interp.h"

#include <algorithm>

namespace gelint::scan::lower {

namespace {

/// How many numbers a vector holds; 0: not known.
int lanes_of(const TypeInfo& vector) {
  const Type t = vector.type;
  const int size = t == Type::f64 || t == Type::i64 ? 8 : t == Type::f16 || t == Type::bf16 ? 2 : 4;
  return std::min(vector.bytes / size, 64);
}

} // namespace

/// One value for all lanes: what most of them hold, and a choice by the lane's number for the others. k_no_node where
/// they are not all constants.
NodeId Interp::lane_values(const std::vector<NodeId>& lanes) {
  std::map<double, size_t> count;
  for (NodeId n : lanes) {
    std::optional<double> k = constant_of(n);
    if (!k)
      return k_no_node;
    ++count[*k];
  }
  if (lanes.empty())
    return k_no_node;
  NodeId most = lanes[0];
  for (NodeId n : lanes)
    if (count[*constant_of(n)] > count[*constant_of(most)])
      most = n;
  NodeId out = most;
  if (count.size() > 1)
    for (size_t i = lanes.size(); i-- > 0;)
      if (*constant_of(lanes[i]) != *constant_of(most))
        out = select(binary(Op::eq, index_symbol(k_lane), number(static_cast<double>(i), Type::i32), Type::boolean), lanes[i], out);
  return out;
}

/// What one lane of `root` holds.
NodeId Interp::in_lane(NodeId root, int lane) {
  auto it = index_symbols_.find(k_lane);
  if (it == index_symbols_.end() || root >= k_true_)
    return root;
  std::map<NodeId, NodeId> map{{it->second, number(lane, Type::i32)}};
  std::vector<std::pair<NodeId, bool>> work{{root, false}};
  while (!work.empty()) {
    auto [n, done] = work.back();
    work.pop_back();
    if (n == k_no_node || (!done && map.count(n)))
      continue;
    const formula::Node node = dag_[n];
    if (!done) {
      work.emplace_back(n, true);
      for (NodeId k : {node.a, node.b, node.c})
        work.emplace_back(k, false);
      continue;
    }
    auto at = [&](NodeId k) { return k == k_no_node ? k : map[k]; };
    const NodeId a = at(node.a), b = at(node.b), c = at(node.c);
    if (a == node.a && b == node.b && c == node.c)
      map[n] = n;
    else if (node.op == Op::select)
      map[n] = select(a, b, c);
    else if (node.op == Op::eq)
      map[n] = binary(Op::eq, a, b, node.type);
    else
      map[n] = dag_.make(node.op, node.type, a, b, c);
  }
  return map[root];
}

/// The lane that ".y" or "[1]" of a vector names; -1: none.
int Interp::lane_of_key(const std::string& key) {
  if (key.size() == 2 && key[0] == '.')
    for (std::string_view names : {"xyzw", "rgba"})
      if (size_t at = names.find(key[1]); at != std::string_view::npos)
        return static_cast<int>(at);
  if (key.size() > 1 && key[0] == '[' && key[1] >= '0' && key[1] <= '9')
    if (std::optional<double> k = constant_of(static_cast<NodeId>(std::stoul(key.substr(1)))); k && *k >= 0 && *k < 256)
      return static_cast<int>(*k);
  return -1;
}

/// float4{a, b, c}: the lanes that are not written are zero.
Value Interp::lane_list(const std::vector<CXCursor>& values, CXType type) {
  const TypeInfo info = type_info(type);
  std::vector<NodeId> in;
  for (CXCursor c : values) {
    const Value v = eval(c);
    if (in.empty() && values.size() == 1 && type_info(clang_getCursorType(c)).lanes)
      return cast_value(v, type);
    in.push_back(as_number(cast_value(v, type)));
  }
  if (is_floating(info.type))
    for (int i = static_cast<int>(in.size()), n = lanes_of(info); i < n; ++i)
      in.push_back(number(0, info.type));
  if (const NodeId n = lane_values(in); n != k_no_node)
    return Value::number(n);
  for (size_t i = 1; i < values.size(); ++i)
    if (is_floating(info.type) && in[i] != in[0] && depends_on_data(in[0]) && depends_on_data(in[i]))
      note_lane(in[0], in[i]);
  return Value::number(in[0]);
}

/// A vector loaded from an array of constants; k_no_node where it is none.
NodeId Interp::loaded_lanes(const Value& from, const TypeInfo& vector) {
  if (from.kind != Value::Kind::pointer || !vector.known || vector.shape != Shape::number)
    return k_no_node;
  std::optional<double> first = from.node == k_no_node ? std::optional(0.0) : constant_of(from.node);
  const int lanes = lanes_of(vector);
  if (!first || lanes < 2 || !vector.lanes)
    return k_no_node;
  TypeInfo item;
  item.shape = Shape::number;
  item.type = vector.type;
  item.known = true;
  std::vector<NodeId> in;
  for (int i = 0; i < lanes; ++i) {
    CellId place = element(from.cell, number(*first + i, Type::i64), item);
    std::optional<Value> v = stored(place);
    if (!v || !v->is_number())
      return k_no_node;
    in.push_back(v->node);
  }
  const NodeId constants = lane_values(in);
  return constants != k_no_node ? constants : lanes_of_one_value(in);
}

/// A vector put together from what was made of another vector's lanes, one by one: most of them by one formula.
/// k_no_node where they are made of different values, or in more than three ways.
NodeId Interp::lanes_of_one_value(const std::vector<NodeId>& lanes) {
  std::map<NodeId, size_t> count;
  std::set<int> data;
  taint_of(lanes[0], data);
  for (NodeId n : lanes) {
    ++count[n];
    std::set<int> used;
    taint_of(n, used);
    if (!constant_of(n) && used != data)
      return k_no_node;
  }
  if (count.size() > 3)
    return k_no_node;
  NodeId out = std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->first;
  for (size_t i = lanes.size(), most = out; i-- > 0;)
    if (lanes[i] != most)
      out = select(binary(Op::eq, index_symbol(k_lane), number(static_cast<double>(i), Type::i32), Type::boolean), lanes[i], out);
  return out;
}

/// A vector stored in a local array: each element is known by itself. False where it is no such array.
bool Interp::store_lanes(const Value& to, NodeId value, const TypeInfo& vector) {
  const int lanes = lanes_of(vector);
  const std::optional<double> first = to.node == k_no_node ? std::optional(0.0) : constant_of(to.node);
  if (!vector.lanes || !vector.known || lanes < 2 || lanes > 16 || !first || !is_floating(vector.type) || !cell(to.cell).local ||
      !cell(to.cell).type.array)
    return false;
  TypeInfo item;
  item.shape = Shape::number;
  item.type = vector.type;
  item.known = true;
  for (int i = 0; i < lanes; ++i)
    write(element(to.cell, number(*first + i, Type::i64), item), Value::number(in_lane(value, i)));
  return true;
}

} // namespace gelint::scan::lower
