#pragma once
// Data files that are linked into the binary (cmake/Embed.cmake), so that gelint works from any directory.

#include <optional>
#include <span>
#include <string_view>

namespace gelint {

struct EmbeddedFile {
  std::string_view path; ///< path relative to the repository root, e.g. "rules/ggml.yaml"
  std::string_view data;
};

/// All embedded files whose path starts with `prefix` ("rules/", "scan/stubs/", …), in path order.
std::span<const EmbeddedFile> embedded_files(std::string_view prefix);

/// One embedded file by its exact path.
std::optional<std::string_view> embedded_file(std::string_view path);

} // namespace gelint
