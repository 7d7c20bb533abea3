// Symbols: free values, and what they were made from.

#include "scan/lower_interp.h"

namespace gelint::scan::lower {

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

/// What an unknown callee may have written to a variable that it was handed.
void Interp::havoc(CellId c, const std::string& what, const std::vector<Value>& args) {
  Symbol s;
  s.name = s.call = what;
  s.name += "()";
  s.type = cell(c).type.type;
  s.known_type = cell(c).type.known;
  for (const Value& v : args)
    if (v.is_number())
      taint_of(v.node, s.taint);
  if (std::optional<Value> before = stored(c); before && before->is_number()) {
    taint_of(before->node, s.taint);
    // A coefficient, not a place that the callee fills with the input.
    if (constant_of(before->node)) {
      s.changing = true;
      s.name = cell(c).path;
    }
  }
  write(c, Value::number(symbol(std::move(s))));
}

} // namespace gelint::scan::lower
