#include "cli/checks.h"
#include "cli/cli.h"
#include "cli/common_options.h"
#include "decide/rule.h"
#include "report/read_json.h"
#include "verify/cost.h"
#include "verify/impact.h"
#include "verify/plan.h"
#include "verify/plot.h"
#include "verify/probe.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace gelint::cli {
namespace {

using formula::Type;

struct VerifyOptions {
  CommonOptions common;
  std::string audit;
  std::vector<std::string> pairs, rows, dtypes;
  std::string path, backend = "auto", impact, layers, shape;
  uint64_t inputs = 64;
  bool all = false, cost = false, probe = false;
  int runs = 24;
  int jobs = 0;
};

std::optional<Type> type_of(const std::string& name) {
  for (Type t : {Type::bf16, Type::f16, Type::f32})
    if (formula::to_string(t) == name)
      return t;
  return std::nullopt;
}

/// For a finding, which has one text: what can be done, in brackets at its end.
std::string mend(const Error& e) { return e.mend.empty() ? "" : fmt::format(" ({})", e.mend); }

/// The backend that was asked for; null and the reason when it is a GPU and there is none.
std::unique_ptr<verify::Backend> open_backend(const VerifyOptions& o, Error& reason) {
  if (o.backend != "cpu") {
    Result<std::unique_ptr<verify::Backend>> gpu = verify::make_cuda_backend();
    if (gpu)
      return std::move(*gpu);
    reason = gpu.error();
  }
  return nullptr;
}

decide::Finding proven(const report::VerifyRow& v, const report::Report* audit) {
  decide::Finding f;
  f.rule = "GL201";
  f.level = decide::Level::error;
  f.message = fmt::format("{} in {}: {}", v.id, v.dtype, v.reason);
  f.row = v.id;
  f.anchor = v.id + " " + v.dtype;
  if (audit)
    for (const decide::Row& r : audit->rows)
      if (r.id == v.id) {
        f.path = r.site.place.path;
        f.line = r.site.place.line;
        f.column = r.site.place.column;
      }
  return f;
}

/// What the closed libraries and the intrinsics of this machine compute.
int run_probe(VerifyOptions& o) {
  report::Report out;
  out.command = report::Command::verify;
  Result<std::vector<verify::ProbeRun>> runs = verify::probe_cuda_libraries();
  std::vector<decide::NotVerified> not_verified;
  if (!runs) {
    not_verified.push_back({"the closed libraries", runs.error().message + mend(runs.error())});
  } else {
    for (const verify::ProbeRun& r : *runs) {
      out.verify_rows.push_back(verify::identify(r));
      if (!r.failure.empty())
        not_verified.push_back({fmt::format("{} {} {}", r.product, r.entry, formula::to_string(r.type)), r.failure});
    }
    Result<std::unique_ptr<verify::Backend>> gpu = verify::make_cuda_backend();
    Result<std::vector<report::VerifyRow>> rows =
        gpu ? verify::probe_intrinsics(**gpu) : Result<std::vector<report::VerifyRow>>(gpu.error());
    if (!rows)
      not_verified.push_back({"the CUDA intrinsics", rows.error().message + mend(rows.error())});
    else
      out.verify_rows.insert(out.verify_rows.end(), rows->begin(), rows->end());
  }
  decide::RuleContext context;
  context.not_verified = &not_verified;
  out.findings = decide::run_rules(context, {"GL004"}, {});
  // Nothing was found out: no answer, not a clean one.
  return emit_report(std::move(out), o.common, out.verify_rows.empty() ? exit_fault : exit_clean);
}

/// Says a fault, unless it is the one that was said last: a lost device fails every row after it alike.
void say_once(const Error& error, std::string& last) {
  if (error.text() != last)
    print_fault(error);
  last = error.text();
}

/// --cost of every row in every type. False when an arm could not be timed.
Result<bool> add_cost(const VerifyOptions& o, const verify::Plan& plan, const report::Report* audit, const std::vector<Type>& types,
                const std::optional<verify::Shape>& given, bool gpu, report::Report& out) {
  std::unique_ptr<verify::Stopwatch> watch = verify::make_cpu_stopwatch();
  if (gpu) {
    Result<std::unique_ptr<verify::Stopwatch>> cuda = verify::make_cuda_stopwatch();
    if (!cuda)
      return cuda.error();
    watch = std::move(*cuda);
  }
  auto progress = make_progress(o.common, "cost: rows");
  uint64_t done = 0;
  bool all = true;
  std::string said;
  for (const verify::RowSpec& row : plan.rows) {
    if (!verify::implemented_candidate(row, types.front()) || !verify::required_candidate(row, types.front()))
      continue; // the row's own finding says so
    verify::Shape shape = verify::shape_of("", "");
    if (audit)
      for (const decide::Row& r : audit->rows)
        if (r.id == row.id)
          shape = verify::shape_of(r.checkpoint, r.slot.config_path);
    if (given)
      shape = *given;
    for (Type t : types) {
      Result<report::CostRow> cost = verify::cost_of(*watch, row, t, shape, o.runs);
      if (cost)
        out.cost.push_back(std::move(*cost));
      else
        say_once(cost.error(), said), all = false;
    }
    if (progress)
      progress(++done, plan.rows.size());
  }
  return all;
}

int run_verify(VerifyOptions& o) {
  Result<Settings> settings = resolve_settings(o.common);
  if (!settings)
    return fault(settings.error());
  if (o.probe)
    return run_probe(o);
  if (o.audit.empty() && o.pairs.empty())
    return fault("nothing to verify", "give an audit document, which 'gelint audit --format json:FILE' writes, --pair A,B, or --probe-libraries");
  if (!o.shape.empty() && !o.cost)
    return fault("--shape needs --cost");
  std::optional<verify::Shape> shape;
  if (!o.shape.empty()) {
    Result<verify::Shape> parsed = verify::parse_shape(o.shape);
    if (!parsed)
      return fault(parsed.error());
    shape = *parsed;
  }
  if (!o.layers.empty() && o.impact.empty())
    return fault("--layers needs --impact", "--impact MODEL_DIR");
  std::optional<verify::Path> path;
  if (!o.path.empty() && !(path = verify::path_from_string(o.path)))
    return fault(fmt::format("--path: '{}' is not a precision path", o.path),
                 "f32, input, f16_table, tanh_approx or fast_math");
  std::vector<Type> types;
  for (const std::string& name : o.dtypes) {
    auto t = type_of(name);
    if (!t)
      return fault(fmt::format("--dtype: '{}' is not swept", name), "bf16, f16 or f32");
    types.push_back(*t);
  }

  verify::Plan plan;
  std::optional<report::Report> audit;
  if (!o.audit.empty()) {
    Result<report::Report> read = report::read_report(o.audit);
    if (!read)
      return fault(read.error());
    audit = std::move(*read);
    if (audit->command != report::Command::audit)
      return fault(Error{"is not an audit", o.audit, 0, 0, "write it with 'gelint audit --format json:FILE'"});
    Result<verify::Plan> planned = verify::plan_of(*audit, o.all, o.rows);
    if (!planned)
      return fault(planned.error());
    plan = std::move(*planned);
  }
  for (const std::string& text : o.pairs) {
    Result<verify::RowSpec> row = verify::parse_pair(text);
    if (!row)
      return fault(row.error());
    plan.rows.push_back(std::move(*row));
  }
  for (verify::RowSpec& row : plan.rows)
    if (path)
      row.path = *path, row.expr.reset();

  Error missing;
  std::unique_ptr<verify::Backend> backend = open_backend(o, missing);
  std::vector<decide::NotVerified> not_verified;
  if (!backend) {
    backend = verify::make_cpu_backend(o.jobs);
    if (o.backend == "cuda")
      for (const verify::RowSpec& row : plan.rows)
        not_verified.push_back({row.id, fmt::format("a GPU was asked for, and {}; the CPU ran it{}", missing.message, mend(missing))});
    else if (o.backend == "auto")
      note(o.common, fmt::format("{}: the CPU runs it", missing.message));
  }
  if (types.empty()) {
    types = {Type::bf16, Type::f16};
    if (backend->name() != "cpu")
      types.push_back(Type::f32);
    else
      note(o.common, "f32 takes minutes on a CPU and was left out; --dtype f32 sweeps it");
  }

  bool draws = std::any_of(o.common.outputs.begin(), o.common.outputs.end(), [](const OutputSpec& output) {
    return output.format == "html" || output.format == "svg";
  });
  report::Report out;
  out.command = report::Command::verify;
  int status = exit_clean;
  std::string said;
  for (auto& [id, reason] : plan.left_out)
    not_verified.push_back({id, reason});
  if (plan.rows.empty() && plan.left_out.empty())
    note(o.common, "the audit has no flagged row with a site (--all-rows verifies every row)");
  for (const verify::RowSpec& row : plan.rows)
    for (Type t : types) {
      auto progress = make_progress(o.common, fmt::format("{} in {}: inputs", row.id, formula::to_string(t)));
      Result<report::VerifyRow> judged = verify::judge(*backend, row, t, progress);
      if (!judged) {
        not_verified.push_back({row.id, fmt::format("in {}: {}", formula::to_string(t), judged.error().text())});
        say_once(judged.error(), said);
        status = exit_fault; // the rest goes on, but this answer is missing
        continue;
      }
      if (judged->verdict == "not_run" && t == types.front()) // the reason is the same for every type
        not_verified.push_back({row.id, judged->reason});
      // A pair compares two formulas; only a row of an audit is a fault of some code.
      bool is_row = audit && std::find(o.pairs.begin(), o.pairs.end(), row.id) == o.pairs.end();
      if (is_row && (judged->verdict == "mismatch" || judged->verdict == "fault"))
        out.findings.push_back(proven(*judged, &*audit));
      if (draws && judged->verdict != "not_run")
        if (auto c = verify::implemented_candidate(row, t)) {
          Result<report::Plot> plot = verify::plot_of(*backend, *c, row.required, t);
          if (plot)
            judged->plot = std::move(*plot);
          else
            say_once(plot.error(), said), status = exit_fault;
        }
      out.verify_rows.push_back(std::move(*judged));
    }
  if (!o.impact.empty()) {
    Result<verify::Impact> impact =
        verify::impact_of(plan.rows, o.impact, o.layers, o.inputs, make_progress(o.common, "impact: layers"));
    if (impact) {
      for (const std::string& reason : impact->left_out)
        note(o.common, fmt::format("--impact leaves out {}", reason));
      out.impact = std::move(impact->rows);
    } else {
      status = fault(impact.error());
    }
  }
  if (o.cost) {
    Result<bool> timed = add_cost(o, plan, audit ? &*audit : nullptr, types, shape, backend->name() == "cuda", out);
    if (!timed)
      print_fault(timed.error());
    if (!timed || !*timed)
      status = exit_fault;
  }
  // Rows were to be verified and none was: no answer, not a clean one.
  if (!not_verified.empty() && std::all_of(out.verify_rows.begin(), out.verify_rows.end(),
                                           [](const report::VerifyRow& v) { return v.verdict == "not_run"; }))
    status = exit_fault;
  decide::RuleContext context;
  context.not_verified = &not_verified;
  for (decide::Finding& f : decide::run_rules(context, {"GL004"}, {}))
    out.findings.push_back(std::move(f));
  return emit_report(std::move(out), o.common, status);
}

} // namespace

void add_verify(CLI::App& app, int& status) {
  auto o = std::make_shared<VerifyOptions>();
  CLI::App* cmd = app.add_subcommand("verify", "Run the flagged rows numerically, on a GPU or the CPU, over every input");
  cmd->add_option("AUDIT", o->audit, "An audit document written with --format json; - for standard input");
  cmd->add_option("--pair", o->pairs, "IMPLEMENTED,REQUIRED: formulas, ACT2FN keys or NAMESPACE:NAME; repeatable")
      ->type_name("A,B")->allow_extra_args(false);
  cmd->add_option("--row", o->rows, "Only this row of the audit; repeatable")->type_name("ROW")->allow_extra_args(false);
  cmd->add_flag("--all-rows", o->all, "Also rows without a mismatch or hazard");
  cmd->add_option("--dtype", o->dtypes, "bf16, f16, f32, comma separated (default: all on a GPU, bf16 and f16 on a CPU)")
      ->delimiter(',')->type_name("TYPE[,TYPE...]");
  cmd->add_option("--path", o->path,
                  "Run the formulas along this precision path instead of the code's own: f32, input, f16_table, "
                  "tanh_approx, fast_math")
      ->type_name("PATH");
  one_of(cmd->add_option("--backend", o->backend, "auto, cpu or cuda; gpu is another word for cuda")->type_name("BACKEND"),
         {"auto", "cpu", "cuda", "gpu"});
  cmd->add_flag("--probe-libraries", o->probe,
                "Find by a sweep which formula cuBLASLt's epilogues, cuDNN's modes and CUDA's intrinsics compute here");
  cmd->add_option("--impact", o->impact,
                  "Also run the MLP of this checkpoint's layers with both formulas; a directory with *.safetensors")
      ->type_name("MODEL");
  cmd->add_option("--layers", o->layers,
                  "Layers of --impact: numbers, first, middle, last, all or globs, comma separated (default: "
                  "first,middle,last of each stack)")
      ->type_name("LAYERS");
  whole_number(cmd->add_option("--inputs", o->inputs, "Input vectors of --impact (default: 64)")->type_name("N"), 1, 4096);
  cmd->add_flag("--cost", o->cost, "Also time the implemented against the required formula, with a null arm");
  cmd->add_option("--shape", o->shape,
                  "Tensor of --cost, ROWSxCOLUMNS (default: 4096 by the width in the row's checkpoint)")
      ->type_name("ROWSxCOLUMNS");
  whole_number(cmd->add_option("--runs", o->runs, "Timed runs of each arm of --cost (default: 24)")->type_name("N"), 1,
               10000);
  whole_number(cmd->add_option("-j,--jobs", o->jobs, "Threads of the CPU backend (default: all processors)")->type_name("N"),
               0, 1024);
  add_report_options(*cmd, o->common);
  cmd->callback([o, &status] {
    if (o->backend == "gpu")
      o->backend = "cuda";
    status = run_verify(*o);
  });
}

} // namespace gelint::cli
