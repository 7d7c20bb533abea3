#pragma once
// Which unit reports on which header.

#include "scan/compile_db.h"
#include "scan/source_tree.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gelint::scan {

class HeaderShare {
public:
  HeaderShare(const SourceTree& tree, std::function<const CompileCommand*(const std::string&)> command) : tree_(tree), command_(std::move(command)) {}

  /// A unit reports on itself, and on the headers among `wanted` that no earlier unit with them and with the same macros
  /// for them reports on. A header is thus read twice, alone and through one includer, and not once per includer.
  std::map<std::string, std::set<std::string>> share(const std::vector<std::string>& units, const std::set<std::string>& wanted);

private:
  /// The macros of a unit that a header may be written for: the #defines of the unit's own text and of its command whose
  /// names stand in the header, where it computes something and does not define them itself.
  std::string macros_for(const std::string& unit, const std::string& header);
  const std::map<std::string, std::string>& macros_of(const std::string& unit);
  const std::set<std::string, std::less<>>& words_of(const std::string& header);

  const SourceTree& tree_;
  std::function<const CompileCommand*(const std::string&)> command_;
  std::map<std::string, std::map<std::string, std::string>> macros_;
  std::map<std::string, std::set<std::string, std::less<>>> words_;
};

} // namespace gelint::scan
