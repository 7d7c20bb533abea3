#pragma once
// A device with its context, memory and kernels; every call's status is checked.

#include "verify/cuda/driver.h"
#include "verify/kernel_cache.h"

#include <map>
#include <memory>
#include <vector>

namespace gelint::verify::cuda {

class Session;

/// Device memory, freed with the object.
class Memory {
public:
  Memory() = default;
  Memory(Memory&& o) noexcept : driver_(o.driver_), at_(o.at_), bytes_(o.bytes_) { o.at_ = 0; }
  Memory& operator=(Memory&& o) noexcept {
    std::swap(driver_, o.driver_), std::swap(at_, o.at_), std::swap(bytes_, o.bytes_);
    return *this;
  }
  ~Memory();
  CUdeviceptr at() const { return at_; }
  size_t bytes() const { return bytes_; }

private:
  friend class Session;
  const Driver* driver_ = nullptr;
  CUdeviceptr at_ = 0;
  size_t bytes_ = 0;
};

class Session {
public:
  /// Device 0, with the run-time compiler and the kernel cache in its default folder.
  static Result<std::unique_ptr<Session>> open();
  ~Session();
  Session(const Session&) = delete;

  const std::string& device_name() const { return device_name_; }
  const std::string& arch() const { return arch_; } ///< "sm_90"
  int multiprocessors() const { return multiprocessors_; }
  std::string description() const;
  KernelCache& cache() { return cache_; }

  /// A function of a source, compiled or taken from the cache; modules stay loaded.
  Result<CUfunction> kernel(const std::string& source, bool fast_math, const char* name);
  Result<Memory> allocate(size_t bytes);
  Status fill(Memory& memory, unsigned char byte);
  Status upload(Memory& to, const void* from, size_t bytes);
  Status download(void* to, const Memory& from, size_t bytes);
  /// Launches and waits; the kernel's time in seconds.
  Result<double> launch(CUfunction f, unsigned grid, unsigned block, void** arguments);
  /// Launches without waiting or timing.
  Status enqueue(CUfunction f, unsigned grid, unsigned block, void** arguments);
  Status synchronize();
  /// Blocks of `block` threads that one multiprocessor holds at once, at least 1.
  Result<int> resident_blocks(CUfunction f, int block);
  const Driver& driver() const { return *driver_; }

private:
  Session(const Driver* d, const Nvrtc* n) : driver_(d), nvrtc_(n), cache_(KernelCache::default_folder()) {}

  const Driver* driver_;
  const Nvrtc* nvrtc_;
  KernelCache cache_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUevent begin_ = nullptr, end_ = nullptr;
  std::string device_name_, arch_;
  int multiprocessors_ = 0;
  std::map<std::string, CUmodule> modules_; // by cache key
};

} // namespace gelint::verify::cuda
