// Cells, stores, symbols, and the merge of two branches.

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
  case Value::Kind::number: return whole; // lanes are alike
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

/// An element that was never stored, of an array where something was: in a local array what was stored last, in
/// memory from outside likewise unless both indices are one loop counter with different constants added.
std::optional<Value> Interp::sibling(CellId c) {
  const Cell& me = cell(c);
  if (me.parent == k_no_cell || me.key.empty() || me.key[0] != '[')
    return std::nullopt;
  if (me.key.size() < 2 || me.key[1] == 'e')
    return std::nullopt;
  NodeId mine = static_cast<NodeId>(std::stoul(me.key.substr(1)));
  std::set<int> my_symbols;
  taint_of(mine, my_symbols);
  std::optional<Value> best;
  uint64_t best_sequence = 0;
  for (auto it = children_.lower_bound({me.parent, "["});
       it != children_.end() && it->first.first == me.parent && it->first.second[0] == '['; ++it) {
    const Stored* s = store_.find(it->second);
    if (!s || s->sequence < best_sequence || it->first.second[1] == 'e')
      continue;
    if (!me.local) {
      std::set<int> other;
      taint_of(static_cast<NodeId>(std::stoul(it->first.second.substr(1))), other);
      if (other == my_symbols)
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
    v.text = c.path;
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

Value Interp::read(CellId c) {
  // A lane that was stored is later than the whole, which clears the lanes. The last one stands for all.
  if (cell(c).type.shape == Shape::number && cell(c).type.lanes)
    if (std::optional<Value> v = last_stored_below(c)) {
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
  store_.put(c, std::move(v), ++sequence_);
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

NodeId Interp::symbol(Symbol s) {
  Type t = s.type;
  symbols_.push_back(std::move(s));
  return dag_.leaf(Op::parameter, t, static_cast<double>(symbols_.size() - 1));
}

NodeId Interp::index_symbol(const std::string& name) {
  auto it = index_symbols_.find(name);
  if (it == index_symbols_.end()) {
    Symbol s;
    s.name = name;
    s.type = Type::i32;
    s.known_type = true;
    s.index = true;
    it = index_symbols_.emplace(name, symbol(std::move(s))).first;
  }
  return it->second;
}

int Interp::symbol_of(NodeId n) const {
  return dag_[n].op == Op::parameter ? static_cast<int>(dag_[n].value) : -1;
}

void Interp::taint_of(NodeId n, std::set<int>& out) {
  if (n >= k_true_)
    return;
  std::vector<NodeId> work{n};
  std::set<NodeId> seen;
  while (!work.empty()) {
    NodeId i = work.back();
    work.pop_back();
    if (i == k_no_node || !seen.insert(i).second)
      continue;
    const formula::Node& node = dag_[i];
    if (node.op == Op::parameter) {
      int s = static_cast<int>(node.value);
      out.insert(s);
      const std::set<int>& t = symbols_[static_cast<size_t>(s)].taint;
      out.insert(t.begin(), t.end());
    }
    work.push_back(node.a);
    work.push_back(node.b);
    work.push_back(node.c);
  }
}

Value Interp::unknown_result(const std::string& what, CXType type, const std::vector<Value>& args) {
  TypeInfo info = type_info(type);
  std::set<int> taint;
  for (const Value& v : args) {
    if (v.is_number())
      taint_of(v.node, taint);
    else if (v.kind == Value::Kind::pointer || v.kind == Value::Kind::object)
      if (auto last = last_stored_below(v.cell); last && last->is_number())
        taint_of(last->node, taint);
  }
  Cell c;
  c.path = what + "()";
  c.type = info;
  CellId id = new_cell(std::move(c));
  if (info.shape == Shape::record || info.shape == Shape::pointer || info.shape == Shape::function ||
      info.shape == Shape::nothing)
    // A class may be a tensor: as a number it is a symbol too, made when asked for.
    if (info.shape != Shape::record)
      return initial(id);
  Symbol s;
  s.name = what + "()";
  s.call = what;
  s.cell = id;
  s.type = info.type;
  s.known_type = info.known;
  s.index = info.shape == Shape::number && is_integer(info.type);
  s.taint = std::move(taint);
  cell_symbol_[id] = symbol(std::move(s));
  return info.shape == Shape::record ? Value::object(id) : Value::number(cell_symbol_[id]);
}

/// What an unknown callee may have written through a pointer.
void Interp::havoc(CellId c, const std::string& what, const std::vector<Value>& args) {
  Value v = unknown_result(what, CXType{}, args);
  if (v.is_number())
    write(c, v);
}

Value Interp::merge_values(NodeId condition, const Value& a, const Value& b) {
  if (a.same(b) || b.kind == Value::Kind::undef || b.kind == Value::Kind::nothing)
    return a;
  if (a.kind == Value::Kind::undef || a.kind == Value::Kind::nothing)
    return b;
  bool numeric = (a.is_number() || a.kind == Value::Kind::object) && (b.is_number() || b.kind == Value::Kind::object);
  if (numeric && (a.is_number() || b.is_number()))
    return Value::number(select(condition, as_number(a), as_number(b)));
  // Two addresses in one array are one address.
  if (a.kind == Value::Kind::pointer && b.kind == Value::Kind::pointer && a.cell == b.cell) {
    auto offset = [&](const Value& p) { return p.node == k_no_node ? number(0, Type::i64) : p.node; };
    return Value::pointer(a.cell, select(condition, offset(a), offset(b)));
  }
  Value v;
  v.kind = Value::Kind::choice;
  v.node = condition;
  v.a = std::make_shared<Value>(a);
  v.b = std::make_shared<Value>(b);
  return v;
}

void Interp::merge(NodeId condition, const Store::Changes& then_part, const Store::Changes& else_part) {
  // A long body with much in memory is cut short: the budget counts what a branch has before it as well.
  steps_ += static_cast<int>(store_.size() / 8);
  struct Change {
    CellId cell;
    const Stored* then_stored; // null: not changed, or cleared
    const Stored* else_stored;
    bool then_cleared = false, else_cleared = false;
    uint64_t sequence = 0;
  };
  std::vector<Change> changed;
  for (auto a = then_part.begin(), b = else_part.begin(); a != then_part.end() || b != else_part.end();) {
    CellId c = b == else_part.end() || (a != then_part.end() && a->first <= b->first) ? a->first : b->first;
    Change change{c, nullptr, nullptr};
    if (a != then_part.end() && a->first == c) {
      change.then_stored = a->second.get();
      change.then_cleared = !a->second;
      ++a;
    }
    if (b != else_part.end() && b->first == c) {
      change.else_stored = b->second.get();
      change.else_cleared = !b->second;
      ++b;
    }
    const Stored* before = store_.find(c);
    auto fresh = [&](const Stored* s) { return s && !(before && before->value.same(s->value)); };
    if (!fresh(change.then_stored) && !fresh(change.else_stored))
      continue;
    for (const Stored* s : {change.then_stored, change.else_stored})
      if (s)
        change.sequence = std::max(change.sequence, s->sequence);
    if (before && ((!change.then_stored && !change.then_cleared) || (!change.else_stored && !change.else_cleared)))
      change.sequence = std::max(change.sequence, before->sequence);
    changed.push_back(change);
  }
  std::sort(changed.begin(), changed.end(), [](const Change& a, const Change& b) {
    return std::pair(a.sequence, a.cell) < std::pair(b.sequence, b.cell);
  });
  // Reads of what a branch did not store see the state before it, so nothing is written before all is merged.
  auto value_of = [&](const Stored* s, bool cleared, CellId c) -> Value {
    if (s)
      return s->value;
    const Stored* before = cleared ? nullptr : store_.find(c);
    return before ? before->value : read(c);
  };
  std::vector<Value> merged;
  for (const Change& c : changed) {
    Value a = value_of(c.then_stored, c.then_cleared, c.cell), b = value_of(c.else_stored, c.else_cleared, c.cell);
    merged.push_back(merge_values(condition, a, b));
  }
  for (size_t i = 0; i < changed.size(); ++i)
    store_.put(changed[i].cell, std::move(merged[i]), ++sequence_);
}

} // namespace gelint::scan::lower
