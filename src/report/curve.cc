#include "report/curve.h"

#include "report/format.h"
#include "report/markup.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace gelint::report {
namespace {

using Function = std::function<double(double)>;

constexpr int k_samples = 161;

struct Panel {
  double left, top, width, height; // on the page
  double x0, x1, y0, y1;           // what it shows

  double px(double x) const { return left + (x - x0) / (x1 - x0) * width; }
  double py(double y) const { return top + (y1 - y) / (y1 - y0) * height; }
  double at(int i) const { return x0 + (x1 - x0) * i / (k_samples - 1); }

  std::string curve(const Function& f, std::string_view css) const {
    std::string points;
    for (int i = 0; i < k_samples; ++i) {
      double y = f(at(i));
      if (std::isfinite(y))
        points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", px(at(i)), py(std::clamp(y, y0, y1)));
    }
    return fmt::format("<polyline class=\"{}\" points=\"{}\"/>", css, points);
  }
  std::string axes(std::string_view low, std::string_view high) const {
    double zero_x = px(std::clamp(0.0, x0, x1)), zero_y = py(std::clamp(0.0, y0, y1));
    return fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
                       "<line class=\"axis\" x1=\"{3:.1f}\" y1=\"{4:.1f}\" x2=\"{3:.1f}\" y2=\"{5:.1f}\"/>",
                       left, left + width, zero_y, zero_x, top, top + height) +
           fmt::format("<text x=\"{0:.1f}\" y=\"{1:.1f}\">{2:g}</text><text x=\"{3:.1f}\" y=\"{1:.1f}\" "
                       "text-anchor=\"end\">{4:g}</text>",
                       left, top + height + 13, x0, left + width, x1) +
           fmt::format("<text x=\"{0:.1f}\" y=\"{1:.1f}\">{2}</text><text x=\"{0:.1f}\" y=\"{3:.1f}\">{4}</text>",
                       zero_x + 4, top + 9, high, top + height - 2, low);
  }
};

Function function_of(formula::Formula f, const scan::Site& site) {
  using formula::Formula;
  if (f == Formula::unknown)
    return {};
  if (f != Formula::other)
    return [f](double x) { return formula::eval(f, x); };
  std::string error;
  std::optional<formula::Expr> expr = formula::parse_expr(site.expr, &error);
  if (!expr || expr->empty())
    return {};
  return [e = std::move(*expr)](double x) { return formula::eval_ideal(e, x); };
}

} // namespace

std::string curve_svg(const decide::Row& row) {
  if (!row.has_site || row.implemented == row.required)
    return "";
  Function implemented = function_of(row.implemented, row.site), required = function_of(row.required, row.site);
  if (!implemented || !required)
    return "";
  Function difference = [&](double x) { return implemented(x) - required(x); };
  Panel both{10, 24, 280, 190, -4, 4, -1, 4};
  Panel delta{330, 24, 280, 190, -8, 8, 0, 0};
  double largest = 0;
  for (int i = 0; i < k_samples; ++i)
    if (double d = difference(delta.at(i)); std::isfinite(d))
      largest = std::max(largest, std::fabs(d));
  if (largest == 0)
    return "";
  delta.y0 = -1.1 * largest;
  delta.y1 = 1.1 * largest;
  std::string scale = number(1.1 * largest);
  return fmt::format("<svg class=\"curve\" viewBox=\"0 0 620 236\" role=\"img\" aria-label=\"{0} and {1}\">"
                     "<text class=\"key-required\" x=\"10\" y=\"13\">required: {0}</text>"
                     "<text class=\"key-implemented\" x=\"150\" y=\"13\">implemented: {1}</text>"
                     "<text class=\"key-difference\" x=\"330\" y=\"13\">implemented − required</text>",
                     xml(formula::to_string(row.required)), xml(formula::to_string(row.implemented))) +
         both.axes("-1", "4") + both.curve(required, "required") + both.curve(implemented, "implemented") +
         delta.axes("-" + scale, scale) + delta.curve(difference, "difference") + "</svg>";
}

} // namespace gelint::report
