#include "report/markup.h"

#include "support/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::report {

std::string xml(std::string_view text) {
  std::string out;
  for (char c : printable(text)) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: out += c;
    }
  }
  return out;
}

std::string md(std::string_view text) {
  std::string out;
  std::string plain = legible(text);
  for (size_t i = 0; i < plain.size(); ++i) {
    char c = plain[i];
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '_' && i > 0 && i + 1 < plain.size() && std::isalnum(static_cast<unsigned char>(plain[i - 1])) &&
             std::isalnum(static_cast<unsigned char>(plain[i + 1])))
      out += c; // inside a word it has no meaning, and names stay readable
    else if (std::string_view("\\`*_[]|~#").find(c) != std::string_view::npos)
      out += fmt::format("\\{}", c);
    else if (c == '@' || (c == ':' && plain.compare(i, 3, "://") == 0))
      out += fmt::format("&#{};", static_cast<int>(c)); // no mentions, no links of its own making
    else
      out += c;
  }
  return out;
}

std::string md_code(std::string_view text) {
  std::string plain = legible(text);
  if (plain.empty())
    return "";
  size_t longest = 0, run = 0;
  std::string body;
  for (char c : plain) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    // In a table cell a bar ends the cell even inside a code span, unless it is escaped.
    body += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  std::string fence(longest + 1, '`');
  bool pad = body.starts_with('`') || body.ends_with('`');
  return fence + (pad ? " " : "") + body + (pad ? " " : "") + fence;
}

std::string uri(std::string_view path) {
  std::string out;
  for (char c : path) {
    unsigned char u = static_cast<unsigned char>(c);
    bool plain = (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') ||
                 std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", u);
  }
  return out;
}

} // namespace gelint::report
