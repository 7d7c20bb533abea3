#pragma once
// What a header that is nowhere would have brought, read off the errors of a first parse of the stub tier.

#include "scan/tu.h"

#include <set>
#include <string>
#include <vector>

namespace gelint::scan {

/// Arguments for a second parse; empty when nothing tells that it would read more.
struct MissingNames {
  /// "X=" or "X(...)=": macros in whose place only a decoration or a namespace's bracket can stand. Sorted, at most 16.
  std::vector<std::string> macros;
  /// `std`, or a function of the C library, was used and nothing declares it.
  bool standard_library = false;
};

/// clang drops a function whose decoration it does not know (`API float f(float x) {…}`), and what such a macro
/// stands for is hardly ever needed to know the formula. A name counts when it is written in capitals, no macro or
/// directive of the unit knows it, an error points at it, and its uses are none of a type.
/// `paths`: absolute names of the files, next to the main file, whose errors count.
MissingNames missing_names(const Tu& tu, const std::set<std::string>& paths);

} // namespace gelint::scan
