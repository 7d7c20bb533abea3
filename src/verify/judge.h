#pragma once
// One row in one type: sweeps, and the verdict from them.
//
// Tolerance. 16-bit types: every input's reference value must lie in the interval that the roundings of the expression
// can reach (interval.h), widened by 1e-5 + 1.3e-6·|r|, torch.testing.assert_close's tolerance for float32, which lets
// approximations pass that torch's own tests would. f32, and expressions on bits: |y − r| within that tolerance plus
// what the narrowest type inside the expression rounds away.
//
// Verdicts. `fault`: NaN or infinity made at a finite input, or NaN at an infinite one where the library makes none; it
// never passes. `mismatch`: some input is beyond the tolerance. Else `match`, or `indistinguishable` when the
// implemented formula is another one and this type cannot tell them apart. `not_run`: no formula to hold it against.

#include "report/report.h"
#include "verify/backend.h"

#include <optional>

namespace gelint::verify {

struct RowSpec {
  std::string id;
  formula::Formula implemented = formula::Formula::unknown;
  formula::Formula required = formula::Formula::unknown;
  std::optional<formula::Expr> expr; ///< as lowered; runs instead of the formula
  std::string expr_label;
  Path path = Path::f32;             ///< of the implemented formula when there is no expression
  std::string slot, model_type;      ///< of an audit's row: "vision.mlp", "clip"
  std::string implemented_name, required_name; ///< ACT2FN names, when they fix an op order; may be empty
};

/// What the row runs for a type; nothing when neither expression nor formula is known.
std::optional<Candidate> implemented_candidate(const RowSpec& row, formula::Type type);
/// The required formula as the checkpoint's library runs it.
std::optional<Candidate> required_candidate(const RowSpec& row, formula::Type type);

/// The tolerance of a sweep without intervals.
Tolerance fixed_tolerance(const formula::Expr& e, formula::Type type);

/// Runs the sweeps of one row. Fails only when the backend fails; a row that cannot be judged is `not_run`.
Result<report::VerifyRow> judge(Backend& backend, const RowSpec& row, formula::Type type, const Progress& progress);

} // namespace gelint::verify
