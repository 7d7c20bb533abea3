// What runs when a flag is set and what runs when it is not: "if (use_gelu) … else …", "use_gelu ? … : …".

#include "scan/emitter.h"

#include <algorithm>

namespace gelint::scan {

using formula::Formula;

namespace {

void add_once(std::vector<Formula>& list, Formula f) {
  if (std::find(list.begin(), list.end(), f) == list.end())
    list.push_back(f);
  std::sort(list.begin(), list.end());
}

/// One past the statement that begins at a token.
size_t statement_end(const LexedFile& f, size_t i) {
  const std::string_view s = f.str(i);
  if (s == "{")
    return after_matching(f, i);
  if (s == "if" || s == "for" || s == "while" || s == "switch") {
    size_t open = i + 1;
    while (open < i + 3 && f.str(open) != "(")
      ++open;
    const size_t body = after_matching(f, open);
    if (body >= f.tokens.size())
      return body;
    const size_t end = statement_end(f, body);
    return s == "if" && f.str(end) == "else" ? statement_end(f, end + 1) : end;
  }
  int depth = 0;
  for (; i < f.tokens.size(); ++i) {
    const std::string_view t = f.str(i);
    depth += t == "(" || t == "{" || t == "[" ? 1 : t == ")" || t == "}" || t == "]" ? -1 : 0;
    if (depth < 0)
      return i;
    if (depth == 0 && t == ";")
      return i + 1;
  }
  return i;
}

/// The end of the block that a token stands in.
size_t block_end(const LexedFile& f, size_t i) {
  int depth = 0;
  for (; i < f.tokens.size(); ++i) {
    depth += f.str(i) == "{" ? 1 : f.str(i) == "}" ? -1 : 0;
    if (depth < 0)
      return i;
  }
  return i;
}

/// Nothing behind the statement runs after it.
bool leaves(const LexedFile& f, size_t begin, size_t end) {
  if (f.str(begin) != "{")
    return f.str(begin) == "return";
  for (size_t i = begin + 1; i + 1 < end;) {
    const size_t next = statement_end(f, i);
    if (next + 1 >= end)
      return f.str(i) == "return";
    i = std::max(next, i + 1);
  }
  return false;
}

} // namespace

std::vector<Formula> Emitter::FlagArms::either() const {
  std::vector<Formula> out = on;
  for (Formula f : off)
    add_once(out, f);
  return out;
}

/// The activations in [begin, end), tokens.
std::vector<Formula> Emitter::formulas_between(int file, size_t begin, size_t end) {
  const FileModel& g = k_.files()[static_cast<size_t>(file)];
  std::vector<Formula> out;
  if (begin >= end || begin >= g.lex.tokens.size())
    return out;
  const uint32_t from = g.lex.tokens[begin].offset, to = end < g.lex.tokens.size() ? g.lex.tokens[end].offset : UINT32_MAX;
  for (size_t x = 0; x < g.outline.mentions.size(); ++x) {
    const Mention& o = g.outline.mentions[x];
    bool applies = o.role == Role::call || o.role == Role::construct || o.role == Role::template_argument;
    if (o.needle != NeedleClass::none) // a plain variable is what goes in, or holds what came out before
      applies = applies || o.role == Role::argument || o.role == Role::assign || o.role == Role::ternary || o.role == Role::returned;
    if (o.offset < from || o.offset >= to || o.is_string || !applies)
      continue;
    const Value v = k_.of_mention(file, x);
    if (is_math_like(o.name) && !formula::is_gelu_family(v.formula))
      continue;
    if (v.activation())
      add_once(out, v.formula);
    for (Formula f : v.reachable)
      add_once(out, f);
    // Only the GELU family is evaluated in every file: of the others the name has to do.
    if (const Claim c = claim_of(o.name); !v.tells() && v.formula != Formula::other && o.role == Role::call && c.formula && c.sure && !c.gradient)
      add_once(out, *c.formula);
  }
  return out;
}

Emitter::FlagArms Emitter::arms_of_condition(int file, const Mention& m) {
  const LexedFile& lex = k_.files()[static_cast<size_t>(file)].lex;
  FlagArms arms;
  const size_t tok = lex.token_at(m.offset);
  size_t begin = tok;
  while (begin > 2 && (lex.str(begin - 1) == "." || lex.str(begin - 1) == "->" || lex.str(begin - 1) == "::"))
    begin -= 2;
  const std::string_view after = lex.str(tok + 1), right = lex.str(tok + 2);
  const bool negated = (begin > 0 && lex.str(begin - 1) == "!") || (after == "==" && (right == "false" || right == "0")) ||
                       (after == "!=" && (right == "true" || right == "1"));
  // the conditional operator
  int depth = 0;
  for (size_t i = tok + 1; i < lex.tokens.size() && i < tok + 40; ++i) {
    const std::string_view t = lex.str(i);
    if (depth == 0 && t == "?") {
      size_t colon = i + 1;
      int nested = 0, open = 0;
      for (; colon < lex.tokens.size(); ++colon) {
        const std::string_view c = lex.str(colon);
        open += c == "(" || c == "[" || c == "{" ? 1 : c == ")" || c == "]" || c == "}" ? -1 : 0;
        nested += open == 0 && c == "?";
        if (open < 0 || c == ";" || (open == 0 && c == ":" && nested-- == 0))
          break;
      }
      size_t end = colon + 1;
      for (open = 0; end < lex.tokens.size(); ++end) {
        const std::string_view c = lex.str(end);
        open += c == "(" || c == "[" || c == "{" ? 1 : c == ")" || c == "]" || c == "}" ? -1 : 0;
        if (open < 0 || (open == 0 && (c == ";" || c == ",")))
          break;
      }
      arms.on = formulas_between(file, i + 1, colon);
      arms.off = formulas_between(file, colon + 1, end);
      if (negated)
        std::swap(arms.on, arms.off);
      return arms;
    }
    depth += t == "(" || t == "[" ? 1 : t == ")" || t == "]" ? -1 : 0;
    if (depth < 0 || t == ";" || t == "{" || t == "&&" || t == "||")
      break;
  }
  // if (… flag …)
  depth = 0;
  size_t open = begin;
  for (; open > 0; --open) {
    const std::string_view t = lex.str(open - 1);
    if (t == ";" || t == "{" || t == "}")
      return arms;
    depth += t == ")" ? 1 : t == "(" ? -1 : 0;
    if (depth < 0 && open > 1 && (lex.str(open - 2) == "if" || lex.str(open - 2) == "constexpr"))
      break;
  }
  if (open < 2)
    return arms;
  const size_t body = after_matching(lex, open - 1), end = statement_end(lex, body);
  arms.on = formulas_between(file, body, end);
  if (lex.str(end) == "else")
    arms.off = formulas_between(file, end + 1, statement_end(lex, end + 1));
  else if (leaves(lex, body, end))
    arms.off = formulas_between(file, end, block_end(lex, end));
  if (negated)
    std::swap(arms.on, arms.off);
  return arms;
}

/// Over all conditions on a flag of this name: those of this file, or where it has none, those of the tree.
Emitter::FlagArms Emitter::arms_of_flag(const std::string& name) {
  FlagArms all;
  auto collect = [&](int file) {
    for (const Mention& m : k_.files()[static_cast<size_t>(file)].outline.mentions)
      if (m.name == name && !m.is_string) {
        const FlagArms one = arms_of_condition(file, m);
        for (Formula f : one.on)
          add_once(all.on, f);
        for (Formula f : one.off)
          add_once(all.off, f);
      }
  };
  collect(fi_);
  for (size_t f = 0; f < k_.files().size() && !all.tells(); ++f)
    collect(static_cast<int>(f));
  return all;
}

/// What any condition on this flag, in any file, leads to.
std::vector<Formula> Emitter::guarded_by(const std::string& name) {
  std::vector<Formula> out;
  for (size_t fi = 0; fi < k_.files().size(); ++fi) {
    const FileModel& g = k_.files()[fi];
    for (size_t mi = 0; mi < g.outline.mentions.size(); ++mi) {
      const Mention& o = g.outline.mentions[mi];
      if (o.name != name || o.is_string)
        continue;
      for (size_t x = mi + 1; x < g.outline.mentions.size() && g.outline.mentions[x].line <= o.line + 3; ++x) {
        const Mention& t = g.outline.mentions[x];
        if (t.function != o.function || t.name == name || k_.is_mathematics(static_cast<int>(fi), x) || (t.role != Role::call && t.role != Role::argument && t.role != Role::assign))
          continue;
        Value v = k_.of_mention(static_cast<int>(fi), x);
        if (v.activation() && formula::is_gelu_family(v.formula) && std::find(out.begin(), out.end(), v.formula) == out.end())
          out.push_back(v.formula);
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// "#define KEY_USE_GELU "clip.use_gelu"", and get_bool(KEY_USE_GELU, use_gelu, false).
bool Emitter::key_macro(size_t mi) {
  M m = f_.outline.mentions[mi];
  const bool defines = m.role == Role::macro_name;
  if (m.is_string || m.needle != NeedleClass::gelu || (!defines && (m.role != Role::argument || !k_.rules().is_config_call(m.callee))))
    return false;
  const std::string key = flag_key(k_.string_macro(m.name));
  if (key.empty() || !claim_of(key).gelu_family)
    return false;
  std::string otherwise;
  if (!defines) { // the last argument, where it is a literal
    const std::vector<std::string> given = k_.arguments_around(fi_, m);
    if (given.size() > 1 && (given.back() == "true" || given.back() == "false" || given.back() == "0" || given.back() == "1"))
      otherwise = given.back();
  }
  const size_t before = out_.sites.size();
  read_flag(m, key, {});
  if (out_.sites.size() > before)
    out_.sites.back().config_default = otherwise;
  return true;
}

} // namespace gelint::scan
