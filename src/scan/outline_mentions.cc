// What each name is used for.

#include "scan/outline_parts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace gelint::scan {

namespace {

bool is_one(std::string_view s, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

bool is_keyword(std::string_view s) {
  static constexpr std::array k = std::to_array<std::string_view>({
      "if", "for", "while", "switch", "catch", "do", "else", "return", "sizeof", "alignof", "decltype", "static_assert", "alignas",
      "noexcept", "requires", "__attribute__", "__declspec", "__launch_bounds__", "asm", "__asm__", "__asm", "typeof", "defined",
      "new", "delete", "throw", "case", "default", "break", "continue", "const", "static", "inline", "constexpr", "auto", "void",
      "int", "float", "double", "bool", "char", "long", "short", "unsigned", "signed", "struct", "class", "enum", "union", "template",
      "typename", "using", "namespace", "public", "private", "protected", "virtual", "override", "final", "operator", "this", "true",
      "false", "nullptr", "extern", "typedef", "goto", "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "co_return",
      "volatile", "mutable", "explicit", "friend", "try", "let", "var", "fn", "kernel", "device", "constant", "thread", "threadgroup"});
  return std::find(k.begin(), k.end(), s) != k.end();
}

struct Open {
  char bracket;
  std::string callee;
  int index = 0;
  size_t token = 0;
  bool ternary = false;
};

class MentionFinder {
public:
  MentionFinder(const LexedFile& f, Outline& o, const std::function<NeedleClass(std::string_view)>& wanted) : f_(f), o_(o), wanted_(wanted) {}

  void run(const std::vector<LabelRange>& labels) {
    const size_t n = f_.tokens.size();
    mention_of_.assign(n, SIZE_MAX);
    scope_of_.assign(n, 0);
    for (size_t s = 1; s < o_.scopes.size(); ++s)
      for (size_t i = o_.scopes[s].begin; i < std::min(n, o_.scopes[s].end); ++i)
        scope_of_[i] = static_cast<int>(s);
    arm_of_.assign(n, -1);
    std::vector<size_t> order(o_.arms.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::pair(o_.arms[a].begin, o_.arms[b].end) < std::pair(o_.arms[b].begin, o_.arms[a].end);
    });
    for (size_t a : order)
      for (size_t i = o_.arms[a].begin; i < std::min(n, o_.arms[a].end); ++i)
        arm_of_[i] = static_cast<int>(a);
    find_angles();
    for (size_t i = 0; i < n; ++i)
      step(i);
    for (const LabelRange& r : labels) {
      DispatchArm& arm = o_.arms[r.arm];
      for (size_t i = r.begin; i < std::min(n, r.end); ++i)
        if (mention_of_[i] != SIZE_MAX)
          if (const Mention& m = o_.mentions[mention_of_[i]]; m.role == Role::case_label || m.role == Role::compare || m.is_string)
            arm.labels.push_back(mention_of_[i]);
      // "subject == label": the subject is no label
      if (arm.labels.size() > 1 && !arm.is_switch)
        std::erase_if(arm.labels, [&](size_t l) {
          const Mention& m = o_.mentions[l];
          return !m.is_string && arm.subject.ends_with(m.name) && m.name != o_.mentions[arm.labels.back()].name;
        });
      arm.function = function_around(scope_of_[std::min(n - 1, arm.begin)]);
    }
    for (DispatchArm& arm : o_.arms)
      if (arm.function < 0 && arm.begin < n)
        arm.function = function_around(scope_of_[arm.begin]);
  }

private:
  /// "<" that opens template arguments: an identifier before, a matching ">" close by, and something after it that
  /// cannot follow a comparison.
  void find_angles() {
    const size_t n = f_.tokens.size();
    angle_close_.assign(n, 0);
    angle_callee_.assign(n, -1);
    for (size_t i = 1; i < n; ++i) {
      if (f_.str(i) != "<" || f_.tokens[i - 1].kind != TokKind::identifier)
        continue;
      int depth = 0;
      for (size_t k = i; k < std::min(n, i + 96); ++k) {
        std::string_view s = f_.str(k);
        if (s == "<")
          ++depth;
        else if (s == ">")
          --depth;
        else if (s == ">>>")
          depth -= 3;
        else if (is_one(s, {";", "{", "}", "&&", "||", "=", "?"}) || f_.tokens[k].kind == TokKind::string)
          break;
        if (depth <= 0) {
          std::string_view next = f_.str(k + 1);
          bool ok = is_one(next, {"(", "::", "{", ">", ",", ")", ";", "&", "*", "<<<", "...", "&&"}) ||
                    (k + 1 < n && f_.tokens[k + 1].kind == TokKind::identifier);
          if (ok) {
            angle_close_[i] = k;
            for (size_t m = i + 1; m < k; ++m)
              angle_callee_[m] = static_cast<int>(i) - 1;
          }
          break;
        }
      }
    }
  }

  int function_around(int s) const {
    for (; s >= 0; s = o_.scopes[static_cast<size_t>(s)].parent)
      if (o_.scopes[static_cast<size_t>(s)].kind == ScopeKind::function && !o_.scopes[static_cast<size_t>(s)].lambda)
        return s;
    return -1;
  }

  void step(size_t i) {
    const Tok& t = f_.tokens[i];
    std::string_view s = f_.str(t);
    if (t.directive != directive_) {
      if (directive_ < 0)
        saved_.swap(open_);
      if (t.directive < 0)
        open_.swap(saved_);
      else
        open_.clear();
      directive_ = t.directive;
    }
    if (t.kind == TokKind::punct) {
      brackets(i, s);
      return;
    }
    if (t.directive >= 0) {
      const PpDirective& d = f_.directives[static_cast<size_t>(t.directive)];
      if (d.keyword != "define")
        return;
    }
    if (t.kind == TokKind::string)
      string(i);
    else if (t.kind == TokKind::identifier && !is_keyword(s))
      identifier(i, s);
  }

  void brackets(size_t i, std::string_view s) {
    if (s == "(" || s == "[" || s == "{") {
      Open o{s[0], {}, 0, i, false};
      size_t before = i;
      if (before > 0 && f_.str(before - 1) == ">")
        before = angle_open_before(before - 1);
      if (before > 0 && s == "(" && f_.str(before - 1) == ">>>") {
        size_t k = before - 1;
        while (k > 0 && f_.str(k) != "<<<")
          --k;
        before = k;
        if (before > 0 && f_.str(before - 1) == ">")
          before = angle_open_before(before - 1);
      }
      if (before > 0 && f_.tokens[before - 1].kind == TokKind::identifier && s != "[" && !is_keyword(f_.str(before - 1)))
        o.callee = f_.str(before - 1);
      // the brace of a class, a function or a block belongs to no call
      if (s == "{" && f_.tokens[i].directive < 0)
        if (const Scope& sc = o_.scopes[static_cast<size_t>(scope_of_[i])]; sc.begin == i && sc.kind != ScopeKind::initializer && sc.kind != ScopeKind::block)
          o.callee.clear();
      open_.push_back(std::move(o));
    } else if (s == ")" || s == "]" || s == "}") {
      char want = s == ")" ? '(' : s == "]" ? '[' : '{';
      // Unbalanced code: drop what cannot match any more.
      for (size_t k = open_.size(); k-- > 0;)
        if (open_[k].bracket == want) {
          open_.resize(k);
          break;
        }
    } else if (s == ",") {
      if (!open_.empty() && angle_callee_[i] < 0) {
        ++open_.back().index;
        open_.back().ternary = false;
      }
    } else if (s == "?") {
      if (!open_.empty())
        open_.back().ternary = true;
      else
        file_ternary_ = true;
    } else if (s == ";") {
      if (!open_.empty())
        open_.back().ternary = false;
      file_ternary_ = false;
    }
  }

  /// i is at '>': the '<' that it closes, or i.
  size_t angle_open_before(size_t i) const {
    for (size_t k = i; k-- > 0 && i - k < 100;)
      if (angle_close_[k] == i)
        return k;
    return i + 1;
  }

  Mention base(size_t i) const {
    const Tok& t = f_.tokens[i];
    Mention m;
    m.offset = t.offset;
    m.length = t.length;
    m.line = t.line;
    m.column = t.column;
    m.scope = scope_of_[i];
    m.function = function_around(m.scope);
    m.group = arm_of_[i];
    m.arm = t.arm;
    m.in_macro = t.directive >= 0;
    if (angle_callee_[i] >= 0) {
      m.callee = f_.str(static_cast<size_t>(angle_callee_[i]));
    } else if (!open_.empty()) {
      m.argument = open_.back().index;
      if (open_.back().bracket != '[')
        m.callee = open_.back().callee;
    }
    return m;
  }

  void string(size_t i) {
    std::string_view content = f_.unquoted(f_.tokens[i]);
    if (content.empty() || content.size() > 4000)
      return;
    Mention m = base(i);
    m.is_string = true;
    m.name = content.substr(0, 200);
    m.needle = content.size() <= 200 ? string_class(content) : has_needle(content, false) ? NeedleClass::gelu : NeedleClass::none;
    m.role = use_role(i, i, m);
    if (m.needle == NeedleClass::none) {
      bool keeps = m.role == Role::compare || m.role == Role::element || m.role == Role::case_label || (m.role == Role::argument && content.size() < 64);
      if (!keeps || content.size() > 64 || ++plain_strings_ > 5000)
        return;
    }
    push(i, std::move(m));
  }

  NeedleClass string_class(std::string_view s) const {
    NeedleClass best = NeedleClass::none;
    for (size_t a = 0; a < s.size();) {
      size_t b = a;
      while (b < s.size() && (std::isalnum(static_cast<unsigned char>(s[b])) || s[b] == '_'))
        ++b;
      if (b > a)
        if (NeedleClass c = wanted_(s.substr(a, b - a)); c != NeedleClass::none && (best == NeedleClass::none || c < best))
          best = c;
      a = b + 1;
    }
    return best;
  }

  void identifier(size_t i, std::string_view s) {
    NeedleClass needle = wanted_(s);
    Mention m = base(i);
    m.name = s;
    m.needle = needle;
    size_t start = i; // of the qualified name
    std::string qualified(s);
    while (start >= 2 && f_.str(start - 1) == "::") {
      size_t p = start - 2;
      if (f_.str(p) == ">") {
        size_t lt = angle_open_before(p);
        if (lt > p || lt == 0)
          break;
        p = lt - 1;
      }
      if (f_.tokens[p].kind != TokKind::identifier)
        break;
      qualified = std::string(f_.str(p)) + "::" + qualified;
      start = p;
    }
    if (f_.str(i + 1) == "::")
      return; // the qualifier of another name; a needle there belongs to that name's mention
    m.qualified = qualified;
    m.role = role(i, start, m);
    bool structural = m.role == Role::call || m.role == Role::construct || m.role == Role::returned || m.role == Role::assign ||
                      m.role == Role::ternary || m.role == Role::compare || m.role == Role::case_label ||
                      m.role == Role::template_argument || m.role == Role::element || m.role == Role::definition ||
                      m.role == Role::enumerator || m.role == Role::argument;
    if (needle == NeedleClass::none) {
      // A needle in the qualifier makes the whole name one: GELU::Approximation::None.
      if (start != i) {
        for (size_t k = start; k < i; ++k)
          if (f_.tokens[k].kind == TokKind::identifier)
            if (NeedleClass c = wanted_(f_.str(k)); c != NeedleClass::none && (m.needle == NeedleClass::none || c < m.needle))
              m.needle = c;
      }
      if (m.needle == NeedleClass::none && !structural)
        return;
    }
    if (m.role == Role::enumerator) {
      int e = m.scope;
      while (e >= 0 && o_.scopes[static_cast<size_t>(e)].kind != ScopeKind::enumeration)
        e = o_.scopes[static_cast<size_t>(e)].parent;
      o_.enumerators.push_back({m.name, e < 0 ? std::string() : o_.scopes[static_cast<size_t>(e)].qualified, o_.mentions.size()});
    }
    push(i, std::move(m));
  }

  void push(size_t i, Mention m) {
    mention_of_[i] = o_.mentions.size();
    o_.mentions.push_back(std::move(m));
  }

  bool is_scope_name(size_t i) const {
    // name tokens are few; the innermost candidates are the scopes that begin soon after
    auto it = names_.find(i);
    return it != names_.end();
  }

  Role role(size_t i, size_t start, Mention& m) {
    if (names_.empty())
      for (const Scope& s : o_.scopes)
        if (s.name_tok != SIZE_MAX && (s.kind == ScopeKind::function || s.kind == ScopeKind::type || s.kind == ScopeKind::enumeration))
          names_[s.name_tok] = true;
    const Tok& t = f_.tokens[i];
    if (t.directive >= 0) {
      const PpDirective& d = f_.directives[static_cast<size_t>(t.directive)];
      if (!d.name.empty() && d.name.data() == f_.text.data() + t.offset)
        return Role::macro_name;
    } else if (is_scope_name(i)) {
      return Role::definition;
    }
    const Scope& sc = o_.scopes[static_cast<size_t>(m.scope)];
    // a directive line before the name says nothing of it
    while (start > 0 && f_.tokens[start - 1].directive >= 0 && f_.tokens[start - 1].directive != t.directive)
      --start;
    std::string_view prev = start > 0 ? f_.str(start - 1) : std::string_view();
    m.member = prev == "." || prev == "->";
    if (sc.kind == ScopeKind::enumeration && t.directive < 0) {
      if (prev == "{" || prev == ",")
        return Role::enumerator;
      return Role::operand;
    }
    size_t next = i + 1;
    if (f_.str(next) == "<" && angle_close_[next])
      next = angle_close_[next] + 1;
    std::string_view after = f_.str(next);
    if (prev == "case" || (start > 0 && in_case(start)))
      return Role::case_label;
    bool in_function = m.function >= 0 || lambda_around(m.scope) || t.directive >= 0;
    if (after == "(" || after == "<<<") {
      if (!in_function && declares(start, next))
        return Role::declaration;
      if (in_function && start > 0 && f_.tokens[start - 1].kind == TokKind::identifier && !is_keyword(prev) && !m.member)
        return Role::declaration; // T name(args);
      if (in_function && prev == ">" && start > 1 && angle_open_before(start - 1) < start && !m.member)
        return Role::declaration; // T<U> name(args);
      if (angle_callee_[i] >= 0)
        return Role::template_argument;
      return Role::call;
    }
    if (after == "{" && in_function && !is_one(prev, {"struct", "class"}))
      return Role::construct;
    // T name …: a type in a declaration; "name" is the declared thing.
    bool next_ident = next < f_.tokens.size() && f_.tokens[next].kind == TokKind::identifier && f_.tokens[next].directive == t.directive &&
                      !is_keyword(f_.str(next)) && f_.tokens[next].line - t.line <= 1 && !m.member;
    if (angle_callee_[i] >= 0)
      return Role::template_argument;
    if (prev == "==" || prev == "!=" || after == "==" || after == "!=")
      return Role::compare;
    if (next_ident && !is_one(prev, {"goto"}))
      return Role::type_use;
    if (start > 0 && declared_here(start) && !m.member)
      return in_parameters(m) ? Role::parameter : Role::declaration;
    return use_role(i, start, m);
  }

  Role use_role(size_t i, size_t start, const Mention& m) const {
    std::string_view prev = start > 0 ? f_.str(start - 1) : std::string_view();
    if (start > 1 && (prev == "&" || prev == "*") && f_.tokens[start - 2].kind == TokKind::punct && !is_one(f_.str(start - 2), {")", "]"}))
      prev = f_.str(start - 2);
    std::string_view after = f_.str(i + 1);
    if (prev == "case")
      return Role::case_label;
    if (prev == "==" || prev == "!=" || after == "==" || after == "!=")
      return Role::compare;
    bool ternary = open_.empty() ? file_ternary_ : open_.back().ternary;
    if (prev == "?" || (prev == ":" && ternary) || (after == ":" && ternary))
      return Role::ternary;
    if (prev == "return" || prev == "co_return")
      return Role::returned;
    if (prev == "=" && start > 1)
      return f_.str(start - 2) == "]" && !open_.empty() && open_.back().bracket == '{' && initializer_around(m.scope) ? Role::element : Role::assign;
    if (!open_.empty() && open_.back().bracket == '(' && !open_.back().callee.empty())
      return Role::argument;
    if (!open_.empty() && open_.back().bracket == '{' && (prev == "{" || prev == "," || prev == "]") &&
        (initializer_around(m.scope) || o_.scopes[static_cast<size_t>(m.scope)].kind == ScopeKind::block) && (after == "," || after == "}" || after == "]"))
      return Role::element;
    if (!open_.empty() && open_.back().bracket == '[' && prev == "[")
      return Role::element; // table["name"] = …
    if (!open_.empty() && open_.back().bracket == '{' && (prev == "{" || prev == ","))
      return Role::element;
    return Role::operand;
  }

  bool initializer_around(int s) const { return s > 0 && o_.scopes[static_cast<size_t>(s)].kind == ScopeKind::initializer; }
  bool lambda_around(int s) const {
    for (; s >= 0; s = o_.scopes[static_cast<size_t>(s)].parent)
      if (o_.scopes[static_cast<size_t>(s)].kind == ScopeKind::function)
        return true;
    return false;
  }
  bool in_case(size_t start) const {
    for (size_t k = start; k-- > 0 && start - k < 6;) {
      std::string_view s = f_.str(k);
      if (s == "case")
        return true;
      if (!is_one(s, {"::", "(", ")"}) && f_.tokens[k].kind != TokKind::identifier)
        return false;
    }
    return false;
  }
  bool in_parameters(const Mention& m) const { return !open_.empty() && open_.back().bracket == '(' && !m.callee.empty(); }

  /// At file or class level, "T name(…)" followed by ; or the like: a prototype.
  bool declares(size_t start, size_t open) const {
    if (start == 0)
      return false;
    const Tok& p = f_.tokens[start - 1];
    std::string_view ps = f_.str(p);
    bool type_before = (p.kind == TokKind::identifier && !is_one(ps, {"return", "else", "case", "new"})) || is_one(ps, {"*", "&", ">", "~", "]"});
    if (!type_before)
      return false;
    size_t close = after_matching(f_, open);
    std::string_view after = f_.str(close);
    return is_one(after, {";", "const", "noexcept", "=", "->", "override", ",", "__attribute__", "final", "{", ":"}) || close >= f_.tokens.size() || f_.tokens[close].kind == TokKind::identifier;
  }

  /// "T x", "T* x", "T<U>& x": x is being declared.
  bool declared_here(size_t start) const {
    const Tok& p = f_.tokens[start - 1];
    std::string_view ps = f_.str(p);
    if (p.directive != f_.tokens[start].directive)
      return false;
    if (p.kind == TokKind::identifier)
      return !is_one(ps, {"return", "else", "case", "throw", "new", "delete", "goto", "co_return", "sizeof", "and", "or", "not", "in"});
    if (ps == ">")
      return angle_open_before(start - 1) <= start - 1;
    if (ps == "*" || ps == "&" || ps == "&&") {
      if (start < 2)
        return false;
      const Tok& q = f_.tokens[start - 2];
      std::string_view qs = f_.str(q);
      if (q.kind == TokKind::identifier && (is_one(qs, {"float", "int", "void", "char", "double", "auto", "const", "T", "half", "uint8_t", "bool"}) ||
                                            qs.ends_with("_t")))
        return true;
      if (qs == ">")
        return angle_open_before(start - 2) <= start - 2;
    }
    return false;
  }

  const LexedFile& f_;
  Outline& o_;
  const std::function<NeedleClass(std::string_view)>& wanted_;
  std::vector<int> scope_of_, arm_of_, angle_callee_;
  std::vector<size_t> angle_close_, mention_of_;
  std::vector<Open> open_, saved_;
  int32_t directive_ = -1;
  bool file_ternary_ = false;
  size_t plain_strings_ = 0;
  std::map<size_t, bool> names_;
};

} // namespace

Outline outline(const LexedFile& file, const std::function<NeedleClass(std::string_view)>& wanted) {
  Outline o;
  find_scopes(file, o);
  if (file.tokens.empty())
    return o;
  std::vector<LabelRange> labels = find_arms(file, o);
  MentionFinder(file, o, wanted).run(labels);
  return o;
}

} // namespace gelint::scan
