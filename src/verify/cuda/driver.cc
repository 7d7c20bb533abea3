#include "verify/cuda/driver.h"

#include "support/embed.h"
#include "verify/kernel_cache.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <vector>

namespace gelint::verify::cuda {

namespace {

template <class F> bool bind(void* library, F& to, const char* name, std::string& missing) {
  to = reinterpret_cast<F>(::dlsym(library, name));
  if (!to && missing.empty())
    missing = name;
  return to != nullptr;
}

struct Opened {
  Driver driver{};
  std::optional<Error> error;
};

Opened open_driver_once() {
  Opened o;
  void* lib = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!lib) {
    o.error = Error{.message = "there is no NVIDIA driver on this machine (libcuda.so.1 was not found)",
                    .mend = "use --backend cpu, or install a driver"};
    return o;
  }
  Driver& d = o.driver;
  std::string missing;
  bind(lib, d.Init, "cuInit", missing);
  bind(lib, d.DriverGetVersion, "cuDriverGetVersion", missing);
  bind(lib, d.GetErrorString, "cuGetErrorString", missing);
  bind(lib, d.DeviceGetCount, "cuDeviceGetCount", missing);
  bind(lib, d.DeviceGet, "cuDeviceGet", missing);
  bind(lib, d.DeviceGetName, "cuDeviceGetName", missing);
  bind(lib, d.DeviceGetAttribute, "cuDeviceGetAttribute", missing);
  bind(lib, d.DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", missing);
  bind(lib, d.DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", missing);
  bind(lib, d.CtxSetCurrent, "cuCtxSetCurrent", missing);
  bind(lib, d.CtxSynchronize, "cuCtxSynchronize", missing);
  bind(lib, d.ModuleLoadData, "cuModuleLoadData", missing);
  bind(lib, d.ModuleUnload, "cuModuleUnload", missing);
  bind(lib, d.ModuleGetFunction, "cuModuleGetFunction", missing);
  bind(lib, d.MemAlloc, "cuMemAlloc_v2", missing);
  bind(lib, d.MemFree, "cuMemFree_v2", missing);
  bind(lib, d.MemcpyDtoH, "cuMemcpyDtoH_v2", missing);
  bind(lib, d.MemcpyHtoD, "cuMemcpyHtoD_v2", missing);
  bind(lib, d.MemsetD8, "cuMemsetD8_v2", missing);
  bind(lib, d.EventCreate, "cuEventCreate", missing);
  bind(lib, d.EventRecord, "cuEventRecord", missing);
  bind(lib, d.EventSynchronize, "cuEventSynchronize", missing);
  bind(lib, d.EventElapsedTime, "cuEventElapsedTime", missing);
  bind(lib, d.EventDestroy, "cuEventDestroy_v2", missing);
  bind(lib, d.LaunchKernel, "cuLaunchKernel", missing);
  bind(lib, d.OccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor", missing);
  if (!missing.empty()) {
    o.error = Error{.message = fmt::format("the installed NVIDIA driver is too old: it has no {}", missing),
                    .mend = "install a newer driver, or use --backend cpu"};
    return o;
  }
  if (CUresult status = d.Init(0); status != CUDA_SUCCESS) {
    o.error = driver_error(d, status, "starting the driver");
    return o;
  }
  if (CUresult status = d.DriverGetVersion(&d.version); status != CUDA_SUCCESS) {
    o.error = driver_error(d, status, "asking for the driver's version");
    return o;
  }
  int devices = 0;
  if (CUresult status = d.DeviceGetCount(&devices); status != CUDA_SUCCESS)
    o.error = driver_error(d, status, "counting devices");
  else if (devices == 0)
    o.error = Error{.message = "the driver sees no GPU", .mend = "use --backend cpu"};
  return o;
}

std::vector<std::string> nvrtc_folders() {
  std::vector<std::string> folders = {""};
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* v = std::getenv(name); v && *v)
      folders.push_back(std::string(v) + "/lib64/");
  folders.push_back("/usr/local/cuda/lib64/");
  return folders;
}

constexpr std::array k_headers = {"formula/formula_math.h", "verify/sweep_core.h", "verify/device/sweep_kernels.cuh"};

/// First lines of a compiler log, in one line.
std::string first_lines(const std::string& log) {
  std::string out;
  int lines = 0;
  for (char c : log) {
    if (c == '\n' && ++lines == 3)
      break;
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

} // namespace

Error driver_error(const Driver& driver, CUresult status, const std::string& doing) {
  const char* text = nullptr;
  driver.GetErrorString(status, &text);
  Error e{.message = fmt::format("{}: {} (CUDA error {})", doing, text ? text : "unknown error", static_cast<int>(status))};
  switch (status) {
  case CUDA_ERROR_NO_DEVICE: e.mend = "use --backend cpu, or check with nvidia-smi that this process may see a GPU"; break;
  case CUDA_ERROR_OUT_OF_MEMORY:
    e.mend = "another process may hold the GPU's memory (nvidia-smi shows it): end it, or use --backend cpu";
    break;
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    e.mend = "the driver's kernel module and its library are of different versions: restart the machine, or use --backend cpu";
    break;
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_INVALID_IMAGE:
    e.mend = "the driver is older than the run-time compiler: update it, or point CUDA_HOME at an older toolkit";
    break;
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
    e.mend = "the device was lost; what ran before this row stands: run the rest again, or with --backend cpu";
    break;
  default: break;
  }
  return e;
}

Result<const Driver*> open_driver() {
  static const Opened opened = open_driver_once();
  if (opened.error)
    return *opened.error;
  return &opened.driver;
}

Result<Nvrtc> load_nvrtc(const std::vector<std::string>& folders, int driver_version) {
  void* lib = nullptr;
  // A driver takes machine code of its own major version and older ones: with both installed, 12 goes with a driver for 12.
  std::vector<const char*> names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  if (driver_version > 0 && driver_version < 13000)
    std::swap(names[0], names[1]);
  for (const char* name : names)
    for (const std::string& folder : folders)
      if (!lib)
        lib = ::dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!lib)
    return Error{.message = "the CUDA run-time compiler was not found (libnvrtc.so.13 or .12)",
                 .mend = "put its folder into LD_LIBRARY_PATH or set CUDA_HOME, or use --backend cpu"};
  Nvrtc n{};
  std::string missing;
  bind(lib, n.Version, "nvrtcVersion", missing);
  bind(lib, n.GetErrorString, "nvrtcGetErrorString", missing);
  bind(lib, n.CreateProgram, "nvrtcCreateProgram", missing);
  bind(lib, n.DestroyProgram, "nvrtcDestroyProgram", missing);
  bind(lib, n.CompileProgram, "nvrtcCompileProgram", missing);
  bind(lib, n.GetCUBINSize, "nvrtcGetCUBINSize", missing);
  bind(lib, n.GetCUBIN, "nvrtcGetCUBIN", missing);
  bind(lib, n.GetProgramLogSize, "nvrtcGetProgramLogSize", missing);
  bind(lib, n.GetProgramLog, "nvrtcGetProgramLog", missing);
  if (!missing.empty() || n.Version(&n.major, &n.minor) != NVRTC_SUCCESS)
    return Error{.message = missing.empty() ? "the CUDA run-time compiler does not tell its version"
                                               : fmt::format("the CUDA run-time compiler is too old: it has no {}", missing),
                    .mend = "put the folder of CUDA 12's or 13's into LD_LIBRARY_PATH, or use --backend cpu"};
  if (driver_version > 0 && n.major > driver_version / 1000)
    return Error{.message = fmt::format("the installed driver is for CUDA {}.{}, older than the run-time compiler found, {}.{}",
                                           driver_version / 1000, driver_version % 1000 / 10, n.major, n.minor),
                    .mend = fmt::format("update the driver, point CUDA_HOME at a toolkit of CUDA {} or use --backend cpu",
                                        driver_version / 1000)};
  return n;
}

Result<const Nvrtc*> open_nvrtc(int driver_version) {
  static const Result<Nvrtc> opened = load_nvrtc(nvrtc_folders(), driver_version);
  if (!opened)
    return opened.error();
  return &*opened;
}

std::string compile_options(bool fast_math) {
  // Without fast-math each operation is rounded as written: no contraction.
  return fast_math ? "--use_fast_math" : "--fmad=false";
}

const std::string& header_hash() {
  static const std::string hash = [] {
    std::string all;
    for (const char* name : k_headers)
      all += embedded_file(name).value_or("");
    return KernelCache::key(all, "", "", "");
  }();
  return hash;
}

Result<std::string> compile_cubin(const Nvrtc& nvrtc, const std::string& source, const std::string& arch, bool fast_math) {
  std::vector<const char*> texts, names;
  std::vector<std::string> keep;
  for (const char* name : k_headers)
    if (auto text = embedded_file(name))
      keep.emplace_back(*text), names.push_back(name);
  for (const std::string& k : keep)
    texts.push_back(k.c_str());
  nvrtcProgram program{};
  nvrtcResult status = nvrtc.CreateProgram(&program, source.c_str(), "candidate.cu", static_cast<int>(texts.size()),
                                           texts.data(), names.data());
  if (status != NVRTC_SUCCESS)
    return Error{.message = fmt::format("the run-time compiler did not start: {}", nvrtc.GetErrorString(status))};
  std::string arch_option = "--gpu-architecture=" + arch, mode = compile_options(fast_math);
  std::array<const char*, 3> options = {arch_option.c_str(), "--std=c++17", mode.c_str()};
  status = nvrtc.CompileProgram(program, static_cast<int>(options.size()), options.data());
  std::string result;
  size_t size = 0;
  if (status != NVRTC_SUCCESS) {
    std::string log;
    if (nvrtc.GetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 1) {
      log.resize(size);
      nvrtc.GetProgramLog(program, log.data());
      log.resize(size - 1);
    }
    nvrtc.DestroyProgram(&program);
    return Error{.message = fmt::format("the kernel does not compile: {}: {}", nvrtc.GetErrorString(status), first_lines(log)),
                 .mend = "--backend cpu evaluates the same expression without a compiler"};
  }
  bool ok = nvrtc.GetCUBINSize(program, &size) == NVRTC_SUCCESS && size > 0;
  if (ok) {
    result.resize(size);
    ok = nvrtc.GetCUBIN(program, result.data()) == NVRTC_SUCCESS;
  }
  nvrtc.DestroyProgram(&program);
  if (!ok)
    return Error{.message = fmt::format("the run-time compiler gave no machine code for {}", arch), .mend = "use --backend cpu"};
  return result;
}

} // namespace gelint::verify::cuda
