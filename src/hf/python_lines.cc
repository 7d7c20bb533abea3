#include "hf/python_lines.h"

namespace gelint::hf {
namespace {

bool word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Name after "class " or "def " at the start of `code`.
std::string name_after(std::string_view code, std::string_view keyword) {
  if (!code.starts_with(keyword))
    return {};
  code.remove_prefix(keyword.size());
  size_t n = 0;
  while (n < code.size() && word(code[n]))
    ++n;
  return std::string(code.substr(0, n));
}

} // namespace

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\r' || s.front() == '\n'))
    s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r' || s.back() == '\n'))
    s.remove_suffix(1);
  return s;
}

std::string_view unquoted(std::string_view s) {
  s = trimmed(s);
  if (s.size() < 2 || (s.front() != '"' && s.front() != '\'') || s.back() != s.front())
    return {};
  std::string_view inner = s.substr(1, s.size() - 2);
  return inner.find(s.front()) == std::string_view::npos ? inner : std::string_view();
}

std::string_view bracketed(std::string_view code, size_t open) {
  int depth = 0;
  char quote = 0;
  for (size_t i = open; i < code.size(); ++i) {
    char c = code[i];
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (--depth == 0)
        return code.substr(open + 1, i - open - 1);
    }
  }
  return {};
}

std::vector<PythonLine> python_lines(std::string_view text) {
  std::vector<PythonLine> lines;
  struct Scope {
    int indent;
    bool is_class;
    std::string name;
  };
  std::vector<Scope> scopes;
  PythonLine current;
  int number = 1, depth = 0;
  char quote = 0;
  bool triple = false, started = false;
  auto finish = [&] {
    std::string_view code = trimmed(current.code);
    if (!code.empty()) {
      while (!scopes.empty() && scopes.back().indent >= current.indent)
        scopes.pop_back();
      for (const Scope& s : scopes)
        (s.is_class ? current.class_name : current.function) = s.name;
      std::string cls = name_after(code, "class "), def = name_after(code, "def ");
      if (!cls.empty())
        scopes.push_back({current.indent, true, cls});
      else if (!def.empty())
        scopes.push_back({current.indent, false, def});
      current.code = std::string(code);
      lines.push_back(current);
    }
    current = {};
    started = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (!started && !quote) {
      if (c == ' ' || c == '\t') {
        ++current.indent;
        continue;
      }
      if (c != '\n' && c != '\r') {
        started = true;
        current.number = number;
      }
    }
    if (c == '\n') {
      ++number;
      if (quote && !triple)
        quote = 0; // a plain string cannot pass the line's end: broken source
      if (!quote && depth == 0)
        finish();
      else if (!quote)
        current.code += ' ';
      continue;
    }
    if (quote) {
      if (c == '\\') {
        if (!triple && i + 1 < text.size()) {
          current.code += c;
          current.code += text[i + 1];
        }
        if (i + 1 < text.size() && text[i + 1] == '\n')
          ++number;
        ++i;
        continue;
      }
      if (triple && text.substr(i, 3) == std::string(3, quote)) {
        i += 2;
        quote = 0;
        triple = false;
        current.code += "\"\"";
        continue;
      }
      if (!triple) {
        current.code += c;
        if (c == quote)
          quote = 0;
      }
      continue;
    }
    if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n')
        ++i;
      continue;
    }
    if (c == '"' || c == '\'') {
      quote = c;
      triple = text.substr(i, 3) == std::string(3, c);
      if (triple)
        i += 2;
      else
        current.code += c;
      continue;
    }
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}') && depth > 0)
      --depth;
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++number;
      ++i;
      continue;
    }
    current.code += c;
  }
  finish();
  return lines;
}

} // namespace gelint::hf
