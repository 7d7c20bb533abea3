// Behaviour that a golden does not show.

#include "report/curve.h"
#include "report/markdown_notes.h"
#include "report/markup.h"
#include "report/table.h"
#include "report/writer.h"
#include "sample.h"
#include "support/text.h"

#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

namespace gelint::report {
namespace {

std::string written(std::string_view format, const Report& report, WriteOptions o = {}) {
  return find_writer(format)->write(report, o);
}

size_t occurrences(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
    ++n;
  return n;
}

TEST(Text, FullShowsTheSourceLineAndACaret) {
  WriteOptions o;
  o.full = true;
  o.source_root = std::string(GELINT_SOURCE_DIR) + "/tests/unit/report/sample_root";
  std::string text = written("text", sample_findings(), o);
  // The tab of the source is one column in the printed line and in the caret's.
  EXPECT_NE(text.find("   12 |  return proj(gelu_approx(fc(x)));"), std::string::npos) << text;
  EXPECT_NE(text.find("      = models/starcoder2-3b/config.json:4:3: the key that decides\n"), std::string::npos);
  size_t source = text.find("   12 | ");
  size_t caret_line = text.find('\n', source) + 1;
  EXPECT_EQ(text.find("^~~~~~~~~~~", caret_line) - caret_line,
            text.find("gelu_approx", source) - source + 5) << text;
}

TEST(Text, ColourOnlyWhenAsked) {
  WriteOptions o;
  EXPECT_EQ(written("text", sample_findings(), o).find('\x1b'), std::string::npos);
  o.colour = true;
  EXPECT_NE(written("text", sample_findings(), o).find("\x1b[31mmismatch\x1b[0m"), std::string::npos);
}

TEST(Text, EveryTableLineFitsTheWidth) {
  WriteOptions o;
  o.width = 100;
  for (const Report& r : {sample_findings(), sample_scan(), sample_lint()}) {
    std::string text = written("text", r, o);
    std::string table = text.substr(0, text.find("\n\n"));
    for (size_t at = 0; at < table.size();) {
      size_t end = std::min(table.find('\n', at), table.size());
      if (table.find(" [GL", at) >= end) { // a finding stays on one line, as a compiler's does
        EXPECT_LE(display_width(table.substr(at, end - at)), 100u) << table.substr(at, end - at);
      }
      at = end + 1;
    }
  }
}

TEST(Text, QuietPrintsOnlyFindings) {
  Report report = sample_findings();
  report.quiet = true;
  std::string text = written("text", report);
  EXPECT_EQ(text.find("VERDICT"), std::string::npos);
  EXPECT_EQ(occurrences(text, "\n"), 4u);
}

TEST(LongNames, AreCutForPeopleAndWholeForPrograms) {
  Report report = sample_findings();
  const std::string name(5000, 'n');
  report.rows[0].site.symbol = report.models[0].slots[0].name = name;
  report.findings[0].message = name + " is no name";
  report.show_all = true;
  Report lint = report;
  lint.command = Command::lint;
  for (const char* format : {"text", "markdown", "github"})
    for (const Report* r : {&report, &lint})
      EXPECT_EQ(written(format, *r).find(std::string(200, 'n')), std::string::npos) << format;
  for (const char* format : {"json", "jsonl", "html"})
    EXPECT_NE(written(format, report).find(name), std::string::npos) << format;
}

TEST(Text, AllShowsTheMatches) {
  Report report = sample_findings();
  report.show_all = true;
  EXPECT_NE(written("text", report).find("gemma-3-4b"), std::string::npos);
}

TEST(Table, CutsTheRightEnd) {
  EXPECT_EQ(cut_to("gelu_pytorch_tanh", 8, Cut::end), "gelu_py…");
  EXPECT_EQ(cut_to("src/models/mlp.cc:12", 10, Cut::begin), "…mlp.cc:12");
  EXPECT_EQ(cut_to("short", 10, Cut::end), "short");
  EXPECT_EQ(wrap("one two three", 7, 2), "  one\n  two\n  three\n");
}

TEST(Markdown, NotesSurvive) {
  std::string first = written("markdown", sample_findings());
  const std::string begin = "<!-- gelint:notes decisions -->\n";
  ASSERT_NE(first.find(begin), std::string::npos);
  std::string edited = first;
  edited.insert(edited.find(begin) + begin.size(), "Agreed with the maintainers, see issue 7.\n");
  edited.insert(edited.find("<!-- gelint:notes top -->\n"),
                "<!-- gelint:notes group-gone -->\nkept though the group has gone\n<!-- gelint:end -->\n");
  WriteOptions o;
  o.previous = edited;
  std::string second = written("markdown", sample_findings(), o);
  EXPECT_EQ(occurrences(second, "Agreed with the maintainers, see issue 7.\n"), 1u);
  EXPECT_EQ(occurrences(second, "kept though the group has gone\n"), 1u);
  o.previous = second;
  EXPECT_EQ(written("markdown", sample_findings(), o), second) << "a second run changes nothing";
}

TEST(Markdown, BrokenMarkersAreNoTrap) {
  WriteOptions o;
  o.previous = "<!-- gelint:notes top -->\nnever closed";
  EXPECT_EQ(written("markdown", sample_findings(), o), written("markdown", sample_findings()));
}

TEST(Markdown, AHazardIsOneRowWhereTheCodeHasIt) {
  Report report = sample_findings();
  const scan::Site site = report.scan.sites[1]; // the only one with a hazard
  report.scan.sites.push_back(site);            // a call of it lists the same hazard
  report.scan.sites.back().place.line = 77;
  EXPECT_NE(written("markdown", report).find("## Numerical hazards\n\nNone.\n"), std::string::npos);
  decide::Finding f;
  f.rule = "GL402";
  f.message = "gelu_tanh_f32: exp overflows above 88.7";
  f.path = site.place.path;
  f.line = site.place.line;
  f.column = site.place.column;
  report.findings.push_back(f);
  std::string text = written("markdown", report);
  size_t at = text.find("## Numerical hazards\n");
  EXPECT_EQ(text.substr(at, text.find("\n## ", at) - at),
            "## Numerical hazards\n\n| Hazard | Site | Precision | Detail |\n| --- | --- | --- | --- |\n"
            "| GL402 | `engine/src/vision.cc:30` | f32 | gelu_tanh_f32: exp overflows above 88.7 |\n");
}

TEST(Markup, Escapes) {
  EXPECT_EQ(md("a|b"), "a\\|b");
  EXPECT_EQ(md("<img src=x>"), "&lt;img src=x&gt;");
  EXPECT_EQ(md("gelu_tanh *x*"), "gelu_tanh \\*x\\*");
  EXPECT_EQ(md("https://x"), "https&#58;//x");
  EXPECT_EQ(md_code("a`b"), "``a`b``");
  EXPECT_EQ(md_code("`a"), "`` `a ``");
  EXPECT_EQ(md_code("a|b"), "`a\\|b`");
  EXPECT_EQ(xml("<a b='c'>&\""), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;");
  EXPECT_EQ(uri("a b/ü#?.cc"), "a%20b/%C3%BC%23%3F.cc");
}

TEST(Github, WorstFirstAndTenOfAKind) {
  Report report = sample_clean();
  for (int i = 0; i < 30; ++i) {
    decide::Finding f;
    f.rule = "GL921";
    f.level = i % 2 ? decide::Level::error : decide::Level::note;
    f.message = "100% of a, b: c";
    f.path = "a:b,c.cc";
    f.line = i + 1;
    report.findings.push_back(f);
  }
  decide::finish_findings(report.findings);
  std::string text = written("github", report);
  EXPECT_EQ(occurrences(text, "::error "), 10u);
  EXPECT_EQ(occurrences(text, "::notice "), 10u) << "nine and the closing one";
  EXPECT_TRUE(text.starts_with("::error file=a%3Ab%2Cc.cc,line=2,title=GL921::100%25 of a, b: c\n")) << text;
  EXPECT_NE(text.find("::notice title=gelint::11 more findings not shown"), std::string::npos);
}

TEST(Csv, NoFormulaForASpreadsheet) {
  Report report = sample_scan();
  report.scan.sites[0].symbol = "=HYPERLINK(\"http://x\")";
  EXPECT_NE(written("csv", report).find(",\"'=HYPERLINK(\"\"http://x\"\")\","), std::string::npos);
}

TEST(Html, OnlyItsOwnScriptMayRun) {
  std::string html = written("html", sample_findings());
  EXPECT_EQ(occurrences(html, "<script"), 1u);
  EXPECT_EQ(html.find("http://"), std::string::npos);
  EXPECT_EQ(html.find("https://"), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
  EXPECT_NE(html.find("<svg class=\"curve\""), std::string::npos) << "the mismatch has its curves";
}

/// The points of the polyline with a class, as x,y pairs.
std::vector<std::pair<double, double>> points(const std::string& svg, const std::string& css) {
  std::vector<std::pair<double, double>> out;
  size_t at = svg.find("class=\"" + css + "\" points=\"");
  if (at == std::string::npos)
    return out;
  at = svg.find("points=\"", at) + 8;
  std::istringstream text(svg.substr(at, svg.find('"', at) - at));
  char comma;
  for (double x, y; text >> x >> comma >> y;)
    out.emplace_back(x, y);
  return out;
}

TEST(Svg, IsOneDocumentWithoutANetwork) {
  std::string svg = written("svg", sample_verify());
  EXPECT_EQ(svg.find("http"), svg.find("http://www.w3.org/2000/svg")) << "the namespace is the only address";
  EXPECT_EQ(svg.find("http", svg.find("http") + 4), std::string::npos);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_NE(svg.find("starcoder2-3b in bf16: differs"), std::string::npos);
  EXPECT_EQ(points(svg, "required").size(), 2u) << "the first panel shows [-4, 4]";
}

TEST(Svg, HostileNamesStayText) {
  Report report = sample_verify();
  report.verify_rows[0].id = "</text><script>alert(1)</script>";
  std::string svg = written("svg", report);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
}

TEST(Svg, TheAuditsMismatchesAreDrawn) {
  std::string svg = written("svg", sample_findings());
  EXPECT_EQ(occurrences(svg, "<svg"), 1u);
  EXPECT_FALSE(points(svg, "difference").empty());
  EXPECT_NE(written("svg", sample_lint()).find("no row has curves to draw"), std::string::npos);
}

TEST(Curve, PlotShowsWhatTheColumnsHold) {
  Report report = sample_verify();
  std::string svg = plot_svg(report.verify_rows[0]);
  // ulp panel: x from 10 to 610 over [-8, 8], five columns; y from 296 (top, 100) to 406 (0.1): log10 from 2 to -1.
  auto ulp = points(svg, "ulp");
  ASSERT_EQ(ulp.size(), 4u) << "a column without an input is left out";
  EXPECT_NEAR(ulp[0].first, 70, 0.1);
  EXPECT_NEAR(ulp[0].second, 406, 0.1) << "0 lies at the lower edge";
  EXPECT_NEAR(ulp[1].second, 296 + 110 * (2 - std::log10(26)) / 3, 0.1);
  EXPECT_NEAR(ulp[3].second, 296, 0.1) << "NaN made lies at the upper edge";
  auto difference = points(svg, "difference");
  ASSERT_EQ(difference.size(), 3u) << "NaN has no difference";
  EXPECT_LT(difference[1].second, difference[0].second) << "the tanh form lies above erf at -3";
  report.verify_rows[0].plot = {};
  EXPECT_EQ(plot_svg(report.verify_rows[0]), "");
}

TEST(Curve, LongNamesGiveWayInTheMiddle) {
  EXPECT_EQ(fitted("gelu_erf"), "gelu_erf");
  std::string path = "src/" + std::string(200, 'x') + "/mlp.cc:12", line = fitted(path);
  EXPECT_LE(line.size(), 91u); // 88 characters, one of three bytes
  EXPECT_EQ(line.rfind("src/", 0), 0u);
  EXPECT_TRUE(line.ends_with("/mlp.cc:12"));
  // Two-byte characters are not cut in half, wherever the cut falls.
  for (size_t shift = 0; shift < 2; ++shift) {
    std::string text(shift, 'a');
    for (int i = 0; i < 100; ++i)
      text += "é";
    std::string cut = fitted(text);
    size_t marks = 0, whole = 0;
    for (unsigned char c : cut)
      marks += (c & 0xc0u) == 0x80u, whole += c >= 0xc0u;
    EXPECT_EQ(marks, whole + 1) << "two continuation bytes in the ellipsis, one in every other character";
  }
  // The three keys of a drawing are on lines of their own.
  Report report = sample_verify();
  std::string svg = plot_svg(report.verify_rows[0]);
  std::vector<std::string> lines;
  for (const char* key : {"key-required", "key-implemented", "key-difference"}) {
    size_t at = svg.find("y=\"", svg.find(key));
    lines.push_back(svg.substr(at, svg.find('"', at + 3) - at));
  }
  EXPECT_NE(lines[0], lines[1]);
  EXPECT_NE(lines[1], lines[2]);
}

TEST(Curve, OtherIsDrawnFromItsExpression) {
  decide::Row row = sample_row();
  row.implemented = formula::Formula::other;
  row.site.expr = "";
  EXPECT_EQ(curve_svg(row), "");
  formula::Expr e;
  formula::NodeId x = e.leaf(formula::Op::input, formula::Type::f32);
  e.set_root(e.make(formula::Op::tanh, formula::Type::f32, x));
  row.site.expr = formula::to_text(e);
  EXPECT_NE(curve_svg(row).find("implemented: other"), std::string::npos);
  row.required = row.implemented = formula::Formula::gelu_erf;
  EXPECT_EQ(curve_svg(row), "");
}

} // namespace
} // namespace gelint::report
