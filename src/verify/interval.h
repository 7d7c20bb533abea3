#pragma once
// The rounding errors that an expression may make: for each input an interval that holds both what it means (every
// operation exact) and every result of rounding each operation to its type either way, with functions of the accuracy
// stated here. A verdict asks whether the required value lies in it: if not, rounding cannot explain the difference.
//
// Interval arithmetic, widened by half a spacing of the type at each rounding (Higham, Accuracy and Stability of
// Numerical Algorithms, 2nd ed., §2.2 and §3.3). f32 elementary functions are given 2 ulp, the bound of the CUDA C++ Programming Guide for
// erff, tanhf and expf; tanh.approx.f32 a relative 2^-16 (1.1e-5 measured over all inputs; PTX promises 2^-11 only);
// __expf 2 + |1.16·x| ulp (same guide).

#include "formula/expr.h"

#include <optional>
#include <span>
#include <vector>

namespace gelint::verify {

struct Interval {
  double lo = 0, hi = 0;
};

/// Intervals of f(x[i], 1). Nothing when the expression works on bits or integers, where a rounding may flip a branch
/// that the next operation undoes: there the caller falls back to a fixed tolerance.
std::optional<std::vector<Interval>> rounding_intervals(const formula::Expr& e, std::span<const double> x);

} // namespace gelint::verify
