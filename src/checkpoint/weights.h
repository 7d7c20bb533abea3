#pragma once
// The weights of a checkpoint, mapped: only the tensors that are read are paged in.

#include "support/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gelint::checkpoint {

enum class WeightType : uint8_t { f32, f16, bf16, other };

/// One tensor inside a mapping, row-major. Values of `other` are not read (F64, integers, 8-bit floats).
struct Weight {
  std::string name;
  WeightType type = WeightType::other;
  std::string type_name; ///< as the file spells it: "BF16"
  std::vector<uint64_t> shape;
  const unsigned char* data = nullptr;

  uint64_t size() const; ///< elements
  /// Elements [first, first + out.size()) as floats, exactly. The type must not be `other`.
  void read(uint64_t first, std::span<float> out) const;
};

class Weights {
public:
  /// A directory with *.safetensors, or one such file. Every header is checked against its file's size: offsets in
  /// range, length equal to shape times element size. A name in two files is an error.
  static Result<Weights> open(const std::string& path);

  const Weight* find(const std::string& name) const;
  const std::map<std::string, Weight>& all() const { return weights_; }

private:
  class Mapping;
  Status add_file(const std::string& path);

  std::vector<std::shared_ptr<const Mapping>> mappings_;
  std::map<std::string, Weight> weights_;
};

} // namespace gelint::checkpoint
