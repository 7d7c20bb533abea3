#pragma once
// `.gelint.yaml`: what a project writes down once. Every path in it is relative to the file itself.

#include "support/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::cli {

/// One `FORMAT[:PATH]`.
struct OutputSpec {
  std::string format;
  std::string path; ///< empty: standard output
};

/// Paths are joined with the folder of the file, so they hold from the current directory.
struct Settings {
  std::string file; ///< as found or given, relative to the current directory; empty when there is none
  std::string codebase;
  std::string compile_database;
  std::vector<std::string> inventories; ///< a bare name ("mlxcel") is one that is built in, else a path
  std::vector<std::string> checkpoints;
  std::vector<OutputSpec> outputs;
  std::vector<std::string> select, ignore;
  std::string fail_on;
  std::string baseline;             ///< findings that this file lists do not count
  std::vector<std::string> exclude; ///< globs relative to the codebase
  std::string transformers;
  std::vector<std::string> rules, hf_defaults;
};

/// A key of the settings file: documentation, `config show` and the check of unknown keys come from this one list.
struct SettingsKey {
  std::string_view name, type, help;
};
std::span<const SettingsKey> settings_keys();

/// The nearest `.gelint.yaml` in `start` or a parent, as a path relative to the current directory; empty when there
/// is none.
std::string find_settings_file(const std::string& start);

/// Reads one file. The error names the file, line and column.
Result<Settings> read_settings(const std::string& file);

/// The merged settings as a YAML text that read_settings() takes.
std::string settings_to_yaml(const Settings& s);

/// `FORMAT[:PATH]`; an unknown format is an error that lists the known ones.
Result<OutputSpec> parse_output(const std::string& text);

} // namespace gelint::cli
