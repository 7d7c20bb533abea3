#pragma once

#include <string>

namespace gelint {

/// $GELINT_CACHE_DIR, else $XDG_CACHE_HOME/gelint, else ~/.cache/gelint; empty when none of these is set.
std::string cache_root();

} // namespace gelint
