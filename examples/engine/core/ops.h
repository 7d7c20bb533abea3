// Element-wise and matrix operations on lazy arrays. A 1x1 operand is broadcast, and so is one row.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/array.h"

namespace mini {

array add(const array& a, const array& b);
array subtract(const array& a, const array& b);
array multiply(const array& a, const array& b);
array divide(const array& a, const array& b);
array power(const array& base, const array& exponent);
array maximum(const array& a, const array& b);

array negative(const array& x);
array exp(const array& x);
array tanh(const array& x);
array erf(const array& x);
array sigmoid(const array& x);
array square(const array& x);
array sqrt(const array& x);

array matmul(const array& a, const array& b);
array astype(const array& x, dtype type);
// The left and the right half of the columns.
std::pair<array, array> split_columns(const array& x);

inline array operator+(const array& a, const array& b) { return add(a, b); }
inline array operator-(const array& a, const array& b) { return subtract(a, b); }
inline array operator*(const array& a, const array& b) { return multiply(a, b); }
inline array operator/(const array& a, const array& b) { return divide(a, b); }
inline array operator-(const array& x) { return negative(x); }

using graph_function = std::function<std::vector<array>(const std::vector<array>&)>;
// Wraps a function so that a later pass may fuse what it records.
graph_function compile(graph_function f);

} // namespace mini
