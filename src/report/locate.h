#pragma once
// Where a finding's file is, as seen from the current directory.

#include "report/report.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace gelint::report {

/// Findings name source files relative to the scanned root and other files (configs, inventories) as the user gave
/// them. Readers outside gelint (terminals, code hosts) want one base: the current directory.
class Locator {
public:
  explicit Locator(const Report& report);
  /// Source paths get the scanned root in front, unless the root is absolute or leaves the current directory: then
  /// they stay relative to the root. Other paths are returned as they are.
  std::string operator()(const std::string& path) const;
  bool is_source(const std::string& path) const { return sources_.count(path) != 0; }

private:
  std::set<std::string> sources_;
  std::string prefix_;
};

/// The folder that source paths are relative to: the scanned root, or where it lies when it is a file.
std::string source_folder(const std::string& root);

/// A path without leading "./".
std::string tidy_path(const std::string& path);

/// Lines of the files that findings speak of, read when first asked for; empty for what cannot be read.
class SourceLines {
public:
  SourceLines(const Locator& locate, std::string source_root) : locate_(locate), root_(std::move(source_root)) {}
  std::string_view line(const std::string& path, int line);

private:
  const Locator& locate_;
  std::string root_;
  std::map<std::string, std::string> files_;
};

} // namespace gelint::report
