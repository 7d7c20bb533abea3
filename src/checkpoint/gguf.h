#pragma once
// Metadata of a GGUF file. The tensors' data is never read.

#include "support/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gelint::checkpoint {

struct GgufValue {
  enum class Kind : uint8_t { integer, real, boolean, string, array } kind = Kind::integer;
  double number = 0;
  bool truth = false;
  std::string text; ///< string; for arrays "type[count]"
};

struct Gguf {
  uint32_t version = 0;
  uint64_t tensor_count = 0;
  std::map<std::string, GgufValue> metadata;
  std::vector<std::string> tensors; ///< names

  const GgufValue* find(const std::string& key) const;
  std::string string(const std::string& key) const; ///< empty when missing or no string
};

/// Versions 2 and 3 (little endian). Every length is checked against the file's size before it is used.
Result<Gguf> read_gguf(const std::string& path);

} // namespace gelint::checkpoint
