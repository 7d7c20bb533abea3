// EXPECTED.md is written by hand; this keeps it in step with the files that it speaks of.
#include "expected_table.h"

#include "decide/inventory.h"
#include "support/files.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

namespace gelint::test {
namespace {

const std::string k_root = GELINT_SOURCE_DIR;

ExpectedTable expected() {
  Result<std::string> text = read_file(k_root + "/examples/EXPECTED.md");
  return text ? read_expected(*text) : ExpectedTable{};
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  Result<std::string> text = read_file(path);
  if (!text)
    return lines;
  std::stringstream in(*text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// The first name in the cell, without its qualification.
std::string last_component(const std::string& symbol) {
  const std::string name = symbol.substr(0, symbol.find_first_of(" ,"));
  const size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

TEST(ExampleExpected, EveryRowIsComplete) {
  const ExpectedTable table = expected();
  ASSERT_FALSE(table.rows.empty());
  const std::set<std::string> verdicts = {"match", "mismatch", "conflict", "unresolved"};
  for (const ExpectedRow& row : table.rows) {
    EXPECT_GT(row.line, 0) << row.checkpoint << ' ' << row.slot;
    EXPECT_TRUE(verdicts.contains(row.verdict)) << row.checkpoint << ' ' << row.verdict;
    EXPECT_EQ(row.verdict == "match", row.required == row.implemented)
        << row.checkpoint << ' ' << row.slot;
  }
}

TEST(ExampleExpected, SitesNameTheLineOfTheirSymbol) {
  for (const ExpectedRow& row : expected().rows) {
    const std::vector<std::string> lines = lines_of(k_root + "/examples/engine/" + row.path);
    ASSERT_GE(static_cast<int>(lines.size()), row.line) << row.path;
    const std::string symbol = last_component(row.symbol);
    EXPECT_NE(lines[static_cast<size_t>(row.line) - 1].find(symbol), std::string::npos)
        << row.path << ':' << row.line << " does not name " << symbol;
  }
}

TEST(ExampleExpected, EveryCheckpointHasRowsExceptTheBrokenOne) {
  std::set<std::string> with_rows;
  for (const ExpectedRow& row : expected().rows)
    with_rows.insert(row.checkpoint);
  std::set<std::string> directories;
  for (const auto& entry : std::filesystem::directory_iterator(k_root + "/examples/checkpoints"))
    if (entry.is_directory())
      directories.insert(entry.path().filename().string());
  EXPECT_EQ(directories.erase("broken-download"), 1U);
  EXPECT_EQ(with_rows, directories);
}

TEST(ExampleExpected, SummaryCountsTheRows) {
  const ExpectedTable table = expected();
  std::map<std::string, int> count;
  for (const ExpectedRow& row : table.rows)
    ++count[row.verdict];
  std::ostringstream want;
  want << table.rows.size() << " rows: " << count["match"] << " match, " << count["mismatch"]
       << " mismatch, " << count["conflict"] << " conflict, " << count["unresolved"]
       << " unresolved.";
  EXPECT_TRUE(table.summary.starts_with(want.str()))
      << "want: " << want.str() << "\nhave: " << table.summary;
}

TEST(ExampleExpected, InventoryHasNoFaults) {
  const decide::Inventory inventory = decide::load_inventory(k_root + "/inventory/example.yaml");
  for (const Error& fault : inventory.faults)
    ADD_FAILURE() << fault.file << ':' << fault.line << ": " << fault.message;
  EXPECT_FALSE(inventory.rows.empty());
}

} // namespace
} // namespace gelint::test
