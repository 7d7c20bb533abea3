// A stand-in for libnvrtc.so.13: it compiles nothing. $FAKE_NVRTC: broken, every source has an error; old is a build
// with FAKE_OLD, which lacks a function. Each compilation adds a line to $FAKE_NVRTC_LOG.

#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr char k_image[] = "image";
constexpr char k_log[] = "candidate.cu(12): error: identifier \"nonsense\" is undefined\n\n1 error detected.\nmore\n";

bool broken() {
  const char* f = std::getenv("FAKE_NVRTC");
  return f && std::strcmp(f, "broken") == 0;
}

} // namespace

extern "C" {

nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = 13, *minor = 0;
  return NVRTC_SUCCESS;
}
const char* nvrtcGetErrorString(nvrtcResult r) { return r == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "other"; }
nvrtcResult nvrtcCreateProgram(nvrtcProgram* p, const char*, const char*, int, const char* const*, const char* const*) {
  *p = reinterpret_cast<nvrtcProgram>(const_cast<char*>(k_image));
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram*) { return NVRTC_SUCCESS; }
nvrtcResult nvrtcCompileProgram(nvrtcProgram, int, const char* const*) {
  if (const char* log = std::getenv("FAKE_NVRTC_LOG"))
    if (std::FILE* f = std::fopen(log, "a")) {
      std::fputs("compiled\n", f);
      std::fclose(f);
    }
  return broken() ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram, size_t* n) {
  *n = sizeof k_image;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram, char* to) {
  std::memcpy(to, k_image, sizeof k_image);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, size_t* n) {
  *n = sizeof k_log;
  return NVRTC_SUCCESS;
}
#ifndef FAKE_OLD
nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char* to) {
  std::memcpy(to, k_log, sizeof k_log);
  return NVRTC_SUCCESS;
}
#endif

} // extern "C"
