#include "support/result.h"

namespace gelint {

std::string Error::text() const {
  std::string out;
  if (!file.empty()) {
    out += file;
    if (line > 0) {
      out += ':' + std::to_string(line);
      if (column > 0)
        out += ':' + std::to_string(column);
    }
    out += ": ";
  }
  out += message;
  if (!mend.empty())
    out += " (" + mend + ")";
  return out;
}

} // namespace gelint
