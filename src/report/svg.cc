// One SVG file with the curves of every row that has some, one below the other.

#include "report/curve.h"
#include "report/fields.h"
#include "report/markup.h"
#include "report/writer.h"
#include "support/embed.h"

#include <fmt/format.h>

namespace gelint::report {
namespace {

constexpr int k_heading = 26, k_gap = 18, k_width = 620;

class Svg {
public:
  void add(const std::string& heading, const Drawing& d) {
    if (d.empty())
      return;
    body_ += fmt::format("<text class=\"heading\" x=\"10\" y=\"{}\">{}</text>\n<g transform=\"translate(0 {})\">{}</g>\n",
                         height_ + 16, xml(fitted(heading)), height_ + k_heading, d.body);
    height_ += k_heading + d.height + k_gap;
  }

  std::string write(std::string_view title) {
    if (body_.empty()) {
      body_ = fmt::format("<text x=\"10\" y=\"20\">{}: no row has curves to draw</text>\n", xml(title));
      height_ = 32;
    }
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"curve\" width=\"{0}\" height=\"{1}\" "
                       "viewBox=\"0 0 {0} {1}\">\n<title>{2}</title>\n<style>\n{3}svg {{ background: Canvas; color: CanvasText; }}\n"
                       "</style>\n{4}</svg>\n",
                       k_width, height_, xml(title), embedded_file("src/report/assets/curve.css").value_or(""), body_);
  }

private:
  std::string body_;
  int height_ = 0;
};

std::string write_svg(const Report& report, const WriteOptions&) {
  Svg out;
  for (const decide::Row& r : report.rows)
    out.add(r.id, draw(r));
  for (const VerifyRow& v : report.verify_rows)
    out.add(fmt::format("{} in {}: {}", v.id, v.dtype, v.verdict), draw(v));
  return out.write(fmt::format("gelint {}", to_string(report.command)));
}

} // namespace

extern const Writer k_svg;
const Writer k_svg{"svg", "the curves of the flagged rows: values, difference, error in ulp", write_svg};

} // namespace gelint::report
