#pragma once
// The CUDA driver and the run-time compiler, opened with dlopen: a gelint built with CUDA runs on a machine without
// either and says what is missing. Types come from the toolkit's headers; functions are named as the library exports
// them, since the headers rename some by macro.

#include "support/result.h"

#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

namespace gelint::verify::cuda {

struct Driver {
  CUresult (*Init)(unsigned);
  CUresult (*DriverGetVersion)(int*);
  CUresult (*GetErrorString)(CUresult, const char**);
  CUresult (*DeviceGetCount)(int*);
  CUresult (*DeviceGet)(CUdevice*, int);
  CUresult (*DeviceGetName)(char*, int, CUdevice);
  CUresult (*DeviceGetAttribute)(int*, CUdevice_attribute, CUdevice);
  CUresult (*DevicePrimaryCtxRetain)(CUcontext*, CUdevice);
  CUresult (*DevicePrimaryCtxRelease)(CUdevice);
  CUresult (*CtxSetCurrent)(CUcontext);
  CUresult (*CtxSynchronize)();
  CUresult (*ModuleLoadData)(CUmodule*, const void*);
  CUresult (*ModuleUnload)(CUmodule);
  CUresult (*ModuleGetFunction)(CUfunction*, CUmodule, const char*);
  CUresult (*MemAlloc)(CUdeviceptr*, size_t);
  CUresult (*MemFree)(CUdeviceptr);
  CUresult (*MemcpyDtoH)(void*, CUdeviceptr, size_t);
  CUresult (*MemcpyHtoD)(CUdeviceptr, const void*, size_t);
  CUresult (*MemsetD8)(CUdeviceptr, unsigned char, size_t);
  CUresult (*EventCreate)(CUevent*, unsigned);
  CUresult (*EventRecord)(CUevent, CUstream);
  CUresult (*EventSynchronize)(CUevent);
  CUresult (*EventElapsedTime)(float*, CUevent, CUevent);
  CUresult (*EventDestroy)(CUevent);
  CUresult (*LaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                           void**, void**);
  CUresult (*OccupancyMaxActiveBlocksPerMultiprocessor)(int*, CUfunction, int, size_t);

  int version = 0; ///< of the installed driver, 13000 for 13.0
};

/// Opens libcuda.so.1 and initialises it. The error tells apart: no library, no device, too old a driver.
Result<const Driver*> open_driver();

/// What a status means, with the mend where there is one.
Error driver_error(const Driver& driver, CUresult status, const std::string& doing);

struct Nvrtc {
  nvrtcResult (*Version)(int*, int*);
  const char* (*GetErrorString)(nvrtcResult);
  nvrtcResult (*CreateProgram)(nvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*);
  nvrtcResult (*DestroyProgram)(nvrtcProgram*);
  nvrtcResult (*CompileProgram)(nvrtcProgram, int, const char* const*);
  nvrtcResult (*GetCUBINSize)(nvrtcProgram, size_t*);
  nvrtcResult (*GetCUBIN)(nvrtcProgram, char*);
  nvrtcResult (*GetProgramLogSize)(nvrtcProgram, size_t*);
  nvrtcResult (*GetProgramLog)(nvrtcProgram, char*);

  int major = 0, minor = 0;
};

/// Opens libnvrtc: the loader's path, then $CUDA_HOME and $CUDA_PATH, then the usual folder. A compiler of a newer major
/// version than the driver's (13000 for 13.0; 0: any) is refused, since the driver would not load what it makes.
Result<const Nvrtc*> open_nvrtc(int driver_version = 0);
/// The same from these folders, each with its slash at the end; "" is the loader's path.
Result<Nvrtc> load_nvrtc(const std::vector<std::string>& folders, int driver_version);

/// Compiles a source that may include the embedded headers "verify/sweep_core.h", "formula/formula_math.h" and the
/// embedded .cuh files. `arch`: "sm_90". The error carries the first lines of the compiler's log.
Result<std::string> compile_cubin(const Nvrtc& nvrtc, const std::string& source, const std::string& arch, bool fast_math);

/// The options that compile_cubin() passes, and a hash of the headers that a source may include: parts of the cache key.
std::string compile_options(bool fast_math);
const std::string& header_hash();

} // namespace gelint::verify::cuda
