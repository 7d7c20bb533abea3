#include "scan/lower_types.h"

#include "scan/lower_cursor.h"

#include <array>
#include <string_view>
#include <unordered_map>

namespace gelint::scan::lower {

using formula::Type;

namespace {

struct NamedType {
  std::string_view name;
  Type type;
  bool lanes;
};

// Names of number types that are classes, typedefs of integers, or SIMD registers. CUDA, HIP, SYCL, Eigen, c10, ggml,
// Arm ACLE and Intel intrinsics documentation.
constexpr auto k_named = std::to_array<NamedType>({
    {"half", Type::f16, false},          {"__half", Type::f16, false},
    {"__half_raw", Type::f16, false},    {"Half", Type::f16, false},
    {"float16", Type::f16, false},       {"float16_t", Type::f16, false},
    {"_Float16", Type::f16, false},      {"__fp16", Type::f16, false},
    {"fp16_t", Type::f16, false},        {"half_t", Type::f16, false},
    {"ggml_fp16_t", Type::f16, false},   {"ggml_half", Type::f16, false},
    {"float16x4_t", Type::f16, true},    {"float16x8_t", Type::f16, true},
    {"__half2", Type::f16, true},        {"half2", Type::f16, true},
    {"half4", Type::f16, true},          {"half8", Type::f16, true},
    {"ggml_half2", Type::f16, true},     {"__m128h", Type::f16, true},
    {"__m256h", Type::f16, true},        {"__m512h", Type::f16, true},
    {"__nv_bfloat16", Type::bf16, false}, {"nv_bfloat16", Type::bf16, false},
    {"hip_bfloat16", Type::bf16, false}, {"__hip_bfloat16", Type::bf16, false},
    {"BFloat16", Type::bf16, false},     {"bfloat16", Type::bf16, false},
    {"bfloat16_t", Type::bf16, false},   {"bf16_t", Type::bf16, false},
    {"ggml_bf16_t", Type::bf16, false},  {"__nv_bfloat162", Type::bf16, true},
    {"nv_bfloat162", Type::bf16, true},  {"bf162", Type::bf16, true},
    {"bfloat162", Type::bf16, true},     {"__bf16", Type::bf16, false},
    {"__hip_bfloat162", Type::bf16, true},
    {"__nv_fp8_e4m3", Type::f8, false},  {"__nv_fp8_e5m2", Type::f8, false},
    {"float1", Type::f32, true},         {"float2", Type::f32, true},
    {"float3", Type::f32, true},         {"float4", Type::f32, true},
    {"float8", Type::f32, true},         {"float16x", Type::f32, true},
    {"vec2", Type::f32, true},           {"vec3", Type::f32, true},
    {"vec4", Type::f32, true},           {"double2", Type::f64, true},
    {"double4", Type::f64, true},        {"uint2", Type::u32, true},
    {"uint4", Type::u32, true},          {"int2", Type::i32, true},
    {"int4", Type::i32, true},           {"__m64", Type::i32, true},
    {"__m128", Type::f32, true},         {"__m256", Type::f32, true},
    {"__m512", Type::f32, true},         {"__m128d", Type::f64, true},
    {"__m256d", Type::f64, true},        {"__m512d", Type::f64, true},
    {"__m128i", Type::i32, true},        {"__m256i", Type::i32, true},
    {"__m512i", Type::i32, true},        {"__mmask8", Type::u32, true},
    {"__mmask16", Type::u32, true},      {"float32x2_t", Type::f32, true},
    {"float32x4_t", Type::f32, true},    {"float64x2_t", Type::f64, true},
    {"int32x4_t", Type::i32, true},      {"uint32x4_t", Type::u32, true},
    {"int32x2_t", Type::i32, true},      {"uint32x2_t", Type::u32, true},
    {"int16x8_t", Type::i32, true},      {"uint16x8_t", Type::u32, true},
    {"svfloat32_t", Type::f32, true},    {"vfloat32m1_t", Type::f32, true},
    {"svbool_t", Type::boolean, true},   {"HVX_Vector", Type::f32, true},
    {"HVX_UVector", Type::f32, true},    {"HVX_VectorPred", Type::boolean, true},
    {"v4f32", Type::f32, true},          {"v4sf", Type::f32, true},
    {"v8sf", Type::f32, true},
});

bool scalar_kind(CXTypeKind k, Type* type) {
  switch (k) {
  case CXType_Bool: *type = Type::boolean; return true;
  case CXType_Char_U:
  case CXType_UChar:
  case CXType_Char16:
  case CXType_Char32:
  case CXType_UShort:
  case CXType_UInt: *type = Type::u32; return true;
  case CXType_Char_S:
  case CXType_SChar:
  case CXType_WChar:
  case CXType_Short:
  case CXType_Int:
  case CXType_Enum: *type = Type::i32; return true;
  case CXType_Long:
  case CXType_LongLong:
  case CXType_ULong:
  case CXType_ULongLong:
  case CXType_Int128:
  case CXType_UInt128: *type = Type::i64; return true;
  case CXType_Float: *type = Type::f32; return true;
  case CXType_Double:
  case CXType_LongDouble:
  case CXType_Float128: *type = Type::f64; return true;
  case CXType_Half:
  case CXType_Float16: *type = Type::f16; return true;
  case CXType_BFloat16: *type = Type::bf16; return true;
  default: return false;
  }
}

std::string_view last_part(std::string_view name) {
  if (size_t lt = name.find('<'); lt != std::string_view::npos)
    name = name.substr(0, lt);
  while (!name.empty() && name.back() == ' ')
    name.remove_suffix(1);
  if (size_t pos = name.find_last_of(": "); pos != std::string_view::npos)
    name = name.substr(pos + 1);
  return name;
}

} // namespace

bool number_type_by_name(const std::string& name, Type* type, bool* lanes) {
  std::string_view part = last_part(name);
  for (const NamedType& n : k_named)
    if (n.name == part) {
      *type = n.type;
      *lanes = n.lanes;
      return true;
    }
  return false;
}

Type common_type(Type a, Type b) {
  if (a == b)
    return a;
  if (a == Type::weak)
    return is_integer(b) ? a : b;
  if (b == Type::weak)
    return is_integer(a) ? b : a;
  if (is_floating(a) != is_floating(b))
    return is_floating(a) ? a : b;
  if (is_floating(a)) {
    // Two different half types meet in float.
    if (a != Type::f64 && a != Type::f32 && b != Type::f64 && b != Type::f32)
      return Type::f32;
    return a < b ? a : b;
  }
  if (a == Type::boolean || b == Type::boolean)
    return a == Type::boolean ? b : a;
  return a == Type::i64 || b == Type::i64 ? Type::i64 : Type::u32;
}

namespace {

struct TypeKey {
  size_t operator()(const CXType& t) const {
    return std::hash<const void*>()(t.data[0]) ^ (static_cast<size_t>(t.kind) << 48);
  }
  bool operator()(const CXType& a, const CXType& b) const {
    return a.kind == b.kind && a.data[0] == b.data[0] && a.data[1] == b.data[1];
  }
};

std::unordered_map<CXType, TypeInfo, TypeKey, TypeKey>& known_types() {
  thread_local std::unordered_map<CXType, TypeInfo, TypeKey, TypeKey> known;
  return known;
}

/// "union half4 { float2 x; half2 h[2]; }": whatever its name is, it is seen in two ways.
bool is_union(CXType t) { return kind_of(clang_getTypeDeclaration(clang_getCanonicalType(t))) == CXCursor_UnionDecl; }

TypeInfo read_type(CXType t) {
  TypeInfo out;
  if (t.kind == CXType_Unexposed) {
    // The argument of a template parameter, or a dependent type.
    CXType canonical = clang_getCanonicalType(t);
    return canonical.kind == CXType_Unexposed || canonical.kind == CXType_Invalid ? out : type_info(canonical);
  }
  if (t.kind == CXType_LValueReference || t.kind == CXType_RValueReference) {
    out = type_info(clang_getPointeeType(t));
    out.reference = true;
    return out;
  }
  Type type{};
  bool lanes = false;
  // The written name first: typedefs of integers hold halves.
  for (CXType step = t; step.kind != CXType_Invalid;) {
    std::string name = take(clang_getTypeSpelling(clang_getUnqualifiedType(step)));
    if (number_type_by_name(name, &type, &lanes) && step.kind != CXType_Pointer &&
        name.find_first_of("*[(") == std::string::npos && !(lanes && is_union(t))) {
      out = {Shape::number, type, true, lanes, false, false};
      return out;
    }
    if (step.kind == CXType_Elaborated) {
      step = clang_Type_getNamedType(step);
      continue;
    }
    if (step.kind == CXType_Typedef) {
      step = clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(step));
      continue;
    }
    break;
  }
  CXType c = clang_getCanonicalType(t);
  if (scalar_kind(c.kind, &type))
    return {Shape::number, type, true, false, false, false};
  switch (c.kind) {
  case CXType_LValueReference:
  case CXType_RValueReference: {
    out = type_info(clang_getPointeeType(c));
    out.reference = true;
    return out;
  }
  case CXType_Void: out.shape = Shape::nothing; return out;
  case CXType_NullPtr:
  case CXType_Pointer: {
    CXType p = clang_getPointeeType(c);
    if (p.kind == CXType_FunctionProto || p.kind == CXType_FunctionNoProto) {
      out.shape = Shape::function;
      return out;
    }
    CXType written = t.kind == CXType_Pointer ? clang_getPointeeType(t) : p;
    TypeInfo e = type_info(written);
    out = {Shape::pointer, e.type, e.known && e.shape == Shape::number, false, false, false};
    return out;
  }
  case CXType_ConstantArray:
  case CXType_IncompleteArray:
  case CXType_VariableArray:
  case CXType_DependentSizedArray: {
    TypeInfo e = type_info(clang_getArrayElementType(t.kind == c.kind ? t : c));
    return {Shape::pointer, e.type, e.known && e.shape == Shape::number, false, false, true};
  }
  case CXType_Vector:
  case CXType_ExtVector: {
    TypeInfo e = type_info(clang_getElementType(c));
    return {Shape::number, e.type, true, true, false, false};
  }
  case CXType_FunctionProto:
  case CXType_FunctionNoProto: out.shape = Shape::function; return out;
  case CXType_Record: {
    if (number_type_by_name(record_name(c), &type, &lanes) && !(lanes && is_union(c)))
      return {Shape::number, type, true, lanes, false, false};
    out.shape = Shape::record;
    return out;
  }
  case CXType_MemberPointer: out.shape = Shape::function; return out;
  default: return out; // dependent, auto, invalid
  }
}

} // namespace

TypeInfo type_info(CXType t) {
  if (t.kind == CXType_Invalid)
    return {}; // libclang dereferences the null inside
  auto it = known_types().find(t);
  if (it == known_types().end()) {
    TypeInfo info = read_type(t);
    if (info.shape == Shape::number)
      if (long long n = clang_Type_getSizeOf(clang_getNonReferenceType(t)); n > 0 && n <= 256)
        info.bytes = static_cast<int>(n);
    it = known_types().emplace(t, info).first;
  }
  return it->second;
}

void forget_types() { known_types() = {}; }

} // namespace gelint::scan::lower
