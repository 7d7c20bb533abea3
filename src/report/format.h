#pragma once
// Values as writers print them.

#include "report/report.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace gelint::report {

/// "4.73e-04"; "0" for zero, "nan" and "inf" without sign tricks.
std::string number(double v);
/// "src/mlp.cc:12:19"; without what is unknown.
std::string place_text(const std::string& path, int line, int column);
/// The last folder of a checkpoint's path: what tells models apart in a table.
std::string model_name(const std::string& checkpoint);
/// A formula, and for `other` its nearest: "other (near gelu_quick, 1.2e-02)".
std::string formula_text(const scan::Site& site);
/// "gelu_pytorch_tanh", "default gelu", "hard-coded": how the checkpoint asks.
std::string asked_by(const hf::Slot& slot);
/// "1 row", "2 rows".
std::string count(uint64_t n, std::string_view noun);
/// "9 match, 3 mismatch": the parts that are not zero.
std::string listed(std::initializer_list<std::pair<uint64_t, std::string_view>> parts);
/// The counts of the summary that are not zero, for example "12 rows: 9 match, 3 mismatch".
std::string summary_rows(const Summary& s);
std::string summary_findings(const Summary& s);
/// 1-based line of a text without its line end; empty when out of range.
std::string_view line_of(std::string_view text, int line);

/// True when the finding counts: neither waived nor in the baseline.
inline bool is_open(const decide::Finding& f) { return !f.waived && !f.in_baseline; }

} // namespace gelint::report
