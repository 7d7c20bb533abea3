#pragma once
// Facts of units by content: a unit that did not change is not parsed again.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gelint::scan {

/// The folder of this build below cache_root(); empty when there is none.
std::string cache_directory();

class Cache {
public:
  /// An empty directory name gives a cache that holds nothing.
  explicit Cache(std::string directory) : dir_(std::move(directory)) {}
  /// Unreadable and damaged entries count as absent.
  std::optional<std::string> get(const std::string& key) const;
  /// Failing to write is no fault: the next run parses again.
  void put(const std::string& key, std::string_view data) const;

private:
  std::string dir_;
};

/// 128-bit hash as 32 hexadecimal digits.
std::string content_hash(std::string_view data);

} // namespace gelint::scan
