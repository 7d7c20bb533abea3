#pragma once
// Which canonical formula an expression computes.

#include "formula/expr.h"
#include "formula/formula.h"

#include <string>
#include <vector>

namespace gelint::formula {

enum class Gating : uint8_t { none, glu };
std::string_view to_string(Gating g);

/// `mixed`: parts in different types. `f16_table`: through a half-precision table.
enum class Precision : uint8_t { f64, f32, input, f16_table, mixed, unknown };
std::string_view to_string(Precision p);

struct Fingerprint {
  Formula formula = Formula::unknown; ///< `other` when nothing matches
  double deviation = 0;               ///< largest |e − formula| over the probe points, when matched
  Formula nearest = Formula::unknown; ///< nearest canonical formula, also when matched
  double distance = 0;                ///< largest |e − nearest| over the probe points
  double at = 0;                      ///< where
  bool near_miss = false;             ///< `other` whose distance to `nearest` is small enough to be a wrong constant
  Gating gating = Gating::none;
};

/// Evaluates the expression in double (eval_ideal) at fixed points of [-12, 12] against every canonical formula; when
/// it depends on a gate, with the gate at 1 and at another value to confirm that the gate is a plain factor.
/// A match must also hold at inputs up to ±400, and up to ±60,000 beside every constant that the expression compares x
/// with or limits a value to, and between neighbours of them, so that a branch narrower than the step of the points is
/// seen. Overflow of an intermediate beyond ±12 is left to hazards_of. An expression that is a formula up to some point and
/// constant behind it is `other` with that formula as the nearest.
/// Matching tolerance: 1e-4 + 1e-5·|x|, below the least gap of two formulas of the GELU family (4.7e-4), above the
/// error of the erf polynomial 7.1.26 of Abramowitz & Stegun (1.5e-7) and of truncated constants. An `other` within 1e-2
/// of its nearest formula, finite at every point, is a near miss. A factor g or (g + 1) is gating; x·f(g) is read as f.
/// A constant is `unknown`. A linear function with a `parameter` slope below zero is prelu. An `other` that matches a formula once
/// the tanh, erf or logistic function that it approximates is made exact (approximation.h), stays within 1e-3 of that
/// formula and is at least twice as far from every other is that formula, with its own distance.
Fingerprint classify(const Expr& e);

/// In what type the formula is evaluated, from the types of the nodes that depend on x or g. All `weak`: `input`.
Precision precision_of(const Expr& e);

enum class HazardKind : uint8_t { pow_negative_base, exp_overflow, cube_overflows_f16, f16_table, approximate };
struct Hazard {
  HazardKind kind;
  std::string detail;   ///< one sentence
  double threshold = 0; ///< |x| from which it acts, in the types involved; 0 when it is not a threshold
};
/// GL401–GL405 as the expression shows them. `fast_math`: the file is compiled with -ffast-math or --use_fast_math.
std::vector<Hazard> hazards_of(const Expr& e, bool fast_math = false);

} // namespace gelint::formula
