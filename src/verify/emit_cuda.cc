#include "verify/emit_cuda.h"

#include <cmath>
#include <fmt/format.h>

namespace gelint::verify {

using formula::Expr;
using formula::k_no_node;
using formula::Node;
using formula::NodeId;
using formula::Op;
using formula::Type;

namespace {

std::string_view c_type(Type t) {
  switch (t) {
  case Type::f64: return "double";
  case Type::i64: return "long long";
  case Type::i32: return "int";
  case Type::u32: return "unsigned";
  case Type::boolean: return "bool";
  default: return "float";
  }
}

std::string literal(Type t, double v) {
  if (t == Type::boolean)
    return v != 0 ? "true" : "false";
  if (formula::is_integer(t))
    return fmt::format("static_cast<{}>({}ll)", c_type(t), static_cast<long long>(v));
  if (t == Type::f64) {
    if (std::isnan(v))
      return "__longlong_as_double(0x7ff8000000000000ll)";
    if (std::isinf(v))
      return v > 0 ? "__longlong_as_double(0x7ff0000000000000ll)" : "(-__longlong_as_double(0x7ff0000000000000ll))";
    return fmt::format("({:a})", v);
  }
  double r = t == Type::weak ? static_cast<float>(v) : formula::round_to(t, v);
  if (std::isnan(r))
    return "__uint_as_float(0x7fc00000u)";
  if (std::isinf(r))
    return r > 0 ? "__uint_as_float(0x7f800000u)" : "__uint_as_float(0xff800000u)";
  return fmt::format("({:a}f)", r);
}

class Emitter {
public:
  Emitter(const Expr& e, std::string name) : e_(e), name_(std::move(name)) {}

  std::string run(NodeId root) {
    std::vector<bool> used(root + 1, false);
    used[root] = true;
    for (NodeId i = root + 1; i-- > 0;)
      if (used[i] && e_[i].op != Op::f16_table)
        for (NodeId o : {e_[i].a, e_[i].b, e_[i].c})
          if (o != k_no_node)
            used[o] = true;
    std::string body;
    for (NodeId i = 0; i <= root; ++i)
      if (used[i])
        body += fmt::format("  {} v{} = {};\n", c_type(e_[i].type), i, node(e_[i]));
    // The sweep kernels call it in several unrolled places: a long one is compiled once.
    const char* how = root < 120 ? "inline" : "__noinline__";
    return helpers_ + fmt::format("__device__ {} float {}(float x) {{\n{}  return static_cast<float>(v{});\n}}\n", how, name_,
                                  body, root);
  }

private:
  /// Operand as an operation of type `t` takes it.
  std::string arg(NodeId id, Type t) {
    const Node& n = e_[id];
    if (n.op == Op::constant && n.type == Type::weak)
      return literal(t, n.value);
    if (c_type(n.type) == c_type(t))
      return fmt::format("v{}", id);
    return fmt::format("static_cast<{}>(v{})", c_type(t), id);
  }

  /// Rounds a computed value to the node's type.
  std::string rounded(Type t, std::string value, bool from_double = false) {
    if (t == Type::f16)
      return fmt::format("{}({})", from_double ? "gelint_f16_of_double" : "gelint_f16", value);
    if (t == Type::bf16)
      return fmt::format("{}({})", from_double ? "gelint_bf16_of_double" : "gelint_bf16", value);
    if (t == Type::f8)
      return fmt::format("gelint_e4m3({})", value);
    return from_double ? fmt::format("static_cast<{}>({})", c_type(t), value) : value;
  }

  std::string call(const Node& n, std::string_view f32, std::string_view f64) {
    Type t = n.type;
    std::string args = arg(n.a, t);
    for (NodeId o : {n.b, n.c})
      if (o != k_no_node)
        args += ", " + arg(o, t);
    return rounded(t, fmt::format("{}({})", t == Type::f64 ? f64 : f32, args));
  }

  std::string infix(const Node& n, std::string_view op) {
    return rounded(n.type, fmt::format("{} {} {}", arg(n.a, n.type), op, arg(n.b, n.type)));
  }

  std::string compare(const Node& n, std::string_view op) {
    Type ta = e_[n.a].type, tb = e_[n.b].type;
    Type t = formula::is_float(ta) && ta != Type::weak ? ta : formula::is_float(tb) && tb != Type::weak ? tb
           : formula::is_integer(ta) && formula::is_integer(tb) ? Type::i64 : Type::f32;
    return fmt::format("({} {} {})", arg(n.a, t), op, arg(n.b, t));
  }

  std::string cast(const Node& n) {
    Type from = e_[n.a].type;
    std::string v = arg(n.a, from == Type::weak ? n.type : from);
    if (n.type == Type::boolean)
      return fmt::format("({} != 0)", v);
    if (formula::is_integer(n.type))
      return formula::is_integer(from) ? fmt::format("static_cast<{}>({})", c_type(n.type), v)
                                       : fmt::format("gelint_to_{}({})", formula::to_string(n.type), v);
    bool wide = from == Type::f64 || from == Type::i64 || from == Type::i32 || from == Type::u32;
    return rounded(n.type, wide ? fmt::format("static_cast<double>({})", v) : v, wide);
  }

  std::string table(const Node& n) {
    std::string fill = fmt::format("{}_table{}", name_, tables_++);
    helpers_ += Emitter(e_, fill).run(n.a);
    return fmt::format("gelint_f16({}(gelint_f16(x)))", fill);
  }

  std::string shift(const Node& n, std::string_view op) {
    Type t = n.type;
    int width = t == Type::i64 ? 64 : 32;
    std::string b = arg(n.b, Type::i64);
    std::string a = op == "<<" ? fmt::format("static_cast<{}>(static_cast<{}>({}) << {})", c_type(t),
                                             t == Type::i64 ? "unsigned long long" : "unsigned", arg(n.a, t), b)
                               : fmt::format("({} >> {})", arg(n.a, t), b);
    return fmt::format("({0} < 0 || {0} >= {1} ? {2} : {3})", b, width, literal(t, 0), a);
  }

  std::string node(const Node& n) {
    Type t = n.type;
    switch (n.op) {
    case Op::constant:
    case Op::parameter: return literal(t, n.value);
    case Op::input: return formula::is_integer(t) ? fmt::format("static_cast<{}>(x)", c_type(t))
                         : t == Type::f64         ? "static_cast<double>(x)" : "x";
    case Op::gate: return literal(t, 1);
    case Op::cast: return cast(n);
    case Op::neg: return formula::is_integer(t) ? fmt::format("0 - {}", arg(n.a, t)) : fmt::format("-{}", arg(n.a, t));
    case Op::abs: return call(n, formula::is_integer(t) ? "gelint_abs" : "fabsf", "fabs");
    case Op::exp: return call(n, "expf", "exp");
    case Op::exp2: return call(n, "exp2f", "exp2");
    case Op::expm1: return call(n, "expm1f", "expm1");
    case Op::log: return call(n, "logf", "log");
    case Op::log2: return call(n, "log2f", "log2");
    case Op::log1p: return call(n, "log1pf", "log1p");
    case Op::sqrt: return call(n, "sqrtf", "sqrt");
    case Op::rsqrt: return call(n, "rsqrtf", "rsqrt");
    case Op::recip: return rounded(t, fmt::format("1 / {}", arg(n.a, t)));
    case Op::tanh: return call(n, "tanhf", "tanh");
    case Op::erf: return call(n, "erff", "erf");
    case Op::erfc: return call(n, "erfcf", "erfc");
    case Op::sinh: return call(n, "sinhf", "sinh");
    case Op::cosh: return call(n, "coshf", "cosh");
    case Op::sigmoid: return call(n, "gelint_sigmoidf", "gelint::formula::math::sigmoid");
    case Op::normcdf: return call(n, "normcdff", "normcdf");
    case Op::softplus: return call(n, "gelint_softplusf", "gelint::formula::math::softplus");
    case Op::tanh_approx: return call(n, "gelint_tanh_approx", "tanh");
    case Op::exp_approx: return call(n, "__expf", "exp");
    case Op::floor: return integral(n, "floor");
    case Op::ceil: return integral(n, "ceil");
    case Op::round: return integral(n, formula::is_integer(t) ? "rint" : "round");
    case Op::trunc: return integral(n, "trunc");
    case Op::sign: return fmt::format("gelint_sign({})", arg(n.a, t));
    case Op::logical_not: return fmt::format("static_cast<{}>({} == 0)", c_type(t), arg(n.a, e_[n.a].type));
    case Op::bits_of_f32: return fmt::format("static_cast<{}>(__float_as_uint({}))", c_type(t), arg(n.a, Type::f32));
    case Op::f32_of_bits: return fmt::format("__uint_as_float(static_cast<unsigned>({}))", arg(n.a, Type::i64));
    case Op::f16_table: return table(n);
    case Op::add: return infix(n, "+");
    case Op::sub: return infix(n, "-");
    case Op::mul: return infix(n, "*");
    case Op::div:
      return formula::is_integer(t) ? fmt::format("({1} == 0 ? 0 : {0} / {1})", arg(n.a, t), arg(n.b, t)) : infix(n, "/");
    case Op::fmod:
      return formula::is_integer(t) ? fmt::format("({1} == 0 ? 0 : {0} % {1})", arg(n.a, t), arg(n.b, t))
                                    : call(n, "fmodf", "fmod");
    case Op::pow: return call(n, "powf", "pow");
    case Op::min: return formula::is_integer(t) ? call(n, "min", "min") : call(n, "fminf", "fmin");
    case Op::max: return formula::is_integer(t) ? call(n, "max", "max") : call(n, "fmaxf", "fmax");
    case Op::atan2: return call(n, "atan2f", "atan2");
    case Op::ldexp:
      return rounded(t, fmt::format("{}({}, gelint_to_i32({}))", t == Type::f64 ? "ldexp" : "ldexpf", arg(n.a, t),
                                    arg(n.b, Type::f32)));
    case Op::lt: return compare(n, "<");
    case Op::le: return compare(n, "<=");
    case Op::gt: return compare(n, ">");
    case Op::ge: return compare(n, ">=");
    case Op::eq: return compare(n, "==");
    case Op::ne: return compare(n, "!=");
    case Op::logical_and: return compare(n, "!= 0 && 0 !=");
    case Op::logical_or: return compare(n, "!= 0 || 0 !=");
    case Op::bit_and: return infix(n, "&");
    case Op::bit_or: return infix(n, "|");
    case Op::bit_xor: return infix(n, "^");
    case Op::shl: return shift(n, "<<");
    case Op::shr: return shift(n, ">>");
    case Op::fma:
      if (formula::is_integer(t))
        return fmt::format("{} * {} + {}", arg(n.a, t), arg(n.b, t), arg(n.c, t));
      return call(n, "fmaf", "fma");
    case Op::select:
      // A comparison may be stored as a number; any value but 0 is true.
      return rounded(t, fmt::format("({} != 0 ? {} : {})", arg(n.a, e_[n.a].type), arg(n.b, t), arg(n.c, t)));
    }
    return literal(t, 0);
  }

  std::string integral(const Node& n, std::string_view function) {
    Type t = n.type;
    if (formula::is_integer(t))
      return fmt::format("gelint_to_{}({}f({}))", formula::to_string(t), function, arg(n.a, Type::f32));
    return call(n, fmt::format("{}f", function), function);
  }

  const Expr& e_;
  std::string name_, helpers_;
  int tables_ = 0;
};

constexpr std::string_view k_prelude = R"(
__device__ inline float gelint_bf16(float v) {
  unsigned b = __float_as_uint(v);
  if (v != v)
    return v;
  return __uint_as_float((b + 0x7fffu + (b >> 16 & 1u)) & 0xffff0000u);
}
__device__ inline float gelint_f16(float v) {
  float r;
  asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(r) : "f"(v));
  return r;
}
__device__ inline float gelint_bf16_of_double(double v) {
  return static_cast<float>(gelint::verify::core::round_to_type(gelint::verify::core::k_bf16, v));
}
__device__ inline float gelint_f16_of_double(double v) {
  return static_cast<float>(gelint::verify::core::round_to_type(gelint::verify::core::k_f16, v));
}
// E4M3 has no infinity: beyond 448 it is NaN.
__device__ inline float gelint_e4m3(float v) {
  if (!(fabsf(v) <= 3.4028234663852886e38f))
    return __uint_as_float(0x7fc00000u);
  if (v == 0)
    return v;
  int e = static_cast<int>(__float_as_uint(v) >> 23 & 255u) - 127;
  e = e < -6 ? -6 : e;
  float r = rintf(ldexpf(v, 3 - e));
  r = ldexpf(r, e - 3);
  return fabsf(r) > 448.0f ? __uint_as_float(0x7fc00000u) : r;
}
__device__ inline float gelint_sigmoidf(float x) { return 1.0f / (1.0f + expf(-x)); }
__device__ inline float gelint_softplusf(float x) { return x > 20.0f ? x : log1pf(expf(x)); }
__device__ inline float gelint_tanh_approx(float x) {
  float r;
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
template <class V> __device__ inline V gelint_abs(V v) { return v < 0 ? 0 - v : v; }
template <class V> __device__ inline V gelint_sign(V v) { return v != v ? v : static_cast<V>((v > 0) - (v < 0)); }
template <class V> __device__ inline int gelint_to_i32(V v) { return static_cast<int>(v); }
template <class V> __device__ inline unsigned gelint_to_u32(V v) { return v <= 0 ? 0u : static_cast<unsigned>(v); }
template <class V> __device__ inline long long gelint_to_i64(V v) { return static_cast<long long>(v); }
)";

} // namespace

std::string emit_cuda(const Expr& e, std::string_view name) {
  return e.empty() ? fmt::format("__device__ inline float {}(float x) {{ return x; }}\n", name)
                   : Emitter(e, std::string(name)).run(e.root());
}

std::string_view emit_cuda_prelude() { return k_prelude; }

} // namespace gelint::verify
