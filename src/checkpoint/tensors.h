#pragma once
// Names and shapes of a checkpoint's tensors, from safetensors headers or the index; never the data.

#include "support/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gelint::checkpoint {

struct Tensors {
  std::map<std::string, std::vector<uint64_t>> shapes; ///< empty shape: only the name is known (index file)

  bool empty() const { return shapes.empty(); }
  /// Whether a name contains `part` as one of its dotted parts.
  bool has_part(std::string_view part) const;
};

/// Reads the headers; a *.index.json gives names only. Lengths are checked against the file's size.
Result<Tensors> read_tensors(const std::vector<std::string>& files);

} // namespace gelint::checkpoint
