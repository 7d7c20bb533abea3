#include "scan/outline.h"

#include <algorithm>
#include <array>
#include <set>

namespace gelint::scan {

namespace {

bool any_of(std::string_view s, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

bool is_control(std::string_view s) {
  return any_of(s, {"if", "for", "while", "switch", "catch", "do", "else", "return", "sizeof", "alignof", "decltype", "static_assert",
                    "alignas", "noexcept", "requires", "__attribute__", "__declspec", "__launch_bounds__", "asm", "__asm__", "typeof",
                    "__asm", "defined", "co_await", "new", "delete", "throw", "case", "explicit", "layout"});
}

/// Finds scopes by matching braces. The arms of a conditional all start from the scopes that were open at the #if.
class ScopeFinder {
public:
  ScopeFinder(const LexedFile& f, Outline& o) : f_(f), o_(o) {}

  void run() {
    o_.scopes.push_back({ScopeKind::file, -1, "", "", SIZE_MAX, 0, f_.tokens.size(), 0, false});
    std::vector<int> stack{0};
    std::vector<std::vector<int>> saved;
    size_t directive = 0;
    size_t last_break = 0; // first token after the last ; { } at this level
    for (size_t i = 0; i < f_.tokens.size(); ++i) {
      const Tok& t = f_.tokens[i];
      while (directive < f_.directives.size() && f_.directives[directive].begin <= t.offset) {
        conditional(f_.directives[directive], stack, saved);
        ++directive;
      }
      if (t.directive >= 0)
        continue;
      std::string_view s = f_.str(t);
      if (t.kind != TokKind::punct)
        continue;
      if (s == "{") {
        Scope sc = describe(last_break, i, stack.back());
        sc.parent = stack.back();
        sc.begin = i;
        sc.end = f_.tokens.size();
        o_.scopes.push_back(sc);
        stack.push_back(static_cast<int>(o_.scopes.size()) - 1);
        last_break = i + 1;
      } else if (s == "}") {
        if (stack.size() > 1) {
          o_.scopes[static_cast<size_t>(stack.back())].end = i;
          stack.pop_back();
        }
        last_break = i + 1;
      } else if (s == ";") {
        last_break = i + 1;
      } else if (s == ":" && i > 0 && any_of(f_.str(i - 1), {"public", "private", "protected", "default"})) {
        last_break = i + 1;
      }
    }
    qualify();
  }

private:
  void conditional(const PpDirective& d, std::vector<int>& stack, std::vector<std::vector<int>>& saved) {
    if (d.keyword == "if" || d.keyword == "ifdef" || d.keyword == "ifndef") {
      saved.push_back(stack);
    } else if (d.keyword == "else" || d.keyword.starts_with("elif")) {
      if (!saved.empty())
        stack = saved.back();
    } else if (d.keyword == "endif") {
      if (!saved.empty())
        saved.pop_back();
    }
  }

  /// Skips a balanced template argument list backwards; `i` is at '>'. Returns the index of '<', or i when unbalanced.
  size_t back_over_angles(size_t i, size_t limit) const {
    int depth = 0;
    for (size_t k = i + 1; k-- > limit;) {
      std::string_view s = f_.str(k);
      if (s == ">")
        ++depth;
      else if (s == ">>>")
        depth += 3;
      else if (s == "<")
        --depth;
      else if (s == ";" || s == "{" || s == "}")
        return i;
      if (depth == 0)
        return k;
    }
    return i;
  }

  Scope describe(size_t from, size_t brace, int parent) const {
    Scope sc;
    sc.head = from;
    while (from < brace && f_.tokens[from].directive >= 0)
      ++from;
    ScopeKind around = o_.scopes[static_cast<size_t>(parent)].kind;
    bool in_function = around == ScopeKind::function || around == ScopeKind::block;
    size_t first = from;
    // A lambda: "] {", "](…) {", "](…) mutable -> T {". Looked for anywhere, since it ends an expression.
    if (lambda_before(brace, from)) {
      sc.kind = ScopeKind::function;
      sc.lambda = true;
      sc.name = "(lambda)";
      return sc;
    }
    std::string_view head = f_.str(first);
    if (head == "extern" && first + 1 < brace && f_.tokens[first + 1].kind == TokKind::string && first + 2 == brace) {
      sc.kind = ScopeKind::name_space;
      return sc;
    }
    size_t k = first;
    while (k < brace && any_of(f_.str(k), {"inline", "static", "typedef", "export", "template", "const", "constexpr", "friend"})) {
      if (f_.str(k) == "template" && k + 1 < brace && f_.str(k + 1) == "<")
        k = std::min(brace, skip_angles(k + 1, brace));
      else
        ++k;
    }
    if (k < brace && f_.str(k) == "requires")
      while (k < brace && !any_of(f_.str(k), {"struct", "class"}))
        ++k;
    head = f_.str(k);
    if (head == "namespace") {
      sc.kind = ScopeKind::name_space;
      for (size_t i = k + 1; i < brace; ++i)
        if (f_.tokens[i].kind == TokKind::identifier)
          sc.name += (sc.name.empty() ? "" : "::") + std::string(f_.str(i));
      return sc;
    }
    if (head == "enum") {
      sc.kind = ScopeKind::enumeration;
      size_t i = k + 1;
      if (any_of(f_.str(i), {"class", "struct"}))
        ++i;
      if (i < brace && f_.tokens[i].kind == TokKind::identifier) {
        sc.name = f_.str(i);
        sc.name_tok = i;
      }
      return sc;
    }
    if (any_of(head, {"struct", "class", "union"}) && !has_function_parens(k, brace)) {
      sc.kind = ScopeKind::type;
      for (size_t i = k + 1; i < brace; ++i) {
        std::string_view s = f_.str(i);
        if (any_of(s, {"alignas", "__align__", "__attribute__"}) && f_.str(i + 1) == "(") {
          i = after_matching(f_, i + 1) - 1;
          continue;
        }
        if (s == ":" || s == "<")
          break;
        if (f_.tokens[i].kind == TokKind::identifier && s != "final") {
          sc.name = s;
          sc.name_tok = i;
        }
      }
      return sc;
    }
    // map<string, float (*)(float)> t = {…}: the parentheses are of a type
    const bool initialised = brace > first + 1 && f_.str(brace - 1) == "=" && f_.tokens[brace - 2].kind == TokKind::identifier && f_.str(brace - 3) == ">";
    size_t name = initialised ? SIZE_MAX : function_name(first, brace);
    if (name != SIZE_MAX && !in_function) {
      sc.kind = ScopeKind::function;
      sc.name_tok = name;
      sc.name = f_.str(name);
      if (sc.name == "operator")
        for (size_t i = name + 1; i < brace && f_.str(i) != "("; ++i)
          sc.name += f_.str(i);
      else if (name > 0 && f_.str(name - 1) == "~")
        sc.name = "~" + sc.name;
      sc.qualified = scopes_written_before(name, first);
      return sc;
    }
    bool initializer = brace > first && (any_of(f_.str(brace - 1), {"=", ",", "(", "{", "return", "]"}) || (!in_function && contains(first, brace, "=")));
    if (brace == first && (around == ScopeKind::initializer))
      initializer = true;
    // "static std::map<std::string, Op> ops{": a declared name whose value follows without "="
    bool declared = !initializer && brace > first + 1 && value_in_braces(first, brace);
    initializer = initializer || declared;
    if (declared) {
      sc.name = f_.str(brace - 1);
      sc.name_tok = brace - 1;
    }
    sc.kind = initializer ? ScopeKind::initializer : ScopeKind::block;
    if (initializer && !declared)
      for (size_t i = first; i < brace; ++i)
        if (f_.str(i) == "=") {
          size_t n = i;
          while (n > first && (f_.str(n - 1) == "]" || f_.str(n - 1) == "[" || f_.tokens[n - 1].kind == TokKind::number ||
                               (n >= 2 && f_.str(n) == "]" ) || (n + 1 < brace && f_.str(n) == "]")))
            --n;
          while (n > first && f_.str(n - 1) != "[" && f_.tokens[n - 1].kind != TokKind::identifier)
            --n;
          if (n > first && f_.tokens[n - 1].kind == TokKind::identifier) {
            sc.name = f_.str(n - 1);
            sc.name_tok = n - 1;
            // T name[COUNT] = {: the name stands before the bracket
            if (n < brace && f_.str(n) == "]")
              for (size_t b = n; b-- > first;)
                if (f_.str(b) == "[" && b > first) {
                  sc.name = f_.str(b - 1);
                  sc.name_tok = b - 1;
                  break;
                }
          }
          break;
        }
    return sc;
  }

  /// "T name {" with values inside and nothing that ends a statement.
  bool value_in_braces(size_t first, size_t brace) const {
    const Tok& name = f_.tokens[brace - 1];
    if (name.kind != TokKind::identifier || is_control(f_.str(name)) || after_parameters(f_.str(name)))
      return false;
    const Tok& type = f_.tokens[brace - 2];
    bool typed = (type.kind == TokKind::identifier && !is_control(f_.str(type))) || any_of(f_.str(type), {">", "*", "&"});
    if (!typed || any_of(f_.str(first), {"buffer", "uniform", "cbuffer", "layout", "interface", "shared", "in", "out"}))
      return false;
    size_t close = after_matching(f_, brace);
    int depth = 0;
    for (size_t i = brace; i + 1 < close; ++i) {
      std::string_view s = f_.str(i);
      depth += s == "{" ? 1 : s == "}" ? -1 : 0;
      if (s == ";" && depth == 1)
        return false;
    }
    return any_of(f_.str(close), {";", ","});
  }

  bool contains(size_t a, size_t b, std::string_view s) const {
    for (size_t i = a; i < b; ++i)
      if (f_.str(i) == s)
        return true;
    return false;
  }

  size_t skip_angles(size_t i, size_t limit) const {
    int depth = 0;
    for (; i < limit; ++i) {
      std::string_view s = f_.str(i);
      if (s == "<")
        ++depth;
      else if (s == "<<<")
        depth += 3;
      else if (s == ">")
        --depth;
      else if (s == ">>>")
        depth -= 3;
      if (depth <= 0)
        return i + 1;
    }
    return limit;
  }

  bool lambda_before(size_t brace, size_t from) const {
    size_t i = brace;
    int guard = 0;
    while (i > from && ++guard < 48) {
      std::string_view s = f_.str(i - 1);
      if (s == ")") {
        // over the parameter list
        int depth = 0;
        size_t k = i;
        while (k > from) {
          std::string_view p = f_.str(k - 1);
          if (p == ")")
            ++depth;
          else if (p == "(")
            --depth;
          --k;
          if (depth == 0)
            break;
        }
        if (k > from && f_.str(k - 1) == "]")
          return capture(k - 1, from);
        if (k > from && any_of(f_.str(k - 1), {"__attribute__", "noexcept", "sycl"})) {
          i = k - 1;
          continue;
        }
        return false;
      }
      if (s == "]") {
        if (i >= 2 && i == brace)
          return capture(i - 1, from);
        // [[attribute]] after the parameters
        size_t k = i - 1;
        while (k > from && f_.str(k - 1) != "[[")
          --k;
        if (k <= from)
          return false;
        i = k - 1;
        continue;
      }
      bool part_of_type = f_.tokens[i - 1].kind == TokKind::identifier || any_of(s, {"->", "::", "<", ">", "*", "&", ",", "&&"});
      if (!part_of_type || is_control(s))
        return false;
      --i;
    }
    return false;
  }

  /// ']' at `close`: a lambda's capture list, not an index or an array's size.
  bool capture(size_t close, size_t from) const {
    int depth = 0;
    for (size_t k = close + 1; k-- > from;) {
      std::string_view s = f_.str(k);
      if (s == "]")
        ++depth;
      else if (s == "[")
        --depth;
      if (depth == 0) {
        if (k == from)
          return true;
        const Tok& p = f_.tokens[k - 1];
        std::string_view ps = f_.str(p);
        if (p.kind == TokKind::identifier)
          return any_of(ps, {"return", "co_return"});
        return ps != "]" && ps != ")";
      }
    }
    return false;
  }

  bool has_function_parens(size_t a, size_t b) const {
    for (size_t i = a; i < b; ++i) {
      if (f_.str(i) == ":")
        return false;
      if (f_.str(i) == "(" && i > a && f_.tokens[i - 1].kind == TokKind::identifier && !is_control(f_.str(i - 1)) && f_.str(i - 1) != "__align__")
        return true;
    }
    return false;
  }

  /// The token that names the function whose body opens at `brace`; SIZE_MAX when it is no function.
  size_t function_name(size_t first, size_t brace) const {
    size_t end = brace;
    for (size_t i = first; i < end; ++i) {
      std::string_view s = f_.str(i);
      if (f_.tokens[i].directive >= 0)
        continue;
      if (s == "=" && !(i > first && f_.str(i - 1) == "operator"))
        return SIZE_MAX;
      if (s == "template" && i + 1 < end && f_.str(i + 1) == "<") {
        i = skip_angles(i + 1, end) - 1;
        continue;
      }
      if (s == "operator") {
        // operator()( …, operator+( …
        size_t k = i + 1;
        if (f_.str(k) == "(" && f_.str(k + 1) == ")")
          k += 2;
        while (k < end && f_.str(k) != "(")
          ++k;
        return k < end ? i : SIZE_MAX;
      }
      if (s != "(" || i == first)
        continue;
      size_t n = i - 1;
      std::string_view prev = f_.str(n);
      if (is_control(prev) || (prev.starts_with("__") && prev.ends_with("__"))) {
        if (any_of(prev, {"if", "for", "while", "switch", "catch", "return", "do", "else"}))
          return SIZE_MAX;
        i = after_matching(f_, i) - 1;
        continue;
      }
      if (prev == ">") {
        size_t lt = back_over_angles(n, first);
        if (lt == n || lt == first)
          return SIZE_MAX;
        n = lt - 1;
        prev = f_.str(n);
      }
      if (f_.tokens[n].kind != TokKind::identifier)
        return SIZE_MAX;
      size_t close = after_matching(f_, i);
      // ATTRIBUTE(…) name(…) {: the last parenthesised name before the body or its qualifiers
      if (close < end && f_.tokens[close].kind == TokKind::identifier && !after_parameters(f_.str(close))) {
        bool more = false;
        for (size_t k = close; k < end; ++k)
          if (f_.str(k) == "(")
            more = true;
        if (more) {
          i = close - 1;
          continue;
        }
      }
      return n;
    }
    return SIZE_MAX;
  }

  static bool after_parameters(std::string_view s) {
    return any_of(s, {"const", "noexcept", "override", "final", "mutable", "volatile", "try", "requires", "throw", "HWY_ATTR", "restrict"});
  }

  std::string scopes_written_before(size_t name, size_t first) const {
    std::string out;
    size_t i = name;
    if (i > first && f_.str(i - 1) == "~")
      --i;
    while (i > first + 1 && f_.str(i - 1) == "::") {
      size_t p = i - 2;
      if (f_.str(p) == ">") {
        size_t lt = back_over_angles(p, first);
        if (lt == p || lt == first)
          break;
        p = lt - 1;
      }
      if (f_.tokens[p].kind != TokKind::identifier)
        break;
      out = std::string(f_.str(p)) + (out.empty() ? "" : "::" + out);
      i = p;
    }
    return out;
  }

  void qualify() {
    for (Scope& s : o_.scopes) {
      if (s.parent < 0)
        continue;
      const std::string& outer = o_.scopes[static_cast<size_t>(s.parent)].qualified;
      std::string own = s.qualified.empty() ? s.name : s.qualified + "::" + s.name;
      bool named = s.kind != ScopeKind::block && s.kind != ScopeKind::initializer && !s.lambda;
      s.qualified = !named || own.empty() ? outer : outer.empty() ? own : outer + "::" + own;
    }
  }

  const LexedFile& f_;
  Outline& o_;
};

} // namespace

size_t after_matching(const LexedFile& f, size_t open) {
  std::string_view o = f.str(open);
  std::string_view c = o == "(" ? ")" : o == "[" ? "]" : o == "{" ? "}" : ">";
  int depth = 0;
  int32_t directive = f.tokens[open].directive;
  for (size_t i = open; i < f.tokens.size(); ++i) {
    if (f.tokens[i].directive != directive)
      continue;
    std::string_view s = f.str(i);
    if (s == o)
      ++depth;
    else if (s == c && --depth == 0)
      return i + 1;
  }
  return f.tokens.size();
}

void find_scopes(const LexedFile& f, Outline& o) { ScopeFinder(f, o).run(); }

std::string Outline::enclosing(const Mention& m) const {
  int lambdas = 0;
  for (int s = m.scope; s >= 0; s = scopes[static_cast<size_t>(s)].parent) {
    const Scope& sc = scopes[static_cast<size_t>(s)];
    if (sc.lambda)
      ++lambdas;
    else if (sc.kind == ScopeKind::function || ((sc.kind == ScopeKind::type || sc.kind == ScopeKind::enumeration) && !sc.name.empty()))
      return sc.qualified + (lambdas ? "::(lambda)" : "");
  }
  return lambdas ? "(lambda)" : "";
}

} // namespace gelint::scan
