#include "report/curve.h"

#include "report/format.h"
#include "report/markup.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <span>

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

  /// What is beyond the panel is drawn at its edge.
  std::string curve(std::span<const double> x, std::span<const double> y, std::string_view css) const {
    std::string points;
    for (size_t i = 0; i < x.size(); ++i)
      if (std::isfinite(x[i]) && !std::isnan(y[i]) && x[i] >= x0 && x[i] <= x1)
        points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", px(x[i]), py(std::clamp(y[i], y0, y1)));
    return fmt::format("<polyline class=\"{}\" points=\"{}\"/>", css, points);
  }
  std::string curve(const Function& f, std::string_view css) const {
    std::vector<double> x, y;
    for (int i = 0; i < k_samples; ++i) {
      double v = f(at(i));
      x.push_back(at(i));
      y.push_back(std::isfinite(v) ? v : std::numeric_limits<double>::quiet_NaN());
    }
    return curve(x, y, css);
  }
  /// The values' range stands at the left edge, or beside the axis where a curve fills that edge.
  std::string axes(std::string_view low, std::string_view high, bool beside_axis = false) const {
    double zero_x = px(std::clamp(0.0, x0, x1)), zero_y = py(std::clamp(0.0, y0, y1));
    return fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
                       "<line class=\"axis\" x1=\"{3:.1f}\" y1=\"{4:.1f}\" x2=\"{3:.1f}\" y2=\"{5:.1f}\"/>",
                       left, left + width, zero_y, zero_x, top, top + height) +
           fmt::format("<text x=\"{0:.1f}\" y=\"{1:.1f}\">{2:g}</text><text x=\"{3:.1f}\" y=\"{1:.1f}\" "
                       "text-anchor=\"end\">{4:g}</text>",
                       left, top + height + 13, x0, left + width, x1) +
           fmt::format("<text x=\"{0:.1f}\" y=\"{1:.1f}\">{2}</text><text x=\"{0:.1f}\" y=\"{3:.1f}\">{4}</text>",
                       beside_axis ? zero_x + 4 : left, top + 9, high, top + height - 2, low);
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

/// The largest finite |v|; 0 when there is none.
double extent(std::span<const double> v) {
  double largest = 0;
  for (double d : v)
    if (std::isfinite(d))
      largest = std::max(largest, std::fabs(d));
  return largest;
}

/// One line each: a name may be as long as a path.
std::string keys(std::string_view required, std::string_view implemented) {
  return fmt::format("<text class=\"key-required\" x=\"10\" y=\"13\">required: {}</text>"
                     "<text class=\"key-implemented\" x=\"10\" y=\"28\">implemented: {}</text>"
                     "<text class=\"key-difference\" x=\"330\" y=\"48\">implemented − required</text>",
                     xml(fitted(required)), xml(fitted(implemented)));
}

std::string svg(const Drawing& d) {
  return d.empty() ? ""
                   : fmt::format("<svg class=\"curve\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>",
                                 d.width, d.height, xml(d.label), d.body);
}

constexpr Panel k_both{10, 56, 280, 190, -4, 4, -1, 4};
constexpr Panel k_delta{330, 56, 280, 190, -8, 8, 0, 0};

} // namespace

std::string fitted(std::string_view text) {
  constexpr size_t k_most = 88; // of 11 px, 620 wide
  if (text.size() <= k_most)
    return std::string(text);
  size_t head = k_most / 2, tail = text.size() - (k_most - head - 1);
  auto inside = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u; }; // of a character
  while (inside(head))
    --head;
  while (tail < text.size() && inside(tail))
    ++tail;
  return fmt::format("{}…{}", text.substr(0, head), text.substr(tail));
}

Drawing draw(const decide::Row& row) {
  if (!row.has_site || row.implemented == row.required)
    return {};
  Function implemented = function_of(row.implemented, row.site), required = function_of(row.required, row.site);
  if (!implemented || !required)
    return {};
  Function difference = [&](double x) { return implemented(x) - required(x); };
  Panel both = k_both, delta = k_delta;
  std::vector<double> differences;
  for (int i = 0; i < k_samples; ++i)
    differences.push_back(difference(delta.at(i)));
  double largest = extent(differences);
  if (largest == 0)
    return {};
  delta.y0 = -1.1 * largest;
  delta.y1 = 1.1 * largest;
  std::string scale = number(1.1 * largest);
  auto name_required = formula::to_string(row.required), name_implemented = formula::to_string(row.implemented);
  return {fmt::format("{} and {}", name_required, name_implemented),
          keys(name_required, name_implemented) + both.axes("-1", "4") + both.curve(required, "required") +
              both.curve(implemented, "implemented") + delta.axes("-" + scale, scale) +
              delta.curve(difference, "difference"),
          620, 268};
}

Drawing draw(const VerifyRow& row) {
  const Plot& p = row.plot;
  if (p.x.empty() || p.implemented.size() != p.x.size() || p.required.size() != p.x.size() || p.ulp.size() != p.x.size())
    return {};
  std::vector<double> difference, column, magnitude;
  for (size_t i = 0; i < p.x.size(); ++i) {
    difference.push_back(p.implemented[i] - p.required[i]);
    column.push_back(p.x0 + (p.x1 - p.x0) * (static_cast<double>(i) + 0.5) / static_cast<double>(p.x.size()));
    magnitude.push_back(std::log10(p.ulp[i])); // log10(0) is the lower edge, infinity the upper
  }
  Panel both = k_both, delta = k_delta, ulp{10, 296, 600, 110, p.x0, p.x1, -1, 1};
  double largest = std::max(extent(difference), 1e-300);
  delta.x0 = p.x0, delta.x1 = p.x1;
  delta.y0 = -1.1 * largest, delta.y1 = 1.1 * largest;
  std::vector<double> finite;
  for (double u : p.ulp)
    if (std::isfinite(u))
      finite.push_back(u);
  ulp.y1 = std::max(1.0, std::ceil(std::log10(std::max(extent(finite), 1.0))));
  std::string scale = number(1.1 * largest);
  std::string half = fmt::format("<line class=\"half\" x1=\"10\" y1=\"{0:.1f}\" x2=\"610\" y2=\"{0:.1f}\"/>",
                                 ulp.py(std::log10(0.5)));
  std::string note = p.every_input ? fmt::format("error in ulp of {}, largest of every input in a column; "
                                                 "below the dotted line: correctly rounded", xml(row.dtype))
                                   : fmt::format("error in ulp of {}, largest of the samples in a column; below the "
                                                 "dotted line: correctly rounded", xml(row.dtype));
  return {fmt::format("{} and {} in {}: values, difference and error in ulp", row.required, row.implemented, row.dtype),
          keys(row.required, row.implemented) + both.axes("-1", "4") + both.curve(p.x, p.required, "required") +
              both.curve(p.x, p.implemented, "implemented") + delta.axes("-" + scale, scale) +
              delta.curve(p.x, difference, "difference") +
              fmt::format("<text x=\"10\" y=\"286\">{}</text>", note) +
              ulp.axes("0.1", number(std::pow(10.0, ulp.y1)), true) + half + ulp.curve(column, magnitude, "ulp"),
          620, 428};
}

std::string curve_svg(const decide::Row& row) { return svg(draw(row)); }
std::string plot_svg(const VerifyRow& row) { return svg(draw(row)); }

} // namespace gelint::report
