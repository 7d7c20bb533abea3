#pragma once
// C++ types as lowering sees them: the type a number is rounded to, pointers, records, vectors of lanes.

#include "formula/expr.h"

#include <clang-c/Index.h>

#include <string>

namespace gelint::scan::lower {

enum class Shape : uint8_t {
  number,   ///< arithmetic, half types, SIMD and small vector types (lanes are alike)
  pointer,  ///< pointers and arrays
  record,   ///< other classes
  function, ///< functions and pointers to them
  nothing,  ///< void
  unknown,  ///< dependent or invalid
};

struct TypeInfo {
  Shape shape = Shape::unknown;
  formula::Type type = formula::Type::f32; ///< of a number; of the element for pointers to numbers
  bool known = false;   ///< false: `type` is a guess (dependent type, tensor of unknown element)
  bool lanes = false;   ///< SIMD or small vector: .x, .y and [i] are the number itself
  bool reference = false;
  bool array = false;   ///< a pointer shape whose elements are in place
  int bytes = 0;        ///< of a number with lanes and of what is stored in it; 0: not known
};

TypeInfo type_info(CXType t);
void forget_types(); ///< see forget_cursors()

/// "float4", "__m256", "half2", "float32x4_t" … → element type. False when it is no such name.
bool number_type_by_name(const std::string& name, formula::Type* type, bool* lanes);

using formula::is_integer;
inline bool is_floating(formula::Type t) { return formula::is_float(t); } ///< `weak` included
/// The usual arithmetic conversions; `weak` yields to its partner.
formula::Type common_type(formula::Type a, formula::Type b);

} // namespace gelint::scan::lower
