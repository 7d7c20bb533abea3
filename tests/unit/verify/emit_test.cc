// Expressions as CUDA source. Where the run-time compiler is installed the text is compiled to machine code (no GPU is
// needed for that); what it computes is tested on the device (gpu_test.cc).

#include "verify/cuda/source.h"
#include "verify/emit_cuda.h"

#ifdef GELINT_HAVE_CUDA_BACKEND
#include "verify/cuda/driver.h"
#endif

#include <gtest/gtest.h>

using namespace gelint;
using namespace gelint::verify;
using formula::Expr;
using formula::Formula;
using formula::NodeId;
using formula::Op;
using formula::Type;

TEST(Emit, OneFunctionInTheOrderOfTheExpression) {
  std::string error;
  auto e = formula::parse_expr("x:f32; t1 = mul:f32 x x; t2 = const:f32 0.5; t3 = add:f32 t1 t2; return t3", &error);
  ASSERT_TRUE(e) << error;
  EXPECT_EQ(emit_cuda(*e, "f"), "__device__ inline float f(float x) {\n"
                                "  float v0 = x;\n"
                                "  float v1 = v0 * v0;\n"
                                "  float v2 = (0x1p-1f);\n"
                                "  float v3 = v1 + v2;\n"
                                "  return static_cast<float>(v3);\n"
                                "}\n");
}

#ifdef GELINT_HAVE_CUDA_BACKEND

namespace {
void compiles(const std::string& source) {
  auto nvrtc = cuda::open_nvrtc();
  if (!nvrtc)
    GTEST_SKIP() << nvrtc.error().message;
  auto image = cuda::compile_cubin(**nvrtc, source, "sm_90", false);
  ASSERT_TRUE(image) << image.error().message << "\n" << source;
  EXPECT_GT(image->size(), 1000u);
}
} // namespace

TEST(Emit, EveryOperationCompiles) {
  // One expression that uses each operation in each family of types once.
  Expr e;
  NodeId x = e.leaf(Op::input, Type::f16), sum = e.constant(0, Type::f32);
  auto into = [&](NodeId n) { sum = e.make(Op::add, Type::f32, sum, e.make(Op::cast, Type::f32, n)); };
  for (Type t : {Type::f64, Type::f32, Type::f16, Type::bf16, Type::f8, Type::i32, Type::u32, Type::i64}) {
    NodeId v = e.make(Op::cast, t, x), two = e.constant(2, t), weak = e.constant(0.25, Type::weak);
    for (int i = static_cast<int>(Op::neg); i <= static_cast<int>(Op::select); ++i) {
      Op op = static_cast<Op>(i);
      bool bits = op == Op::bit_and || op == Op::bit_or || op == Op::bit_xor || op == Op::shl || op == Op::shr;
      bool for_integers = bits || op == Op::neg || op == Op::abs || op == Op::add || op == Op::sub || op == Op::mul ||
                          op == Op::div || op == Op::fmod || op == Op::min || op == Op::max || op == Op::sign ||
                          op == Op::cast || op == Op::floor || op == Op::round || op == Op::fma;
      if (formula::is_integer(t) ? !for_integers : bits)
        continue;
      switch (op) {
      case Op::lt: case Op::le: case Op::gt: case Op::ge: case Op::eq: case Op::ne: case Op::logical_and:
      case Op::logical_or: into(e.make(op, Type::boolean, v, weak)); break;
      case Op::logical_not: into(e.make(op, Type::boolean, v)); break;
      case Op::bits_of_f32: into(e.make(op, Type::u32, v)); break;
      case Op::f32_of_bits: into(e.make(op, Type::f32, e.make(Op::bits_of_f32, Type::u32, v))); break;
      case Op::f16_table: into(e.make(op, Type::f16, e.make(Op::tanh, Type::f32, x))); break;
      case Op::select: into(e.make(op, t, e.make(Op::lt, Type::boolean, v, two), v, weak)); break;
      case Op::fma: into(e.make(op, t, v, two, v)); break;
      default: into(formula::arity(op) == 1 ? e.make(op, t, v) : e.make(op, t, v, two));
      }
    }
  }
  e.set_root(e.make(Op::cast, Type::f16, sum));
  // Alone, not in the sweep kernels, which would inline it many times.
  compiles("#include \"verify/sweep_core.h\"\n" + std::string(emit_cuda_prelude()) + emit_cuda(e, "f") +
           "extern \"C\" __global__ void run(float* y) { y[threadIdx.x] = f(y[threadIdx.x]); }\n");
}

TEST(Emit, SweepsOfBuiltInCandidatesCompile) {
  auto erf = candidate_of(Formula::gelu_erf, Path::f32, Type::f32);
  auto table = candidate_of(Formula::gelu_tanh, Path::f16_table, Type::f32);
  compiles(cuda::sweep_source(*erf, &*table, Formula::gelu_erf, Type::f32));
  auto by_op = candidate_of(Formula::gelu_tanh, Path::input, Type::bf16);
  compiles(cuda::sweep_source(*by_op, nullptr, Formula::gelu_tanh, Type::bf16));
}

TEST(Emit, AFaultyKernelIsNamed) {
  auto nvrtc = cuda::open_nvrtc();
  if (!nvrtc)
    GTEST_SKIP() << nvrtc.error().message;
  auto image = cuda::compile_cubin(**nvrtc, "__global__ void f() { undefined_name(); }", "sm_90", false);
  ASSERT_FALSE(image);
  EXPECT_NE(image.error().message.find("undefined_name"), std::string::npos);
}

#endif
