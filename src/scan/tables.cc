// Tables from an activation's name to what computes it: initialisers, maps, if-chains, switches.

#include "scan/config_keys.h"
#include "scan/emit.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace gelint::scan {

using formula::Formula;

namespace {

bool names_activation(std::string_view s) {
  static constexpr std::array<std::string_view, 6> plain = {"linear", "identity", "none", "tanh", "sigmoid", "mish"};
  if (std::find(plain.begin(), plain.end(), s) != plain.end())
    return true;
  Claim c = claim_of(s);
  return (c.gelu_family || c.formula.has_value()) && s.find(' ') == std::string_view::npos && !c.gradient;
}

/// A name of an activation as a config spells it, not of a kernel or a file.
bool config_like(std::string_view s) {
  return names_activation(s) && s.find('.') == std::string_view::npos && !s.starts_with("kernel") && !s.ends_with("_f32") && !s.ends_with("_f16") && !s.starts_with("-");
}

constexpr size_t k_longest_fallback = 80; // tokens

class TableFinder {
public:
  explicit TableFinder(Knowledge& k) : k_(k) {}

  std::vector<NameTable> run() {
    from_rows();
    from_chains();
    std::sort(out_.begin(), out_.end(), [](const NameTable& a, const NameTable& b) {
      return std::tie(a.place.path, a.place.line, a.place.column) < std::tie(b.place.path, b.place.line, b.place.column);
    });
    for (NameTable& t : out_)
      t.id = fmt::format("{}:{}", t.place.path, t.symbol);
    return std::move(out_);
  }

private:
  Tier tier_of(const FileModel& f) const { return !f.parsed ? Tier::lexical : f.has_command ? Tier::ast : Tier::stub; }

  TableEntry entry(int file, size_t key, const std::vector<size_t>& values) {
    const FileModel& f = k_.files()[static_cast<size_t>(file)];
    TableEntry e;
    e.name = f.outline.mentions[key].name;
    e.place = k_.place_of(file, f.outline.mentions[key]);
    for (size_t v : values) {
      const Mention& m = f.outline.mentions[v];
      if (m.is_string)
        continue;
      Value x = k_.of_mention(file, v);
      if (e.target.empty() || (x.known() && e.formula == Formula::unknown)) {
        e.target = m.qualified.empty() ? m.name : m.qualified;
        e.formula = x.formula;
      }
    }
    return e;
  }

  void from_rows() {
    std::map<std::pair<int, int>, std::vector<const RowModel*>> by_scope;
    for (const RowModel& r : k_.rows())
      by_scope[{r.file, r.scope}].push_back(&r);
    for (const auto& [where, rows] : by_scope) {
      const FileModel& f = k_.files()[static_cast<size_t>(where.first)];
      const Scope& s = f.outline.scopes[static_cast<size_t>(where.second)];
      NameTable t;
      size_t named = 0;
      for (const RowModel* r : rows) {
        if (r->key != SIZE_MAX && f.outline.mentions[r->key].is_string && config_like(f.outline.mentions[r->key].name) && !r->values.empty()) {
          TableEntry e = entry(where.first, r->key, r->values);
          if (!e.target.empty())
            t.entries.push_back(std::move(e));
        } else if (r->key != SIZE_MAX && !f.outline.mentions[r->key].is_string) {
          // [OP_GELU] = "gelu", {OP_GELU, "gelu"}
          for (size_t v : r->values)
            if (f.outline.mentions[v].is_string && config_like(f.outline.mentions[v].name)) {
              TableEntry e = entry(where.first, v, {r->key});
              t.entries.push_back(std::move(e));
              break;
            }
        }
        named += r->key != SIZE_MAX;
      }
      size_t known = static_cast<size_t>(std::count_if(t.entries.begin(), t.entries.end(), [](const TableEntry& e) { return e.formula != Formula::unknown; }));
      if (t.entries.size() < 2 || known == 0)
        continue;
      t.symbol = s.name.empty() ? "(unnamed)" : s.name;
      const Tok& tok = f.lex.tokens[s.name_tok == SIZE_MAX ? s.begin : s.name_tok];
      t.place = {f.path, static_cast<int>(tok.line), static_cast<int>(tok.column)};
      Mention at;
      at.scope = s.parent;
      t.enclosing = f.outline.enclosing(at);
      t.tier = tier_of(f);
      lookup_fallback(where.first, t);
      looked_up(where.first, t);
      out_.push_back(std::move(t));
    }
  }

  /// Where the table is searched: "it == table.end() ? X", or a return or throw after the search.
  void lookup_fallback(int file, NameTable& t) {
    const FileModel& f = k_.files()[static_cast<size_t>(file)];
    const auto& tok = f.lex.tokens;
    for (size_t i = 0; i + 3 < tok.size(); ++i) {
      if (f.lex.str(i) == t.symbol && i > 0 && f.lex.str(i - 1) == ":" && f.lex.str(i + 1) == ")") {
        // for (entry : table) …; what follows the loop is for a name that is in no entry
        size_t after = f.lex.str(i + 2) == "{" ? after_matching(f.lex, i + 2) : i + 2;
        int fn = -1;
        for (size_t s = 0; s < f.outline.scopes.size(); ++s)
          if (f.outline.scopes[s].kind == ScopeKind::function && f.outline.scopes[s].begin < i && i < f.outline.scopes[s].end)
            fn = static_cast<int>(s);
        after_chain(file, after, fn < 0 ? nullptr : &f.outline.scopes[static_cast<size_t>(fn)], t);
        if (t.fallback_kind != FallbackKind::none_found)
          return;
        continue;
      }
      if (f.lex.str(i) != t.symbol || (f.lex.str(i + 1) != "." && f.lex.str(i + 1) != "->"))
        continue;
      if (f.lex.str(i + 2) == "at") {
        t.fallback_kind = FallbackKind::error;
        t.fallback_place = Place{f.path, static_cast<int>(tok[i].line), static_cast<int>(tok[i].column)};
        return;
      }
      if (f.lex.str(i + 2) != "find" && f.lex.str(i + 2) != "end" && f.lex.str(i + 2) != "count" && f.lex.str(i + 2) != "contains")
        continue;
      // within the function: a throw means an error; a plain return or a ternary gives the fallback
      for (size_t j = i; j < std::min(tok.size(), i + 90); ++j) {
        std::string_view s = f.lex.str(j);
        if (tok[j].kind == TokKind::identifier && refuses(s)) {
          t.fallback_kind = FallbackKind::error;
          t.fallback_place = Place{f.path, static_cast<int>(tok[j].line), static_cast<int>(tok[j].column)};
          return;
        }
        if (s == "return" || s == "?" || s == ":" || s == "else") {
          for (size_t m = 0; m < f.outline.mentions.size(); ++m) {
            const Mention& x = f.outline.mentions[m];
            if (x.offset < tok[j].offset)
              continue;
            if (x.line > tok[j].line + 1)
              break;
            if (x.is_string)
              continue;
            Value v = k_.of_mention(file, m);
            if (!v.known() && !k_.is_enumerator(file, x))
              continue;
            t.fallback_kind = FallbackKind::silent;
            t.fallback = v.formula;
            t.fallback_place = k_.place_of(file, x);
            return;
          }
        }
      }
    }
  }

  /// The function that searches the table tells the key.
  void looked_up(int file, NameTable& t) {
    const FileModel& f = k_.files()[static_cast<size_t>(file)];
    for (const Scope& s : f.outline.scopes) {
      if (s.kind != ScopeKind::function || s.lambda)
        continue;
      for (size_t i = s.begin; i < std::min(s.end, f.lex.tokens.size()); ++i)
        if (f.lex.str(i) == t.symbol && i + 1 < s.end) {
          std::string subject;
          for (size_t j = i; j < std::min(s.end, i + 12) && subject.empty(); ++j)
            if ((f.lex.str(j) == "(" || f.lex.str(j) == "[") && f.lex.tokens[j + 1].kind == TokKind::identifier)
              subject = f.lex.str(j + 1);
          find_key(k_, file, &s, subject, t);
          if (!t.config_key.empty())
            return;
          break;
        }
    }
  }

  void from_chains() {
    for (size_t fi = 0; fi < k_.files().size(); ++fi) {
      const FileModel& f = k_.files()[fi];
      std::map<int, std::vector<size_t>> chains;
      for (size_t a = 0; a < f.outline.arms.size(); ++a)
        chains[f.outline.arms[a].chain].push_back(a);
      for (const auto& [chain, arms] : chains) {
        NameTable t;
        size_t last = 0;
        std::string subject;
        for (size_t a : arms) {
          const DispatchArm& arm = f.outline.arms[a];
          last = std::max(last, arm.end);
          if (arm.fallback && arm.labels.empty()) {
            fallback_from(static_cast<int>(fi), a, t);
            continue;
          }
          for (size_t l : arm.labels) {
            const Mention& m = f.outline.mentions[l];
            if (!m.is_string || !config_like(m.name))
              continue;
            TableEntry e;
            e.name = m.name;
            e.place = k_.place_of(static_cast<int>(fi), m);
            Value v = k_.of_arm(static_cast<int>(fi), a);
            e.formula = v.formula;
            e.target = target_of(static_cast<int>(fi), arm);
            if (subject.empty())
              subject = arm.subject;
            t.entries.push_back(std::move(e));
          }
        }
        size_t known = static_cast<size_t>(std::count_if(t.entries.begin(), t.entries.end(), [](const TableEntry& e) { return e.formula != Formula::unknown; }));
        if (t.entries.empty() || known == 0)
          continue;
        const DispatchArm& first = f.outline.arms[arms[0]];
        const Scope* fn = first.function >= 0 ? &f.outline.scopes[static_cast<size_t>(first.function)] : nullptr;
        t.symbol = fn ? fn->name : "(unnamed)";
        t.enclosing = fn ? fn->qualified : std::string();
        t.place = t.entries[0].place;
        t.tier = tier_of(f);
        // What follows is for the other names alone when no arm comes out.
        bool all_leave = std::all_of(arms.begin(), arms.end(), [&](size_t a) { return leaves(f, f.outline.arms[a]); });
        if (t.fallback_kind == FallbackKind::none_found && all_leave)
          after_chain(static_cast<int>(fi), last, fn, t);
        find_key(k_, static_cast<int>(fi), fn, subject, t);
        out_.push_back(std::move(t));
      }
    }
  }

  std::string target_of(int file, const DispatchArm& arm) {
    const FileModel& f = k_.files()[static_cast<size_t>(file)];
    for (size_t m = 0; m < f.outline.mentions.size(); ++m) {
      const Mention& x = f.outline.mentions[m];
      if (arm.begin >= f.lex.tokens.size() || x.offset < f.lex.tokens[arm.begin].offset || x.is_string)
        continue;
      if (arm.end == 0 || x.offset > f.lex.tokens[std::min(arm.end, f.lex.tokens.size()) - 1].offset)
        break;
      if (k_.is_enumerator(file, x) || k_.of_mention(file, m).known())
        return x.qualified.empty() ? x.name : x.qualified;
    }
    return {};
  }

  static bool leaves(const FileModel& f, const DispatchArm& arm) {
    for (size_t i = arm.begin; i < std::min(arm.end, f.lex.tokens.size()); ++i)
      if (std::string_view s = f.lex.str(i); s == "return" || s == "throw" || s == "co_return" || s == "?")
        return true;
    return arm.begin > 0 && (f.lex.str(arm.begin - 1) == "?" || f.lex.str(arm.begin - 1) == ":");
  }

  /// The name of what ends the run or reports a fault: assert, MNN_ASSERT, LOG_FATAL, TORCH_CHECK, unreachable.
  static bool refuses(std::string_view name) {
    const bool macro = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    for (const std::string& w : words_of(name)) {
      for (std::string_view r : {"throw", "abort", "exit", "assert", "fatal", "die", "panic", "unreachable", "unsupported", "unimplemented", "error", "raise"})
        if (w == r)
          return true;
      if (macro && w == "check") // TORCH_CHECK
        return true;
    }
    return false;
  }

  bool stops(int file, size_t begin, size_t end, NameTable& t) {
    const FileModel& f = k_.files()[static_cast<size_t>(file)];
    for (size_t i = begin; i < std::min(end, f.lex.tokens.size()); ++i) {
      std::string_view s = f.lex.str(i);
      if (f.lex.tokens[i].kind == TokKind::identifier && refuses(s)) {
        t.fallback_kind = FallbackKind::error;
        t.fallback_place = Place{f.path, static_cast<int>(f.lex.tokens[i].line), static_cast<int>(f.lex.tokens[i].column)};
        return true;
      }
    }
    return false;
  }

  void fallback_from(int file, size_t a, NameTable& t) {
    const FileModel& f = k_.files()[static_cast<size_t>(file)];
    const DispatchArm& arm = f.outline.arms[a];
    if (stops(file, arm.begin, arm.end, t))
      return;
    Value v = k_.of_arm(file, a);
    // A formula that is set or handed back; a longer arm does other work.
    if (!v.known() || arm.end - arm.begin > k_longest_fallback)
      return;
    t.fallback_kind = FallbackKind::silent;
    t.fallback = v.formula;
    t.fallback_place = Place{f.path, static_cast<int>(f.lex.tokens[arm.begin].line), static_cast<int>(f.lex.tokens[arm.begin].column)};
  }

  /// "if (…) return a; if (…) return b; return c;"
  void after_chain(int file, size_t at, const Scope* fn, NameTable& t) {
    const FileModel& f = k_.files()[static_cast<size_t>(file)];
    size_t end = at;
    while (end < f.lex.tokens.size() && f.lex.str(end) != ";" && (!fn || end < fn->end))
      ++end;
    if (end == at || (fn && end >= fn->end) || stops(file, at, end, t))
      return;
    if (f.lex.str(at) == "if" || f.lex.str(at) == "for" || f.lex.str(at) == "while" || f.lex.str(at) == "switch")
      return;
    for (size_t m = 0; m < f.outline.mentions.size(); ++m) {
      const Mention& x = f.outline.mentions[m];
      if (x.offset < f.lex.tokens[at].offset || x.is_string)
        continue;
      if (x.offset > f.lex.tokens[std::min(end, f.lex.tokens.size() - 1)].offset)
        break;
      Value v = k_.of_mention(file, m);
      if (!v.known())
        continue;
      t.fallback_kind = FallbackKind::silent;
      t.fallback = v.formula;
      t.fallback_place = k_.place_of(file, x);
      return;
    }
  }

  Knowledge& k_;
  std::vector<NameTable> out_;
};

} // namespace

std::vector<NameTable> name_tables(Knowledge& k) { return TableFinder(k).run(); }

std::vector<InlineWaiver> inline_waivers(const FileModel& f) {
  std::vector<InlineWaiver> out;
  for (const Comment& c : f.lex.comments) {
    std::string_view s = f.lex.text.substr(c.offset, c.length);
    size_t at = s.find("gelint: ignore");
    if (at == std::string_view::npos)
      continue;
    InlineWaiver w;
    size_t nl = f.lex.text.rfind('\n', c.offset);
    size_t column = c.offset - (nl == std::string_view::npos ? 0 : nl + 1);
    w.place = {f.path, static_cast<int>(c.line), static_cast<int>(column + 1)};
    std::string_view rest = s.substr(at + 14);
    if (rest.starts_with("[")) {
      size_t close = rest.find(']');
      std::string id;
      for (char ch : rest.substr(1, close == std::string_view::npos ? close : close - 1)) {
        if (ch == ',' || ch == ' ') {
          if (!id.empty())
            w.rules.push_back(id);
          id.clear();
        } else {
          id += ch;
        }
      }
      if (!id.empty())
        w.rules.push_back(id);
      rest = close == std::string_view::npos ? std::string_view() : rest.substr(close + 1);
    }
    size_t b = rest.find_first_not_of(" \t:"), e = rest.find_last_not_of(" \t\r\n*/");
    if (b != std::string_view::npos && e != std::string_view::npos && e >= b)
      w.reason = rest.substr(b, e - b + 1);
    // alone on its line: it is about the next line
    std::string_view before = f.lex.text.substr(nl == std::string_view::npos ? 0 : nl + 1, column);
    bool alone = before.find_first_not_of(" \t") == std::string_view::npos;
    w.applies_to_line = static_cast<int>(c.line) + (alone ? 1 : 0);
    out.push_back(std::move(w));
  }
  return out;
}

std::vector<CallEdge> call_edges(Knowledge& k) {
  std::vector<CallEdge> out;
  for (size_t fi = 0; fi < k.files().size(); ++fi) {
    const FileModel& f = k.files()[fi];
    for (size_t mi = 0; mi < f.outline.mentions.size(); ++mi) {
      const Mention& m = f.outline.mentions[mi];
      if (m.is_string || (m.role != Role::call && m.role != Role::construct && m.role != Role::template_argument && m.role != Role::argument) ||
          is_math_word(m.name))
        continue;
      auto r = f.refs.find(m.offset);
      bool in_tree = k.is_function_name(m.name);
      if (!in_tree && m.needle != NeedleClass::gelu)
        continue;
      std::string caller = f.outline.enclosing(m);
      if (size_t l = caller.find("::(lambda)"); l != std::string::npos)
        caller.resize(l);
      if (caller.empty())
        continue;
      std::string callee = r != f.refs.end() && r->second->kind == TargetKind::function && !r->second->qualified.empty()
                               ? r->second->qualified : m.qualified.empty() ? m.name : m.qualified;
      out.push_back({caller, callee, k.place_of(static_cast<int>(fi), m)});
    }
  }
  auto key = [](const CallEdge& e) { return std::tie(e.caller, e.callee, e.place.path, e.place.line, e.place.column); };
  std::sort(out.begin(), out.end(), [&](const CallEdge& a, const CallEdge& b) { return key(a) < key(b); });
  out.erase(std::unique(out.begin(), out.end(), [&](const CallEdge& a, const CallEdge& b) { return key(a) == key(b); }), out.end());
  return out;
}

} // namespace gelint::scan
