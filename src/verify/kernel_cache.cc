#include "verify/kernel_cache.h"

#include "support/files.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>
#include <xxhash.h>

namespace gelint::verify {

namespace fs = std::filesystem;

namespace {

// "gelint kernel 1\n", the checksum of the rest as 16 bytes, the image.
constexpr std::string_view k_magic = "gelint kernel 1\n";

std::string checksum(std::string_view data) {
  XXH128_canonical_t c;
  XXH128_canonicalFromHash(&c, XXH3_128bits(data.data(), data.size()));
  return std::string(reinterpret_cast<const char*>(c.digest), sizeof c.digest);
}

/// Temporaries of write_file_atomically() whose process is gone: ".gelint-PID-RANDOM.tmp". One of a live process, or a
/// recycled pid, is left until it is a day old.
void sweep_orphans(const fs::path& folder) {
  std::error_code ec;
  for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
    std::string name = it->path().filename().string();
    if (!name.starts_with(".gelint-") || !name.ends_with(".tmp"))
      continue;
    long pid = std::strtol(name.c_str() + std::strlen(".gelint-"), nullptr, 10);
    bool alive = pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
    std::error_code ignored;
    auto age = fs::file_time_type::clock::now() - fs::last_write_time(it->path(), ignored);
    if (!ignored && (!alive || age > std::chrono::hours(24)))
      fs::remove(it->path(), ignored);
  }
}

} // namespace

KernelCache::KernelCache(std::string folder) : folder_(std::move(folder)) {}

std::string KernelCache::default_folder() {
  auto env = [](const char* name) {
    const char* v = std::getenv(name);
    return std::string(v ? v : "");
  };
  if (std::string d = env("GELINT_CACHE_DIR"); !d.empty())
    return d + "/kernels";
  if (std::string d = env("XDG_CACHE_HOME"); !d.empty())
    return d + "/gelint/kernels";
  if (std::string d = env("HOME"); !d.empty())
    return d + "/.cache/gelint/kernels";
  return "";
}

std::string KernelCache::key(std::string_view source, std::string_view options, std::string_view device,
                             std::string_view compiler) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_128bits_reset(state);
  for (std::string_view part : {source, options, device, compiler}) {
    uint64_t size = part.size(); // lengths keep ("ab", "c") and ("a", "bc") apart
    XXH3_128bits_update(state, &size, sizeof size);
    XXH3_128bits_update(state, part.data(), part.size());
  }
  XXH128_hash_t h = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

void KernelCache::open() {
  if (opened_ || folder_.empty())
    return;
  opened_ = true;
  std::error_code ec;
  fs::create_directories(folder_, ec);
  if (!ec)
    sweep_orphans(folder_);
}

Result<std::string> KernelCache::get(const std::string& key, const std::function<Result<std::string>()>& compile) {
  open();
  std::string path = folder_.empty() ? "" : folder_ + "/" + key + ".cubin";
  if (!path.empty())
    if (Result<std::string> file = read_file(path, size_t{64} << 20)) {
      std::string_view data = *file;
      if (data.starts_with(k_magic) && data.size() >= k_magic.size() + 16) {
        std::string_view sum = data.substr(k_magic.size(), 16), image = data.substr(k_magic.size() + 16);
        if (checksum(image) == sum) {
          ++counts_.hits;
          return std::string(image);
        }
      }
    }
  Result<std::string> image = compile();
  if (!image)
    return image;
  ++counts_.compiled;
  if (!path.empty()) {
    std::string data(k_magic);
    data += checksum(*image);
    data += *image;
    // A full disk or a folder that may not be written to costs the next process a compilation, nothing else.
    if (write_file_atomically(path, data))
      ++counts_.stored;
  }
  return image;
}

} // namespace gelint::verify
