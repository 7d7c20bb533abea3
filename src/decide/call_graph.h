#pragma once
// Which functions a function's calls lead to; the scanner's call edges by name.

#include "scan/site.h"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gelint::decide {

/// The function of a place inside it: "f::(lambda)" and "f::(lambda)::(lambda)" give "f".
std::string_view outer_function(std::string_view enclosing);

class CallGraph {
public:
  explicit CallGraph(const std::vector<scan::CallEdge>& edges);

  /// Every function that is `from` or that its calls lead to. A callee that is known only by its
  /// last component (an unqualified call in a file whose headers are missing) leads to every caller
  /// of that name, when they are few.
  std::set<std::string_view> reachable(const std::vector<std::string_view>& from) const;

  /// Shortest chain from a function of `from` to `to`, both included; empty when there is none.
  std::vector<std::string_view> chain(std::string_view from, std::string_view to) const;

  /// Every function that calls something, sorted.
  const std::vector<std::string_view>& callers() const { return callers_; }

private:
  std::vector<std::string_view> next(std::string_view function) const;

  std::unordered_map<std::string_view, std::vector<std::string_view>> callees_, by_last_;
  std::vector<std::string_view> callers_;
};

} // namespace gelint::decide
