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

struct VerifyRow {
  std::string id, backend, dtype;
  uint64_t inputs = 0;
  bool exhaustive = false;
  double max_abs_diff = 0, max_abs_diff_at = 0;
  double max_ulp = 0;
  uint64_t differing = 0, nan = 0, inf = 0;
  double argmax = 0;
  std::string verdict, reason;
  double seconds = 0;
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
