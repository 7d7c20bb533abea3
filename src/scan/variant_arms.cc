#include "scan/variant_arms.h"

#include <algorithm>

namespace gelint::scan {

namespace {

struct Branch {
  uint32_t begin, end; ///< of the code between two directives
};

struct Conditional {
  std::vector<size_t> directives; ///< #if, #elif …, #endif
  std::vector<Branch> branches;
  bool has_else = false, device = false;
};

/// The outermost conditionals that lie in the range.
std::vector<Conditional> conditionals_in(const LexedFile& file, ByteRange body) {
  std::vector<Conditional> out;
  int depth = 0;
  Conditional now;
  for (size_t i = 0; i < file.directives.size(); ++i) {
    const PpDirective& d = file.directives[i];
    if (d.begin < body.first || d.end > body.second)
      continue;
    const bool opens = d.keyword.starts_with("if"), closes = d.keyword == "endif";
    const bool turns = d.keyword.starts_with("el");
    if (!opens && !closes && !turns)
      continue;
    if (opens && depth++ == 0)
      now = {};
    if (depth == 0)
      return {}; // opened before the body
    if (depth == 1) {
      if (!now.directives.empty())
        now.branches.push_back({file.directives[now.directives.back()].end, d.begin});
      now.directives.push_back(i);
      now.has_else = now.has_else || d.keyword == "else";
      const std::string_view text = file.text.substr(d.begin, d.end - d.begin);
      for (std::string_view own : {"__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__", "__SYCL_DEVICE_ONLY__"})
        now.device = now.device || text.find(own) != std::string_view::npos;
    }
    if (closes && --depth == 0)
      out.push_back(std::move(now));
  }
  return out;
}

bool has_code(const LexedFile& file, const Branch& b) {
  size_t t = file.token_at(b.begin);
  for (; t < file.tokens.size() && file.tokens[t].offset < b.end; ++t)
    if (file.tokens[t].directive < 0 && file.tokens[t].kind == TokKind::identifier)
      return true;
  return false;
}

uint32_t first_line(const LexedFile& file, const Branch& b) {
  for (size_t t = file.token_at(b.begin); t < file.tokens.size() && file.tokens[t].offset < b.end; ++t)
    if (file.tokens[t].directive < 0)
      return file.tokens[t].line;
  return 0;
}

void blank(std::string& text, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end && i < text.size(); ++i)
    if (text[i] != '\n')
      text[i] = ' ';
}

} // namespace

ByteRange body_behind(const LexedFile& file, int line, int column) {
  auto tok = std::lower_bound(file.tokens.begin(), file.tokens.end(), std::pair(line, column), [](const Tok& t, const std::pair<int, int>& at) {
    return std::pair(static_cast<int>(t.line), static_cast<int>(t.column)) < at;
  });
  int round = 0, depth = 0;
  uint32_t begin = 0;
  for (; tok != file.tokens.end(); ++tok) {
    if (tok->directive >= 0)
      continue;
    const std::string_view s = file.str(*tok);
    round += s == "(" ? 1 : s == ")" ? -1 : 0;
    if (depth == 0 && round == 0 && s == ";")
      return {};
    if (s == "{" && (round == 0 || depth > 0) && depth++ == 0)
      begin = tok->offset;
    if (s == "}" && depth > 0 && --depth == 0)
      return {begin, tok->offset};
  }
  return {};
}

std::vector<VariantText> variant_texts(const LexedFile& file, const std::vector<ByteRange>& skipped, const std::vector<ByteRange>& bodies) {
  auto left_out = [&](const Branch& b) {
    return std::any_of(skipped.begin(), skipped.end(), [&](const ByteRange& s) { return s.first <= b.begin && b.end <= s.second; });
  };
  constexpr size_t k_most = 3;
  std::vector<VariantText> out;
  for (size_t n = 0; n < k_most; ++n) {
    VariantText v;
    for (size_t body = 0; body < bodies.size(); ++body)
      for (const Conditional& c : conditionals_in(file, bodies[body])) {
        std::vector<const Branch*> others;
        bool taken = false;
        for (const Branch& b : c.branches) {
          if (!left_out(b))
            taken = taken || has_code(file, b);
          else if (has_code(file, b))
            others.push_back(&b);
        }
        const bool nothing = taken && !c.has_else && n == others.size();
        if (n >= others.size() && !nothing)
          continue;
        if (v.arms.empty())
          v.text = std::string(file.text);
        for (size_t d : c.directives)
          blank(v.text, file.directives[d].begin, file.directives[d].end);
        for (const Branch& b : c.branches)
          if (nothing || &b != others[n])
            blank(v.text, b.begin, b.end);
        v.arms.push_back({static_cast<int>(body), nothing ? file.directives[c.directives[0]].line : first_line(file, *others[n]), c.device});
      }
    if (v.arms.empty())
      break;
    out.push_back(std::move(v));
  }
  return out;
}

} // namespace gelint::scan
