// The arms of #if inside code that is read from its tokens.

#include "scan/lexical_interp.h"

#include <algorithm>
#include <set>

namespace gelint::scan {

namespace {

constexpr size_t k_most_readings = 4;
constexpr int32_t k_no_arm = -1;

const PpDirective* directive_of(const LexedFile& f, const PpArm& arm) {
  auto it = std::find_if(f.directives.begin(), f.directives.end(), [&](const PpDirective& d) { return d.begin == arm.begin; });
  return it == f.directives.end() ? nullptr : &*it;
}

/// "#ifndef X", "#if !X": the way that "#ifdef X" does not take.
bool negated(const LexedFile& f, const PpDirective& d) {
  std::string_view rest = f.text.substr(d.begin, d.end - d.begin);
  const size_t word = rest.find(d.keyword);
  rest = word == std::string_view::npos ? std::string_view() : rest.substr(word + d.keyword.size());
  const size_t first = rest.find_first_not_of(" \t");
  return d.keyword == "ifndef" || (first != std::string_view::npos && rest[first] == '!');
}

/// The arms of one conditional that may be taken; k_no_arm: none of them.
std::vector<int32_t> choices_of(const LexedFile& f, size_t arm) {
  std::vector<int32_t> out;
  bool otherwise = false;
  for (size_t k = arm, last = arm; k < f.arms.size(); ++k) {
    if (k != arm && (f.arms[k].parent != f.arms[arm].parent || f.arms[k].begin != f.arms[last].end))
      continue;
    last = k;
    const PpDirective* d = directive_of(f, f.arms[k]);
    otherwise = otherwise || (d && d->keyword == "else");
    if (!f.arms[k].dead)
      out.push_back(static_cast<int32_t>(k));
  }
  if (!otherwise)
    out.push_back(k_no_arm);
  if (const PpDirective* d = directive_of(f, f.arms[arm]); d && negated(f, *d) && out.size() == 2)
    std::swap(out[0], out[1]);
  return out;
}

} // namespace

std::vector<LexedFile> readings_of(const LexedFile& f, size_t begin, size_t end) {
  end = std::min(end, f.tokens.size());
  // the "#" of a directive that stands first in the body is no token
  const uint32_t from = begin > 0 && begin < end ? f.tokens[begin - 1].offset : 0, to = begin < end ? f.tokens[end - 1].offset : 0;
  std::vector<std::vector<int32_t>> groups;
  std::set<int32_t> inside;
  for (size_t a = 0; a < f.arms.size() && begin < end; ++a) {
    const PpArm& arm = f.arms[a];
    if (arm.begin < from || arm.begin > to)
      continue;
    inside.insert(static_cast<int32_t>(a));
    const bool first = std::none_of(f.arms.begin(), f.arms.end(), [&](const PpArm& b) { return b.parent == arm.parent && b.end == arm.begin && b.begin >= from; });
    if (first)
      groups.push_back(choices_of(f, a));
  }
  size_t ways = 1;
  for (const auto& g : groups)
    ways = std::max(ways, std::min(g.size(), k_most_readings));
  std::vector<LexedFile> out;
  for (size_t way = 0; way < ways; ++way) {
    std::set<int32_t> taken;
    for (const auto& g : groups)
      if (!g.empty())
        taken.insert(g[std::min(way, g.size() - 1)]);
    LexedFile one;
    one.text = f.text;
    for (size_t i = begin; i < end; ++i) {
      const Tok& t = f.tokens[i];
      bool visible = t.directive < 0;
      for (int32_t a = t.arm; visible && a >= 0; a = f.arms[static_cast<size_t>(a)].parent)
        visible = !inside.count(a) || taken.count(a);
      if (visible)
        one.tokens.push_back(t);
    }
    out.push_back(std::move(one));
  }
  return out;
}

} // namespace gelint::scan
