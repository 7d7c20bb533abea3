#pragma once
// Small operations on text.

#include <span>
#include <string>
#include <string_view>

namespace gelint {

/// The text with what could steer a terminal or break a line made harmless: control characters (C0, DEL, C1 in UTF-8,
/// the bidirectional overrides of Unicode) and bytes that are not UTF-8 become U+FFFD; a tab or line end becomes one
/// space.
std::string printable(std::string_view text);

/// printable(), for people: a name of more than 100 characters (between blanks and slashes) is cut with "…", and so is
/// a text of more than 2,000 bytes. Files are not to drown what is said about them; JSON carries them in full.
std::string legible(std::string_view text);

/// True when the bytes are well-formed UTF-8 (no overlong forms, surrogates or values above U+10FFFF).
bool is_utf8(std::string_view text);

/// Number of columns on a terminal: code points, combining marks not counted, wide ones (CJK, emoji) as two.
size_t display_width(std::string_view text);

/// 1-based UTF-16 column of a 1-based UTF-8 byte column in `line`; what is past the end of the line counts as ASCII.
int utf16_column(std::string_view line, int byte_column);

/// The candidate nearest to `text` by edit distance; empty when none is within a third of its length (at least 1).
std::string_view nearest_text(std::string_view text, std::span<const std::string_view> candidates);

} // namespace gelint
