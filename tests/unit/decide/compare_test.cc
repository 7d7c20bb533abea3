#include "decide/compare.h"

#include <gtest/gtest.h>

namespace gelint::decide {
namespace {

using formula::Formula;

Row row(std::string id, Verdict v, Formula implemented, int line = 3) {
  Row r;
  r.id = id;
  r.verdict = v;
  r.implemented = implemented;
  r.required = Formula::gelu_tanh;
  r.has_site = true;
  r.site.place = {"a.cc", line, 1};
  r.site.symbol = "gelu";
  return r;
}

Finding finding(std::string fingerprint) {
  Finding f;
  f.rule = "GL201";
  f.fingerprint = fingerprint;
  f.message = "m | `x`";
  return f;
}

TEST(Compare, FixedNewChangedSame) {
  std::vector<Row> before = {
      row("A", Verdict::mismatch, Formula::gelu_erf), row("B", Verdict::match, Formula::gelu_tanh),
      row("C", Verdict::match, Formula::gelu_tanh), row("D", Verdict::mismatch, Formula::gelu_erf),
      row("E", Verdict::unresolved, Formula::gelu_tanh)};
  std::vector<Row> after = {row("A", Verdict::match, Formula::gelu_tanh),
                            row("B", Verdict::mismatch, Formula::gelu_quick),
                            row("C", Verdict::match, Formula::gelu_tanh, 99), // moved only
                            row("E", Verdict::conflict, Formula::gelu_tanh)};
  Comparison c = compare(before, {finding("1"), finding("2")}, after, {finding("2"), finding("3")});
  ASSERT_EQ(c.fixed.size(), 2u);
  EXPECT_EQ(c.fixed[0].after->id, "A");
  EXPECT_EQ(c.fixed[1].after, nullptr);
  ASSERT_EQ(c.broken.size(), 1u);
  EXPECT_EQ(c.broken[0].after->id, "B");
  ASSERT_EQ(c.changed.size(), 1u);
  EXPECT_EQ(c.changed[0].after->id, "E");
  EXPECT_EQ(c.same, 1u);
  ASSERT_EQ(c.fixed_findings.size(), 1u);
  EXPECT_EQ(c.fixed_findings[0]->fingerprint, "1");
  ASSERT_EQ(c.new_findings.size(), 1u);
  EXPECT_EQ(c.new_findings[0]->fingerprint, "3");
}

TEST(Compare, AnAuditAgainstItselfIsEmpty) {
  std::vector<Row> rows = {row("A", Verdict::mismatch, Formula::gelu_erf)};
  EXPECT_TRUE(compare(rows, {finding("1")}, rows, {finding("1")}).empty());
}

TEST(Compare, MarkdownEscapesWhatItQuotes) {
  std::string text = comparison_text(compare({}, {}, {}, {finding("1")}), true);
  EXPECT_NE(text.find("m \\| \\`x\\`"), std::string::npos) << text;
}

} // namespace
} // namespace gelint::decide
