#include "verify/probe.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace gelint::verify {

using formula::Expr;
using formula::Formula;
using formula::NodeId;
using formula::Op;
using formula::Type;

std::vector<float> probe_inputs(Type type) {
  std::vector<float> x(65536);
  for (uint32_t p = 0; p < 65536; ++p)
    x[p] = core::decode(type == Type::bf16 ? core::k_bf16 : core::k_f16, p);
  return x;
}

report::VerifyRow identify(const ProbeRun& run) {
  report::VerifyRow row;
  row.id = run.entry;
  row.implemented = run.product;
  row.backend = "cuda";
  row.dtype = formula::to_string(run.type);
  row.path = "library";
  row.inputs = run.x.size();
  row.exhaustive = run.type != Type::f32;
  row.seconds = run.seconds;
  if (run.y.empty()) {
    row.verdict = "not_run";
    row.reason = run.failure;
    return row;
  }
  int t = core_type(run.type);
  double unit = std::ldexp(1.0, -core::mantissa_bits(t) - 1);
  row.tolerance = fmt::format("|y - r| <= 5e-05 + {:.3g}*|r|", 2 * unit);
  struct Seen {
    Formula formula;
    double worst = 0, at = 0, score = 0;
    uint64_t broken = 0; // NaN or infinite where the formula is finite
    double broken_at = 0;
  };
  std::vector<Seen> seen;
  core::Metrics best_metrics = core::no_metrics();
  double best_score = std::numeric_limits<double>::infinity();
  for (Formula f : {Formula::gelu_erf, Formula::gelu_tanh, Formula::gelu_quick, Formula::silu, Formula::relu, Formula::identity}) {
    Seen s{f};
    core::Metrics m = core::no_metrics();
    for (uint32_t i = 0; i < run.x.size(); ++i) {
      double x = static_cast<double>(run.x[i]), r = core::reference(static_cast<int>(f), x);
      core::count(m, t, i, run.x[i], run.y[i], r, 5e-5, 2 * unit);
      double d = std::fabs(static_cast<double>(run.y[i]) - r);
      if (!std::isfinite(x) || !std::isfinite(core::round_to_type(t, r)))
        continue;
      if (!(d <= std::numeric_limits<double>::max())) {
        if (s.broken++ == 0 || std::fabs(x) < std::fabs(s.broken_at))
          s.broken_at = x;
        continue;
      }
      double score = d / (5e-5 + 2 * unit * std::fabs(r));
      if (d > s.worst && std::isfinite(d))
        s.worst = d, s.at = x;
      s.score = std::max(s.score, score);
    }
    if (s.score < best_score) {
      best_score = s.score;
      best_metrics = m;
    }
    seen.push_back(s);
  }
  std::stable_sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) { return a.score < b.score; });
  const Seen &first = seen[0], &second = seen[1];
  row.verdict = first.score <= 1 ? std::string(formula::to_string(first.formula)) : "other";
  row.max_abs_diff = best_metrics.abs.value;
  row.max_abs_diff_at = row.argmax = best_metrics.abs.value > 0 ? static_cast<double>(run.x[best_metrics.abs.pattern]) : 0;
  row.max_ulp = best_metrics.ulp.value;
  row.max_ulp_at = best_metrics.ulp.value > 0 ? static_cast<double>(run.x[best_metrics.ulp.pattern]) : 0;
  row.differing = best_metrics.differing;
  row.nan = best_metrics.nan_made + best_metrics.nan_lost;
  row.inf = best_metrics.inf_made + best_metrics.inf_lost;
  row.sign_faults = best_metrics.sign_faults;
  row.over = best_metrics.over;
  for (const Seen& s : seen)
    if (s.score <= 1)
      row.consistent_with.emplace_back(formula::to_string(s.formula));
  row.reason = fmt::format("{}: {} {} (largest difference {:.3g} at x = {:.6g}); next is {}, {:.3g} at x = {:.6g}", run.product,
                           first.score <= 1 ? "computes" : "is nearest to", formula::to_string(first.formula), first.worst,
                           first.at, formula::to_string(second.formula), second.worst, second.at);
  if (first.broken)
    row.reason += fmt::format("; NaN or infinite for {} finite inputs, the least at x = {:.6g}", first.broken, first.broken_at);
  return row;
}

Result<std::vector<report::VerifyRow>> probe_intrinsics(Backend& gpu) {
  struct Form {
    const char* name;
    Formula formula;
    bool fast_math;
    Expr e;
  };
  std::vector<Form> forms;
  auto built_in = [&](const char* name, Formula f, Path p) {
    auto c = candidate_of(f, p, Type::f32);
    forms.push_back({name, f, c->fast_math, c->expr});
  };
  built_in("erff", Formula::gelu_erf, Path::f32);
  built_in("tanhf", Formula::gelu_tanh, Path::f32);
  built_in("tanh.approx.f32", Formula::gelu_tanh, Path::tanh_approx);
  built_in("tanhf with --use_fast_math", Formula::gelu_tanh, Path::fast_math);
  built_in("expf", Formula::gelu_quick, Path::f32);
  built_in("__expf", Formula::gelu_quick, Path::tanh_approx);
  built_in("expf with --use_fast_math", Formula::gelu_quick, Path::fast_math);
  auto of_x = [&](const char* name, auto build) {
    Form form{name, Formula::gelu_erf, false, {}};
    NodeId x = form.e.leaf(Op::input, Type::f32);
    form.e.set_root(build(form.e, x));
    forms.push_back(std::move(form));
  };
  of_x("normcdff", [](Expr& e, NodeId x) { return e.make(Op::mul, Type::f32, x, e.make(Op::normcdf, Type::f32, x)); });
  of_x("erfcf", [](Expr& e, NodeId x) {
    NodeId z = e.make(Op::mul, Type::f32, x, e.constant(-0.70710678118654752, Type::f32));
    NodeId half = e.make(Op::mul, Type::f32, e.constant(0.5, Type::f32), x);
    return e.make(Op::mul, Type::f32, half, e.make(Op::erfc, Type::f32, z));
  });
  std::vector<report::VerifyRow> rows;
  for (const Form& form : forms) {
    Candidate c{form.name, form.e, form.fast_math};
    Result<SweepResult> r = gpu.sweep(c, form.formula, Type::f32, {}, {});
    if (!r)
      return r.error();
    const core::Metrics& m = r->metrics;
    report::VerifyRow row;
    row.id = form.name;
    row.implemented = gpu.description();
    row.required = formula::to_string(form.formula);
    row.backend = gpu.name();
    row.dtype = "f32";
    row.path = form.fast_math ? "fast_math" : "f32";
    row.inputs = m.inputs;
    row.exhaustive = true;
    row.max_abs_diff = m.abs.value;
    row.max_abs_diff_at = row.argmax = m.abs.value > 0 ? value_of(Type::f32, m.abs.pattern) : 0;
    row.max_ulp = m.ulp.value;
    row.max_ulp_at = m.ulp.value > 0 ? value_of(Type::f32, m.ulp.pattern) : 0;
    row.differing = m.differing;
    row.nan = m.nan_made + m.nan_lost;
    row.inf = m.inf_made + m.inf_lost;
    row.sign_faults = m.sign_faults;
    row.order_faults = m.order_faults;
    row.over = m.over;
    row.seconds = r->seconds;
    row.verdict = m.over == 0 ? std::string(formula::to_string(form.formula)) : "other";
    row.tolerance = "|y - r| <= 1e-05 + 1.3e-06*|r|";
    row.reason = fmt::format("{} in {}: largest difference {:.3g} at x = {:.6g}, {} inputs beyond the tolerance", form.name,
                             formula::to_string(form.formula), m.abs.value, row.argmax, m.over);
    rows.push_back(std::move(row));
  }
  return rows;
}

#ifndef GELINT_HAVE_CUDA_BACKEND
Result<std::vector<ProbeRun>> probe_cuda_libraries() { return Error{.message = "this gelint was built without CUDA"}; }
#endif

} // namespace gelint::verify
