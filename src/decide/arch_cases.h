#pragma once
// Which builder an engine's architecture enumerator leads to, read from the text: `case ARCH_PHI2:
// … build_phi2()`, and which string names the enumerator: `{ ARCH_PHI2, "phi2" }`.

#include <string>
#include <string_view>
#include <vector>

namespace gelint::decide {

struct ArchCase {
  std::string enumerator; ///< "LLM_ARCH_PHI2"
  std::string function;   ///< last component: "build_phi2"
  std::string path;
  int line = 0;
};

struct ArchName {
  std::string enumerator, name; ///< "LLM_ARCH_PHI2", "phi2"
  std::string path;
  int line = 0;
};

/// Adds what one file's text shows. An enumerator counts when one of its words is arch,
/// architecture or type.
void read_arch_cases(std::string_view text, const std::string& path, std::vector<ArchCase>& cases,
                     std::vector<ArchName>& names);

} // namespace gelint::decide
