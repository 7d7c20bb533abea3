#pragma once
// The hand-written overlay while the tables are packed. Its format is described in hf_defaults/overlay/README.md.

#include "support/result.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace gelint::hf {

/// Thrown inside build_pack() only.
struct PackFault {
  Error error;
};

struct Overlay {
  nlohmann::json rows = nlohmann::json::object(); ///< section → list of rows, in file order

  /// Applies patches, derivations and flags to one release's document.
  void merge_into(nlohmann::json& release) const;
  /// Families as classes of every release, facts and towers.
  void add_entries(std::map<std::string, std::string>& entries, size_t releases) const;
};

/// Reads every *.yaml of `dir` in name order. Throws PackFault.
Overlay read_overlay(const std::string& dir);

} // namespace gelint::hf
