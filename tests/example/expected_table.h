#pragma once
// examples/EXPECTED.md as data: the hand-made answer of the audit of the bundled example.

#include <string>
#include <vector>

namespace gelint::test {

struct ExpectedRow {
  std::string checkpoint; ///< directory below examples/checkpoints
  std::string slot;
  std::string required; ///< formula, "unresolved", or a formula with the version it holds for
  std::string path;     ///< relative to examples/engine
  int line = 0;
  std::string function, symbol;
  std::string implemented; ///< formula, or "other (nearest …)"
  std::string verdict;
};

struct ExpectedTable {
  std::vector<ExpectedRow> rows;
  std::string summary; ///< the line that counts the verdicts
};

/// Reads the section "Decisions". A row with a missing cell or a site without a line is left with
/// line 0.
ExpectedTable read_expected(const std::string& markdown);

} // namespace gelint::test
