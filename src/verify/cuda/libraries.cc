#include "verify/cuda/libraries.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace gelint::verify {

namespace cuda {

using formula::Type;

void* open_library(std::initializer_list<const char*> names) {
  std::vector<std::string> folders = {""};
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* v = std::getenv(name); v && *v)
      folders.push_back(std::string(v) + "/lib64/");
  folders.push_back("/usr/local/cuda/lib64/");
  for (const std::string& folder : folders)
    for (const char* name : names)
      if (void* lib = ::dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL))
        return lib;
  return nullptr;
}

std::vector<unsigned char> to_bytes(const std::vector<float>& x, Type type) {
  std::vector<unsigned char> out(x.size() * (type == Type::f32 ? 4 : 2));
  if (type == Type::f32) {
    std::memcpy(out.data(), x.data(), out.size());
    return out;
  }
  // Only values of the type come here: the pattern is found by what decode() makes of it.
  for (size_t i = 0; i < x.size(); ++i) {
    uint32_t bits;
    std::memcpy(&bits, &x[i], 4);
    uint32_t p = bits >> 16;
    if (type == Type::f16) {
      int e = static_cast<int>(bits >> 23 & 255u) - 127;
      uint32_t sign = bits >> 16 & 0x8000u;
      if (e == 128)
        p = sign | 0x7c00u | ((bits & 0x7fffffu) ? 0x200u : 0u);
      else if (e >= -14)
        p = sign | static_cast<uint32_t>(e + 15) << 10 | (bits >> 13 & 1023u);
      else
        p = sign | static_cast<uint32_t>(static_cast<double>(x[i] < 0 ? -x[i] : x[i]) * 16777216.0); // units of 2^-24
    }
    out[2 * i] = static_cast<unsigned char>(p & 255u);
    out[2 * i + 1] = static_cast<unsigned char>(p >> 8);
  }
  return out;
}

std::vector<float> from_bytes(const std::vector<unsigned char>& bytes, Type type) {
  std::vector<float> y(bytes.size() / (type == Type::f32 ? 4 : 2));
  if (type == Type::f32)
    std::memcpy(y.data(), bytes.data(), bytes.size());
  else
    for (size_t i = 0; i < y.size(); ++i)
      y[i] = core::decode(core_type(type), static_cast<uint32_t>(bytes[2 * i] | bytes[2 * i + 1] << 8));
  return y;
}

} // namespace cuda

Result<std::vector<ProbeRun>> probe_cuda_libraries() {
  Result<std::unique_ptr<cuda::Session>> session = cuda::Session::open();
  if (!session)
    return session.error();
  std::vector<ProbeRun> runs;
  cuda::probe_cublaslt(**session, runs);
  cuda::probe_cudnn(**session, runs);
  return runs;
}

} // namespace gelint::verify
