// Runs the scanner over tests/fixtures and compares with the expectations in the sources.
//
//   // EXPECT: kind=definition formula=gelu_erf [known_by=evaluated] [symbol=name] [active=0] [precision=f32] [gating=glu] [tier=stub] [key=hidden_act] [default="gelu"]
//   [reach=gelu_erf|gelu_tanh]
//
// The folder "activations" is scanned with all activations, the others for the GELU family. An expectation
// stands at the end of the line it is about, or alone on the line above; several on one line are separated by "; ". A
// site without an expectation fails, and so does an expectation without its site.

#include "scan/scan.h"
#include "support/files.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace gelint::scan {
namespace {

namespace fs = std::filesystem;

struct Expectation {
  std::string path;
  int line = 0;
  std::map<std::string, std::string> fields;
  bool met = false;
};

std::vector<Expectation> expectations_of(const fs::path& file, const std::string& relative) {
  std::vector<Expectation> out;
  std::ifstream in(file);
  int line = 0;
  for (std::string text; std::getline(in, text);) {
    ++line;
    size_t at = text.find("EXPECT: ");
    if (at == std::string::npos)
      continue;
    size_t comment = text.rfind("//", at);
    bool alone = comment != std::string::npos && text.find_first_not_of(" \t") == comment;
    std::stringstream parts(text.substr(at + 8));
    for (std::string one; std::getline(parts, one, ';');) {
      Expectation e{relative, line + (alone ? 1 : 0), {}, false};
      std::istringstream words(one);
      for (std::string w; words >> w;)
        if (size_t eq = w.find('='); eq != std::string::npos)
          e.fields[w.substr(0, eq)] = w.substr(eq + 1);
      if (!e.fields.empty())
        out.push_back(std::move(e));
    }
  }
  return out;
}

std::map<std::string, std::string> fields_of(const Site& s) {
  std::string precision(formula::to_string(s.precision)), gating(formula::to_string(s.gating)), reach;
  for (formula::Formula f : s.reachable)
    reach += (reach.empty() ? "" : "|") + std::string(formula::to_string(f));
  return {{"kind", std::string(to_string(s.kind))}, {"formula", std::string(formula::to_string(s.formula))},
          {"known_by", std::string(to_string(s.known_by))}, {"symbol", s.symbol}, {"active", s.active ? "1" : "0"},
          {"precision", precision}, {"gating", gating}, {"tier", std::string(to_string(s.tier))}, {"capability", s.capability_only ? "1" : "0"},
          {"backend", std::string(to_string(s.backend))}, {"key", s.config_key},
          {"reach", reach}, {"default", s.config_default}};
}

void check_tree(const fs::path& root, bool all_activations) {
  ScanOptions o;
  o.all_activations = all_activations;
  o.root = root.string();
  o.use_cache = false;
  o.search_compile_database = false;
  o.jobs = 2;
  auto result = scan_tree(o);
  ASSERT_TRUE(result) << result.error().text();
  std::vector<Expectation> expected;
  if (fs::is_regular_file(root))
    expected = expectations_of(root, root.filename().string());
  else
    for (const fs::directory_entry& e : fs::recursive_directory_iterator(root))
      if (e.is_regular_file())
        for (Expectation& x : expectations_of(e.path(), fs::relative(e.path(), root).generic_string()))
          expected.push_back(std::move(x));
  for (const Site& s : result->sites) {
    auto have = fields_of(s);
    bool met = false;
    for (Expectation& x : expected) {
      if (x.met || x.path != s.place.path || x.line != s.place.line)
        continue;
      bool all = true;
      for (const auto& [k, v] : x.fields)
        all = all && have.count(k) && have[k] == v;
      if (all) {
        x.met = met = true;
        break;
      }
    }
    EXPECT_TRUE(met) << fmt::format("unexpected: {}:{}: kind={} formula={} known_by={} symbol={} active={} tier={} ({})", s.place.path, s.place.line,
                                    have["kind"], have["formula"], have["known_by"], s.symbol, have["active"], have["tier"], s.reason);
  }
  for (const Expectation& x : expected) {
    std::string text;
    for (const auto& [k, v] : x.fields)
      text += fmt::format(" {}={}", k, v);
    EXPECT_TRUE(x.met) << fmt::format("no such site: {}:{}:{}", x.path, x.line, text);
  }
  const Ledger& l = result->ledger;
  EXPECT_EQ(l.needles, l.sites + l.comments + l.strings + l.declarations + l.inactive + l.unrelated + l.unparsed);
}

fs::path fixtures() { return fs::path(GELINT_SOURCE_DIR) / "tests/fixtures"; }

class Fixtures : public ::testing::TestWithParam<const char*> {};

TEST_P(Fixtures, MeetTheirExpectations) {
  fs::path dir = fixtures() / GetParam();
  if (!fs::exists(dir))
    GTEST_SKIP() << "no folder " << dir;
  bool any = false;
  for (const fs::directory_entry& e : fs::directory_iterator(dir)) {
    // each file or folder is a tree of its own, so that equal names do not meet
    SCOPED_TRACE(e.path().filename().string());
    if (e.path().extension() == ".md")
      continue;
    check_tree(e.path(), std::string_view(GetParam()) == "activations");
    any = true;
  }
  EXPECT_TRUE(any) << "an empty folder tests nothing";
}

INSTANTIATE_TEST_SUITE_P(Scan, Fixtures, ::testing::Values("forms", "templates", "macros", "cuda", "broken", "projects", "activations", "lexical", "survey"),
                         [](const auto& p) { return std::string(p.param); });

// The survey of how GELU appears in real engines has 17 forms; each has a fixture of its own.
TEST(Survey, EveryFormHasItsFixture) {
  for (int form = 1; form <= 17; ++form) {
    int found = 0;
    for (const fs::directory_entry& e : fs::directory_iterator(fixtures() / "survey"))
      found += e.path().filename().string().starts_with(fmt::format("form_{:02}_", form));
    EXPECT_EQ(found, 1) << "form " << form;
  }
}

TEST(Tables, KnowTheirKeyAndWhatAnOmittedOneBecomes) {
  ScanOptions o;
  o.root = (fixtures() / "projects/config_keys").string();
  o.use_cache = false;
  o.search_compile_database = false;
  auto result = scan_tree(o);
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(result->tables.size(), 1u);
  const NameTable& t = result->tables[0];
  EXPECT_EQ(t.config_key, "hidden_act");
  EXPECT_EQ(t.omitted_default, "\"gelu\"");
  EXPECT_EQ(t.omitted_formula, formula::Formula::gelu_erf);
}

std::string fingerprint_of(const ScanResult& r) {
  std::string out;
  for (const Site& s : r.sites)
    out += fmt::format("{} {}:{}:{} {} {} {} {} {}\n", s.id, s.place.path, s.place.line, s.place.column, to_string(s.kind), s.symbol,
                       formula::to_string(s.formula), to_string(s.known_by), s.reason);
  for (const NameTable& t : r.tables)
    out += fmt::format("table {} {}\n", t.id, t.entries.size());
  return out;
}

TEST(ScanTree, IsTheSameForAnyNumberOfJobsAndAMovedCheckout) {
  fs::path project = fixtures() / "projects";
  ScanOptions o;
  o.root = project.string();
  o.use_cache = false;
  o.search_compile_database = false;
  o.jobs = 1;
  auto one = scan_tree(o);
  ASSERT_TRUE(one);
  ASSERT_FALSE(one->sites.empty());
  o.jobs = 4;
  auto four = scan_tree(o);
  ASSERT_TRUE(four);
  EXPECT_EQ(fingerprint_of(*one), fingerprint_of(*four));
  fs::path moved = fs::temp_directory_path() / fmt::format("gelint-moved-{}", ::getpid());
  fs::copy(project, moved, fs::copy_options::recursive);
  o.root = moved.string();
  auto other = scan_tree(o);
  fs::remove_all(moved);
  ASSERT_TRUE(other);
  EXPECT_EQ(fingerprint_of(*one), fingerprint_of(*other));
}

TEST(ScanTree, WhatStandsBehindAnOpenBracketIsNotUnderstood) {
  ScanOptions o;
  o.root = (fixtures() / "broken/open_bracket.cc").string();
  o.use_cache = false;
  o.search_compile_database = false;
  auto result = scan_tree(o);
  ASSERT_TRUE(result);
  const Ledger& l = result->ledger;
  EXPECT_EQ(l.unparsed, 1u);
  EXPECT_EQ(l.declarations, 1u); // the one before it
  ASSERT_EQ(l.unparsed_at.size(), 1u);
  EXPECT_EQ(l.unparsed_at[0].line, 4);
  ASSERT_EQ(result->failures.size(), 1u);
  EXPECT_EQ(result->failures[0].path, "open_bracket.cc");
  EXPECT_NE(result->failures[0].reason.find("bracket of line 4 is never closed"), std::string::npos) << result->failures[0].reason;
}

TEST(ScanTree, NothingToScanIsAnError) {
  ScanOptions o;
  o.root = (fixtures() / "no-such-folder").string();
  EXPECT_FALSE(scan_tree(o));
}

} // namespace
} // namespace gelint::scan
