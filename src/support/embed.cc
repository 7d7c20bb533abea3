#include "support/embed.h"

#include <algorithm>

namespace gelint {

// Defined by the generated file (cmake/Embed.cmake); sorted by path.
extern const EmbeddedFile k_embedded_files[];
extern const size_t k_embedded_files_count;

std::span<const EmbeddedFile> embedded_files(std::string_view prefix) {
  const EmbeddedFile* begin = k_embedded_files;
  const EmbeddedFile* end = begin + k_embedded_files_count;
  const EmbeddedFile* lo = std::lower_bound(
      begin, end, prefix, [](const EmbeddedFile& f, std::string_view p) { return f.path < p; });
  const EmbeddedFile* hi = lo;
  while (hi != end && hi->path.starts_with(prefix))
    ++hi;
  return {lo, hi};
}

std::optional<std::string_view> embedded_file(std::string_view path) {
  for (const EmbeddedFile& f : embedded_files(path))
    if (f.path == path)
      return f.data;
  return std::nullopt;
}

} // namespace gelint
