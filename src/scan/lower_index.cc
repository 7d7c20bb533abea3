#include "scan/lower_index.h"

#include <tuple>

namespace gelint::scan {

namespace {

std::string last_part(std::string_view name) {
  size_t colon = name.rfind("::");
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 2));
}

bool ends_with_name(std::string_view name, std::string_view tail) {
  return name.ends_with(tail) && (name.size() == tail.size() || name[name.size() - tail.size() - 1] == ':');
}

} // namespace

void FunctionIndex::add(FunctionSummary s) {
  if (s.usr.empty() || s.expr.empty())
    return;
  auto it = functions_.find(s.usr);
  if (it == functions_.end()) {
    by_name_[last_part(s.qualified_name)].push_back(s.usr);
    const std::string key = s.usr;
    functions_.emplace(key, std::move(s));
    return;
  }
  FunctionSummary& have = it->second;
  // Bodies of one function that compute different things: units that define other macros, files of which one is linked.
  if (have.expr.empty() || s.formula != have.formula || (s.formula == "other" && s.expr != have.expr)) {
    have.expr.clear();
    have.formula.clear();
  } else if (std::tie(s.file, s.line) < std::tie(have.file, have.line)) {
    have = std::move(s);
  }
}

void FunctionIndex::add(TableSummary t) {
  if (t.usr.empty() || t.expr.empty())
    return;
  auto it = tables_.find(t.usr);
  if (it == tables_.end()) {
    auto [name, fresh] = table_by_name_.emplace(t.name, t.usr);
    if (!fresh && t.usr < name->second)
      name->second = t.usr;
    const std::string key = t.usr;
    tables_.emplace(key, std::move(t));
  } else if (std::tie(t.file, t.line) < std::tie(it->second.file, it->second.line)) {
    it->second = std::move(t);
  }
}

const FunctionSummary* FunctionIndex::find(std::string_view usr) const {
  auto it = functions_.find(usr);
  return it == functions_.end() ? nullptr : &it->second;
}

const FunctionSummary* FunctionIndex::find_by_name(std::string_view qualified_name,
                                                   int parameters) const {
  auto it = by_name_.find(last_part(qualified_name));
  if (it == by_name_.end())
    return nullptr;
  const FunctionSummary* best = nullptr;
  for (const std::string& usr : it->second) {
    const FunctionSummary* s = find(usr);
    if (!s || s->parameters != parameters || !ends_with_name(s->qualified_name, qualified_name))
      continue;
    bool same = !best || best->expr == s->expr || (!s->formula.empty() && best->formula == s->formula && s->formula != "other");
    if (!same || (best && (best->input_param != s->input_param || best->output_param != s->output_param)))
      return nullptr;
    if (!best || s->usr < best->usr)
      best = s;
  }
  return best;
}

const TableSummary* FunctionIndex::find_table(std::string_view usr, std::string_view name) const {
  auto it = tables_.find(usr);
  if (it != tables_.end())
    return &it->second;
  auto by_name = table_by_name_.find(name);
  return by_name == table_by_name_.end() ? nullptr : &tables_.find(by_name->second)->second;
}

} // namespace gelint::scan
