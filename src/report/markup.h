#pragma once
// Escaping of quoted text for markup formats. Each makes control characters harmless first (support/text.h).

#include <string>
#include <string_view>

namespace gelint::report {

/// Text or attribute value of XML and HTML.
std::string xml(std::string_view text);

/// Running text of Markdown, also inside a table cell: every sign with a meaning is escaped.
std::string md(std::string_view text);

/// A code span of Markdown that holds the text as it is, also inside a table cell; empty for empty text.
std::string md_code(std::string_view text);

/// A URI reference: percent-encoded, '/' kept.
std::string uri(std::string_view path);

} // namespace gelint::report
