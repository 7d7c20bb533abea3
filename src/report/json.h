#pragma once
// The JSON form of a report, for the json and jsonl writers.

#include "report/report.h"

#include <nlohmann/json_fwd.hpp>

namespace gelint::report {

inline constexpr const char* k_schema_name = "gelint/1";

nlohmann::ordered_json report_json(const Report& report);
/// Each model of the report with its own findings.
std::vector<nlohmann::ordered_json> models_json(const Report& report);

} // namespace gelint::report
