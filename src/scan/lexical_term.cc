#include "scan/lexical_term.h"

#include <algorithm>
#include <array>

namespace gelint::scan {

size_t count_nodes(const Term& p, size_t limit) {
  size_t n = 1;
  for (const Term& a : p->args) {
    if (n > limit)
      return n;
    n += count_nodes(a, limit - n);
  }
  return n;
}

bool contains(const Term& whole, const Term& part) {
  return whole == part || std::any_of(whole->args.begin(), whole->args.end(), [&](const Term& a) { return contains(a, part); });
}

void collect_symbols(const Term& p, std::vector<std::string>& out) {
  if (!p->symbol.empty()) {
    if (std::find(out.begin(), out.end(), p->symbol) == out.end())
      out.push_back(p->symbol);
    return;
  }
  for (const Term& a : p->args)
    collect_symbols(a, out);
}

namespace {

struct MathName {
  std::string_view name;
  Op op;
  int args;
};
constexpr std::array k_math_names = {
    MathName{"tanh", Op::tanh, 1},   MathName{"tanhf", Op::tanh, 1},   MathName{"erf", Op::erf, 1},     MathName{"erff", Op::erf, 1},
    MathName{"erfc", Op::erfc, 1},   MathName{"erfcf", Op::erfc, 1},   MathName{"exp", Op::exp, 1},     MathName{"expf", Op::exp, 1},
    MathName{"__expf", Op::exp, 1},  MathName{"exp2", Op::exp2, 1},    MathName{"exp2f", Op::exp2, 1},  MathName{"native_exp", Op::exp, 1},
    MathName{"log", Op::log, 1},     MathName{"logf", Op::log, 1},     MathName{"log2", Op::log2, 1},   MathName{"log1p", Op::log1p, 1},
    MathName{"log1pf", Op::log1p, 1}, MathName{"sqrt", Op::sqrt, 1},   MathName{"sqrtf", Op::sqrt, 1},  MathName{"rsqrt", Op::rsqrt, 1},
    MathName{"inversesqrt", Op::rsqrt, 1}, MathName{"fabs", Op::abs, 1}, MathName{"fabsf", Op::abs, 1}, MathName{"abs", Op::abs, 1},
    MathName{"sign", Op::sign, 1},   MathName{"floor", Op::floor, 1},  MathName{"pow", Op::pow, 2},     MathName{"powf", Op::pow, 2},
    MathName{"pown", Op::pow, 2},    MathName{"powr", Op::pow, 2},     MathName{"max", Op::max, 2},     MathName{"fmax", Op::max, 2},
    MathName{"fmaxf", Op::max, 2},   MathName{"min", Op::min, 2},      MathName{"fmin", Op::min, 2},    MathName{"fminf", Op::min, 2},
    MathName{"fma", Op::fma, 3},     MathName{"fmaf", Op::fma, 3},     MathName{"mad", Op::fma, 3},     MathName{"sinh", Op::sinh, 1},
    MathName{"cosh", Op::cosh, 1},   MathName{"coshf", Op::cosh, 1},   MathName{"sinhf", Op::sinh, 1},  MathName{"sigmoid", Op::sigmoid, 1},
    MathName{"native_recip", Op::recip, 1}, MathName{"recip", Op::recip, 1}, MathName{"normcdf", Op::normcdf, 1}, MathName{"normcdff", Op::normcdf, 1},
    MathName{"round", Op::round, 1}, MathName{"trunc", Op::trunc, 1},
    MathName{"expm1", Op::expm1, 1}, MathName{"expm1f", Op::expm1, 1}, MathName{"tanh_approx", Op::tanh_approx, 1}};

} // namespace

const Op* math_operation(std::string_view name, size_t arguments) {
  for (const MathName& m : k_math_names)
    if (m.name == name && static_cast<size_t>(m.args) == arguments)
      return &m.op;
  return nullptr;
}

const double* library_constant(std::string_view name) {
  struct Named {
    std::string_view name;
    double value;
  };
  static constexpr std::array k = {Named{"zero", 0},          Named{"one", 1}, Named{"two", 2}, Named{"half", 0.5}, Named{"pi", 3.14159265358979323846},
                                   Named{"root_two", 1.41421356237309504880}, Named{"half_root_two", 0.70710678118654752440}};
  auto it = std::find_if(k.begin(), k.end(), [&](const Named& n) { return n.name == name; });
  return it == k.end() ? nullptr : &it->value;
}

bool is_type_name(std::string_view s) {
  static constexpr std::array k = std::to_array<std::string_view>({"float", "double", "half", "int", "uint", "f32", "f16", "bf16", "i32", "u32", "T", "scalar_t",
      "vec2", "vec3", "vec4", "float2", "float3", "float4", "half2", "half4", "half8", "float8", "dtype", "storage_t", "compute_t", "bfloat", "bfloat16",
      "float16_t", "f16vec4", "f16vec2", "__half", "nv_bfloat16", "bool", "unsigned", "long", "char", "short", "auto", "let", "var", "const", "opmath_t", "TO",
      "T0", "T1", "TS", "TD", "T_ACC", "acc_t", "__half2float", "__float2half", "__float2half_rn", "__bfloat162float", "__float2bfloat16", "convert_float",
      "convert_half", "convert_float4", "convert_half4", "as_float", "to_float", "GGML_FP16_TO_FP32", "GGML_FP32_TO_FP16", "GGML_CPU_FP16_TO_FP32",
      "GGML_CPU_FP32_TO_FP16", "static_cast", "vec"});
  return std::find(k.begin(), k.end(), s) != k.end() || s.ends_with("_TYPE") || s.ends_with("Type") || s.ends_with("_t");
}

} // namespace gelint::scan
