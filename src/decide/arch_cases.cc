#include "decide/arch_cases.h"

#include "decide/model_names.h"

#include <algorithm>
#include <cctype>

namespace gelint::decide {
namespace {

struct Token {
  enum Kind { word, string, punct } kind;
  std::string_view text;
  int line;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Words, strings and single punctuation marks; comments are skipped.
std::vector<Token> tokens_of(std::string_view t) {
  std::vector<Token> out;
  int line = 1;
  for (size_t i = 0; i < t.size();) {
    char c = t[i];
    if (c == '\n') {
      ++line;
      ++i;
    } else if (t.substr(i, 2) == "//") {
      while (i < t.size() && t[i] != '\n')
        ++i;
    } else if (t.substr(i, 2) == "/*") {
      size_t end = std::min(t.find("*/", i), t.size());
      line += static_cast<int>(std::count(t.begin() + i, t.begin() + end, '\n'));
      i = end + 2;
    } else if (c == '"') {
      size_t start = ++i;
      while (i < t.size() && t[i] != '"' && t[i] != '\n')
        i += t[i] == '\\' ? 2 : 1;
      i = std::min(i, t.size());
      out.push_back({Token::string, t.substr(start, i - start), line});
      if (i < t.size() && t[i] == '"')
        ++i;
    } else if (is_word(c)) {
      size_t start = i;
      while (i < t.size() && is_word(t[i]))
        ++i;
      out.push_back({Token::word, t.substr(start, i - start), line});
    } else {
      if (!std::isspace(static_cast<unsigned char>(c)))
        out.push_back({Token::punct, t.substr(i, 1), line});
      ++i;
    }
  }
  return out;
}

bool is_arch(std::string_view id) {
  if (id.empty() || !std::isupper(static_cast<unsigned char>(id[0])))
    return false;
  std::vector<std::string> words = identifier_words(id);
  return words.size() > 1 && std::any_of(words.begin(), words.end(), [](const std::string& w) {
           return w == "arch" || w == "architecture" || w == "type";
         });
}

/// A function that builds or runs a model.
bool is_builder(std::string_view id) {
  std::vector<std::string> words = identifier_words(id);
  return std::any_of(words.begin(), words.end(), [](const std::string& w) {
    return w == "build" || w == "builder" || w == "graph" || w == "forward";
  });
}

constexpr int k_case_span =
    60; ///< tokens between the last `case` label and the builder that it runs

} // namespace

void read_arch_cases(std::string_view text, const std::string& path, std::vector<ArchCase>& cases,
                     std::vector<ArchName>& names) {
  std::vector<Token> t = tokens_of(text);
  auto is = [&](size_t i, std::string_view s) {
    return i < t.size() && t[i].text == s && t[i].kind != Token::string;
  };
  std::vector<size_t> labels; // enumerators of the case labels that stand together
  size_t last_label = 0;
  bool done = false;
  for (size_t i = 0; i < t.size(); ++i) {
    if (is(i, "case")) {
      size_t end = i + 1;
      while (end < t.size() && !is(end, ":") && end < i + 8)
        ++end;
      // `NS::ARCH_X:` has colons inside; the label ends at a single one.
      while (is(end, ":") && is(end + 1, ":")) {
        end += 2;
        while (end < t.size() && !is(end, ":") && t[end].kind == Token::word)
          ++end;
      }
      size_t name = end - 1;
      if (done || i > last_label + 1)
        labels.clear();
      done = false;
      if (is(end, ":") && t[name].kind == Token::word && is_arch(t[name].text))
        labels.push_back(name);
      last_label = end;
      i = end;
      continue;
    }
    if (!labels.empty() && !done && t[i].kind == Token::word && i < last_label + k_case_span) {
      if (is(i, "break") || is(i, "default")) {
        done = true;
        continue;
      }
      bool called = is(i + 1, "(") || is(i + 1, "<") || is(i + 1, ">");
      if (called && is_builder(t[i].text))
        for (size_t l : labels)
          cases.push_back({std::string(t[l].text), std::string(t[i].text), path, t[l].line});
    }
    if (t[i].kind == Token::word && is(i + 1, ",") && i + 2 < t.size() &&
        t[i + 2].kind == Token::string && i > 0 && is(i - 1, "{") && is_arch(t[i].text))
      names.push_back({std::string(t[i].text), std::string(t[i + 2].text), path, t[i].line});
  }
}

} // namespace gelint::decide
