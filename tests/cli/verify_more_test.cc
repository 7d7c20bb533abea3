// gelint verify --impact, --cost and the formats that draw, as a user runs them.

#include "run_gelint.h"

#include <cstring>
#include <gtest/gtest.h>

using gelint::test::invoke;
using gelint::test::Invocation;
using gelint::test::TempDir;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// An MLP of width 1 and inner width 2 in F32.
std::string small_checkpoint() {
  const std::string header = R"({"m.0.mlp.fc1.weight": {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]},
 "m.0.mlp.fc2.weight": {"dtype": "F32", "shape": [1, 2], "data_offsets": [8, 16]}})";
  const unsigned long long size = header.size();
  const float weights[] = {1, -2, 0.5f, 1};
  std::string out(8 + header.size() + sizeof weights, '\0');
  std::memcpy(out.data(), &size, 8);
  std::memcpy(out.data() + 8, header.data(), header.size());
  std::memcpy(out.data() + 8 + header.size(), weights, sizeof weights);
  return out;
}

Invocation pair(const TempDir& dir, std::vector<std::string> more) {
  std::vector<std::string> args = {"verify", "--pair", "gelu_tanh,gelu_erf", "--backend", "cpu", "--dtype", "bf16"};
  args.insert(args.end(), more.begin(), more.end());
  return Invocation{.args = args, .directory = dir.path()};
}

} // namespace

TEST(VerifyMore, ImpactOfACheckpointIsReported) {
  TempDir dir;
  dir.write("model/model.safetensors", small_checkpoint());
  auto r = invoke(pair(dir, {"--impact", "model", "--format", "json"}));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(has(r.out, "\"layer\": \"m.0\"")) << r.out;
  EXPECT_TRUE(has(r.out, "\"relative_error\"")) << r.out;
  auto text = invoke(pair(dir, {"--impact", "model", "--layers", "0"}));
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(has(text.out, "m.0")) << text.out;
}

TEST(VerifyMore, CostHasItsNullArm) {
  TempDir dir;
  auto r = invoke(pair(dir, {"--cost", "--runs", "6", "--shape", "16x64", "--format", "json"}));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(has(r.out, "\"shape\": \"16 x 64\"")) << r.out;
  EXPECT_TRUE(has(r.out, "\"runs\": 6")) << r.out;
  EXPECT_TRUE(has(r.out, "\"null_low\"")) << r.out;
}

/// GL004 through the program; the device is hidden, so that a machine with one says the same.
TEST(VerifyMore, WhatWasNotVerifiedIsAFinding) {
  TempDir dir;
  auto run = [&](std::vector<std::string> args) {
    return invoke(Invocation{.args = std::move(args), .env = {{"CUDA_VISIBLE_DEVICES", ""}}, .directory = dir.path()});
  };
  const std::vector<std::string> cuda = {"verify", "--pair", "gelu_erf,gelu_tanh", "--dtype", "bf16", "--backend", "cuda", "--quiet"};
  auto r = run(cuda);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out.rfind("warning: not verified: gelu_erf,gelu_tanh: a GPU was asked for, and ", 0), 0u) << r.out;
  EXPECT_TRUE(has(r.out, "; the CPU ran it")) << r.out;
  EXPECT_TRUE(r.out.ends_with(" [GL004]\n")) << r.out;
  for (const char* fails : {"GL004", "warning", "GL0"}) {
    std::vector<std::string> args = cuda;
    args.insert(args.end(), {"--fail-on", fails});
    EXPECT_EQ(run(args).status, 1) << fails;
  }
  r = run({"verify", "--probe-libraries", "--quiet", "--fail-on", "GL004"});
  EXPECT_EQ(r.status, 2) << "nothing was probed: " << r.err;
  EXPECT_EQ(r.out.rfind("warning: not verified: the closed libraries: ", 0), 0u) << r.out;
}

TEST(VerifyMore, PlotsAreDrawn) {
  TempDir dir;
  auto r = invoke(pair(dir, {"--format", "svg"}));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out.rfind("<svg ", 0), 0u) << r.out.substr(0, 200);
  EXPECT_TRUE(has(r.out, "class=\"ulp\""));
  EXPECT_TRUE(has(r.out, "class=\"difference\""));
  auto page = invoke(pair(dir, {"--format", "html"}));
  EXPECT_TRUE(has(page.out, "class=\"ulp\""));
}

TEST(VerifyMore, BadInputIsNamed) {
  TempDir dir;
  dir.write("model/model.safetensors", small_checkpoint());
  dir.write("cut/model.safetensors", small_checkpoint().substr(0, 180));
  struct Case {
    std::vector<std::string> more;
    const char* says;
  };
  for (const Case& c : {Case{{"--shape", "16x64"}, "--cost"}, Case{{"--cost", "--shape", "16"}, "16"},
                        Case{{"--layers", "0"}, "--impact"}, Case{{"--impact", "absent"}, "absent"},
                        Case{{"--impact", "cut"}, "cut/model.safetensors"}, Case{{"--impact", "model", "--layers", "7"}, "'7'"}}) {
    auto r = invoke(pair(dir, c.more));
    EXPECT_EQ(r.status, 2) << c.says << r.out;
    EXPECT_TRUE(has(r.err, c.says)) << c.says << ": " << r.err;
  }
}
