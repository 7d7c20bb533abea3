#include "scan/cache.h"

#include "support/cache_dir.h"
#include "support/files.h"
#include "support/version.h"

#include <filesystem>
#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

namespace fs = std::filesystem;

namespace gelint::scan {

std::string cache_directory() {
  const std::string base = cache_root();
  if (base.empty())
    return base;
  // The program's own content: two builds of one commit may differ, and a stale answer is worse than a second parse.
  static const std::string build = [] {
    Result<std::string> self = read_file("/proc/self/exe");
    return self ? content_hash(*self).substr(0, 12) : std::string(GELINT_COMMIT);
  }();
  return base + "/" + GELINT_VERSION + "-" + build;
}

std::string content_hash(std::string_view data) {
  XXH128_hash_t h = XXH3_128bits(data.data(), data.size());
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

std::optional<std::string> Cache::get(const std::string& key) const {
  if (dir_.empty())
    return std::nullopt;
  auto data = read_file(fmt::format("{}/{}/{}", dir_, key.substr(0, 2), key));
  if (!data)
    return std::nullopt;
  unsigned long long n = ZSTD_getFrameContentSize(data->data(), data->size());
  if (n == ZSTD_CONTENTSIZE_UNKNOWN || n == ZSTD_CONTENTSIZE_ERROR || n > (1ull << 30))
    return std::nullopt;
  std::string out(n, '\0');
  size_t got = ZSTD_decompress(out.data(), out.size(), data->data(), data->size());
  if (ZSTD_isError(got) || got != n || out.size() < 32 || content_hash(std::string_view(out).substr(32)) != out.substr(0, 32))
    return std::nullopt;
  return out.substr(32);
}

void Cache::put(const std::string& key, std::string_view data) const {
  if (dir_.empty())
    return;
  std::error_code ec;
  fs::create_directories(fmt::format("{}/{}", dir_, key.substr(0, 2)), ec);
  if (ec)
    return;
  std::string plain = content_hash(data);
  plain.append(data);
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  size_t n = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1);
  if (ZSTD_isError(n))
    return;
  packed.resize(n);
  (void)write_file_atomically(fmt::format("{}/{}/{}", dir_, key.substr(0, 2), key), packed);
}

} // namespace gelint::scan
