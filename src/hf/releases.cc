#include "hf/releases.h"

#include <algorithm>
#include <string>

namespace gelint::hf {

int compare_releases(std::string_view a, std::string_view b) {
  auto part = [](std::string_view& s) -> long {
    long n = 0;
    size_t i = 0;
    bool digits = false;
    while (i < s.size() && s[i] >= '0' && s[i] <= '9') {
      n = std::min(n * 10 + (s[i++] - '0'), 1000000000L);
      digits = true;
    }
    if (!digits) { // "dev0", "rc1": before the release itself
      bool empty = s.empty();
      s = {};
      return empty ? 0 : -1;
    }
    if (i < s.size() && s[i] == '.')
      ++i;
    s.remove_prefix(i);
    return n;
  };
  while (!a.empty() || !b.empty()) {
    long x = part(a), y = part(b);
    if (x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

} // namespace gelint::hf
