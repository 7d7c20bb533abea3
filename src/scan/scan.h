#pragma once
// Entry point of the scanner.

#include "scan/site.h"
#include "support/result.h"

#include <functional>
#include <string>
#include <vector>

namespace gelint::scan {

struct ScanOptions {
  std::string root = ".";
  std::string compile_database_dir;     ///< -p; empty: parents of root are searched
  bool search_compile_database = true;  ///< false: stub tier even when one is near
  std::vector<std::string> extra_args;  ///< clang arguments after `--`
  std::vector<std::string> exclude;     ///< globs relative to root
  std::vector<std::string> rule_files;  ///< --rules: added to the embedded ones, later wins
  int jobs = 0;                         ///< 0: number of processors
  bool use_cache = true;
  bool all_activations = false;         ///< false: only the GELU family and whatever chooses among activations
  int unit_timeout_seconds = 60;        ///< a unit that takes longer is a TuFailure
  std::function<void(uint64_t done, uint64_t total)> progress; ///< called from one thread
};

/// Scans a tree. Fails only when there is nothing to scan or an option is wrong; everything else is in the result.
Result<ScanResult> scan_tree(const ScanOptions& options);

/// "clang version 19.1.7 …" of the library that is loaded; empty when built without the scanner.
std::string libclang_version();

} // namespace gelint::scan
