#pragma once
// A finding, and the registry of rules. One source file per rule under decide/rules/, with its
// documentation.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::decide {

enum class Level : uint8_t { note, warning, error };
std::string_view to_string(Level l);

struct RelatedPlace {
  std::string path;
  int line = 0, column = 0;
  std::string message;
};

struct Finding {
  std::string rule; ///< "GL201"
  Level level = Level::warning;
  std::string message;                      ///< one line: fault and mend
  std::string path;                         ///< relative; a config file or a source file
  int line = 0, column = 0, end_column = 0; ///< 1-based UTF-8 bytes; 0 unknown
  std::string model;                        ///< ModelReport::path of the model it is about; empty: none
  std::string config_path;                  ///< "vision_config.hidden_act"
  std::string row;                          ///< id of the decision row, when there is one
  std::string anchor; ///< enclosing function and symbol, or slot: what the fingerprint is made of
                      ///< beside rule and path
  std::vector<RelatedPlace> related;
  bool waived = false;
  std::string waiver_reason;
  bool in_baseline = false;
  std::string fingerprint; ///< filled by finish_findings(): survives moved lines
};

/// Sorts, removes exact duplicates and fills the fingerprints.
void finish_findings(std::vector<Finding>& findings);

} // namespace gelint::decide
