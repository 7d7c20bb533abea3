// Cells and what is stored in them.

#include "scan/lower_interp.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelint::scan::lower {

CellId Interp::new_cell(Cell c) {
  if (cells_.size() > 60000)
    throw BudgetSpent("the body needs more memory than the interpreter gives");
  cells_.push_back(std::move(c));
  return static_cast<CellId>(cells_.size()) - 1;
}

CellId Interp::root_of(CellId c) const {
  while (c != k_no_cell && cell(c).parent != k_no_cell)
    c = cell(c).parent;
  return c;
}

NodeId Interp::subscript_of(CellId c) const {
  const std::string& key = cell(c).key;
  return key.size() > 1 && key[0] == '[' && key[1] >= '0' && key[1] <= '9' ? static_cast<NodeId>(std::stoul(key.substr(1))) : k_no_node;
}

CellId Interp::child(CellId parent, const std::string& key, CXType type) {
  return child(parent, key, type_info(type));
}

CellId Interp::child(CellId parent, const std::string& key, TypeInfo type) {
  auto [it, fresh] = children_.try_emplace({parent, key}, k_no_cell);
  if (!fresh)
    return it->second;
  Cell c;
  c.parent = parent;
  c.key = key;
  const Cell& p = cell(parent);
  c.path = key[0] == '[' ? p.path + "[]" : key == "*" ? p.path : p.path + key;
  c.type = type;
  // float memory read four words at a time holds floats.
  if (type.lanes && is_integer(type.type) && p.type.known && p.key == "*" && is_floating(p.type.type))
    c.type.type = p.type.type;
  c.local = p.local && key != "*";
  it->second = new_cell(std::move(c));
  return it->second;
}

CellId Interp::element(CellId array, NodeId offset, TypeInfo type) {
  std::string key = fmt::format("[{}]", offset == k_no_node ? number(0, Type::i64) : offset);
  // Memory from outside that one arm reads as float and another as half is two inputs, not one and its bits.
  if (cell(array).key == "*" && type.shape == Shape::number && type.known && !type.lanes) {
    auto it = children_.find({array, key});
    if (it != children_.end() && !store_.find(it->second)) {
      const TypeInfo& have = cell(it->second).type;
      if (have.shape == Shape::number && have.known && !have.lanes && have.type != type.type)
        key += fmt::format(":{}", formula::to_string(type.type));
    }
  }
  return child(array, key, type);
}

CellId Interp::target(const Value& p, TypeInfo type) {
  if (p.kind == Value::Kind::pointer)
    return p.node == k_no_node ? p.cell : element(p.cell, p.node, type);
  if (p.kind == Value::Kind::object)
    return p.cell;
  if (p.kind == Value::Kind::choice) {
    if (p.a->kind == Value::Kind::choice || p.b->kind == Value::Kind::choice)
      return target(p.a->kind == Value::Kind::choice ? *p.a : *p.b, type);
    if (p.a->kind != Value::Kind::pointer || p.b->kind != Value::Kind::pointer)
      return target(p.a->kind == Value::Kind::pointer ? *p.a : *p.b, type);
    // One of two places: neither of them, so that it is not taken for what is known of the other.
    return child(p.a->cell, fmt::format("[either {} {} {} {}", p.node, p.a->node, p.b->cell, p.b->node), type);
  }
  // A number used as a pointer: an address made by arithmetic on an unknown one.
  Cell c;
  c.path = "?";
  c.type = type;
  CellId made = new_cell(std::move(c));
  return made;
}

CellId Interp::temporary(const Value& v, CXType type) {
  if (v.kind == Value::Kind::object)
    return v.cell;
  Cell c;
  c.path = "(temporary)";
  c.type = type_info(type);
  c.local = true;
  CellId id = new_cell(std::move(c));
  if (v.kind != Value::Kind::undef)
    store_.put(id, v, ++sequence_); // fresh: no earlier value to keep under a condition
  return id;
}

std::optional<Value> Interp::stored(CellId c, int depth) {
  if (const Stored* s = store_.find(c))
    return s->value;
  if (auto g = globals_.find(c); g != globals_.end())
    return g->second;
  CellId p = cell(c).parent;
  if (p == k_no_cell || depth > 24)
    return std::nullopt;
  const std::string& key = cell(c).key;
  if (key == "*")
    return std::nullopt;
  std::optional<Value> whole = stored(p, depth + 1);
  if (!whole)
    return std::nullopt;
  switch (whole->kind) {
  case Value::Kind::number: // lanes are alike but for constants
    if (int lane = lane_of_key(key); lane >= 0)
      whole->node = in_lane(whole->node, lane);
    return whole;
  case Value::Kind::object:
    if (whole->cell != p) {
      CellId origin = child(whole->cell, key, cell(c).type);
      std::optional<Value> v = stored(origin, depth + 1);
      if (!v)
        v = sibling(origin);
      return v ? *v : initial(origin);
    }
    return std::nullopt;
  default: return std::nullopt;
  }
}

std::optional<Value> Interp::last_stored_below(CellId c) {
  // Children are few; the latest store among all descendants stands for the whole.
  std::optional<Value> best;
  uint64_t best_sequence = 0;
  auto first = children_.lower_bound({c, ""});
  for (auto it = first; it != children_.end() && it->first.first == c; ++it) {
    if (it->first.second == "*")
      continue;
    const Stored* s = store_.find(it->second);
    if (s && s->value.is_number()) {
      if (s->sequence >= best_sequence) {
        best = s->value;
        best_sequence = s->sequence;
      }
    } else if (auto below = last_stored_below(it->second); below && !best) {
      best = below;
    }
  }
  return best;
}

std::vector<std::pair<CellId, NodeId>> Interp::parts_of(CellId c) const {
  std::vector<std::pair<CellId, NodeId>> out;
  std::vector<CellId> work{c};
  while (!work.empty() && out.size() < 16) {
    CellId top = work.back();
    work.pop_back();
    for (auto it = children_.lower_bound({top, ""}); it != children_.end() && it->first.first == top; ++it) {
      if (it->first.second == "*")
        continue;
      if (const Stored* s = store_.find(it->second); s && s->value.is_number())
        out.emplace_back(it->second, s->value.node);
      work.push_back(it->second);
    }
  }
  return out;
}

/// The loops and threads that an index counts. A size or an offset that is the same for all elements is none; the rest of a
/// loop counts with the loop.
std::set<std::string> Interp::counters_in(NodeId index) {
  std::set<int> symbols;
  taint_of(index, symbols);
  std::set<std::string> out;
  for (int i : symbols) {
    const Symbol& s = symbols_[static_cast<size_t>(i)];
    CellId root = root_of(s.cell);
    if (s.cell != k_no_cell && cell(root).param >= 0)
      continue;
    out.insert(s.name.rfind("loop ", 0) == 0 ? s.name.substr(0, s.name.find(" from ")) : s.name);
  }
  return out;
}

/// An element that was never stored, of an array where something was: in a local array what was stored last, in
/// memory from outside likewise unless both indices are one loop counter with different constants added.
std::optional<Value> Interp::sibling(CellId c) {
  const Cell& me = cell(c);
  if (me.parent == k_no_cell || me.key.empty() || me.key[0] != '[')
    return std::nullopt;
  if (me.key.size() < 2 || me.key[1] == 'e')
    return std::nullopt;
  NodeId mine = static_cast<NodeId>(std::stoul(me.key.substr(1)));
  std::set<std::string> my_counters = counters_in(mine);
  std::optional<Value> best;
  uint64_t best_sequence = 0;
  for (auto it = children_.lower_bound({me.parent, "["});
       it != children_.end() && it->first.first == me.parent && it->first.second[0] == '['; ++it) {
    const Stored* s = store_.find(it->second);
    if (!s || s->sequence < best_sequence || it->first.second[1] == 'e')
      continue;
    if (!me.local) {
      std::set<std::string> other = counters_in(subscript_of(it->second));
      if (other == my_counters)
        continue;
    }
    best = s->value;
    best_sequence = s->sequence;
  }
  return best;
}

Value Interp::initial(CellId id) {
  const Cell c = cell(id);
  note_type(c.type);
  switch (c.type.shape) {
  case Shape::pointer: {
    if (c.type.array)
      return Value::object(id);
    TypeInfo e;
    e.shape = Shape::unknown;
    e.type = c.type.type;
    e.known = c.type.known;
    return Value::pointer(child(id, "*", e), number(0, Type::i64));
  }
  case Shape::record: return Value::object(id);
  case Shape::function: {
    Value v = Value::function(clang_getNullCursor());
    v.text = k_function_value + c.path;
    return v;
  }
  case Shape::nothing: return Value::nothing();
  case Shape::number:
  case Shape::unknown: break;
  }
  auto it = cell_symbol_.find(id);
  if (it == cell_symbol_.end()) {
    Symbol s;
    s.name = c.path;
    s.cell = id;
    s.type = c.type.type;
    s.known_type = c.type.known;
    s.undef = c.local;
    s.changing = cell(root_of(id)).changing;
    s.index = c.type.shape == Shape::number && is_integer(c.type.type) && (c.key.empty() || c.key[0] == '.');
    it = cell_symbol_.emplace(id, symbol(std::move(s))).first;
  }
  return Value::number(it->second);
}

void Interp::note_lane(NodeId chosen, NodeId other) {
  std::vector<NodeId>& list = lanes_[chosen];
  if (other != chosen && list.size() < 4 && std::find(list.begin(), list.end(), other) == list.end())
    list.push_back(other);
}

/// "v.x = f(v.x); v.y = f(v.y);" of a float4: some of its lanes are as they were.
bool Interp::lanes_left(CellId c) {
  const int all = cell(c).type.bytes;
  int written = 0;
  for (auto it = children_.lower_bound({c, "."}); it != children_.end() && it->first.first == c; ++it) {
    if (it->first.second == "*" || !store_.find(it->second))
      continue;
    if (it->first.second[0] == '[' && (subscript_of(it->second) == k_no_node || !constant_of(subscript_of(it->second))))
      return false;
    if (cell(it->second).type.bytes == 0)
      return false;
    written += cell(it->second).type.bytes;
  }
  return written > 0 && written < all;
}

Value Interp::whole_of(CellId c) {
  for (int i = 0; i < 16; ++i) { // of what it is a copy of
    const Stored* s = store_.find(c);
    if (!s || s->value.kind != Value::Kind::object || s->value.cell == c)
      break;
    c = s->value.cell;
  }
  if (std::optional<Value> v = stored(c))
    return *v;
  return cell(c).local && cell(root_of(c)).param < 0 ? Value::nothing() : initial(c);
}

Value Interp::read(CellId c) {
  // A lane that was stored is later than the whole, which clears the lanes. The last one stands for all.
  if (cell(c).type.shape == Shape::number && cell(c).type.lanes)
    if (std::optional<Value> v = last_stored_below(c)) {
      const Value rest = whole_of(c);
      const bool differs = v->is_number() && rest.is_number() && rest.node != v->node;
      if (auto noted = lanes_.find(v->node); differs && noted != lanes_.end())
        std::erase(noted->second, rest.node); // read on the way, before all were written
      if (differs && lanes_left(c))
        note_lane(v->node, rest.node);
      for (auto it = children_.lower_bound({c, "."}); it != children_.end() && it->first.first == c; ++it)
        if (const Stored* lane = store_.find(it->second); lane && lane->value.is_number() && v->is_number())
          note_lane(v->node, lane->value.node);
      return *v;
    }
  // An object is read in place: what it was copied from is not what has become of it.
  if (std::optional<Value> v = stored(c))
    return v->kind == Value::Kind::object ? Value::object(c) : *v;
  if (std::optional<Value> v = sibling(c))
    return *v;
  Shape shape = cell(c).type.shape;
  if (shape == Shape::number || shape == Shape::unknown)
    if (std::optional<Value> v = last_stored_below(c))
      return *v;
  return initial(c);
}

void Interp::write(CellId c, Value v) {
  if (v.kind == Value::Kind::object) {
    copy_object(v.cell, c);
    return;
  }
  NodeId g = guard();
  if (g != k_false_) {
    Value old = read(c);
    v = merge_values(g, old, v);
  }
  // A whole value replaces what was stored in its parts.
  for (auto it = children_.lower_bound({c, ""}); it != children_.end() && it->first.first == c; ++it)
    if (it->first.second != "*")
      store_.erase(it->second);
  write_at_unknown_index(c, v);
  store_.put(c, std::move(v), ++sequence_);
}

/// k[i] = v of a local array whose elements are known one by one: each of them may be the one.
void Interp::write_at_unknown_index(CellId c, const Value& v) {
  NodeId index = subscript_of(c);
  if (!v.is_number() || index == k_no_node || !cell(c).local || constant_of(index))
    return;
  std::vector<std::pair<CellId, NodeId>> known;
  for (auto it = children_.lower_bound({cell(c).parent, "["}); it != children_.end() && it->first.first == cell(c).parent && it->first.second[0] == '['; ++it)
    if (const Stored* s = store_.find(it->second); s && s->value.is_number() && subscript_of(it->second) != k_no_node && constant_of(subscript_of(it->second)))
      known.emplace_back(it->second, s->value.node);
  if (known.size() > 16)
    return;
  for (const auto& [place, node] : known)
    store_.put(place, Value::number(select(binary(Op::eq, index, subscript_of(place), Type::boolean), v.node, node)), ++sequence_);
}

void Interp::forget_below(CellId c) {
  for (auto it = children_.lower_bound({c, ""}); it != children_.end() && it->first.first == c; ++it)
    if (it->first.second != "*") {
      store_.erase(it->second);
      forget_below(it->second);
    }
}

void Interp::copy_object(CellId from, CellId to) {
  if (from == to)
    return;
  CellId origin = from;
  for (int i = 0; i < 16; ++i) {
    const Stored* s = store_.find(origin);
    if (!s || s->value.kind != Value::Kind::object || s->value.cell == origin)
      break;
    origin = s->value.cell;
  }
  if (const Stored* whole = store_.find(origin); whole && whole->value.is_number()) {
    store_.put(to, whole->value, ++sequence_);
    return;
  }
  // Copy what is stored below first: the target may alias the source.
  std::vector<std::pair<std::string, Value>> parts;
  std::vector<std::pair<std::string, CellId>> nested;
  for (CellId source : {origin, from}) {
    for (auto it = children_.lower_bound({source, ""}); it != children_.end() && it->first.first == source; ++it) {
      if (it->first.second == "*")
        continue;
      if (const Stored* s = store_.find(it->second))
        parts.emplace_back(it->first.second, s->value);
      else if (last_stored_below(it->second))
        nested.emplace_back(it->first.second, it->second);
    }
    if (origin == from)
      break;
  }
  // What the target held before is gone, also where the source says nothing.
  if (root_of(from) != root_of(to) && root_of(origin) != root_of(to))
    forget_below(to);
  if (origin != to)
    store_.put(to, Value::object(origin), ++sequence_);
  else
    store_.erase(to);
  for (auto& [key, v] : parts) {
    CellId part = child(to, key, cell(children_.count({from, key}) ? children_[{from, key}] : origin).type);
    store_.put(part, std::move(v), ++sequence_);
  }
  for (auto& [key, source] : nested)
    copy_object(source, child(to, key, cell(source).type));
}

} // namespace gelint::scan::lower
