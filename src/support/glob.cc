#include "support/glob.h"

namespace gelint {
namespace {

/// One `[...]` set at the start of `p`; sets `used` to its length, 0 when it is not closed.
bool in_set(std::string_view p, char c, size_t& used) {
  size_t i = 1;
  bool negate = i < p.size() && (p[i] == '!' || p[i] == '^');
  if (negate)
    ++i;
  bool found = false, first = true;
  for (; i < p.size() && (p[i] != ']' || first); ++i, first = false) {
    if (i + 2 < p.size() && p[i + 1] == '-' && p[i + 2] != ']') {
      found |= p[i] <= c && c <= p[i + 2];
      i += 2;
    } else {
      found |= p[i] == c;
    }
  }
  used = i < p.size() ? i + 1 : 0;
  return found != negate;
}

bool match(std::string_view p, std::string_view t, bool segments) {
  // Two marks to return to: the last `*` inside the segment, and the last `**`.
  size_t pi = 0, ti = 0;
  size_t star_p = std::string_view::npos, star_t = 0, deep_p = std::string_view::npos, deep_t = 0;
  for (;;) {
    if (pi < p.size() && p[pi] == '*') {
      bool deep = segments && pi + 1 < p.size() && p[pi + 1] == '*';
      pi += deep ? 2 : 1;
      if (deep) {
        // `a/**/b` also matches `a/b`: the slash after `**` belongs to it.
        if (pi < p.size() && p[pi] == '/' && (pi == 2 || p[pi - 3] == '/'))
          ++pi;
        deep_p = pi;
        deep_t = ti;
        star_p = std::string_view::npos;
      } else {
        star_p = pi;
        star_t = ti;
      }
      continue;
    }
    if (ti == t.size()) {
      if (pi == p.size())
        return true;
    } else if (pi < p.size()) {
      size_t used = 0;
      if (p[pi] == '[' && t[ti] != '/' && in_set(p.substr(pi), t[ti], used) && used > 0) {
        pi += used;
        ++ti;
        continue;
      }
      if ((p[pi] == '?' && !(segments && t[ti] == '/')) || p[pi] == t[ti]) {
        ++pi;
        ++ti;
        continue;
      }
    }
    if (star_p != std::string_view::npos && star_t < t.size() && !(segments && t[star_t] == '/')) {
      pi = star_p;
      ti = ++star_t;
      continue;
    }
    if (deep_p != std::string_view::npos && deep_t < t.size()) {
      // After `**/` only whole segments are skipped.
      ++deep_t;
      if (deep_p > 0 && p[deep_p - 1] == '/')
        while (deep_t < t.size() && t[deep_t - 1] != '/')
          ++deep_t;
      pi = deep_p;
      ti = deep_t;
      star_p = std::string_view::npos;
      continue;
    }
    return false;
  }
}

/// A component without its template arguments.
std::string_view plain(std::string_view component) {
  size_t open = component.find('<');
  return open == std::string_view::npos || open == 0 ? component : component.substr(0, open);
}

} // namespace

bool glob_path(std::string_view pattern, std::string_view path) {
  return match(pattern, path, true);
}
bool glob_text(std::string_view pattern, std::string_view text) {
  return match(pattern, text, false);
}

std::vector<std::string_view> name_components(std::string_view name) {
  std::vector<std::string_view> out;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (c == '<' || c == '(')
      ++depth;
    else if ((c == '>' || c == ')') && depth > 0)
      --depth;
    else if (c == ':' && depth == 0 && i + 1 < name.size() && name[i + 1] == ':') {
      out.push_back(name.substr(start, i - start));
      start = i + 2;
      ++i;
    }
  }
  out.push_back(name.substr(start));
  return out;
}

bool glob_name(std::string_view pattern, std::string_view qualified) {
  if (qualified.empty())
    return pattern.empty();
  std::vector<std::string_view> want = name_components(pattern), have = name_components(qualified);
  for (size_t i = 0; i + want.size() <= have.size(); ++i) {
    size_t k = 0;
    while (k < want.size() &&
           (glob_text(want[k], have[i + k]) || glob_text(want[k], plain(have[i + k]))))
      ++k;
    if (k == want.size())
      return true;
  }
  return false;
}

} // namespace gelint
