#include "scan/lexical_term.h"

#include "scan/lower_ops.h"

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

bool computes(const Term& p) {
  switch (p->op) {
  case Op::add: case Op::sub: case Op::mul: case Op::div: case Op::neg: case Op::constant: case Op::input: break;
  default:
    if (p->symbol.empty() && !p->args.empty())
      return true;
  }
  return std::any_of(p->args.begin(), p->args.end(), computes);
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
/// Names that only shader languages give these meanings; the others are in rules/ops_*.yaml.
constexpr std::array k_shader_names = {
    MathName{"inversesqrt", Op::rsqrt, 1}, MathName{"sign", Op::sign, 1},    MathName{"sigmoid", Op::sigmoid, 1}, MathName{"recip", Op::recip, 1},
    MathName{"native_exp", Op::exp, 1},    MathName{"pown", Op::pow, 2},     MathName{"abs", Op::abs, 1},         MathName{"log", Op::log, 1}};

/// Integer operations and bits need the types that tokens do not have.
bool readable(const lower::OpTerm& t) {
  if (t.kind == lower::OpTerm::Kind::formula)
    return false;
  if (t.kind == lower::OpTerm::Kind::operation)
    switch (t.op) {
    case Op::bits_of_f32: case Op::f32_of_bits: case Op::bit_and: case Op::bit_or: case Op::bit_xor: case Op::shl: case Op::shr: return false;
    default: break;
    }
  if (t.kind == lower::OpTerm::Kind::cast && (t.type == formula::Type::i32 || t.type == formula::Type::u32))
    return false;
  return std::all_of(t.args.begin(), t.args.end(), readable);
}

Term term_of(const lower::OpTerm& t, const std::vector<Term>& args) {
  using Kind = lower::OpTerm::Kind;
  switch (t.kind) {
  case Kind::argument: return static_cast<size_t>(t.argument) < args.size() ? args[static_cast<size_t>(t.argument)] : nullptr;
  case Kind::number: return number(t.number);
  case Kind::cast: return term_of(t.args[0], args);
  case Kind::formula: return nullptr;
  case Kind::operation: break;
  }
  std::vector<Term> parts;
  for (const lower::OpTerm& a : t.args) {
    parts.push_back(term_of(a, args));
    if (!parts.back())
      return nullptr;
  }
  return make(t.op, std::move(parts));
}

} // namespace

Term modelled_call(std::string_view qualified, const std::vector<Term>& args, bool method) {
  const lower::OpModel* m = lower::embedded_op_models().find(qualified, static_cast<int>(args.size()), method).model;
  if (m && m->term && m->cases.empty() && m->store < 0 && !m->same && m->steady.empty() && readable(*m->term))
    return term_of(*m->term, args);
  const std::string_view name = qualified.substr(qualified.rfind(':') == std::string_view::npos ? 0 : qualified.rfind(':') + 1);
  for (const MathName& n : k_shader_names)
    if (n.name == name && static_cast<size_t>(n.args) == args.size())
      return make(n.op, args);
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
