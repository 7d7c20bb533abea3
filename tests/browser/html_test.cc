#include "browser.h"
#include "report/writer.h"

#include "../unit/report/sample.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace gelint::report {
namespace {

namespace fs = std::filesystem;

class HtmlPage : public testing::Test {
protected:
  static void SetUpTestSuite() {
    browser_ = new test::Browser(test::Browser::find());
    file_ = fs::temp_directory_path() / ("gelint-html-" + std::to_string(::getpid()) + ".html");
    std::ofstream(file_, std::ios::binary) << find_writer("html")->write(sample_findings(), {});
  }
  static void TearDownTestSuite() {
    delete browser_;
    fs::remove(file_);
  }
  void SetUp() override { browser_->open("file://" + file_.string()); }

  static nlohmann::json js(const std::string& expression) { return browser_->evaluate(expression); }
  static int visible_rows() {
    return js("Array.from(document.querySelectorAll('tr.row')).filter(r => r.offsetParent !== null).length").get<int>();
  }
  static void search(const std::string& text) {
    js("(() => { const s = document.getElementById('search'); s.value = " + nlohmann::json(text).dump() +
       "; s.dispatchEvent(new Event('input')); })()");
  }

  static test::Browser* browser_;
  static fs::path file_;
};
test::Browser* HtmlPage::browser_ = nullptr;
fs::path HtmlPage::file_;

constexpr int k_rows = 4 + 6; // decisions and findings of the sample

TEST_F(HtmlPage, LoadsWithoutNetworkOrComplaints) {
  EXPECT_EQ(visible_rows(), k_rows);
  for (const std::string& url : browser_->requests())
    EXPECT_TRUE(url.starts_with("file://")) << url;
  EXPECT_TRUE(browser_->complaints().empty()) << browser_->complaints().front();
  EXPECT_EQ(js("document.getElementById('shown').textContent"), "10 of 10 rows");
}

TEST_F(HtmlPage, SearchingFindsWordsInRowsAndDetails) {
  search("Gemma-3-4b");
  EXPECT_EQ(visible_rows(), 1);
  search("mismatch modeling_starcoder2.py");
  EXPECT_EQ(visible_rows(), 1) << "one word is in the row, the other in its details";
  search("nothing has this");
  EXPECT_EQ(visible_rows(), 0);
  EXPECT_EQ(js("document.getElementById('shown').textContent"), "0 of 10 rows");
  search("");
  EXPECT_EQ(visible_rows(), k_rows);
}

TEST_F(HtmlPage, FilteringByVerdict) {
  js("document.querySelector('input[data-kind=mismatch]').click()");
  EXPECT_EQ(visible_rows(), k_rows - 1);
  EXPECT_FALSE(js("Array.from(document.querySelectorAll('tr.row[data-kind=mismatch]')).some(r => !r.hidden)").get<bool>());
  js("document.querySelector('input[data-kind=mismatch]').click()");
  EXPECT_EQ(visible_rows(), k_rows);
}

TEST_F(HtmlPage, ARowOpensItsEvidenceAndCurves) {
  const std::string detail = "document.getElementById(document.querySelector('tr.row[data-kind=mismatch]').dataset.detail)";
  EXPECT_TRUE(js(detail + ".hidden").get<bool>());
  js("document.querySelector('tr.row[data-kind=mismatch] button.open').click()");
  EXPECT_FALSE(js(detail + ".hidden").get<bool>());
  EXPECT_EQ(js("document.querySelector('tr.row[data-kind=mismatch] button.open').getAttribute('aria-expanded')"), "true");
  const std::string text = js(detail + ".innerText").get<std::string>();
  for (const char* what : {"modeling_starcoder2.py:60", "src/mlp.cc:12:19", "src/ops.cc:7:7", "t1 = erf:f32 x", "mlx-lm 0.32.2"})
    EXPECT_NE(text.find(what), std::string::npos) << what;
  EXPECT_GT(js(detail + ".querySelector('svg.curve').getBoundingClientRect().height").get<double>(), 50);
  EXPECT_EQ(js(detail + ".querySelectorAll('polyline').length"), 3);
  if (const char* file = std::getenv("GELINT_SCREENSHOT"))
    browser_->screenshot(file);
  js("document.querySelector('tr.row[data-kind=mismatch] button.open').click()");
  EXPECT_TRUE(js(detail + ".hidden").get<bool>());
}

TEST_F(HtmlPage, FaultsComeFirstAndKindsAreCounted) {
  EXPECT_EQ(js("document.querySelector('tr.row').dataset.kind"), "mismatch");
  EXPECT_EQ(js("Array.from(document.querySelectorAll('.bar label')).map(l => l.innerText.trim()).join('|')"),
            "mismatch 1|error 1|conflict 1|warning 3|unbound 1|note 2|match 1");
}

TEST_F(HtmlPage, NarrowAndDarkPagesAreReadable) {
  const std::string background = "getComputedStyle(document.querySelector('.bar')).backgroundColor";
  const std::string light = js(background).get<std::string>();
  browser_->show_as(380, 800, true);
  EXPECT_NE(js(background).get<std::string>(), light);
  js("document.querySelector('tr.row[data-kind=mismatch] button.open').click()");
  EXPECT_LE(js("document.documentElement.scrollWidth").get<int>(), 380) << "only tables scroll sideways";
  // The evidence of an open row fits the window without scrolling.
  EXPECT_LE(js("document.querySelector('tr.detail:not([hidden]) dl').getBoundingClientRect().right").get<double>(), 380);
  browser_->show_as(1280, 900, false);
}

TEST_F(HtmlPage, HostileTextIsText) {
  EXPECT_EQ(js("document.querySelectorAll('script').length"), 1);
  EXPECT_EQ(js("document.querySelectorAll('a').length"), 0);
  EXPECT_TRUE(js("document.body.textContent.includes('<script>alert(1)</script>')").get<bool>());
  // And if some did get into the markup, the policy would not run it.
  js("(() => { const s = document.createElement('script'); s.textContent = 'window.ran = true'; "
     "document.body.append(s); })()");
  EXPECT_EQ(js("String(window.ran)"), "undefined");
}

} // namespace
} // namespace gelint::report

int main(int argc, char** argv) {
  if (gelint::test::Browser::find().empty()) {
    std::puts("skipped: chromium is not installed");
    return 77;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
