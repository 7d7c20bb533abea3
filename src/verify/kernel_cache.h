#pragma once
// Compiled kernels on disk, so that a second process compiles nothing. The key hashes everything that the result depends
// on: source, options, device architecture, compiler version. A cache that cannot be read or written only costs time.

#include "support/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace gelint::verify {

class KernelCache {
public:
  /// `folder` empty: no cache.
  explicit KernelCache(std::string folder);

  /// $GELINT_CACHE_DIR/kernels, else $XDG_CACHE_HOME/gelint/kernels, else ~/.cache/gelint/kernels; empty when none of
  /// these is set.
  static std::string default_folder();

  /// 32 hexadecimal digits: file names stay short whatever the kernel is called.
  static std::string key(std::string_view source, std::string_view options, std::string_view device,
                         std::string_view compiler);

  /// The stored image, or what `compile` makes, which is then stored. An image whose checksum is wrong is compiled
  /// again. Only a failure of `compile` is an error.
  Result<std::string> get(const std::string& key, const std::function<Result<std::string>()>& compile);

  struct Counts {
    int hits = 0, compiled = 0, stored = 0;
  };
  Counts counts() const { return counts_; }

private:
  void open();

  std::string folder_;
  bool opened_ = false;
  Counts counts_;
};

} // namespace gelint::verify
