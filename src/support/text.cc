#include "support/text.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace gelint {
namespace {

struct Decoded {
  uint32_t code = 0;
  size_t length = 1;
  bool valid = false;
};

Decoded decode(std::string_view s, size_t i) {
  auto byte = [&](size_t k) { return static_cast<unsigned char>(s[k]); };
  unsigned char lead = byte(i);
  if (lead < 0x80)
    return {lead, 1, true};
  size_t n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + n > s.size())
    return {lead, 1, false};
  uint32_t code = lead & (0xFF >> (n + 1));
  for (size_t k = 1; k < n; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80)
      return {lead, 1, false};
    code = code << 6 | (byte(i + k) & 0x3F);
  }
  bool bad = (n == 3 && code < 0x800) || (n == 4 && (code < 0x10000 || code > 0x10FFFF)) ||
             (code >= 0xD800 && code <= 0xDFFF);
  return bad ? Decoded{lead, 1, false} : Decoded{code, n, true};
}

bool steers_terminal(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029 || c == 0xFEFF;
}

bool is_combining(uint32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x20D0 && c <= 0x20FF) || c == 0x200B || c == 0x200D ||
         (c >= 0xFE00 && c <= 0xFE0F);
}

bool is_wide(uint32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1F64F) || (c >= 0x1F900 && c <= 0x1F9FF) ||
         (c >= 0x20000 && c <= 0x3FFFD);
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

} // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    Decoded d = decode(text, i);
    if (text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
      out += ' ';
      i += text.substr(i).starts_with("\r\n") ? 2 : 1;
      continue;
    }
    if (!d.valid || steers_terminal(d.code))
      out += "\xEF\xBF\xBD";
    else
      out += text.substr(i, d.length);
    i += d.length;
  }
  return out;
}

std::string legible(std::string_view text) {
  constexpr size_t k_name = 100, k_text = 2000;
  const std::string all = printable(text);
  std::string out;
  size_t name = 0; // characters of the present name
  for (size_t i = 0; i < all.size();) {
    const size_t n = decode(all, i).length;
    if (out.size() + n > k_text)
      return out + "…";
    name = all[i] == ' ' || all[i] == '/' ? 0 : name + 1;
    if (name <= k_name)
      out += all.substr(i, n);
    else if (name == k_name + 1)
      out += "…";
    i += n;
  }
  return out;
}

bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    Decoded d = decode(text, i);
    if (!d.valid)
      return false;
    i += d.length;
  }
  return true;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size();) {
    Decoded d = decode(text, i);
    width += is_combining(d.code) ? 0 : is_wide(d.code) ? 2 : 1;
    i += d.length;
  }
  return width;
}

int utf16_column(std::string_view line, int byte_column) {
  if (byte_column <= 1)
    return byte_column;
  size_t bytes = static_cast<size_t>(byte_column) - 1;
  int column = 1;
  size_t i = 0;
  while (i < bytes && i < line.size()) {
    Decoded d = decode(line, i);
    column += d.valid && d.code > 0xFFFF ? 2 : 1;
    i += d.length;
  }
  return column + static_cast<int>(i < bytes ? bytes - i : 0);
}

std::string_view nearest_text(std::string_view text, std::span<const std::string_view> candidates) {
  std::string_view best;
  size_t limit = std::max<size_t>(1, text.size() / 3);
  for (std::string_view c : candidates) {
    size_t d = edit_distance(text, c);
    if (d <= limit) {
      best = c;
      if (d == 0)
        break;
      limit = d - 1;
    }
  }
  return best;
}

} // namespace gelint
