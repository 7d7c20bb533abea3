#pragma once
// What another value than the input does to a function of it.

#include "formula/expr.h"

namespace gelint::scan::lower {

enum class Role : uint8_t {
  none,     ///< it shapes the function
  shift,    ///< f(x + s)
  offset,   ///< f(x) + s
  factor,   ///< f(x)·s
  one_more, ///< f(x)·(s + 1)
  divisor,  ///< f(x) / s
  scale,    ///< f(x·s), or no influence at all
};

/// `e` has the value as its gate leaf. Found by evaluation at 13 points and 5 values.
Role role_of(const formula::Expr& e);

/// The expression is a + b·gate for every x: what a factor of the output must be, whatever the other symbols are.
bool affine_in_gate(const formula::Expr& e);

} // namespace gelint::scan::lower
