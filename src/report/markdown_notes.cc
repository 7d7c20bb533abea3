#include "report/markdown_notes.h"

namespace gelint::report {
namespace {

constexpr std::string_view k_begin = "<!-- gelint:notes ";
constexpr std::string_view k_begin_end = " -->\n";
constexpr std::string_view k_end = "<!-- gelint:end -->";

std::string framed(const std::string& name, std::string_view body) {
  return std::string(k_begin) + name + std::string(k_begin_end) + std::string(body) + std::string(k_end) + "\n";
}

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

} // namespace

Notes::Notes(std::string_view previous) {
  size_t at = 0;
  while ((at = previous.find(k_begin, at)) != std::string_view::npos) {
    size_t name = at + k_begin.size();
    size_t close = previous.find(k_begin_end, name);
    size_t end = previous.find(k_end, name);
    if (close == std::string_view::npos || end == std::string_view::npos || end < close)
      break;
    size_t body = close + k_begin_end.size();
    blocks_.emplace_back(previous.substr(name, close - name), previous.substr(body, end - body));
    at = end + k_end.size();
  }
}

std::string Notes::block(const std::string& name) {
  used_[name] = true;
  std::string body;
  for (const auto& [block, text] : blocks_)
    if (block == name)
      body += text; // a block that was copied by hand is joined, not lost
  return framed(name, body);
}

std::string Notes::leftover() const {
  std::string out;
  for (const auto& [name, text] : blocks_)
    if (!used_.contains(name) && !blank(text))
      out += framed(name, text);
  return out;
}

std::string slug(std::string_view text) {
  std::string out;
  for (char c : text) {
    unsigned char u = static_cast<unsigned char>(c);
    if (u >= 'A' && u <= 'Z')
      out += static_cast<char>(u - 'A' + 'a');
    else if ((u >= 'a' && u <= 'z') || (u >= '0' && u <= '9'))
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (out.ends_with('-'))
    out.pop_back();
  return out.empty() ? "none" : out;
}

} // namespace gelint::report
