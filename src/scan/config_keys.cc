#include "scan/config_keys.h"

#include <algorithm>
#include <array>

namespace gelint::scan {

bool is_activation_key(std::string_view s) {
  static constexpr std::array<std::string_view, 12> k_keys = {"hidden_act", "hidden_activation", "activation_function", "projector_hidden_act", "activation", "act_fn",
                                                              "activation_fn", "ffn_activation", "mlp_activation", "feed_forward_act", "classifier_activation",
                                                              "mlp_hidden_act"};
  std::string_view last = s.substr(s.find_last_of("./:") == std::string_view::npos ? 0 : s.find_last_of("./:") + 1);
  return std::find(k_keys.begin(), k_keys.end(), last) != k_keys.end();
}

namespace {

/// The value in [a, b) when it is a literal, an enumerator, or a string literal in a conversion.
std::string plain_value(const LexedFile& f, size_t a, size_t b) {
  if (a >= b)
    return {};
  size_t strings = 0, at = a;
  bool path = true;
  std::string text;
  for (size_t i = a; i < b; ++i) {
    const Tok& t = f.tokens[i];
    if (t.kind == TokKind::string) {
      ++strings;
      at = i;
    }
    path = path && (t.kind == TokKind::identifier || f.str(i) == "::");
    text += f.str(i);
  }
  if (strings == 1)
    return std::string(f.str(at));
  bool number = f.tokens[b - 1].kind == TokKind::number && (b - a == 1 || (b - a == 2 && f.str(a) == "-"));
  bool constant = path && (b - a >= 3 || text == "true" || text == "false" || std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; }));
  return number || constant ? text : std::string();
}

size_t end_of_part(const LexedFile& f, size_t a) {
  int depth = 0;
  for (size_t i = a; i < f.tokens.size() && i < a + 60; ++i) {
    if (f.tokens[i].kind != TokKind::punct)
      continue;
    std::string_view s = f.str(i);
    if (s == "(" || s == "[" || s == "{")
      ++depth;
    else if (s == ")" || s == "]" || s == "}") {
      if (--depth < 0)
        return i;
    } else if (depth == 0 && (s == "," || s == ";"))
      return i;
  }
  return a;
}

/// The first string of [a, b) that is a key; b when there is none.
size_t key_between(const LexedFile& f, size_t a, size_t b) {
  for (size_t i = a; i < std::min(b, f.tokens.size()); ++i)
    if (f.tokens[i].kind == TokKind::string && is_activation_key(f.unquoted(f.tokens[i])))
      return i;
  return b;
}

bool take(const LexedFile& f, size_t a, size_t b, NameTable& t) {
  size_t key = key_between(f, a, b);
  if (key >= std::min(b, f.tokens.size()))
    return false;
  t.config_key = f.unquoted(f.tokens[key]);
  t.omitted_default = default_beside(f, key);
  std::string name = t.omitted_default;
  if (name.size() > 1 && name.front() == '"')
    name = name.substr(1, name.size() - 2);
  for (const TableEntry& e : t.entries)
    if (!name.empty() && (e.name == name || e.target == name))
      t.omitted_formula = e.formula;
  return true;
}

} // namespace

std::string default_beside(const LexedFile& f, size_t token) {
  if (f.str(token + 1) == ",") {
    // value("key", default), and only the last argument is one: register("key", what, how) is another matter
    size_t end = end_of_part(f, token + 2);
    return f.str(end) == ")" ? plain_value(f, token + 2, end) : std::string();
  }
  // has("key") ? get("key") : default
  bool asks = false;
  for (size_t i = token; i > 0 && token - i < 40 && !asks; --i) {
    std::string_view s = f.str(i - 1);
    if (s == ";" || s == "{" || s == "}" || s == ",")
      break;
    asks = s == "?";
  }
  for (size_t i = token + 1; i < f.tokens.size() && i < token + 40; ++i) {
    std::string_view s = f.str(i);
    if (s == ";" || s == "{" || s == "}")
      break;
    asks = asks || s == "?";
    if (asks && s == ":")
      return plain_value(f, i + 1, end_of_part(f, i + 1));
  }
  return {};
}

void find_key(Knowledge& k, int file, const Scope* function, const std::string& subject, NameTable& t) {
  const LexedFile& f = k.files()[static_cast<size_t>(file)].lex;
  if (function && !subject.empty()) {
    // config.value("hidden_act", "gelu") == …, or a variable that was set from it
    if (size_t quote = subject.find('"'); quote != std::string::npos)
      for (size_t i = function->begin; i < function->end; ++i)
        if (f.tokens[i].kind == TokKind::string && subject.find(f.str(i)) != std::string::npos && take(f, i, i + 1, t))
          return;
    for (size_t i = function->begin; i + 1 < function->end; ++i)
      if (f.str(i) == subject && f.str(i + 1) == "=") {
        size_t end = i + 2;
        while (end < function->end && f.str(end) != ";")
          ++end;
        if (take(f, i + 2, end, t))
          return;
      }
  }
  if (!function)
    return;
  // to_activation(config.value("hidden_act", "gelu"))
  for (const FileModel& g : k.files())
    for (const Mention& m : g.outline.mentions)
      if (!m.is_string && m.role == Role::call && m.name == function->name) {
        size_t open = g.lex.token_at(m.offset) + 1;
        if (g.lex.str(open) == "(" && take(g.lex, open, after_matching(g.lex, open), t))
          return;
      }
}

} // namespace gelint::scan
