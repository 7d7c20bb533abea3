#pragma once
// One writer per format. A writer is a pure function of the report: no clock, no locale, no environment.

#include "report/report.h"
#include "support/result.h"

#include <span>
#include <string>
#include <string_view>

namespace gelint::report {

struct WriteOptions {
  bool colour = false;   ///< text only
  int width = 0;         ///< terminal width; 0: do not fold
  bool full = false;     ///< text: the source line and a caret
  bool faults_said = false; ///< text: what cannot be read (GL111) stands on standard error already
  std::string source_root; ///< where source lines are read from (text full, sarif columns)
  std::string previous;    ///< the file that is about to be replaced: hand-written notes survive (markdown)
};

struct Writer {
  std::string_view format; ///< "markdown"
  std::string_view help;   ///< one line
  std::string (*write)(const Report&, const WriteOptions&);
};

std::span<const Writer> writers();
const Writer* find_writer(std::string_view format);

} // namespace gelint::report
