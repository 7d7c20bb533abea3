#include "support/cache_dir.h"

#include <cstdlib>

namespace gelint {

std::string cache_root() {
  auto env = [](const char* name) {
    const char* v = std::getenv(name);
    return std::string(v ? v : "");
  };
  if (std::string d = env("GELINT_CACHE_DIR"); !d.empty())
    return d;
  if (std::string d = env("XDG_CACHE_HOME"); !d.empty())
    return d + "/gelint";
  if (std::string d = env("HOME"); !d.empty())
    return d + "/.cache/gelint";
  return "";
}

} // namespace gelint
