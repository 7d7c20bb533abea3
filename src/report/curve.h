#pragma once
// Curves of two formulas and their difference, as inline SVG.

#include "report/report.h"

#include <string>

namespace gelint::report {

/// Two panels: both functions over [-4, 4], and implemented − required over [-8, 8]. `implemented` of `other` is drawn
/// from the site's expression. Empty when either cannot be evaluated or both are the same.
std::string curve_svg(const decide::Row& row);

} // namespace gelint::report
