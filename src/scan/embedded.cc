#include "scan/embedded.h"

#include "scan/needles.h"

#include <algorithm>

namespace gelint::scan {

namespace {

/// Literals that stand side by side are one string.
struct Run {
  size_t first, last; ///< tokens: [first, last)
};

bool holds_bodies(std::string_view s) {
  size_t brace = s.find('{');
  return brace != std::string_view::npos && s.find('}', brace) != std::string_view::npos && s.find(';', brace) != std::string_view::npos &&
         s.find('(') < brace && has_needle(s, false);
}

/// `\n` ends a line of the embedded source, which matters to its directives; its other escapes are white space or a quote.
void copy_content(std::string_view host, std::string_view content, bool raw, std::string& out) {
  size_t at = static_cast<size_t>(content.data() - host.data());
  for (size_t i = 0; i < content.size(); ++i) {
    char c = content[i];
    if (raw || c != '\\' || i + 1 >= content.size()) {
      out[at + i] = c;
      continue;
    }
    char e = content[++i];
    out[at + i] = e == 'n' ? '\n' : e == '"' ? '"' : e == '\n' ? '\n' : ' ';
  }
}

bool is_raw(std::string_view literal) {
  size_t q = literal.find('"');
  return q != std::string_view::npos && q > 0 && literal[q - 1] == 'R';
}

} // namespace

std::string embedded_source(const LexedFile& host) {
  std::string out;
  const auto& tokens = host.tokens;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokKind::string)
      continue;
    Run run{i, i + 1};
    while (run.last < tokens.size() && tokens[run.last].kind == TokKind::string && tokens[run.last].directive == tokens[i].directive)
      ++run.last;
    i = run.last - 1;
    std::string text;
    for (size_t k = run.first; k < run.last; ++k)
      text += host.unquoted(tokens[k]);
    if (text.size() < 40 || !holds_bodies(text))
      continue;
    if (out.empty()) {
      out.assign(host.text.size(), ' ');
      for (size_t at = host.text.find('\n'); at != std::string_view::npos; at = host.text.find('\n', at + 1))
        out[at] = '\n';
    }
    for (size_t k = run.first; k < run.last; ++k)
      copy_content(host.text, host.unquoted(tokens[k]), is_raw(host.str(tokens[k])), out);
  }
  return out;
}

void place_in_host(LexedFile& embedded, std::string_view host) {
  uint32_t line = 1, begin = 0, at = 0;
  for (Tok& t : embedded.tokens) {
    for (; at < t.offset; ++at)
      if (host[at] == '\n') {
        ++line;
        begin = at + 1;
      }
    t.line = line;
    t.column = t.offset - begin + 1;
  }
}

} // namespace gelint::scan
