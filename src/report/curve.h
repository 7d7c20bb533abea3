#pragma once
// Curves of two formulas and their difference, as SVG.

#include "report/report.h"

#include <string>

namespace gelint::report {

/// Two panels: both functions over [-4, 4], and implemented − required over [-8, 8]. `implemented` of `other` is drawn
/// from the site's expression. Empty when either cannot be evaluated or both are the same.
std::string curve_svg(const decide::Row& row);

/// Three panels: both functions and their difference over the plot's range, and the error in ulp on a logarithmic axis.
/// Empty for a row without a plot.
std::string plot_svg(const VerifyRow& row);

/// As much of a text as a line of the drawing holds; the middle gives way, since both ends of an id or a path tell them
/// apart.
std::string fitted(std::string_view text);

/// A drawing without its <svg> element, to be placed in another one.
struct Drawing {
  std::string label, body;
  int width = 0, height = 0;
  bool empty() const { return body.empty(); }
};
Drawing draw(const decide::Row& row);
Drawing draw(const VerifyRow& row);

} // namespace gelint::report
