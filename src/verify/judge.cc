#include "verify/judge.h"

#include "verify/interval.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gelint::verify {

using formula::Formula;
using formula::Type;

namespace {

constexpr Tolerance k_float32; // torch.testing.assert_close

/// The formulas that a verdict tells apart.
std::vector<Formula> separated(const RowSpec& row, bool all) {
  std::vector<Formula> f = {row.required};
  auto add = [&](Formula g) {
    if (g <= Formula::identity && std::find(f.begin(), f.end(), g) == f.end())
      f.push_back(g);
  };
  add(row.implemented);
  if (all)
    for (Formula g : {Formula::gelu_erf, Formula::gelu_tanh, Formula::gelu_quick, Formula::silu})
      add(g);
  return f;
}

/// Finite inputs where the reference or the output lies outside what rounding can reach. Where that is unbounded (a
/// division by what may be zero) anything would be inside, and `fixed` decides.
uint64_t unexplained(const std::vector<Interval>& reach, const std::vector<double>& x, const std::vector<float>& y,
                     Formula f, Tolerance fixed) {
  uint64_t n = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]))
      continue;
    double r = core::reference(static_cast<int>(f), x[i]);
    double allow = k_float32.atol + k_float32.rtol * std::fabs(r);
    double lo = reach[i].lo - allow, hi = reach[i].hi + allow, out = static_cast<double>(y[i]);
    if (!std::isfinite(lo) || !std::isfinite(hi))
      n += !(std::fabs(out - r) <= fixed.atol + fixed.rtol * std::fabs(r));
    else
      n += !(lo <= r && r <= hi && lo <= out && out <= hi);
  }
  return n;
}

std::string name_of(Formula f, const std::string& act2fn) {
  return act2fn.empty() ? std::string(formula::to_string(f)) : fmt::format("{} ({})", formula::to_string(f), act2fn);
}

} // namespace

std::optional<Candidate> implemented_candidate(const RowSpec& row, Type type) {
  if (row.expr) {
    Candidate c = candidate_of(*row.expr, row.expr_label, type);
    c.fast_math = row.path == Path::fast_math;
    return c;
  }
  if (!row.implemented_name.empty())
    if (auto c = act2fn_candidate(row.implemented_name, type))
      return c;
  return candidate_of(row.implemented, row.path, type);
}

std::optional<Candidate> required_candidate(const RowSpec& row, Type type) {
  if (!row.required_name.empty())
    if (auto c = act2fn_candidate(row.required_name, type))
      return c;
  return candidate_of(row.required, Path::f32, type);
}

Tolerance fixed_tolerance(const formula::Expr& e, Type type) {
  Tolerance t = k_float32;
  double unit = 0; // unit roundoff of the narrowest type inside
  for (formula::NodeId i = 0; i < e.size(); ++i)
    unit = std::max(unit, e[i].type == Type::bf16 ? 0x1p-8 : e[i].type == Type::f16 ? 0x1p-11 : 0);
  if (type != Type::f32)
    unit = std::max(unit, type == Type::bf16 ? 0x1p-8 : 0x1p-11);
  // The input's rounding moves f by u·|x·f'(x)|, at most 0.3·u in the negative tail and 1.13·u·|f| elsewhere for the
  // GELU family; the result's rounding by u·|f|.
  t.atol += 0.4 * unit;
  t.rtol += 2.2 * unit;
  return t;
}

Result<report::VerifyRow> judge(Backend& backend, const RowSpec& row, Type type, const Progress& progress) {
  report::VerifyRow out;
  out.id = row.id;
  out.backend = backend.name();
  out.dtype = formula::to_string(type);
  out.required = formula::to_string(row.required);
  out.path = row.expr ? "expression" : row.implemented_name.empty() ? to_string(row.path) : "act2fn";
  auto a = implemented_candidate(row, type);
  if (!a || row.required > Formula::identity) {
    out.implemented = formula::to_string(row.implemented);
    out.verdict = "not_run";
    out.reason = !a ? "neither an expression nor a formula of the implemented side is known"
                    : "the checkpoint's formula is not known";
    return out;
  }
  out.implemented = a->label;
  auto b = required_candidate(row, type);
  bool half = type != Type::f32;
  Tolerance tolerance = fixed_tolerance(a->expr, type);

  Result<SweepResult> swept = backend.sweep(*a, row.required, type, tolerance, progress);
  if (!swept)
    return swept.error();
  const core::Metrics& m = swept->metrics;
  out.seconds = swept->seconds;
  out.inputs = m.inputs;
  out.exhaustive = m.inputs == core::pattern_count(core_type(type));
  out.max_abs_diff = m.abs.value;
  out.max_ulp = m.ulp.value;
  out.max_abs_diff_at = out.argmax = m.abs.value > 0 ? value_of(type, m.abs.pattern) : 0;
  out.max_ulp_at = m.ulp.value > 0 ? value_of(type, m.ulp.pattern) : 0;
  out.differing = m.differing;
  out.nan = m.nan_made + m.nan_lost;
  out.inf = m.inf_made + m.inf_lost;
  out.sign_faults = m.sign_faults;
  out.order_faults = m.order_faults;
  out.over = m.over;
  out.tolerance = fmt::format("|y - r| <= {:.3g} + {:.3g}*|r| (torch.testing.assert_close for float32{})", tolerance.atol,
                              tolerance.rtol, tolerance.atol > k_float32.atol ? ", and the types inside" : "");

  // Which formulas the outputs are consistent with.
  std::optional<std::vector<Interval>> reach;
  std::vector<double> x;
  std::vector<float> y;
  if (half) {
    Result<std::vector<float>> outputs = backend.outputs(*a, type);
    if (!outputs)
      return outputs.error();
    y = std::move(*outputs);
    for (uint32_t p = 0; p < y.size(); ++p)
      x.push_back(value_of(type, p));
    reach = rounding_intervals(a->expr, x);
  }
  // On the CPU a sweep of f32 takes minutes: there only the two formulas of the row.
  for (Formula f : separated(row, half || backend.name() != "cpu")) {
    uint64_t over = 0;
    if (reach)
      over = unexplained(*reach, x, y, f, tolerance);
    else if (f == row.required)
      over = m.over;
    else {
      Result<SweepResult> other = backend.sweep(*a, f, type, tolerance, progress);
      if (!other)
        return other.error();
      out.seconds += other->seconds;
      over = other->metrics.over;
    }
    if (f == row.required)
      out.over = over;
    if (over == 0)
      out.consistent_with.emplace_back(formula::to_string(f));
  }
  if (reach)
    out.tolerance = "roundings of the expression in its types (interval arithmetic; Higham 2002, 2.2, 3.3; f32 functions "
                    "2 ulp, CUDA C++ Programming Guide) + 1e-5 + 1.3e-6*|r| (torch.testing.assert_close for float32)";

  // The library's own run of the required formula: what a NaN at an infinite input and every differing bit is held to.
  uint64_t library_nan = 0;
  if (b) {
    out.against = b->label;
    Result<PairResult> pair = backend.compare(*a, *b, type, progress);
    if (!pair)
      return pair.error();
    out.seconds += pair->seconds;
    out.against_differing = pair->differing;
    if (m.nan_made > m.nan_made_finite) {
      for (double v : {-INFINITY, INFINITY})
        library_nan += std::isnan(formula::eval_typed(b->expr, v)) &&
                       !std::isnan(core::reference(static_cast<int>(row.required), v));
    }
  }

  uint64_t finite_faults = m.nan_made_finite + m.inf_made + m.nan_lost;
  if (finite_faults > 0 || m.nan_made - m.nan_made_finite > library_nan) {
    out.verdict = "fault";
    out.reason = m.nan_made_finite ? fmt::format("NaN for {} finite inputs", m.nan_made_finite)
                 : m.inf_made      ? fmt::format("infinite for {} inputs where the formula is finite", m.inf_made)
                 : m.nan_lost      ? "a number for NaN"
                                   : "NaN for an infinite input, where the library returns the limit";
    return out;
  }
  std::string wanted = name_of(row.required, row.required_name);
  std::string differs = b ? fmt::format("; {} of {} outputs differ from {}", out.against_differing, out.inputs, b->label)
                          : std::string();
  if (out.over > 0) {
    out.verdict = "mismatch";
    out.reason = fmt::format("{} inputs are further from {} than rounding explains, {:.3g} at x = {:.6g}", out.over, wanted,
                             out.max_abs_diff, out.argmax);
    std::vector<std::string> other = out.consistent_with;
    out.reason += other.empty() ? "; the outputs are those of no formula tried"
                                : fmt::format("; the outputs are those of {}", fmt::join(other, " or "));
    out.reason += differs;
  } else if (row.implemented == row.required || row.implemented > Formula::identity) {
    out.verdict = "match";
    std::vector<std::string> also = out.consistent_with;
    std::erase(also, std::string(formula::to_string(row.required)));
    out.reason = fmt::format("{} within rounding on every input{}{}", wanted,
                             also.empty() ? "" : fmt::format(" (along this path rounding would also explain {})",
                                                             fmt::join(also, ", ")),
                             differs);
  } else {
    out.verdict = "indistinguishable";
    out.reason = fmt::format("{} and {} cannot be told apart in {} along this path{}",
                             formula::to_string(row.implemented), wanted, formula::to_string(type), differs);
  }
  if (!backend.runs_approximations() && (a->fast_math || [&] {
        for (formula::NodeId i = 0; i < a->expr.size(); ++i)
          if (a->expr[i].op == formula::Op::tanh_approx || a->expr[i].op == formula::Op::exp_approx)
            return true;
        return false;
      }()))
    out.reason += "; without a GPU the hardware approximations are stood in for by exact functions";
  return out;
}

} // namespace gelint::verify
