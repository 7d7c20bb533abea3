#pragma once
// A text table for the terminal.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::report {

/// What is cut when a cell does not fit: the end of a name, the beginning of a path.
enum class Cut : uint8_t { end, begin };

struct Column {
  std::string_view title;
  Cut cut = Cut::end;
  bool right = false;    ///< numbers
  size_t least = 8;      ///< columns that stay when a line is too long; below 8 a cut cell says nothing
  bool optional = false; ///< left out first
};

enum class Ink : uint8_t { none, bold, red, yellow, green, dim };
/// The text in colour; unchanged when `on` is false.
std::string ink(std::string_view text, Ink colour, bool on);

struct Cell {
  std::string text; ///< printable, one line
  Ink colour = Ink::none;
};

class Table {
public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  /// Columns that are empty in every row are left out. Where a line is longer than a `width` above 0, optional columns
  /// are left out, then the widest are narrowed and their cells cut with "…", until it fits or all are at their least.
  std::string text(int width, bool colour) const;

private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

/// `text` cut to `width` terminal columns.
std::string cut_to(const std::string& text, size_t width, Cut cut);

/// Words of `text` in lines of at most `width` columns, each after `indent` spaces; width 0: one line.
std::string wrap(std::string_view text, int width, int indent);

} // namespace gelint::report
