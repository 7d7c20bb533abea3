#include "expected_table.h"

#include <charconv>
#include <sstream>

namespace gelint::test {
namespace {

std::string bare(std::string cell) {
  std::string out;
  for (const char c : cell)
    if (c != '`' && c != '*')
      out += c;
  const size_t first = out.find_first_not_of(' ');
  if (first == std::string::npos)
    return "";
  return out.substr(first, out.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');)
    cells.push_back(bare(cell));
  return cells;
}

} // namespace

ExpectedTable read_expected(const std::string& markdown) {
  ExpectedTable table;
  std::stringstream in(markdown);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## "))
      inside = line == "## Decisions";
    if (!inside)
      continue;
    if (line.find(" rows: ") != std::string::npos)
      table.summary = line;
    if (!line.starts_with("| ") || line.starts_with("| checkpoint "))
      continue;
    const std::vector<std::string> c = cells_of(line);
    ExpectedRow row;
    if (c.size() == 9) {
      const size_t colon = c[4].rfind(':');
      row = {c[0], c[1], c[2], c[4].substr(0, colon), 0, c[5], c[6], c[7], c[8]};
      if (colon != std::string::npos)
        std::from_chars(c[4].data() + colon + 1, c[4].data() + c[4].size(), row.line);
    }
    table.rows.push_back(row);
  }
  return table;
}

} // namespace gelint::test
