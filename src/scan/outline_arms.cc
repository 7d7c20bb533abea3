// Dispatch arms: the cases of a switch, the arms of if-chains that compare, and "x == A ? f : g".

#include "scan/outline_parts.h"

#include <algorithm>
#include <map>

namespace gelint::scan {

namespace {

class ArmFinder {
public:
  ArmFinder(const LexedFile& f, Outline& o) : f_(f), o_(o) {}

  void run() {
    for (size_t i = 0; i < f_.tokens.size(); ++i) {
      if (f_.tokens[i].directive >= 0 && !in_define(i))
        continue;
      const Tok& t = f_.tokens[i];
      std::string_view s = f_.str(t);
      if (t.kind == TokKind::identifier && s == "switch" && f_.str(i + 1) == "(")
        a_switch(i);
      else if (t.kind == TokKind::identifier && s == "if" && !(i > 0 && f_.str(i - 1) == "else"))
        an_if(i);
      else if (t.kind == TokKind::punct && s == "?")
        a_ternary(i);
    }
  }

private:
  bool in_define(size_t i) const {
    return f_.directives[static_cast<size_t>(f_.tokens[i].directive)].keyword == "define";
  }

  std::string text(size_t a, size_t b) const {
    std::string out;
    for (size_t i = a; i < b && out.size() < 200; ++i)
      out += f_.str(i);
    return out;
  }

  void a_switch(size_t i) {
    size_t close = after_matching(f_, i + 1);
    if (close >= f_.tokens.size() || f_.str(close) != "{")
      return;
    size_t end = after_matching(f_, close) - 1;
    int chain = next_chain_++;
    std::string subject = text(i + 2, close - 1);
    int depth = 0;
    std::vector<size_t> mine;
    bool labels_open = false;
    for (size_t k = close; k < end; ++k) {
      std::string_view s = f_.str(k);
      if (f_.tokens[k].kind == TokKind::punct) {
        if (s == "{" || s == "(" || s == "[")
          ++depth;
        else if (s == "}" || s == ")" || s == "]")
          --depth;
      }
      bool label = depth == 1 && f_.tokens[k].kind == TokKind::identifier && (s == "case" || (s == "default" && f_.str(k + 1) == ":"));
      // "switch" inside: its own cases stand deeper, except in a body without braces, which nobody writes
      if (label) {
        if (!labels_open) {
          if (!mine.empty())
            o_.arms[mine.back()].end = k;
          o_.arms.push_back({});
          mine.push_back(o_.arms.size() - 1);
          DispatchArm& a = o_.arms.back();
          a.chain = chain;
          a.is_switch = true;
          a.subject = subject;
          labels_open = true;
        }
        DispatchArm& a = o_.arms[mine.back()];
        if (s == "default")
          a.fallback = true;
        size_t colon = k + 1;
        int d = 0;
        while (colon < end && !(d == 0 && f_.str(colon) == ":")) {
          d += f_.str(colon) == "(" ? 1 : f_.str(colon) == ")" ? -1 : 0;
          ++colon;
        }
        label_ranges_.push_back({mine.back(), k + 1, colon});
        a.begin = colon + 1;
        a.end = end;
        k = colon;
        continue;
      }
      if (labels_open && f_.tokens[k].kind != TokKind::punct)
        labels_open = false;
      else if (labels_open && s == "{" )
        labels_open = false;
      else if (labels_open && s == ";")
        labels_open = false;
    }
    // A body that runs into the next one has the next one's effects as well.
    for (size_t m = mine.size(); m-- > 1;) {
      DispatchArm& a = o_.arms[mine[m - 1]];
      bool leaves = false, any = false;
      for (size_t k = a.begin; k < a.end; ++k) {
        any = true;
        std::string_view s = f_.str(k);
        if (s == "break" || s == "return" || s == "continue" || s == "goto" || s == "throw" || s == "abort" || s == "GGML_ABORT" ||
            s == "exit" || s == "co_return")
          leaves = true;
      }
      // macros often hide the break; only bodies of plain statements fall through
      bool macro_like = any && f_.str(a.end - 1) == ")";
      if (any && !leaves && !macro_like)
        a.end = o_.arms[mine[m]].end;
    }
  }

  /// Token after the statement that starts at i.
  size_t after_statement(size_t i) const {
    if (f_.str(i) == "{")
      return after_matching(f_, i);
    int depth = 0;
    for (; i < f_.tokens.size(); ++i) {
      std::string_view s = f_.str(i);
      if (f_.tokens[i].kind != TokKind::punct)
        continue;
      if (s == "(" || s == "{" || s == "[")
        ++depth;
      else if (s == ")" || s == "}" || s == "]")
        --depth;
      if (depth < 0)
        return i;
      if (depth == 0 && s == ";")
        return i + 1;
    }
    return i;
  }

  /// The subject of "subject == label" inside a condition; empty when nothing is compared for equality.
  std::string subject_of(size_t a, size_t b) const {
    int depth = 0;
    for (size_t i = a; i < b; ++i) {
      std::string_view s = f_.str(i);
      depth += s == "(" ? 1 : s == ")" ? -1 : 0;
      if (s == "==") {
        size_t left = i;
        int d = 0;
        while (left > a) {
          std::string_view p = f_.str(left - 1);
          if (p == ")" || p == "]")
            ++d;
          if (p == "(" || p == "[")
            --d;
          if (d < 0 || (d == 0 && (p == "||" || p == "&&")))
            break;
          --left;
        }
        std::string subject = text(left, i);
        for (std::string_view fn : {"strcmp(", "strcasecmp(", "strncmp("})
          if (size_t at = subject.find(fn); at != std::string::npos) {
            size_t comma = subject.find(',', at);
            return subject.substr(at + fn.size(), comma == std::string::npos ? comma : comma - at - fn.size());
          }
        return subject;
      }
      if ((s == "strcmp" || s == "strcasecmp") && i > a && f_.str(i - 1) == "!" && f_.str(i + 1) == "(") {
        size_t comma = i + 2;
        while (comma < b && f_.str(comma) != ",")
          ++comma;
        return text(i + 2, comma);
      }
    }
    return {};
  }

  void an_if(size_t i) {
    int chain = -1;
    size_t at = i;
    bool first = true;
    while (true) {
      size_t open = at + 1;
      if (f_.str(open) == "constexpr")
        ++open;
      if (f_.str(open) != "(")
        return;
      size_t close = after_matching(f_, open);
      if (close >= f_.tokens.size())
        return;
      size_t end = after_statement(close);
      std::string subject = subject_of(open + 1, close - 1);
      if (!subject.empty() || !first) {
        if (chain < 0)
          chain = chain_for(i, subject);
        o_.arms.push_back({{}, close, end, -1, chain, false, false, subject});
        label_ranges_.push_back({o_.arms.size() - 1, open + 1, close - 1});
      }
      first = false;
      if (f_.str(end) != "else")
        return;
      if (f_.str(end + 1) == "if") {
        at = end + 1;
        continue;
      }
      if (chain >= 0)
        o_.arms.push_back({{}, end + 1, after_statement(end + 1), -1, chain, true, false, {}});
      return;
    }
  }

  /// Ifs that follow each other in one block and compare the same thing are one chain.
  int chain_for(size_t i, const std::string& subject) {
    int scope = 0;
    for (size_t s = 0; s < o_.scopes.size(); ++s)
      if (o_.scopes[s].begin <= i && i < o_.scopes[s].end && o_.scopes[s].kind != ScopeKind::file)
        scope = static_cast<int>(s);
    auto [it, fresh] = chains_.try_emplace({scope, subject}, next_chain_);
    if (fresh)
      ++next_chain_;
    return it->second;
  }

  void a_ternary(size_t q) {
    size_t a = q;
    int depth = 0;
    while (a > 0) {
      std::string_view p = f_.str(a - 1);
      if (f_.tokens[a - 1].kind == TokKind::punct) {
        if (p == ")" || p == "]")
          ++depth;
        if (p == "(" || p == "[")
          --depth;
        if (depth < 0 || (depth == 0 && (p == ";" || p == "{" || p == "}" || p == "=" || p == "," || p == "?" || p == ":")))
          break;
      }
      if (f_.tokens[a - 1].kind == TokKind::identifier && p == "return")
        break;
      --a;
    }
    std::string subject = subject_of(a, q);
    if (subject.empty())
      return;
    size_t colon = q + 1;
    depth = 0;
    int nested = 0;
    for (; colon < f_.tokens.size(); ++colon) {
      std::string_view s = f_.str(colon);
      if (f_.tokens[colon].kind != TokKind::punct)
        continue;
      depth += (s == "(" || s == "[" || s == "{") ? 1 : (s == ")" || s == "]" || s == "}") ? -1 : 0;
      if (depth < 0 || s == ";")
        return;
      if (s == "?")
        ++nested;
      if (s == ":" && depth == 0 && nested-- == 0)
        break;
    }
    size_t end = colon + 1;
    depth = 0;
    for (; end < f_.tokens.size(); ++end) {
      std::string_view s = f_.str(end);
      if (f_.tokens[end].kind != TokKind::punct)
        continue;
      depth += (s == "(" || s == "[" || s == "{") ? 1 : (s == ")" || s == "]" || s == "}") ? -1 : 0;
      if (depth < 0 || s == ";" || (depth == 0 && s == ","))
        break;
    }
    int chain = next_chain_++;
    o_.arms.push_back({{}, q + 1, colon, -1, chain, false, false, subject});
    label_ranges_.push_back({o_.arms.size() - 1, a, q});
    bool more = false; // "a == X ? f : a == Y ? g : h": the rest brings its own arms
    for (size_t k = colon + 1; k < end; ++k)
      more = more || f_.str(k) == "?";
    if (!more)
      o_.arms.push_back({{}, colon + 1, end, -1, chain, true, false, {}});
  }

public:
  struct LabelRange {
    size_t arm, begin, end;
  };
  std::vector<LabelRange> label_ranges_;

private:
  const LexedFile& f_;
  Outline& o_;
  int next_chain_ = 0;
  std::map<std::pair<int, std::string>, int> chains_;
};

} // namespace

std::vector<LabelRange> find_arms(const LexedFile& f, Outline& o) {
  ArmFinder a(f, o);
  a.run();
  std::vector<LabelRange> out;
  for (const auto& r : a.label_ranges_)
    out.push_back({r.arm, r.begin, r.end});
  return out;
}

} // namespace gelint::scan
