#pragma once
// The resolution of one checkpoint: what `lint` prints and `audit` joins.

#include "hf/slot.h"

#include <string>
#include <vector>

namespace gelint::hf {

/// A fault met while reading or resolving one file; the GL1xx rules turn these into findings.
struct Issue {
  std::string rule; ///< "GL101"
  std::string message;
  std::string path; ///< the file
  int line = 0, column = 0, end_column = 0;
  std::string config_path;
  std::string slot;
  bool harmless = false; ///< true in principle, but nothing follows from it here: reported as a note
};

struct ModelReport {
  std::string path;         ///< as given: directory, file, or "-:LINE" for JSON lines
  std::string config_file;  ///< the file that was read, relative as given
  std::string model_type;   ///< empty when missing
  std::string architecture; ///< architectures[0]
  std::string transformers; ///< version of the table that was used
  std::string written_by;   ///< transformers_version of the file; the writer's version, not the reader's
  bool remote_code = false;
  std::vector<std::string> notes; ///< one line each: which table stands in for a version without one
  std::vector<Slot> slots;
  std::vector<Issue> issues;
};

} // namespace gelint::hf
