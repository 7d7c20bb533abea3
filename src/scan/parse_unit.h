#pragma once
// Parses one unit and collects its facts. Runs in a worker process.

#include "scan/compile_db.h"
#include "scan/facts.h"
#include "scan/needles.h"
#include "scan/source_tree.h"

#include <functional>
#include <set>
#include <string>

namespace gelint::scan {

struct UnitRequest {
  std::string path;                        ///< relative
  const CompileCommand* command = nullptr; ///< null: stub tier
  bool all_activations = false;
  const FunctionIndex* index = nullptr;    ///< of a first pass over all units
  std::vector<std::string> extra_args;
  /// Files whose names and definitions are reported: those that hold needles.
  const std::set<std::string>* wanted_files = nullptr;
  std::function<NeedleClass(std::string_view)> wanted;
};

/// The clang arguments for a unit, without virtual files: language, include paths, macros.
std::vector<std::string> unit_arguments(const SourceTree& tree, const UnitRequest& r, const SourceTree::Includes& includes);

/// True when libclang can read the file at all (not a shader).
bool is_parsable(Language l);

UnitFacts parse_unit(const SourceTree& tree, const UnitRequest& r);

} // namespace gelint::scan
