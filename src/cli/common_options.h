#pragma once
// The options that commands share, and the way from a Report to files, standard output and an exit status.
//
// A command does this:
//   auto o = std::make_shared<MyOptions>();
//   add_report_options(*cmd, o->common);          // --format, --fail-on, --select, …
//   add_scan_options(*cmd, o->common);            // -p, -j, --no-cache, …   (commands that scan)
//   add_reference_options(*cmd, o->common);       // --transformers, --hf-defaults (commands that resolve slots)
//   cmd->callback([o, &status] { status = run(*o); });
// and in run():
//   Result<Settings> settings = resolve_settings(o.common);
//   if (!settings) return fault(settings.error());
//   … build a Report …
//   return emit_report(std::move(report), o.common);

#include "cli/settings.h"
#include "report/report.h"
#include "scan/scan.h"
#include "support/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace gelint::cli {

struct CommonOptions {
  // add_report_options
  std::vector<std::string> formats;        ///< --format, as written
  std::string fail_on;                     ///< --fail-on, as written; empty: "error"
  std::vector<std::string> select, ignore; ///< rule id prefixes
  std::string config;                      ///< --config FILE
  bool isolated = false;                   ///< --isolated: no settings file at all
  bool quiet = false;
  bool full = false; ///< text: source line and caret
  bool all = false;  ///< text: also the rows that match
  bool statistics = false, timings = false;
  std::string color = "auto"; ///< auto, always, never
  bool no_progress = false;
  // add_scan_options
  std::string compile_database; ///< -p DIR
  bool stub_only = false;       ///< --stub: ignore a compile database that lies near
  int jobs = 0;                 ///< -j, 0: number of processors
  bool no_cache = false;
  std::vector<std::string> rules;   ///< --rules FILE
  std::vector<std::string> exclude; ///< --exclude GLOB
  // add_reference_options
  std::string transformers; ///< --transformers VERSION; empty: newest
  std::vector<std::string> hf_defaults;

  // Filled by resolve_settings().
  std::vector<OutputSpec> outputs; ///< what to write; never empty afterwards
  bool outputs_from_settings = false;
};

void add_report_options(CLI::App& cmd, CommonOptions& o);
void add_scan_options(CLI::App& cmd, CommonOptions& o);
void add_reference_options(CLI::App& cmd, CommonOptions& o);

/// Reads the nearest settings file (or --config, or none with --isolated), checks the options, and merges: what the
/// command line gives wins, and what it leaves out is filled from the file. With `use_outputs` the file's `outputs`
/// are used when there is no --format; they describe the audit, so only `audit` asks for that.
Result<Settings> resolve_settings(CommonOptions& o, bool use_outputs = false);

/// The scanner's options from the merged common options.
scan::ScanOptions make_scan_options(const CommonOptions& o, std::string root);

/// Completes the report (provenance, --select/--ignore, fingerprints, summary), writes every requested output and
/// returns the exit status: `status` when it is already a fault, else 1 when a finding that is neither waived nor in
/// the baseline is at or above --fail-on, else 0.
int emit_report(report::Report report, const CommonOptions& o, int status = 0);

/// True when --fail-on (a level, ids or id prefixes, comma separated, or "none") is met by the finding.
bool fails_on(const decide::Finding& finding, const std::string& fail_on);

/// "gelint: file:line:column: message (mend)" on standard error, control characters stripped.
void print_fault(const Error& error);
/// The same, and the exit status of a fault.
int fault(const Error& error);
int fault(std::string message, std::string mend = "");
/// "gelint: message" on standard error unless --quiet.
void note(const CommonOptions& o, const std::string& message);

/// A progress line on standard error for work that takes over a second; an empty function unless standard error is a
/// smart terminal and neither --quiet nor --no-progress is given. The line is wiped when `done == total`.
std::function<void(uint64_t done, uint64_t total)> make_progress(const CommonOptions& o, std::string what);

/// Ends a phase of the run: --timings prints the phases with their seconds.
void lap(std::string_view phase);

/// Version, commit, libclang, transformers tables: what `--version` prints and a report carries.
report::Provenance tool_provenance();

} // namespace gelint::cli
