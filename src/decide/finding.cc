#include "decide/finding.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <xxhash.h>

namespace gelint::decide {

void finish_findings(std::vector<Finding>& findings) {
  auto key = [](const Finding& f) {
    return std::tie(f.path, f.line, f.column, f.rule, f.config_path, f.row, f.anchor, f.message);
  };
  std::sort(findings.begin(), findings.end(),
            [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  findings.erase(std::unique(findings.begin(), findings.end(),
                             [&](const Finding& a, const Finding& b) { return key(a) == key(b); }),
                 findings.end());
  // No line numbers: the ordinal tells equals apart.
  std::map<std::string, int> seen;
  for (Finding& f : findings) {
    std::string text =
        f.rule + '\n' + f.path + '\n' + f.config_path + '\n' + f.row + '\n' + f.anchor;
    int ordinal = seen[text]++;
    f.fingerprint =
        fmt::format("{:016x}", XXH3_64bits_withSeed(text.data(), text.size(),
                                                    static_cast<XXH64_hash_t>(ordinal)));
  }
}

} // namespace gelint::decide
