#include "report/json.h"
#include "report/read_json.h"
#include "report/writer.h"
#include "sample.h"

#include "../golden.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gelint::report {
namespace {

using Json = nlohmann::ordered_json;

WriteOptions sample_options() {
  WriteOptions o;
  o.source_root = std::string(GELINT_SOURCE_DIR) + "/tests/unit/report/sample_root";
  return o;
}

std::string written(std::string_view format, const Report& report) {
  const Writer* w = find_writer(format);
  return w ? w->write(report, sample_options()) : "no writer";
}

/// The rules' texts change without the format changing: their ids stand for them here.
std::string without_rule_texts(const std::string& sarif) {
  Json doc = Json::parse(sarif);
  for (Json& rule : doc["runs"][0]["tool"]["driver"]["rules"])
    rule = rule["id"];
  return doc.dump(2) + "\n";
}

class Formats : public testing::TestWithParam<const char*> {};

TEST_P(Formats, Golden) {
  const std::string format = GetParam();
  struct Sample {
    const char* name;
    Report report;
  } samples[] = {{"findings", sample_findings()}, {"clean", sample_clean()}, {"scan", sample_scan()},
                 {"lint", sample_lint()},         {"verify", sample_verify()}};
  for (Sample& s : samples) {
    std::string text = written(format, s.report);
    if (format == "sarif")
      text = without_rule_texts(text);
    expect_golden("report/" + std::string(s.name) + "." + format, text);
  }
}

TEST_P(Formats, NoControlCharactersAndNoAbsolutePaths) {
  Report report = sample_findings();
  std::string text = written(GetParam(), report);
  for (char c : text)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r') << int(c);
  EXPECT_EQ(text.find(GELINT_SOURCE_DIR), std::string::npos);
  EXPECT_EQ(text.find("\xFF"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, Formats,
                         testing::Values("text", "markdown", "json", "jsonl", "csv", "sarif", "github", "gitlab",
                                         "junit", "html", "svg"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Formats, TheListIsComplete) {
  std::vector<std::string> names;
  for (const Writer& w : writers())
    names.emplace_back(w.format);
  EXPECT_EQ(names, (std::vector<std::string>{"text", "markdown", "json", "jsonl", "csv", "sarif", "github", "gitlab",
                                             "junit", "html", "svg"}));
}

TEST(ReadJson, RoundTripIsTheSameText) {
  for (const Report& r : {sample_findings(), sample_clean(), sample_scan(), sample_lint(), sample_verify()}) {
    // Hostile bytes are replaced on the first way out, so the second text is the one to compare with.
    std::string once = written("json", r);
    Result<Report> read = parse_report(once, "audit.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(written("json", *read), once);
  }
}

TEST(ReadJson, FaultsNameThePlace) {
  auto error = [](std::string_view text) {
    Result<Report> r = parse_report(text, "a.json");
    return r ? std::string("no error") : r.error().text();
  };
  const std::string mend = " (write it with 'gelint audit --format json:FILE')";
  EXPECT_EQ(error("{\"schema\": \"gelint/1\",\n  \"rows\": [}"), "a.json:2:12: is not valid JSON" + mend);
  EXPECT_EQ(error(""), "a.json:1:1: is not valid JSON" + mend);
  EXPECT_EQ(error("{}"), "a.json: is not a gelint document of schema gelint/1" + mend);
  EXPECT_EQ(error("[]"), "a.json: is not a gelint document of schema gelint/1" + mend);
  EXPECT_EQ(error(R"({"schema": "gelint/1", "command": "audit", "rows": [{"id": 3}]})"),
            "a.json: /rows/0/id is not a string" + mend);
  EXPECT_EQ(error(R"({"schema": "gelint/1", "command": "audit", "rows": [{"verdict": "fine"}]})"),
            "a.json: /rows/0/verdict is not one of the vocabulary's names: 'fine'" + mend);
}

} // namespace
} // namespace gelint::report
