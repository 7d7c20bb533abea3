// Attempts to make verify say match for code that is wrong, and audit documents that are not what they say.

#include "run_gelint.h"

#include <algorithm>
#include <gtest/gtest.h>

using gelint::test::invoke;
using gelint::test::Invocation;
using gelint::test::Outcome;
using gelint::test::TempDir;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string audit(const std::string& expression, const std::string& required = "identity") {
  return R"({"schema": "gelint/1", "command": "audit", "rows": [{"id": "row", "verdict": "mismatch", "implemented": "other", "required": ")" +
         required + R"(", "site": {"path": "a.cc", "line": 1, "column": 1, "precision": "f32", "expr": ")" + expression + "\"}}]}";
}

Outcome verify(const std::string& document, std::vector<std::string> more = {}) {
  TempDir dir;
  std::vector<std::string> args = {"verify", "-", "--backend", "cpu", "--dtype", "f16,bf16"};
  args.insert(args.end(), more.begin(), more.end());
  return invoke(Invocation{.args = args, .directory = dir.path(), .input = document});
}

/// The tanh form with its parts to be exchanged.
std::string tanh_form(const std::string& cubic = "0.044715", const std::string& beta = "0.79788456",
                      const std::string& cube = "t2 = mul:f32 t1 x", const std::string& end = "return t13") {
  return "x:f32; t1 = mul:f32 x x; " + cube + "; t3 = const:f32 " + cubic +
         "; t4 = mul:f32 t3 t2; t5 = add:f32 x t4; t6 = const:f32 " + beta +
         "; t7 = mul:f32 t6 t5; t8 = tanh:f32 t7; t9 = const:f32 1; t10 = add:f32 t9 t8; t11 = const:f32 0.5; t12 = mul:f32 t11 x; "
         "t13 = mul:f32 t12 t10; " + end;
}

/// x, but another value where the condition on one input holds.
std::string one_input(const std::string& value, const std::string& compare = "eq") {
  return "x:f32; t1 = const:f32 1.5; t2 = " + compare + ":bool x t1; t3 = const:f32 " + value +
         (compare == "ne" ? "; t4 = select:f32 t2 x t3; return t4" : "; t4 = select:f32 t2 t3 x; return t4");
}

} // namespace

TEST(VerifyHostile, WrongCodeDoesNotPass) {
  struct Case {
    const char* what;
    std::string expression, required;
    const char* says;
  };
  for (const Case& c : {
           Case{"a digit of the cubic constant", tanh_form("0.047715"), "gelu_tanh", "no formula tried"},
           Case{"another root of 2/pi", tanh_form("0.044715", "0.797"), "gelu_tanh", "no formula tried"},
           Case{"the other GELU", tanh_form(), "gelu_quick", "those of gelu_tanh"},
           Case{"one input of 65,536", one_input("1.6"), "identity", "1 inputs are further"},
           Case{"the same, negated", one_input("1.6", "ne"), "identity", "1 inputs are further"},
           Case{"NaN at one input", one_input("nan"), "identity", "NaN for 1 finite inputs"},
           Case{"infinity at one input", one_input("inf"), "identity", "infinite for 1 inputs"},
           Case{"a division by zero", "x:f32; t1 = const:f32 0; t2 = div:f32 x t1; return t2", "identity", "finite inputs"},
           Case{"0/0 everywhere", tanh_form("0.044715", "0.79788456", "t2 = mul:f32 t1 x",
                                            "t14 = sub:f32 x x; t15 = div:f32 t14 t14; t16 = add:f32 t13 t15; return t16"),
                "gelu_tanh", "NaN for"},
           Case{"a power of a negative base", tanh_form("0.044715", "0.79788456", "t0 = const:f32 3.0001; t2 = pow:f32 x t0"), "gelu_tanh",
                "NaN for"},
           // tanh − tanh is 0, but within its rounding times 1e30 it may be anything, and so may the quotient.
           Case{"a quotient without a bound", "x:f32; t1 = tanh:f32 x; t2 = sub:f32 t1 t1; t3 = const:f32 1e30; t4 = mul:f32 t2 t3; t5 = const:f32 1; "
                                              "t6 = add:f32 t4 t5; t7 = const:f32 0.9; t8 = mul:f32 x t7; t9 = div:f32 t8 t6; return t9",
                "identity", "further from identity"},
           Case{"a function without an interval", "x:f32; t1 = const:f32 1; t2 = atan2:f32 x t1; return t2", "identity", "further from identity"},
           Case{"a number for NaN", "x:f32; t0 = const:f32 0; t1 = gt:bool x t0; t3 = select:f32 t1 x t0; return t3", "relu", "a number for NaN"},
       }) {
    Outcome r = verify(audit(c.expression, c.required));
    EXPECT_EQ(r.status, 1) << c.what << "\n" << r.out << r.err;
    EXPECT_TRUE(has(r.out, c.says)) << c.what << "\n" << r.out;
    EXPECT_FALSE(has(r.out, "match     ") || has(r.out, "\nmatch")) << c.what << "\n" << r.out;
  }
}

TEST(VerifyHostile, RightCodePasses) {
  for (const std::string& e : {tanh_form(), tanh_form("0.044715", "0.79788456", "t0 = const:f32 3; t2 = pow:f32 x t0")}) {
    Outcome r = verify(audit(e, "gelu_tanh"));
    EXPECT_EQ(r.status, 0) << r.out << r.err;
    EXPECT_TRUE(has(r.out, "gelu_tanh within rounding on every input")) << r.out;
  }
  // -0 for 0 is the same number; subnormal inputs flushed, as fast-math does, differ by less than any tolerance, and are counted.
  Outcome zero = verify(audit("x:f32; t0 = const:f32 0; t1 = lt:bool x t0; t2 = const:f32 -0.0; t3 = select:f32 t1 t2 x; return t3", "relu"));
  EXPECT_EQ(zero.status, 0) << zero.out;
  Outcome flushed = verify(audit("x:f32; t0 = abs:f32 x; t1 = const:f32 1.1754943508222875e-38; t2 = lt:bool t0 t1; t3 = const:f32 0; "
                                 "t4 = select:f32 t2 t3 x; return t4"), {"--format", "json"});
  EXPECT_EQ(flushed.status, 0) << flushed.out;
  EXPECT_TRUE(has(flushed.out, "\"differing\": 254")) << flushed.out; // 127 subnormals of bf16 of each sign
}

TEST(VerifyHostile, DocumentsThatAreNotAudits) {
  std::string deep(100000, '['), closed(100000, ']');
  struct Case {
    std::string document;
    const char* says;
  };
  for (const Case& c : {
           Case{"", "not"}, Case{"null", "not a gelint document"}, Case{"[1, 2]", "not a gelint document"}, Case{deep + closed, "not a gelint document"},
           Case{deep, "not valid JSON"}, Case{R"({"schema": "gelint/9", "command": "audit", "rows": []})", "schema"},
           Case{R"({"schema": "gelint/1", "command": "audit", "rows": 5})", "/rows is not a list"},
           Case{R"({"schema": "gelint/1", "command": "audit", "rows": )" + deep + closed + "}", "/rows/0"},
           Case{R"({"schema": "gelint/1", "command": "audit", "rows": [{"id": 7}]})", "/rows/0/id"},
           Case{R"({"schema": "gelint/1", "command": "audit", "rows": [{"id": "a", "site": {"line": 1e30}}]})", "/rows/0/site/line"},
       }) {
    Outcome r = verify(c.document);
    EXPECT_EQ(r.status, 2) << c.document.substr(0, 80) << r.out;
    EXPECT_TRUE(has(r.err, c.says)) << c.document.substr(0, 80) << ": " << r.err.substr(0, 300);
    EXPECT_LE(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err.substr(0, 300);
  }
}

// Expressions that cannot be run: no answer for the row, said, and no clean exit.
TEST(VerifyHostile, ExpressionsThatAreNone) {
  std::string huge = "x:f32; t0 = add:f32 x x; ", tables = "x:f32; t0 = add:f16 x x; ";
  for (int i = 1; i < 30000; ++i)
    huge += "t" + std::to_string(i) + " = add:f32 t" + std::to_string(i - 1) + " x; ";
  for (int i = 1; i < 40; ++i)
    tables += "t" + std::to_string(i) + " = f16_table:f16 t" + std::to_string(i - 1) + "; ";
  struct Case {
    std::string expression;
    const char* says;
  };
  for (const Case& c : {
           Case{"x:f32; t1 = evil:f32 x x; return t1", "unknown operation 'evil'"},
           Case{"x:f32; return t9", "'t9' is not defined"}, Case{"x:f32; t1 = add:f32 t1 x; return t1", "'t1' is not defined"},
           Case{"x:f32; t1 = add:f32 x x", "no 'return'"}, Case{"x:f32; t1 = const:f32 0); asm(; return t1", "is not a number"},
           Case{huge + "return t29999", "more than 20000 operations"}, Case{tables + "return t39", "more than 8 look-up tables"},
           Case{"", "neither an expression nor a formula"},
       }) {
    Outcome r = verify(audit(c.expression));
    EXPECT_EQ(r.status, 2) << c.says << r.out.substr(0, 300);
    EXPECT_TRUE(has(r.out, "GL004") && has(r.out, c.says)) << c.says << ": " << r.out.substr(0, 500);
  }
}

TEST(VerifyHostile, TerminalsAreNotSteered) {
  std::string document = audit(tanh_form(), "gelu_tanh");
  document.replace(document.find("\"row\""), 5, "\"\\u001b[31mred\\nnew\"");
  Outcome r = verify(document);
  EXPECT_FALSE(has(r.out, "\x1b[31m")) << r.out;
  EXPECT_FALSE(has(r.out, "red\nnew")) << r.out;
}
