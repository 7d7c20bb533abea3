#pragma once
// Reads YAML with positions: every fault names file, line, column, what is wrong and what is
// allowed.

#include "support/result.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace gelint::decide {

/// One mapping of a file. Keys that nobody asked for are reported by `finish`.
class YamlMap {
public:
  /// `what` names the entry in messages: "row", "family".
  YamlMap(const YAML::Node& node, std::string what, std::string file, std::vector<Error>& faults);

  bool ok() const { return ok_; } ///< it is a mapping, and no fault was met so far
  bool has(std::string_view key) const { return static_cast<bool>(child(key)); }

  std::string text(std::string_view key);          ///< scalar or empty
  std::string required_text(std::string_view key); ///< a missing or empty one is a fault
  bool flag(std::string_view key);
  int number(std::string_view key);
  /// A scalar or a sequence of scalars.
  std::vector<std::string> texts(std::string_view key);
  /// A mapping or a sequence of mappings.
  std::vector<YAML::Node> maps(std::string_view key);
  /// The node itself; the key counts as read.
  YAML::Node node(std::string_view key);

  /// Scalars of `key` turned into values by `parse`, which gives nullopt for an unknown word.
  template <class T, class Parse>
  std::vector<T> words(std::string_view key, Parse parse, std::string_view allowed) {
    std::vector<T> out;
    for (const auto& [value, mark] : marked_texts(key)) {
      if (auto v = parse(value))
        out.push_back(*v);
      else
        fault(mark, "'" + value + "' is not a " + std::string(key),
              "one of " + std::string(allowed));
    }
    return out;
  }

  void fault(const YAML::Mark& mark, std::string message, std::string mend = "");
  void fault_at(std::string_view key, std::string message, std::string mend = "");
  /// An entry inside was at fault and has been reported: this one is not used either.
  void spoil() { ok_ = false; }
  /// Reports keys that were never asked for, with those that were.
  void finish();

  int line() const { return mark_.line + 1; }
  int column() const { return mark_.column + 1; }
  const std::string& file() const { return file_; }

private:
  std::string article() const { return what_.find_first_of("aeiou") == 0 ? "an " : "a "; }
  YAML::Node child(std::string_view key) const;
  std::vector<std::pair<std::string, YAML::Mark>> marked_texts(std::string_view key);

  YAML::Node node_;
  YAML::Mark mark_;
  std::string what_, file_;
  std::vector<Error>& faults_;
  std::vector<std::string> asked_;
  bool ok_ = true;
};

} // namespace gelint::decide
