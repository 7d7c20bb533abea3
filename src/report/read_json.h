#pragma once
// Reading a gelint JSON document back: `verify AUDIT.json`, comparisons, `report`.

#include "report/report.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace gelint::report {

/// Everything the json writer writes. Unknown keys are skipped, missing ones keep their default, so that documents of
/// neighbouring versions can be read. The error names the line and column of a syntax fault, else the JSON pointer of
/// the value at fault.
Result<Report> parse_report(std::string_view text, const std::string& file);

/// parse_report() of a file; "-" reads standard input.
Result<Report> read_report(const std::string& file);

} // namespace gelint::report
