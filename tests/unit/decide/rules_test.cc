#include "decide/decide.h"
#include "decide/rule.h"
#include "decide/waive.h"

#include <gtest/gtest.h>

namespace gelint::decide {
namespace {

using formula::Formula;

TEST(Rules, EachHasEveryHeadingAndASummaryOfOneSentence) {
  std::string_view last;
  for (const Rule* r : all_rules()) {
    EXPECT_LT(last, r->id) << "rules.def is ordered by id";
    last = r->id;
    EXPECT_TRUE(r->summary.ends_with('.')) << r->id;
    size_t at = 0;
    for (const char* h : {"## What it finds\n\n", "## Why it matters\n\n", "## Example\n\n",
                          "## How to mend\n\n", "## How to waive\n\n", "## Sources\n\n"}) {
      size_t found = r->doc.find(h, at);
      ASSERT_NE(found, std::string_view::npos) << r->id << ": " << h;
      at = found;
    }
  }
}

struct Case {
  scan::ScanResult scan;
  std::vector<Row> rows;
  Inventory inventory;
  std::string today;

  std::vector<Finding> run(const std::string& rule) {
    RuleContext c;
    c.scan = &scan;
    c.rows = &rows;
    c.inventory = &inventory;
    c.today = today;
    return run_rules(c, {rule}, {});
  }
};

scan::Site site(int line, Formula f, std::string symbol = "gelu") {
  scan::Site s;
  s.place = {"a.cc", line, 1};
  s.symbol = symbol;
  s.enclosing = "f";
  s.formula = f;
  s.known_by = scan::KnownBy::evaluated;
  s.id = scan::site_id(s, line);
  return s;
}

Row row(std::string id, const scan::Site& s, Verdict v) {
  Row r;
  r.id = id;
  r.checkpoint = "models/phi";
  r.slot.slot = "text.mlp";
  r.has_site = true;
  r.site = s;
  r.implemented = s.formula;
  r.verdict = v;
  r.reason = "why.";
  return r;
}

TEST(Rules, GL205ReportsOnceWithEverySite) {
  Case c;
  c.rows = {row("A", site(1, Formula::gelu_tanh), Verdict::match),
            row("A#2", site(2, Formula::gelu_tanh), Verdict::match)};
  EXPECT_TRUE(c.run("GL205").empty());
  c.rows.push_back(row("A#3", site(9, Formula::gelu_erf), Verdict::mismatch));
  std::vector<Finding> f = c.run("GL205");
  ASSERT_EQ(f.size(), 1u);
  EXPECT_EQ(f[0].line, 9);
  EXPECT_EQ(f[0].related.size(), 2u);
  EXPECT_NE(f[0].message.find("gelu_erf at f (a.cc:9); gelu_tanh at f (a.cc:1), f (a.cc:2)"),
            std::string::npos)
      << f[0].message;
}

TEST(Rules, GL202SpeaksOfTheDefinitionNotOfEachCall) {
  Case c;
  scan::Site def = site(1, Formula::gelu_erf, "gelu_approx");
  def.kind = scan::SiteKind::definition;
  def.claimed = Formula::gelu_tanh;
  def.claimed_by = "gelu_approx";
  scan::Site call = def;
  call.kind = scan::SiteKind::call;
  call.place.line = 9;
  call.definition = def.place;
  c.scan.sites = {def, call};
  std::vector<Finding> f = c.run("GL202");
  ASSERT_EQ(f.size(), 1u);
  EXPECT_EQ(f[0].line, 1);
  c.scan.sites[0].claimed = Formula::gelu_erf;
  c.scan.sites.pop_back();
  EXPECT_TRUE(c.run("GL202").empty());
}

TEST(Rules, GL202NeedsTheFormulaOfTheCodeAtTheName) {
  auto findings = [](Formula formula, Formula claimed, scan::SiteKind kind, int definition) {
    Case c;
    scan::Site s = site(4, formula, "name");
    s.kind = kind;
    s.claimed = claimed;
    s.claimed_by = "name";
    s.tier = scan::Tier::stub;
    if (definition)
      s.definition = scan::Place{s.place.path, definition, s.place.column};
    c.scan.sites = {s};
    return c.run("GL202").size();
  };
  using Kind = scan::SiteKind;
  EXPECT_EQ(findings(Formula::relu, Formula::silu, Kind::definition, 4), 1u);
  EXPECT_EQ(findings(Formula::sigmoid, Formula::relu, Kind::definition, 90), 0u); // through another function
  EXPECT_EQ(findings(Formula::gelu_tanh, Formula::silu, Kind::selector, 0), 0u);
  EXPECT_EQ(findings(Formula::sigmoid, Formula::hardswish, Kind::table_entry, 0), 0u);
  EXPECT_EQ(findings(Formula::gelu_tanh, Formula::gelu_quick, Kind::dispatch, 0), 1u);
  EXPECT_EQ(findings(Formula::prelu, Formula::leaky_relu, Kind::definition, 4), 0u);
  EXPECT_EQ(findings(Formula::gelu_tanh, Formula::tanh, Kind::definition, 4), 0u);
  EXPECT_EQ(findings(Formula::sigmoid, Formula::silu, Kind::definition, 4), 0u); // of a body the part that was read
}

scan::NameTable table() {
  scan::NameTable t;
  t.symbol = "k_names";
  t.place = {"t.cc", 3, 1};
  t.entries = {{"gelu", "erf", Formula::gelu_erf, {"t.cc", 4, 1}},
               {"gelu_new", "tanh", Formula::gelu_tanh, {"t.cc", 5, 1}},
               {"gelu_fast", "quick", Formula::gelu_quick, {"t.cc", 6, 1}}};
  return t;
}

TEST(Rules, GL301ComparesWithAct2fnOnlyInHuggingFaceTables) {
  Case c;
  c.scan.tables = {table()};
  std::vector<Finding> f = c.run("GL301");
  ASSERT_EQ(f.size(), 1u); // transformers, activations.py: gelu_fast is the tanh form
  EXPECT_EQ(f[0].line, 6);
  c.scan.tables[0].entries.erase(c.scan.tables[0].entries.begin() +
                                 1); // now nothing says Hugging Face
  EXPECT_TRUE(c.run("GL301").empty());
}

TEST(Rules, GL302CountsAndListsTheGeluFamily) {
  Case c;
  c.scan.tables = {table()};
  std::vector<Finding> f = c.run("GL302");
  ASSERT_EQ(f.size(), 1u);
  EXPECT_NE(f[0].message.find("knows 3 of the"), std::string::npos) << f[0].message;
  EXPECT_NE(f[0].message.find("gelu_pytorch_tanh (gelu_tanh)"), std::string::npos) << f[0].message;
}

TEST(Rules, GL303WantsASilentFallback) {
  Case c;
  c.scan.tables = {table()};
  EXPECT_TRUE(c.run("GL303").empty());
  c.scan.tables[0].fallback_kind = scan::FallbackKind::error;
  EXPECT_TRUE(c.run("GL303").empty());
  c.scan.tables[0].fallback_kind = scan::FallbackKind::silent;
  c.scan.tables[0].fallback = Formula::gelu_erf;
  ASSERT_EQ(c.run("GL303").size(), 1u);
}

TEST(Rules, GL001IsOnePerFile) {
  Case c;
  c.scan.ledger.unparsed_at = {{"a.cc", 3, 1}, {"a.cc", 3, 9}, {"a.cc", 8, 1}, {"b.cc", 1, 1}};
  std::vector<Finding> f = c.run("GL001");
  ASSERT_EQ(f.size(), 2u);
  EXPECT_TRUE(f[0].message.starts_with("3 needles were not understood, line 3, 8;"))
      << f[0].message;
}

TEST(Rules, GL003ReportsFaultsAndOverlaps) {
  Case c;
  c.inventory = parse_inventory(
      "schema: gelint-inventory/1\nrows:\n- {id: A, model_types: x, slots: a, sites: {symbol: s}}\n"
      "- {id: B, model_types: x, slots: a, sites: {symbol: s}}\n- {id: C}\n",
      "inv.yaml");
  c.rows = {row("A/phi", site(1, Formula::gelu_tanh), Verdict::match),
            row("B/phi", site(1, Formula::gelu_tanh), Verdict::match)};
  std::vector<Finding> f = c.run("GL003");
  ASSERT_EQ(f.size(), 4u); // C lacks slots, models and sites
  EXPECT_EQ(f[0].line, 4);
  EXPECT_EQ(f[0].level, Level::warning);
  EXPECT_EQ(f[1].line, 5);
  EXPECT_EQ(f[1].level, Level::error);
}

TEST(Rules, GL206IsSilentAboutRecordedPorts) {
  Case c;
  c.rows = {row("A", site(1, Formula::gelu_tanh), Verdict::match),
            row("B", site(2, Formula::gelu_tanh), Verdict::match)};
  c.rows[0].ports = {{"mlx-lm 0.32.2", Formula::gelu_erf, "mlx_lm/models/x.py", 82, true}};
  EXPECT_TRUE(c.run("GL206").empty());
  c.rows[1].ports = {{"mlx-lm 0.32.2", Formula::gelu_erf, "mlx_lm/models/x.py", 82, false}};
  std::vector<Finding> f = c.run("GL206");
  ASSERT_EQ(f.size(), 1u);
  EXPECT_EQ(f[0].level, Level::note);
  EXPECT_NE(f[0].message.find("mlx-lm 0.32.2 runs gelu_erf"), std::string::npos) << f[0].message;
}

TEST(Rules, GL002AndGL004SayWhatWasNotDone) {
  Case c;
  EXPECT_TRUE(c.run("GL002").empty());
  c.scan.failures = {{"a.cc", "no such file"}};
  ASSERT_EQ(c.run("GL002").size(), 1u);
  RuleContext context;
  std::vector<NotVerified> missing = {{"T1", "no CUDA device"}};
  context.not_verified = &missing;
  std::vector<Finding> f = run_rules(context, {"GL004"}, {});
  ASSERT_EQ(f.size(), 1u);
  EXPECT_EQ(f[0].message, "not verified: T1: no CUDA device");
}

TEST(Rules, AMismatchKnownByNameAloneIsAWarning) {
  Case c;
  scan::Site named = site(2, Formula::gelu_erf);
  named.known_by = scan::KnownBy::name;
  c.rows = {row("A", site(1, Formula::gelu_erf), Verdict::mismatch), row("B", named, Verdict::mismatch)};
  std::vector<Finding> f = c.run("GL201");
  ASSERT_EQ(f.size(), 2u);
  EXPECT_EQ(f[0].level, Level::error);
  EXPECT_EQ(f[1].level, Level::warning);
}

auto ran_all = [](std::string_view) { return true; };

TEST(Waivers, InlineWithReasonWithoutReasonAndUnused) {
  Case c;
  c.rows = {row("A", site(1, Formula::gelu_erf), Verdict::mismatch),
            row("B", site(2, Formula::gelu_erf), Verdict::mismatch)};
  c.scan.waivers = {{{"a.cc", 1, 20}, {"GL201"}, "measured, kept", 1, false},
                    {{"a.cc", 2, 20}, {"GL201"}, "", 2, false},
                    {{"a.cc", 7, 20}, {"GL201"}, "old", 7, false}};
  std::vector<Finding> f = c.run("GL201");
  apply_waivers(f, &c.scan, nullptr, &c.rows, "", ran_all);
  ASSERT_EQ(f.size(), 3u);
  EXPECT_TRUE(f[0].waived);
  EXPECT_EQ(f[0].waiver_reason, "measured, kept");
  EXPECT_FALSE(f[1].waived);
  EXPECT_EQ(f[2].rule, "GL005");
  EXPECT_EQ(f[2].line, 7);
  ASSERT_EQ(c.rows[0].waiver.size(), 1u);
  EXPECT_EQ(c.rows[0].waiver[0].reason, "measured, kept");
  EXPECT_TRUE(c.rows[1].waiver.empty());
  EXPECT_EQ(c.run("GL005").size(), 1u); // the one without a reason
}

TEST(Waivers, InventoryWaiversExpire) {
  Case c;
  c.inventory = parse_inventory("schema: gelint-inventory/1\nwaivers:\n- {rule: GL201, row: A, "
                                "reason: later, expires: 2027-01-31}\n",
                                "inv.yaml");
  c.rows = {row("A/phi", site(1, Formula::gelu_erf), Verdict::mismatch)};
  for (const char* today : {"2027-01-31", "2027-02-01"}) {
    bool over = std::string_view(today) > "2027-01-31";
    c.today = today;
    std::vector<Finding> f = c.run("GL201");
    apply_waivers(f, &c.scan, &c.inventory, &c.rows, today, ran_all);
    ASSERT_EQ(f.size(), 1u);
    EXPECT_EQ(f[0].waived, !over);
    EXPECT_EQ(c.rows[0].waiver.at(0).expired, over);
    EXPECT_EQ(c.run("GL005").size(), over ? 1u : 0u);
  }
}

TEST(Waivers, UnusedOnlyWhenItsRuleRan) {
  Case c;
  c.inventory = parse_inventory(
      "schema: gelint-inventory/1\nwaivers:\n- {rule: GL401, path: a.cc, reason: r}\n", "inv.yaml");
  std::vector<Finding> f;
  apply_waivers(f, nullptr, &c.inventory, nullptr, "",
                [](std::string_view r) { return r != "GL401"; });
  EXPECT_TRUE(f.empty());
  apply_waivers(f, nullptr, &c.inventory, nullptr, "", ran_all);
  EXPECT_EQ(f.size(), 1u);
}

} // namespace
} // namespace gelint::decide
