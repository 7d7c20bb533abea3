#include "verify/cuda/session.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::verify::cuda {

Memory::~Memory() {
  if (at_)
    driver_->MemFree(at_);
}

Result<std::unique_ptr<Session>> Session::open() {
  Result<const Driver*> driver = open_driver();
  if (!driver)
    return driver.error();
  Result<const Nvrtc*> nvrtc = open_nvrtc((*driver)->version);
  if (!nvrtc)
    return nvrtc.error();
  std::unique_ptr<Session> s(new Session(*driver, *nvrtc));
  const Driver& d = **driver;
  if (CUresult r = d.DeviceGet(&s->device_, 0); r != CUDA_SUCCESS)
    return driver_error(d, r, "opening device 0");
  char name[256] = "";
  int major = 0, minor = 0;
  CUresult asked = d.DeviceGetName(name, sizeof name, s->device_);
  for (auto [to, what] : {std::pair(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                          std::pair(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
                          std::pair(&s->multiprocessors_, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)})
    if (asked == CUDA_SUCCESS)
      asked = d.DeviceGetAttribute(to, what, s->device_);
  if (asked != CUDA_SUCCESS)
    return driver_error(d, asked, "asking what device 0 is");
  s->device_name_ = name;
  s->arch_ = fmt::format("sm_{}{}", major, minor);
  if (CUresult r = d.DevicePrimaryCtxRetain(&s->context_, s->device_); r != CUDA_SUCCESS) {
    s->context_ = nullptr;
    return driver_error(d, r, fmt::format("using {}", s->device_name_));
  }
  if (CUresult r = d.CtxSetCurrent(s->context_); r != CUDA_SUCCESS)
    return driver_error(d, r, fmt::format("using {}", s->device_name_));
  for (CUevent* e : {&s->begin_, &s->end_})
    if (CUresult r = d.EventCreate(e, CU_EVENT_DEFAULT); r != CUDA_SUCCESS)
      return driver_error(d, r, "creating a timer");
  return s;
}

// A destructor has nobody to tell; what fails here failed before, or the driver frees with the process.
Session::~Session() {
  for (CUevent e : {begin_, end_})
    if (e)
      driver_->EventDestroy(e);
  for (auto& [key, module] : modules_)
    driver_->ModuleUnload(module);
  if (context_)
    driver_->DevicePrimaryCtxRelease(device_);
}

std::string Session::description() const {
  return fmt::format("{}, driver for CUDA {}.{}, NVRTC {}.{}", device_name_, driver_->version / 1000,
                     driver_->version % 1000 / 10, nvrtc_->major, nvrtc_->minor);
}

Result<CUfunction> Session::kernel(const std::string& source, bool fast_math, const char* name) {
  std::string compiler = fmt::format("nvrtc {}.{}", nvrtc_->major, nvrtc_->minor);
  std::string key = KernelCache::key(source, compile_options(fast_math) + " " + header_hash(), arch_, compiler);
  auto it = modules_.find(key);
  if (it == modules_.end()) {
    Result<std::string> image =
        cache_.get(key, [&] { return compile_cubin(*nvrtc_, source, arch_, fast_math); });
    if (!image)
      return image.error();
    CUmodule module = nullptr;
    if (CUresult r = driver_->ModuleLoadData(&module, image->data()); r != CUDA_SUCCESS)
      return driver_error(*driver_, r, fmt::format("loading a kernel on {}", description()));
    it = modules_.emplace(key, module).first;
  }
  CUfunction f = nullptr;
  if (CUresult r = driver_->ModuleGetFunction(&f, it->second, name); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, fmt::format("finding the kernel {}", name));
  return f;
}

Result<Memory> Session::allocate(size_t bytes) {
  Memory m;
  m.driver_ = driver_;
  m.bytes_ = bytes;
  if (CUresult r = driver_->MemAlloc(&m.at_, bytes); r != CUDA_SUCCESS) {
    m.at_ = 0;
    return driver_error(*driver_, r, fmt::format("allocating {} bytes on {}", bytes, device_name_));
  }
  return m;
}

Status Session::fill(Memory& memory, unsigned char byte) {
  if (CUresult r = driver_->MemsetD8(memory.at_, byte, memory.bytes_); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "filling device memory");
  return {};
}

Status Session::upload(Memory& to, const void* from, size_t bytes) {
  if (CUresult r = driver_->MemcpyHtoD(to.at_, from, bytes); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "copying to the device");
  return {};
}

Status Session::download(void* to, const Memory& from, size_t bytes) {
  if (CUresult r = driver_->MemcpyDtoH(to, from.at_, bytes); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "copying from the device");
  return {};
}

Status Session::enqueue(CUfunction f, unsigned grid, unsigned block, void** arguments) {
  if (CUresult r = driver_->LaunchKernel(f, grid, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "launching a kernel");
  return {};
}

Status Session::synchronize() {
  if (CUresult r = driver_->CtxSynchronize(); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "running a kernel");
  return {};
}

Result<double> Session::launch(CUfunction f, unsigned grid, unsigned block, void** arguments) {
  if (CUresult r = driver_->EventRecord(begin_, nullptr); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "timing a kernel");
  if (Status s = enqueue(f, grid, block, arguments); !s)
    return s.error();
  if (CUresult r = driver_->EventRecord(end_, nullptr); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "timing a kernel");
  if (Status s = synchronize(); !s)
    return s.error();
  float ms = 0;
  if (CUresult r = driver_->EventElapsedTime(&ms, begin_, end_); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "timing a kernel");
  return static_cast<double>(ms) * 1e-3;
}

Result<int> Session::resident_blocks(CUfunction f, int block) {
  int n = 0;
  if (CUresult r = driver_->OccupancyMaxActiveBlocksPerMultiprocessor(&n, f, block, 0); r != CUDA_SUCCESS)
    return driver_error(*driver_, r, "asking how many blocks fit");
  return std::max(n, 1);
}

} // namespace gelint::verify::cuda
