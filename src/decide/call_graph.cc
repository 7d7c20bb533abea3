#include "decide/call_graph.h"

#include "support/glob.h"

#include <algorithm>
#include <deque>
#include <map>

namespace gelint::decide {
namespace {
/// More functions of one name than this say nothing about which one is meant.
constexpr size_t k_few = 4;
} // namespace

std::string_view outer_function(std::string_view enclosing) {
  size_t at = enclosing.find("::(lambda)");
  return at == std::string_view::npos ? enclosing : enclosing.substr(0, at);
}

CallGraph::CallGraph(const std::vector<scan::CallEdge>& edges) {
  for (const scan::CallEdge& e : edges) {
    std::string_view caller = outer_function(e.caller);
    if (caller.empty() || e.callee.empty())
      continue;
    auto [it, fresh] = callees_.try_emplace(caller);
    if (fresh) {
      callers_.push_back(caller);
      by_last_[name_components(caller).back()].push_back(caller);
    }
    it->second.push_back(outer_function(e.callee));
  }
  for (auto& [caller, list] : callees_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::sort(callers_.begin(), callers_.end());
}

std::vector<std::string_view> CallGraph::next(std::string_view function) const {
  std::vector<std::string_view> out;
  auto it = callees_.find(function);
  if (it == callees_.end())
    return out;
  for (std::string_view callee : it->second) {
    out.push_back(callee);
    if (callees_.contains(callee))
      continue;
    auto same = by_last_.find(name_components(callee).back());
    if (same != by_last_.end() && same->second.size() <= k_few)
      out.insert(out.end(), same->second.begin(), same->second.end());
  }
  return out;
}

std::set<std::string_view> CallGraph::reachable(const std::vector<std::string_view>& from) const {
  std::set<std::string_view> seen(from.begin(), from.end());
  std::deque<std::string_view> open(from.begin(), from.end());
  while (!open.empty()) {
    std::string_view f = open.front();
    open.pop_front();
    for (std::string_view callee : next(f))
      if (seen.insert(callee).second)
        open.push_back(callee);
  }
  return seen;
}

std::vector<std::string_view> CallGraph::chain(std::string_view from, std::string_view to) const {
  std::map<std::string_view, std::string_view> before{{from, {}}};
  std::deque<std::string_view> open{from};
  while (!open.empty() && !before.contains(to)) {
    std::string_view f = open.front();
    open.pop_front();
    for (std::string_view callee : next(f))
      if (before.emplace(callee, f).second)
        open.push_back(callee);
  }
  std::vector<std::string_view> out;
  if (!before.contains(to))
    return out;
  for (std::string_view f = to; !f.empty(); f = before.at(f))
    out.push_back(f);
  std::reverse(out.begin(), out.end());
  return out;
}

} // namespace gelint::decide
