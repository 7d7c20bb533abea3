#include "report/schema.h"
#include "decide/rule.h"
#include "report/writer.h"
#include "sample.h"

#include "../golden.h"
#include "json_validate.h"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

namespace gelint::report {
namespace {

using Json = nlohmann::ordered_json;

std::string joined(const std::vector<std::string>& errors) {
  std::string out;
  for (const std::string& e : errors)
    out += e + "\n";
  return out;
}

std::string repository_file(const std::string& path) {
  Result<std::string> text = read_file(std::string(GELINT_SOURCE_DIR) + "/" + path);
  return text ? *text : text.error().text();
}

TEST(Schema, CommittedSchemaAndReferenceAreCurrent) {
  EXPECT_EQ(repository_file("docs/schema/gelint-1.json"), json_schema())
      << "run: gelint generate schema > docs/schema/gelint-1.json";
  EXPECT_EQ(repository_file("docs/json.md"), json_reference()) << "run: gelint generate json-reference > docs/json.md";
}

TEST(Schema, EveryCommandsDocumentIsValid) {
  JsonValidator validator(Json::parse(json_schema()));
  for (const Report& r : {sample_findings(), sample_clean(), sample_scan(), sample_lint(), sample_verify()}) {
    Json doc = Json::parse(find_writer("json")->write(r, {}));
    EXPECT_EQ(joined(validator.check(doc)), "") << doc["command"];
  }
}

TEST(Schema, WrongDocumentsAreNot) {
  JsonValidator validator(Json::parse(json_schema()));
  Json good = Json::parse(find_writer("json")->write(sample_findings(), {}));
  Json bad = good;
  bad["rows"][0]["verdict"] = "fine";
  EXPECT_NE(joined(validator.check(bad)).find("/rows/0/verdict"), std::string::npos);
  bad = good;
  bad["rows"][0].erase("required");
  EXPECT_NE(joined(validator.check(bad)).find("/rows/0: lacks \"required\""), std::string::npos);
  bad = good;
  bad["surprise"] = 1;
  EXPECT_NE(joined(validator.check(bad)).find("/surprise"), std::string::npos);
  bad = good;
  bad.erase("ledger");
  EXPECT_NE(joined(validator.check(bad)).find("lacks \"ledger\""), std::string::npos);
}

// What code scanning asks of a result beyond the standard: GitHub, "SARIF support for code scanning".
TEST(Sarif, CodeScanningRules) {
  for (const Report& r : {sample_findings(), sample_lint(), sample_scan()}) {
    Report report = r;
    // A real rule, so that its texts are looked at too.
    decide::Finding f = decide::make_finding(*decide::find_rule("GL201"), "message");
    f.path = "src/mlp.cc";
    report.findings.push_back(f);
    decide::finish_findings(report.findings);
    Json run = Json::parse(find_writer("sarif")->write(report, {}))["runs"][0];
    const Json& rules = run["tool"]["driver"]["rules"];
    ASSERT_EQ(run["results"].size(), report.findings.size());
    for (const Json& rule : rules) {
      EXPECT_FALSE(rule["shortDescription"]["text"].get<std::string>().empty());
      EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
      EXPECT_LE(rule["shortDescription"]["text"].get<std::string>().size(), 1024u);
      EXPECT_LE(rule["name"].get<std::string>().size(), 255u);
    }
    for (const Json& result : run["results"]) {
      EXPECT_EQ(rules[result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
      EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
      EXPECT_LE(result["message"]["text"].get<std::string>().size(), 1400u);
      ASSERT_EQ(result["locations"].size(), 1u);
      const Json& place = result["locations"][0]["physicalLocation"];
      const std::string uri = place["artifactLocation"]["uri"].get<std::string>();
      EXPECT_FALSE(uri.empty());
      EXPECT_NE(uri[0], '/');
      EXPECT_EQ(uri.find(' '), std::string::npos);
      for (const char* field : {"startLine", "startColumn", "endLine", "endColumn"})
        EXPECT_GE(place["region"][field].get<int>(), 1) << field;
      EXPECT_EQ(place["region"]["startLine"], place["region"]["endLine"]);
      EXPECT_GT(place["region"]["endColumn"], place["region"]["startColumn"]);
      EXPECT_TRUE(result["partialFingerprints"].contains("gelintFinding/v1"));
      EXPECT_FALSE(result["partialFingerprints"].contains("primaryLocationLineHash"));
    }
  }
}

// The emoji before the site is four UTF-8 bytes and two UTF-16 units.
TEST(Sarif, ColumnsAreUtf16) {
  Report report = sample_clean();
  decide::Finding f;
  f.rule = "GL921";
  f.message = "m";
  f.path = "src/mlp.cc";
  f.line = 14;
  f.column = 12;
  f.end_column = 15;
  report.findings = {f};
  WriteOptions o;
  o.source_root = std::string(GELINT_SOURCE_DIR) + "/tests/unit/report/sample_root";
  Json doc = Json::parse(find_writer("sarif")->write(report, o));
  const Json& region = doc["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 10);
  EXPECT_EQ(region["endColumn"], 13);
}

std::vector<Report> samples() { return {sample_findings(), sample_clean(), sample_scan(), sample_lint(), sample_verify()}; }

TEST(Sarif, OfficialSchema) {
  JsonValidator validator(Json::parse(repository_file("tests/schemas/sarif-schema-2.1.0.json")));
  for (const Report& r : samples())
    EXPECT_EQ(joined(validator.check(Json::parse(find_writer("sarif")->write(r, {})))), "");
  Json bad = Json::parse(find_writer("sarif")->write(sample_findings(), {}));
  bad["runs"][0]["results"][0]["level"] = "critical";
  bad["runs"][0]["surprise"] = 1;
  EXPECT_NE(joined(validator.check(bad)).find("/runs/0/results/0/level"), std::string::npos);
  EXPECT_NE(joined(validator.check(bad)).find("/runs/0/surprise"), std::string::npos);
}

// Of the standard, beyond what its schema can say: GitHub rejects a document whose regions or indices are off.
TEST(Sarif, IndicesAndLinksLeadSomewhere) {
  Json run = Json::parse(find_writer("sarif")->write(sample_findings(), {}))["runs"][0];
  size_t links = 0;
  for (const Json& result : run["results"]) {
    EXPECT_TRUE(run["originalUriBaseIds"].contains(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"].get<std::string>()));
    const std::string text = result["message"]["text"].get<std::string>();
    for (const Json& related : result.value("relatedLocations", Json::array())) {
      EXPECT_NE(text.find("](" + std::to_string(related["id"].get<int>()) + ")"), std::string::npos) << text;
      ++links;
    }
  }
  EXPECT_EQ(links, 2u);
}

TEST(Gitlab, Schema) {
  JsonValidator validator(Json::parse(repository_file("tests/schemas/gitlab-code-quality.json")));
  for (const Report& r : samples()) {
    Json doc = Json::parse(find_writer("gitlab")->write(r, {}));
    EXPECT_EQ(joined(validator.check(doc)), "");
    std::set<std::string> fingerprints;
    for (const Json& issue : doc)
      EXPECT_TRUE(fingerprints.insert(issue["fingerprint"].get<std::string>()).second) << "GitLab shows one of a kind";
  }
}

TEST(Junit, Schema) {
  if (std::system("command -v xmllint >/dev/null") != 0)
    GTEST_SKIP() << "xmllint is not installed (libxml2-utils)";
  const std::string schema = std::string(GELINT_SOURCE_DIR) + "/tests/schemas/junit.xsd";
  const std::string file = testing::TempDir() + "gelint-junit-" + std::to_string(::getpid()) + ".xml";
  auto valid = [&](const std::string& text, const char* complaints = "2>&1") {
    Status s = write_file_atomically(file, text);
    EXPECT_TRUE(s) << s.error().text();
    return std::system(("xmllint --nonet --noout --schema '" + schema + "' " + file + " " + complaints).c_str()) == 0;
  };
  for (const Report& r : samples())
    EXPECT_TRUE(valid(find_writer("junit")->write(r, {})));
  EXPECT_FALSE(valid("<?xml version=\"1.0\"?><testsuites name=\"gelint\"/>", "2>/dev/null"));
  std::remove(file.c_str());
}

} // namespace
} // namespace gelint::report
