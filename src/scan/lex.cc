#include "scan/lex.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace gelint::scan {

namespace {

bool ident_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80); }
bool ident_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80); }

class Lexer {
public:
  explicit Lexer(std::string_view text) : s_(text) { out_.text = text; }

  LexedFile run() {
    if (s_.starts_with("\xef\xbb\xbf"))
      i_ = 3;
    line_start_ = i_;
    bool at_line_start = true;
    while (i_ < s_.size()) {
      char c = s_[i_];
      if (c == '\n') {
        newline();
        at_line_start = true;
        if (directive_ >= 0)
          end_directive();
        continue;
      }
      if (c == '\\' && i_ + 1 < s_.size() && (s_[i_ + 1] == '\n' || (s_[i_ + 1] == '\r' && i_ + 2 < s_.size() && s_[i_ + 2] == '\n'))) {
        i_ += s_[i_ + 1] == '\r' ? 2 : 1;
        newline();
        continue;
      }
      if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++i_;
        continue;
      }
      if (c == '/' && peek(1) == '/') {
        line_comment();
        continue;
      }
      if (c == '/' && peek(1) == '*') {
        block_comment();
        continue;
      }
      if (c == '#' && at_line_start && directive_ < 0) {
        begin_directive();
        at_line_start = false;
        continue;
      }
      at_line_start = false;
      token();
    }
    if (directive_ >= 0)
      end_directive();
    while (!open_.empty())
      close_arm();
    return std::move(out_);
  }

private:
  char peek(size_t n) const { return i_ + n < s_.size() ? s_[i_ + n] : '\0'; }
  void newline() {
    ++i_;
    ++line_;
    line_start_ = i_;
  }
  void line_comment() {
    Comment c{static_cast<uint32_t>(i_), 0, line_};
    while (i_ < s_.size() && s_[i_] != '\n') {
      if (s_[i_] == '\\' && peek(1) == '\n') {
        ++i_;
        newline();
      } else {
        ++i_;
      }
    }
    c.length = static_cast<uint32_t>(i_) - c.offset;
    out_.comments.push_back(c);
  }
  void block_comment() {
    Comment c{static_cast<uint32_t>(i_), 0, line_};
    i_ += 2;
    while (i_ < s_.size() && !(s_[i_] == '*' && peek(1) == '/')) {
      if (s_[i_] == '\n')
        newline();
      else
        ++i_;
    }
    i_ = std::min(s_.size(), i_ + 2);
    c.length = static_cast<uint32_t>(i_) - c.offset;
    out_.comments.push_back(c);
  }
  void add(TokKind k, size_t from, uint32_t line, size_t line_start) {
    out_.tokens.push_back({k, static_cast<uint32_t>(from), static_cast<uint32_t>(i_ - from), line,
                           static_cast<uint32_t>(from - line_start + 1), open_.empty() ? -1 : open_.back(), directive_});
  }
  void token() {
    size_t from = i_;
    uint32_t line = line_;
    size_t ls = line_start_;
    char c = s_[i_];
    if (ident_start(c)) {
      while (i_ < s_.size() && ident_char(s_[i_]))
        ++i_;
      if (i_ < s_.size() && s_[i_] == '"') {
        std::string_view p = s_.substr(from, i_ - from);
        static constexpr std::array<std::string_view, 9> k_prefix = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};
        if (std::find(k_prefix.begin(), k_prefix.end(), p) != k_prefix.end()) {
          p.ends_with('R') ? raw_string() : quoted('"');
          add(TokKind::string, from, line, ls);
          return;
        }
      }
      add(TokKind::identifier, from, line, ls);
      return;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      ++i_;
      while (i_ < s_.size()) {
        char d = s_[i_], prev = s_[i_ - 1];
        if (std::isalnum(static_cast<unsigned char>(d)) || d == '.' || d == '_')
          ++i_;
        else if ((d == '+' || d == '-') && (prev == 'e' || prev == 'E' || prev == 'p' || prev == 'P') &&
                 !(s_.substr(from, 2) == "0x" && (prev == 'e' || prev == 'E')))
          ++i_;
        else if (d == '\'' && std::isalnum(static_cast<unsigned char>(peek(1))))
          ++i_;
        else
          break;
      }
      add(TokKind::number, from, line, ls);
      return;
    }
    if (c == '"') {
      quoted('"');
      add(TokKind::string, from, line, ls);
      return;
    }
    if (c == '\'') {
      quoted('\'');
      add(TokKind::character, from, line, ls);
      return;
    }
    static constexpr std::array<std::string_view, 24> k_punct = {"<<<", ">>>", "...", "<=>", "->*", "::", "->", "==", "!=", "<=", ">=", "&&",
        "||", "++", "--", "+=", "-=", "*=", "/=", "<<", "|=", "&=", "##", "[["};
    for (std::string_view p : k_punct)
      if (s_.substr(i_, p.size()) == p) {
        i_ += p.size();
        add(TokKind::punct, from, line, ls);
        return;
      }
    ++i_;
    add(TokKind::punct, from, line, ls);
  }
  void quoted(char q) {
    ++i_;
    while (i_ < s_.size() && s_[i_] != q && s_[i_] != '\n') {
      if (s_[i_] == '\\' && i_ + 1 < s_.size()) {
        if (s_[i_ + 1] == '\n') {
          ++i_;
          newline();
          continue;
        }
        ++i_;
      }
      ++i_;
    }
    if (i_ < s_.size() && s_[i_] == q)
      ++i_;
  }
  void raw_string() {
    size_t open = s_.find('(', i_);
    if (open == std::string_view::npos || open - i_ > 18) {
      quoted('"');
      return;
    }
    std::string end = ")" + std::string(s_.substr(i_ + 1, open - i_ - 1)) + "\"";
    size_t close = s_.find(end, open);
    size_t stop = close == std::string_view::npos ? s_.size() : close + end.size();
    while (i_ < stop) {
      if (s_[i_] == '\n')
        newline();
      else
        ++i_;
    }
  }
  void begin_directive() {
    PpDirective d;
    d.begin = static_cast<uint32_t>(i_);
    d.line = line_;
    ++i_;
    while (peek(0) == ' ' || peek(0) == '\t')
      ++i_;
    size_t k = i_;
    while (i_ < s_.size() && ident_char(s_[i_]))
      ++i_;
    d.keyword = s_.substr(k, i_ - k);
    while (peek(0) == ' ' || peek(0) == '\t')
      ++i_;
    if (d.keyword == "include" || d.keyword == "import" || d.keyword == "include_next") {
      char q = peek(0);
      char close = q == '<' ? '>' : '"';
      if (q == '<' || q == '"') {
        size_t e = s_.find_first_of(std::string{close, '\n'}, i_ + 1);
        if (e != std::string_view::npos && s_[e] == close) {
          d.name = s_.substr(i_ + 1, e - i_ - 1);
          d.quoted = q == '"';
          i_ = e + 1;
        }
      }
    } else if (d.keyword == "define" || d.keyword == "undef") {
      size_t n = i_;
      while (n < s_.size() && ident_char(s_[n]))
        ++n;
      d.name = s_.substr(i_, n - i_);
      d.function_like = n < s_.size() && s_[n] == '(';
    } else if (d.keyword == "if" || d.keyword == "ifdef" || d.keyword == "ifndef") {
      open_arm(d.begin, static_cast<int32_t>(open_.empty() ? -1 : open_.back()));
      std::string_view rest = s_.substr(i_, s_.find('\n', i_) - i_);
      bool zero = d.keyword == "if" && (rest.starts_with("0 ") || rest == "0" || rest.starts_with("0\r") || rest.starts_with("0/") || rest.starts_with("false"));
      bool one = d.keyword == "if" && (rest == "1" || rest.starts_with("1 ") || rest.starts_with("1\r"));
      out_.arms.back().dead = zero;
      taken_.push_back(one);
    } else if (d.keyword == "elif" || d.keyword == "else" || d.keyword == "elifdef" || d.keyword == "elifndef") {
      if (!open_.empty()) {
        int32_t parent = out_.arms[static_cast<size_t>(open_.back())].parent;
        bool taken = taken_.back();
        out_.arms[static_cast<size_t>(open_.back())].end = d.begin;
        open_.pop_back();
        open_arm(d.begin, parent);
        out_.arms.back().dead = taken;
      }
    } else if (d.keyword == "endif") {
      close_arm();
    }
    out_.directives.push_back(d);
    directive_ = static_cast<int32_t>(out_.directives.size()) - 1;
    if (!(d.keyword == "define" || d.keyword == "include" || d.keyword == "pragma" || d.keyword.starts_with("el") || d.keyword.starts_with("if")))
      skip_rest();
  }
  void skip_rest() {
    while (i_ < s_.size() && s_[i_] != '\n')
      ++i_;
  }
  void end_directive() {
    out_.directives[static_cast<size_t>(directive_)].end = static_cast<uint32_t>(i_);
    directive_ = -1;
  }
  void open_arm(uint32_t begin, int32_t parent) {
    out_.arms.push_back({begin, static_cast<uint32_t>(s_.size()), parent, line_, false});
    open_.push_back(static_cast<int32_t>(out_.arms.size()) - 1);
  }
  void close_arm() {
    if (open_.empty())
      return;
    out_.arms[static_cast<size_t>(open_.back())].end = static_cast<uint32_t>(i_);
    open_.pop_back();
    if (!taken_.empty())
      taken_.pop_back();
  }

  std::string_view s_;
  LexedFile out_;
  size_t i_ = 0, line_start_ = 0;
  uint32_t line_ = 1;
  int32_t directive_ = -1;
  std::vector<int32_t> open_;
  std::vector<bool> taken_;
};

} // namespace

size_t LexedFile::token_at(uint32_t offset) const {
  auto it = std::lower_bound(tokens.begin(), tokens.end(), offset, [](const Tok& t, uint32_t o) { return t.offset < o; });
  return static_cast<size_t>(it - tokens.begin());
}

std::string_view LexedFile::unquoted(const Tok& t) const {
  std::string_view s = str(t);
  size_t q = s.find('"');
  if (q == std::string_view::npos)
    return s;
  bool raw = q > 0 && s[q - 1] == 'R';
  s.remove_prefix(q + 1);
  if (s.ends_with('"'))
    s.remove_suffix(1);
  if (raw) {
    size_t open = s.find('('), close = s.rfind(')');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open)
      s = s.substr(open + 1, close - open - 1);
  }
  return s;
}

LexedFile lex(std::string_view text) { return Lexer(text).run(); }

} // namespace gelint::scan
