#pragma once
// The one type that every writer takes.

#include "decide/finding.h"
#include "decide/row.h"
#include "hf/model_report.h"
#include "scan/site.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gelint::report {

enum class Command : uint8_t { lint, scan, audit, verify, defaults };

struct Provenance {
  std::string gelint, commit, libclang, transformers;
  std::string codebase, codebase_commit; ///< of the scanned tree; empty when unknown
  std::vector<std::string> inventories;
};

/// What a plot of a verified row shows, column by column over [x0, x1]. Not part of the JSON document.
struct Plot {
  double x0 = 0, x1 = 0;
  std::vector<double> x, implemented, required; ///< the column's input of the largest difference; NaN: no input there
  std::vector<double> ulp;                      ///< the column's largest error in ulp of the required value; infinite for NaN
  bool every_input = false;                     ///< else evenly spaced samples
};

/// One row swept over every input of one type, against the f64 form of the required formula. The counts are defined in
/// verify/sweep_core.h.
struct VerifyRow {
  std::string id, backend, dtype;
  uint64_t inputs = 0;
  bool exhaustive = false;
  double max_abs_diff = 0, max_abs_diff_at = 0;
  double max_ulp = 0, max_ulp_at = 0;
  uint64_t differing = 0;      ///< outputs that are not the correctly rounded reference
  uint64_t nan = 0, inf = 0;   ///< NaN and infinities made or lost
  uint64_t sign_faults = 0, order_faults = 0;
  double argmax = 0;           ///< input of max_abs_diff
  std::string verdict, reason; ///< match, mismatch, indistinguishable, fault, not_run
  double seconds = 0;
  std::string implemented, required; ///< what ran, and the formula it was held against
  std::string path;                  ///< f32, input, f16_table, tanh_approx, fast_math, or expression
  std::string tolerance;             ///< what `over` allows, with its source
  uint64_t over = 0;                 ///< inputs beyond the tolerance
  std::string against;               ///< the required formula as the checkpoint's library runs it
  uint64_t against_differing = 0;    ///< outputs that differ from that
  std::vector<std::string> consistent_with; ///< formulas whose values rounding can explain
  Plot plot;                                ///< empty unless a format that draws was asked for
};

/// One layer's MLP of a checkpoint, run with the implemented and with the required formula (verify/impact.h). Errors are
/// ‖a − b‖ / ‖b‖ over all outputs.
struct ImpactRow {
  std::string id, model, layer, dtype; ///< dtype: of the checkpoint's weights
  std::string implemented, required;   ///< what ran
  bool gated = false, normed = false;  ///< normed: the inputs were scaled by the layer's norm weights
  uint64_t hidden = 0, intermediate = 0, inputs = 0; ///< inputs: vectors
  double relative_error = 0;   ///< output with the implemented formula against the one with the required formula
  double activation_error = 0; ///< the same before the down projection
  double rounding_error = 0;   ///< output with the required formula against the same in double: what rounding alone does
  double max_abs_diff = 0;
  uint64_t nan = 0; ///< outputs that are not finite with one of the formulas
  double seconds = 0;
};

/// Paired timings of the implemented and the required formula (verify/cost.h), in milliseconds.
struct CostRow {
  std::string id, backend, dtype, implemented, required;
  std::string shape; ///< "4096 x 4304"
  uint64_t elements = 0, runs = 0;
  double implemented_ms = 0, required_ms = 0;                          ///< medians
  double difference_ms = 0, difference_low = 0, difference_high = 0;   ///< required − implemented of each pair: median, range
  double difference_percent = 0;                                       ///< of implemented_ms
  double null_ms = 0, null_low = 0, null_high = 0;                     ///< implemented − implemented: median, range
  std::string verdict, reason; ///< slower, faster, none
};

struct Summary {
  uint64_t rows = 0, match = 0, mismatch = 0, conflict = 0, unresolved = 0, absent = 0, unbound = 0;
  uint64_t errors = 0, warnings = 0, notes = 0, waived = 0, in_baseline = 0;
};

struct Report {
  Command command = Command::audit;
  Provenance provenance;
  std::vector<hf::ModelReport> models;      ///< lint, audit, defaults; in the order given
  scan::ScanResult scan;                    ///< scan, audit
  std::vector<decide::Row> rows;            ///< audit
  std::vector<VerifyRow> verify_rows;       ///< verify
  std::vector<ImpactRow> impact;            ///< verify --impact
  std::vector<CostRow> cost;                ///< verify --cost
  std::vector<decide::Finding> findings;
  Summary summary;
  bool quiet = false;
  bool show_all = false; ///< text: also the rows that match
};

/// Fills summary from rows and findings.
void summarize(Report& report);

/// The findings about each model, by ModelReport::path, in the report's order. Points into the report.
std::unordered_map<std::string_view, std::vector<const decide::Finding*>> findings_by_model(const Report& report);

} // namespace gelint::report
