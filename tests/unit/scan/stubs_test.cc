#include "scan/stub_sysroot.h"
#include "scan/tu.h"
#include "support/embed.h"

#include <gtest/gtest.h>

namespace gelint::scan {
namespace {

// The errors of a unit that includes the headers, in a language, with nothing but the virtual headers.
std::string errors_of(const std::string& source, std::vector<std::string> language, const std::string& name = "probe.cc") {
  std::vector<std::string> storage;
  ParseInput in;
  in.path = name;
  in.args = std::move(language);
  for (const std::string& a : StubSysroot::instance().args())
    in.args.push_back(a);
  in.unsaved = StubSysroot::instance().files({"torch/torch.h", "mlx/mlx.h", "thrust/transform.h"}, storage);
  in.unsaved.emplace_back(in.path, source);
  auto tu = Tu::parse(in);
  if (!tu)
    return tu.error().text();
  std::string out;
  for (unsigned i = 0; i < clang_getNumDiagnostics(tu->get()); ++i) {
    CXDiagnostic d = clang_getDiagnostic(tu->get(), i);
    if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error)
      out += take(clang_formatDiagnostic(d, clang_defaultDiagnosticDisplayOptions())) + "\n";
    clang_disposeDiagnostic(d);
  }
  return out;
}

TEST(Stubs, EveryStubParsesAlone) {
  for (const EmbeddedFile& f : embedded_files("scan/stubs/")) {
    std::string name(f.path.substr(f.path.rfind('/') + 1));
    if (!name.ends_with(".h"))
      continue;
    std::string source = "#include <gelint/" + name + ">\n";
    EXPECT_EQ(errors_of(source, {"-x", "c++", "-std=c++20"}), "") << name;
    EXPECT_EQ(errors_of(source, {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-std=c++17"}), "") << name;
  }
}

TEST(Stubs, TheCoreStubsParseAsC) {
  EXPECT_EQ(errors_of("#include <math.h>\n#include <stdio.h>\n#include <immintrin.h>\n#include \"ggml.h\"\n"
                      "float f(float x) { return 0.5f * x * (1.0f + tanhf(x)); }\n", {"-x", "c"}, "probe.c"), "");
}

TEST(Stubs, RealSpellingsHaveTypes) {
  EXPECT_EQ(errors_of(R"(
#include <torch/torch.h>
#include <vector>
#include <string>
#include <map>
torch::Tensor f(const torch::Tensor& x) { return torch::gelu(x, "tanh") * x.tanh() + 0.5 * at::erf(x); }
static const std::map<std::string, int> table = {{"gelu", 1}, {"gelu_new", 2}};
int g(const std::string& s) { auto it = table.find(s); return it == table.end() ? 0 : it->second; }
)", {"-x", "c++", "-std=c++20"}), "");
}

TEST(Stubs, KernelsLaunch) {
  EXPECT_EQ(errors_of(R"(
#include <cuda_runtime.h>
#include <cuda_fp16.h>
template <class T> __global__ void k(T* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = T(tanhf(float(x[i]))); }
void launch(half* p, int n, cudaStream_t s) { k<half><<<dim3(n / 256), 256, 0, s>>>(p, n); }
)", {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-std=c++17"}, "probe.cu"), "");
}

} // namespace
} // namespace gelint::scan
