// A stand-in for libcuda.so.1: a device that computes nothing and fails where $FAKE_CUDA says.
//
//   FAKE_CUDA   no-device, mismatch: cuInit fails     none: no devices        driver-12: a driver for CUDA 12.4
//               memory: cuMemAlloc fails              image: cuModuleLoadData refuses the image
//               short: records of one input only
//               lost:N, every wait from the N-th on fails, and every call after it, as a lost device's do
// Built with FAKE_OLD it lacks a function, as an old driver does.

#include <cuda.h>
#undef cuEventElapsedTime // newer headers give it another symbol; drivers have both

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool fault(const char* name) {
  const char* f = std::getenv("FAKE_CUDA");
  return f && std::strcmp(f, name) == 0;
}

int g_waits = 0;
bool g_lost = false;

CUresult alive() { return g_lost ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS; }

CUresult wait() {
  const char* f = std::getenv("FAKE_CUDA");
  ++g_waits;
  if (f && std::strncmp(f, "lost:", 5) == 0 && g_waits >= std::atoi(f + 5))
    g_lost = true;
  return alive();
}


} // namespace

extern "C" {

CUresult cuInit(unsigned) {
  return fault("no-device") ? CUDA_ERROR_NO_DEVICE : fault("mismatch") ? CUDA_ERROR_SYSTEM_DRIVER_MISMATCH : CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* v) {
  *v = fault("driver-12") ? 12040 : 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult r, const char** text) {
  switch (r) {
  case CUDA_ERROR_NO_DEVICE: *text = "no CUDA-capable device is detected"; break;
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: *text = "system has unsupported display driver / cuda driver combination"; break;
  case CUDA_ERROR_OUT_OF_MEMORY: *text = "out of memory"; break;
  case CUDA_ERROR_INVALID_IMAGE: *text = "device kernel image is invalid"; break;
  case CUDA_ERROR_LAUNCH_FAILED: *text = "unspecified launch failure"; break;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* n) {
  *n = fault("none") ? 0 : 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* d, int) {
  *d = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::snprintf(name, static_cast<size_t>(size), "Fake GPU");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* v, CUdevice_attribute a, CUdevice) {
  *v = a == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : a == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0 : 1;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* c, CUdevice) {
  *c = reinterpret_cast<CUcontext>(&g_waits);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return wait(); }
CUresult cuModuleLoadData(CUmodule* m, const void*) {
  *m = reinterpret_cast<CUmodule>(&g_waits);
  return fault("image") ? CUDA_ERROR_INVALID_IMAGE : alive();
}
CUresult cuModuleUnload(CUmodule) { return alive(); }
CUresult cuModuleGetFunction(CUfunction* f, CUmodule, const char*) {
  *f = reinterpret_cast<CUfunction>(&g_waits);
  return alive();
}
CUresult cuMemAlloc(CUdeviceptr* p, size_t bytes) {
  if (fault("memory"))
    return CUDA_ERROR_OUT_OF_MEMORY;
  *p = reinterpret_cast<CUdeviceptr>(std::calloc(1, bytes));
  return alive();
}
CUresult cuMemFree(CUdeviceptr p) {
  std::free(reinterpret_cast<void*>(p));
  return alive();
}
/// The first number of a sweep's or a comparison's records is how many inputs it saw.
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  const unsigned long long inputs = fault("short") ? 1 : 65536;
  std::memcpy(to, &inputs, sizeof inputs);
  return alive();
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return alive();
}
CUresult cuMemsetD8(CUdeviceptr p, unsigned char v, size_t n) {
  std::memset(reinterpret_cast<void*>(p), v, n);
  return alive();
}
CUresult cuEventCreate(CUevent* e, unsigned) {
  *e = reinterpret_cast<CUevent>(&g_waits);
  return alive();
}
CUresult cuEventRecord(CUevent, CUstream) { return alive(); }
CUresult cuEventSynchronize(CUevent) { return wait(); }
CUresult cuEventElapsedTime(float* ms, CUevent, CUevent) {
  *ms = 1;
  return alive();
}
CUresult cuEventDestroy(CUevent) { return alive(); }
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**,
                        void**) {
  return alive();
}
#ifndef FAKE_OLD
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* n, CUfunction, int, size_t) {
  *n = 1;
  return alive();
}
#endif

} // extern "C"
