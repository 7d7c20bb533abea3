#pragma once
// The one type that every writer takes.

#include "decide/finding.h"
#include "decide/row.h"
#include "hf/model_report.h"
#include "scan/site.h"

#include <string>
#include <vector>

namespace gelint::report {

enum class Command : uint8_t { lint, scan, audit, verify, defaults };

struct Provenance {
  std::string gelint, commit, libclang, transformers;
  std::string codebase, codebase_commit; ///< of the scanned tree; empty when unknown
  std::vector<std::string> inventories;
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
  std::vector<decide::Finding> findings;
  Summary summary;
  bool quiet = false;
  bool show_all = false; ///< text: also the rows that match
};

/// Fills summary from rows and findings.
void summarize(Report& report);

} // namespace gelint::report
