#pragma once
// Shared by the source files of Knowledge.

#include "scan/knowledge.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gelint::scan {

inline KnownBy weaker(KnownBy a, KnownBy b) { return std::max(a, b); }

/// Keeps the formulas sorted.
void add_unique(std::vector<formula::Formula>& v, formula::Formula f);

/// The parameter decides something in [begin, end): it stands in a condition or beside a comparison.
bool decided_by(const LexedFile& lex, size_t begin, size_t end, std::string_view parameter);

/// "a::b::c" → "b::c".
std::string last_two(std::string_view qualified);
/// The name of a question ("IsSigmoid"), of a graph pass ("FuseGelu", "GeluFusion") or of a factory: it names an
/// activation and computes none.
bool asks_or_rewrites(std::string_view name);
/// "Act::gelu" and "gelu" may be one; "Act::gelu" and "Mode::gelu" are not.
bool compatible(std::string_view a, std::string_view b);

/// The answer to one question, computed once. A question that meets itself on the way has no answer there; an answer that
/// such a cycle had a part in is only remembered for use inside a longer chain.
template <class Map, class Compute>
Value Knowledge::remembered(Map& map, const typename Map::key_type& key, int question, long id, Compute compute) {
  constexpr int k_max_depth = 40;
  auto it = map.find(key);
  if (it != map.end() && (depth_ > 0 || !it->second.weak))
    return it->second;
  auto [busy, fresh] = busy_.emplace(question, id);
  if (!fresh || depth_ > k_max_depth) {
    if (fresh)
      busy_.erase(busy);
    ++cycles_;
    return {};
  }
  const uint64_t cycles_before = cycles_;
  ++depth_;
  Value v = compute();
  --depth_;
  busy_.erase(std::pair(question, id));
  // An empty answer may only mean "not yet": it is not remembered, within reason.
  bool keeps = v.known() || !v.reachable.empty() || cycles_ == cycles_before || depth_ == 0;
  if (keeps || cycles_ > 20000) {
    v.weak = !keeps;
    map[key] = v;
  }
  return v;
}

} // namespace gelint::scan
