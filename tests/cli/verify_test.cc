// gelint verify as a user runs it: on the CPU, 16-bit types, a document without any source tree beside it.

#include "run_gelint.h"

#include <gtest/gtest.h>

using gelint::test::invoke;
using gelint::test::Invocation;
using gelint::test::TempDir;

namespace {

// x·σ(2u) with 0.044175 for 0.044715: what a scanner hands on for a typo in a constant.
const char* const k_typo =
    R"({"schema": "gelint/1", "command": "audit", "rows": [{"id": "m/text.mlp", "verdict": "mismatch", "implemented": "other",
"required": "gelu_tanh", "site": {"path": "src/mlp.cc", "line": 12, "column": 3, "precision": "f32", "expr":
"x:f32; t1 = mul:f32 x x; t2 = mul:f32 t1 x; t3 = const:f32 0.044175; t4 = mul:f32 t3 t2; t5 = add:f32 x t4; t6 = const:f32 0.79788456; t7 = mul:f32 t6 t5; t8 = tanh:f32 t7; t9 = const:f32 1; t10 = add:f32 t9 t8; t11 = const:f32 0.5; t12 = mul:f32 t11 x; t13 = mul:f32 t12 t10; return t13"
}}]})";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST(Verify, AnAuditRowIsProvedWrong) {
  TempDir dir;
  dir.write("audit.json", k_typo);
  auto r = invoke(Invocation{.args = {"verify", "audit.json", "--backend", "cpu", "--dtype", "f16"}, .directory = dir.path()});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(has(r.out, "mismatch")) << r.out;
  EXPECT_TRUE(has(r.out, "GL201")) << r.out;
  EXPECT_TRUE(has(r.out, "src/mlp.cc:12:3")) << r.out;
  EXPECT_TRUE(has(r.out, "those of no formula tried")) << r.out;
}

TEST(Verify, TheSameDocumentWithTheRightConstantIsClean) {
  TempDir dir;
  std::string text = k_typo;
  text.replace(text.find("0.044175"), 8, "0.044715");
  auto r = invoke(Invocation{.args = {"verify", "-", "--backend", "cpu", "--dtype", "f16,bf16"}, .directory = dir.path(), .input = text});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(has(r.out, "match")) << r.out;
  EXPECT_FALSE(has(r.out, "mismatch")) << r.out;
}

TEST(Verify, PairsCompareAndFailNothing) {
  auto r = invoke({"verify", "--pair", "gelu_new,gelu_pytorch_tanh", "--pair", "silu,gelu", "--backend", "cpu", "--dtype", "bf16",
                   "--format", "json"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(has(r.out, "\"verdict\": \"match\"")) << r.out;
  EXPECT_TRUE(has(r.out, "\"against_differing\": 1006")) << r.out; // bf16 op by op against one rounding
  EXPECT_TRUE(has(r.out, "\"verdict\": \"mismatch\"")) << r.out;
  EXPECT_TRUE(has(r.out, "\"exhaustive\": true")) << r.out;
}

TEST(Verify, BadInputIsNamed) {
  TempDir dir;
  dir.write("broken.json", "{\n  \"command\": audit}");
  dir.write("scan.json", R"({"schema": "gelint/1", "command": "scan"})");
  struct Case {
    std::vector<std::string> args;
    const char* says;
  };
  for (const Case& c : {Case{{"verify"}, "nothing to verify"}, Case{{"verify", "absent.json"}, "absent.json"},
                        Case{{"verify", "broken.json"}, "broken.json:2"}, Case{{"verify", "scan.json"}, "is not an audit"},
                        Case{{"verify", "--pair", "gelu_erf"}, "two names"}, Case{{"verify", "--pair", "gelu_erf,geglu"}, "geglu"},
                        Case{{"verify", "--pair", "silu,relu", "--dtype", "f8"}, "f8"},
                        Case{{"verify", "--pair", "silu,relu", "--path", "f64"}, "f64"}}) {
    auto r = invoke(Invocation{.args = c.args, .directory = dir.path()});
    EXPECT_EQ(r.status, 2) << c.says << r.out;
    EXPECT_TRUE(has(r.err, c.says)) << c.says << ": " << r.err;
  }
}
