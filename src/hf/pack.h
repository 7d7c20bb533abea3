#pragma once
// The tables of hf_defaults/ in one indexed, compressed block, so that a run reads only the classes it needs. Made at
// build time and linked in; made at run time for --hf-defaults.

#include "support/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gelint::hf {

/// Reads <dir>/{tables,overlay,ports} and packs them. Patches, derivations and flags of the overlay are merged into
/// the class records here. Errors name the file and the row.
///
/// Entries (JSON): "meta", "act2fn", "keys", "type/<model_type>", "class/<Class>", "family/<kind>/<name>",
/// "facts/<model_type>", "tower/<library>/<name>", "ports/<model_type>". Where releases differ an entry is
/// {"of": [variant per release, newest first; -1: not there], "variants": […]}.
Result<std::string> build_pack(const std::string& dir);

/// Only an overlay (a YAML file or a directory of them), for tables of `releases` releases.
Result<std::string> build_overlay_pack(const std::string& path, size_t releases);

/// A view of packed bytes, which must outlive it.
class Pack {
public:
  static Result<Pack> open(std::string_view bytes);
  /// The entry's JSON text; nullopt when there is none.
  std::optional<std::string> get(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// Keys that begin with `prefix`, in order, without the prefix.
  void each_key(std::string_view prefix, const std::function<void(std::string_view)>& f) const;

private:
  struct Entry {
    uint32_t key_at, key_size, data_at, data_size, raw_size;
  };
  const Entry* find(std::string_view key) const;
  std::string_view key(const Entry& e) const { return bytes_.substr(e.key_at, e.key_size); }

  std::string_view bytes_;
  const Entry* begin_ = nullptr;
  const Entry* end_ = nullptr;
};

} // namespace gelint::hf
