#pragma once
// Hand-written notes in a generated Markdown file.
//
// A block is `<!-- gelint:notes NAME -->` … `<!-- gelint:end -->`, each on its own line. What a person writes between
// the two survives; a block whose section has gone is kept at the end of the file.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::report {

class Notes {
public:
  /// Takes the blocks of the file that is about to be replaced.
  explicit Notes(std::string_view previous);
  /// The block of that name with what was written in it.
  std::string block(const std::string& name);
  /// The blocks that block() was not asked for and that hold text.
  std::string leftover() const;

private:
  std::vector<std::pair<std::string, std::string>> blocks_;
  std::map<std::string, bool> used_;
};

/// A name for a block or an anchor: lower case letters, digits and '-'.
std::string slug(std::string_view text);

} // namespace gelint::report
