// Faults of a GPU and its software, as a user meets them: the built binary with stand-ins for the driver and the run-time
// compiler (tests/gpu/fake) first in the loader's path. No GPU is needed.

#include "cli/run_gelint.h"
#include "verify/cuda/driver.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using gelint::test::invoke;
using gelint::test::Invocation;
using gelint::test::Outcome;
using gelint::test::TempDir;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Machine {
  std::string fake = "", nvrtc = "", libraries = GELINT_FAKE_CUDA;
  std::vector<std::string> more = {};
};

Outcome run(const TempDir& dir, const Machine& r) {
  std::vector<std::string> args = {"verify", "--pair", "gelu_erf,gelu_erf", "--dtype", "f16", "--backend", "cuda", "--format", "json"};
  args.insert(args.end(), r.more.begin(), r.more.end());
  return invoke(Invocation{.args = args,
                           .env = {{"LD_LIBRARY_PATH", r.libraries},
                                   {"FAKE_CUDA", r.fake},
                                   {"FAKE_NVRTC", r.nvrtc},
                                   {"FAKE_NVRTC_LOG", dir.path() + "/compilations"},
                                   {"GELINT_CACHE_DIR", dir.path() + "/cache"}},
                           .directory = dir.path()});
}

long count(const std::string& text, const std::string& part) {
  long n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++n;
  return n;
}

} // namespace

TEST(GpuFaults, TheStandInRuns) {
  TempDir dir;
  Outcome r = run(dir, {});
  EXPECT_TRUE(has(r.out, "\"backend\": \"cuda\"")) << r.out << r.err;
  EXPECT_FALSE(has(r.out, "GL004")) << r.out;
}

// What keeps the GPU from being used: the CPU gives the answer, and GL004 says that it was not the GPU's.
TEST(GpuFaults, WithoutAUsableGpuTheCpuRunsAndSaysWhy) {
  struct Case {
    Machine machine;
    const char *says, *mend;
  };
  for (const Case& c : {
           Case{{.fake = "no-device"}, "no CUDA-capable device is detected (CUDA error 100)", "--backend cpu"},
           Case{{.fake = "mismatch"}, "CUDA error 803", "restart the machine"},
           Case{{.fake = "none"}, "the driver sees no GPU", "--backend cpu"},
           Case{{.fake = "driver-12"}, "the installed driver is for CUDA 12.4, older than the run-time compiler found, 13.0", "update the driver"},
           Case{{.libraries = GELINT_FAKE_CUDA_OLD}, "too old: it has no cuOccupancyMaxActiveBlocksPerMultiprocessor", "newer driver"},
           Case{{.libraries = GELINT_FAKE_NVRTC_OLD ":" GELINT_FAKE_CUDA}, "run-time compiler is too old: it has no nvrtcGetProgramLog", "LD_LIBRARY_PATH"},
       }) {
    TempDir dir;
    Outcome r = run(dir, c.machine);
    EXPECT_EQ(r.status, 0) << c.says << r.err; // a warning, as --fail-on has it
    EXPECT_TRUE(has(r.out, "\"backend\": \"cpu\"")) << r.out;
    EXPECT_TRUE(has(r.out, "GL004")) << r.out;
    EXPECT_TRUE(has(r.out, c.says)) << c.says << "\n" << r.out;
    EXPECT_TRUE(has(r.out, c.mend)) << c.mend << "\n" << r.out;
    Machine gated = c.machine;
    gated.more = {"--fail-on", "GL004"};
    EXPECT_EQ(run(dir, gated).status, 1) << c.says;
  }
}

TEST(GpuFaults, NoDriver) {
  if (auto driver = gelint::verify::cuda::open_driver(); driver || !has(driver.error().message, "no NVIDIA driver"))
    GTEST_SKIP() << "this machine has one";
  TempDir dir;
  Outcome r = run(dir, {.libraries = ""});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(has(r.out, "GL004") && has(r.out, "there is no NVIDIA driver on this machine")) << r.out;
  EXPECT_TRUE(has(r.out, "install a driver")) << r.out;
  Outcome probe = run(dir, {.libraries = "", .more = {"--probe-libraries"}});
  EXPECT_EQ(probe.status, 2) << probe.out; // nothing was found out
  EXPECT_TRUE(has(probe.out, "GL004")) << probe.out;
}

TEST(GpuFaults, NoRunTimeCompiler) {
  auto r = gelint::verify::cuda::load_nvrtc({"/nonexistent/"}, 13000);
  ASSERT_FALSE(r);
  EXPECT_TRUE(has(r.error().text(), "the CUDA run-time compiler was not found")) << r.error().text();
  EXPECT_TRUE(has(r.error().text(), "CUDA_HOME")) << r.error().text();
}

// What goes wrong on a GPU that was there: no answer for the row, exit status 2.
TEST(GpuFaults, WhatFailsOnTheDeviceIsNamed) {
  struct Case {
    Machine machine;
    const char *says, *mend;
  };
  for (const Case& c : {
           Case{{.fake = "memory"}, "on Fake GPU: out of memory (CUDA error 2)", "nvidia-smi"},
           Case{{.fake = "image"}, "loading a kernel on Fake GPU, driver for CUDA 13.0, NVRTC 13.0: device kernel image is invalid",
                "older toolkit"},
           Case{{.fake = "lost:1"}, "running a kernel: unspecified launch failure (CUDA error 719)", "the device was lost"},
           Case{{.fake = "short"}, "the device returned 1 of 65536 inputs", "--backend cpu"},
           Case{{.nvrtc = "broken"}, "the kernel does not compile: NVRTC_ERROR_COMPILATION: candidate.cu(12): error: identifier",
                "--backend cpu"},
       }) {
    TempDir dir;
    Outcome r = run(dir, c.machine);
    EXPECT_EQ(r.status, 2) << c.says << r.out;
    EXPECT_TRUE(has(r.err, c.says)) << c.says << "\n" << r.err;
    EXPECT_TRUE(has(r.err, c.mend)) << c.mend << "\n" << r.err;
    EXPECT_EQ(count(r.err, "\n"), 1) << r.err;
    EXPECT_TRUE(has(r.out, "GL004")) << r.out;
    EXPECT_FALSE(has(r.out, "\"verdict\": \"match\"")) << r.out;
  }
}

TEST(GpuFaults, ADeviceLostMidRunKeepsWhatRanBefore) {
  TempDir dir;
  // A row waits three times: its sweep, its outputs, the comparison with the library's order.
  Outcome r = run(dir, {.fake = "lost:4", .more = {"--pair", "silu,silu", "--pair", "relu,relu"}});
  EXPECT_EQ(r.status, 2) << r.out;
  EXPECT_EQ(count(r.out, "\"exhaustive\": true"), 1) << r.out;
  EXPECT_EQ(count(r.out, "\"rule\": \"GL004\""), 2) << r.out;
  EXPECT_EQ(count(r.err, "\n"), 2) << r.err; // one line for what the loss was seen in, one for what comes after it
  EXPECT_TRUE(has(r.err, "the device was lost")) << r.err;
}

TEST(GpuFaults, CostFailsWithTheDevice) {
  TempDir dir;
  Outcome r = run(dir, {.fake = "lost:4", .more = {"--cost", "--runs", "6", "--shape", "16x64"}});
  EXPECT_EQ(r.status, 2) << r.out;
  EXPECT_EQ(count(r.out, "\"exhaustive\": true"), 1) << r.out; // the sweep of the row stands
  EXPECT_TRUE(has(r.err, "the device was lost")) << r.err;
}

TEST(GpuFaults, ASecondProcessCompilesNothing) {
  TempDir dir;
  run(dir, {});
  long first = count(dir.read("compilations"), "compiled");
  EXPECT_GT(first, 0);
  Outcome again = run(dir, {});
  EXPECT_TRUE(has(again.out, "\"backend\": \"cuda\"")) << again.err;
  EXPECT_EQ(count(dir.read("compilations"), "compiled"), first);
  // What is damaged is compiled again.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir.path()))
    if (entry.path().extension() == ".cubin")
      std::ofstream(entry.path()) << "damaged";
  run(dir, {});
  EXPECT_EQ(count(dir.read("compilations"), "compiled"), 2 * first);
}
