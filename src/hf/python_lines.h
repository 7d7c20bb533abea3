#pragma once
// Python source as lines of code: comments and strings over several lines are taken out. Not a parser.

#include <string>
#include <string_view>
#include <vector>

namespace gelint::hf {

struct PythonLine {
  int number = 0; ///< 1-based
  int indent = 0;
  std::string code;       ///< without comment; continuation lines of open brackets are joined to the first
  std::string class_name; ///< innermost class around it
  std::string function;   ///< innermost function of that class
};

std::vector<PythonLine> python_lines(std::string_view text);

/// Text between the bracket at `open` and its partner; empty when it does not close.
std::string_view bracketed(std::string_view code, size_t open);

/// "a", 'a' → a; empty when `s` is no plain string literal.
std::string_view unquoted(std::string_view s);

std::string_view trimmed(std::string_view s);

} // namespace gelint::hf
