// The state after a branch.

#include "scan/lower_interp.h"

#include <algorithm>

namespace gelint::scan::lower {

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
