#include "report/table.h"

#include "support/text.h"

#include <algorithm>

namespace gelint::report {
namespace {

constexpr size_t k_gap = 2;

/// Index behind the code point at i.
size_t next(std::string_view s, size_t i) {
  ++i;
  while (i < s.size() && (static_cast<unsigned char>(s[i]) & 0xC0) == 0x80)
    ++i;
  return i;
}

} // namespace

std::string ink(std::string_view text, Ink colour, bool on) {
  const char* code = "";
  switch (colour) {
  case Ink::none: return std::string(text);
  case Ink::bold: code = "1"; break;
  case Ink::red: code = "31"; break;
  case Ink::yellow: code = "33"; break;
  case Ink::green: code = "32"; break;
  case Ink::dim: code = "2"; break;
  }
  return on ? "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::string cut_to(const std::string& text, size_t width, Cut cut) {
  if (display_width(text) <= width)
    return text;
  const size_t keep = width > 0 ? width - 1 : 0;
  if (cut == Cut::end) {
    size_t i = 0;
    while (i < text.size() && display_width(std::string_view(text).substr(0, next(text, i))) <= keep)
      i = next(text, i);
    return text.substr(0, i) + "…";
  }
  size_t i = 0;
  while (i < text.size() && display_width(std::string_view(text).substr(i)) > keep)
    i = next(text, i);
  return "…" + text.substr(i);
}

std::string Table::text(int width, bool colour) const {
  std::vector<size_t> used, widths;
  for (size_t c = 0; c < columns_.size(); ++c) {
    size_t w = 0;
    for (const auto& row : rows_)
      w = std::max(w, display_width(row[c].text));
    if (w == 0)
      continue;
    used.push_back(c);
    widths.push_back(std::max(w, display_width(columns_[c].title)));
  }
  auto total = [&] {
    size_t sum = widths.empty() ? 0 : k_gap * (widths.size() - 1);
    for (size_t w : widths)
      sum += w;
    return sum;
  };
  auto too_long = [&] { return width > 0 && total() > static_cast<size_t>(width); };
  for (size_t k = used.size(); k-- > 0 && too_long();)
    if (columns_[used[k]].optional) {
      used.erase(used.begin() + static_cast<std::ptrdiff_t>(k));
      widths.erase(widths.begin() + static_cast<std::ptrdiff_t>(k));
    }
  while (too_long()) {
    size_t widest = used.size();
    for (size_t k = 0; k < used.size(); ++k)
      if (widths[k] > columns_[used[k]].least && (widest == used.size() || widths[k] > widths[widest]))
        widest = k;
    if (widest == used.size())
      break;
    --widths[widest];
  }
  auto line = [&](auto&& cell_of) {
    std::string out;
    for (size_t k = 0; k < used.size(); ++k) {
      Cell cell = cell_of(used[k]);
      const Column& column = columns_[used[k]];
      std::string shown = cut_to(cell.text, widths[k], column.cut);
      std::string pad(widths[k] - std::min(widths[k], display_width(shown)), ' ');
      bool last = k + 1 == used.size();
      std::string inked = ink(shown, cell.colour, colour);
      out += column.right ? pad + inked : inked + (last ? "" : pad);
      if (!last)
        out += std::string(k_gap, ' ');
    }
    while (out.ends_with(' '))
      out.pop_back();
    return out + "\n";
  };
  std::string out = line([&](size_t c) { return Cell{std::string(columns_[c].title), Ink::bold}; });
  for (const auto& row : rows_)
    out += line([&](size_t c) { return row[c]; });
  return out;
}

std::string wrap(std::string_view text, int width, int indent) {
  std::string out, line;
  auto flush = [&] {
    if (!line.empty())
      out += std::string(static_cast<size_t>(indent), ' ') + line + "\n";
    line.clear();
  };
  for (size_t i = 0; i < text.size();) {
    size_t end = std::min(text.find(' ', i), text.size());
    std::string_view word = text.substr(i, end - i);
    if (width > 0 && !line.empty() &&
        static_cast<size_t>(indent) + display_width(line) + 1 + display_width(word) > static_cast<size_t>(width))
      flush();
    if (!word.empty())
      line += (line.empty() ? "" : " ") + std::string(word);
    i = end + 1;
  }
  flush();
  return out;
}

} // namespace gelint::report
