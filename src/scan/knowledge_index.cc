// What the outlines of all files hold, by name: functions, labels of arms, rows of initialisers, assignments.

#include "scan/knowledge.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gelint::scan {

using formula::Formula;

void Knowledge::index_functions() {
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    FileModel& f = files_[fi];
    std::string_view stem = f.path;
    stem = stem.substr(stem.rfind('/') == std::string_view::npos ? 0 : stem.rfind('/') + 1);
    const std::string words = f.language == Language::shader ? link_words(stem.substr(0, stem.find('.'))) : std::string();
    for (size_t si = 0; si < f.outline.scopes.size(); ++si) {
      const Scope& s = f.outline.scopes[si];
      if (s.kind != ScopeKind::function && s.kind != ScopeKind::type)
        continue;
      FunctionModel fn;
      fn.file = static_cast<int>(fi);
      fn.scope = static_cast<int>(si);
      fn.is_type = s.kind == ScopeKind::type;
      fn.is_lambda = s.lambda;
      fn.name = s.name;
      fn.qualified = s.qualified;
      size_t tok = s.name_tok;
      if (s.lambda) {
        // "name = [capture](…) {": the variable names it
        size_t k = s.begin;
        while (k > s.head && f.lex.str(k) != "=")
          --k;
        tok = s.begin;
        if (k > s.head && f.lex.tokens[k - 1].kind == TokKind::identifier) {
          fn.name = f.lex.str(k - 1);
          tok = k - 1;
        } else {
          while (tok > s.head && f.lex.str(tok) != "[")
            --tok;
        }
        fn.qualified = fn.name;
      }
      if (tok == SIZE_MAX || tok >= f.lex.tokens.size())
        continue;
      fn.line = static_cast<int>(f.lex.tokens[tok].line);
      fn.column = static_cast<int>(f.lex.tokens[tok].column);
      fn.active = f.is_active(f.lex.tokens[tok].offset, f.lex.tokens[tok].arm);
      uint32_t begin = f.lex.tokens[s.begin].offset;
      uint32_t end = s.end < f.lex.tokens.size() ? f.lex.tokens[s.end].offset : static_cast<uint32_t>(f.lex.text.size());
      std::tie(fn.first, fn.last) = mention_range(fn.file, begin, end);
      int index = static_cast<int>(functions_.size());
      f.functions.push_back(index);
      by_name_[fn.name].push_back(index);
      by_words_[link_words(fn.name)].push_back(index);
      by_core_[core_words(fn.name)].push_back(index);
      if (!words.empty())
        by_stem_[words].push_back(index);
      // "#ifdef OP_GEGLU … fn op(…)": the macro selects the definition
      if (f.language == Language::shader)
        for (int32_t a = f.lex.tokens[tok].arm; a >= 0; a = f.lex.arms[static_cast<size_t>(a)].parent)
          for (const PpDirective& d : f.lex.directives)
            if (d.begin == f.lex.arms[static_cast<size_t>(a)].begin) {
              std::string_view line = f.lex.text.substr(d.begin, d.end - d.begin);
              size_t e = line.find_last_not_of(" \t\r\n)");
              size_t b = e == std::string_view::npos ? 0 : line.find_last_of(" \t(", e);
              if (e != std::string_view::npos && b != std::string_view::npos)
                by_condition_[std::string(line.substr(b + 1, e - b))].push_back(index);
            }
      functions_.push_back(std::move(fn));
    }
  }
}

/// "namespace ft = engine;". One that stands for several in the tree says nothing.
void Knowledge::index_aliases() {
  for (const FileModel& f : files_) {
    const auto& tokens = f.lex.tokens;
    for (size_t i = 0; i + 4 < tokens.size(); ++i) {
      if (f.lex.str(i) != "namespace" || f.lex.str(i + 2) != "=" || tokens[i].directive >= 0)
        continue;
      std::string target;
      for (size_t k = i + 3; k < tokens.size() && k < i + 16 && f.lex.str(k) != ";"; ++k)
        target += f.lex.str(k);
      auto [it, fresh] = namespace_aliases_.emplace(std::string(f.lex.str(i + 1)), target);
      if (!fresh && it->second != target)
        it->second.clear();
    }
  }
}

void Knowledge::index_labels() {
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    const FileModel& f = files_[fi];
    for (const Enumerator& e : f.outline.enumerators) {
      enumerators_.insert(e.name);
      std::string enumeration = e.enumeration.substr(e.enumeration.rfind("::") == std::string::npos ? 0 : e.enumeration.rfind("::") + 2);
      enumerations_[e.name].insert(enumeration);
      if (!enumeration.empty() && claim_of(e.name).gelu_family)
        activation_enumerations_.insert(std::move(enumeration));
    }
    for (const PpDirective& d : f.lex.directives) {
      if (d.keyword != "define" || d.name.empty())
        continue;
      if (d.function_like) {
        macro_functions_.insert(std::string(d.name));
        macro_definitions_[std::string(d.name)].emplace_back(static_cast<int>(fi), static_cast<size_t>(&d - f.lex.directives.data()));
        continue;
      }
      // "#define OP_GELU 103" is an enumerator in all but name
      size_t tok = token_at(static_cast<int>(fi), static_cast<uint32_t>(d.name.data() - f.lex.text.data()));
      if (tok + 1 < f.lex.tokens.size() && f.lex.tokens[tok + 1].kind == TokKind::number &&
          f.lex.tokens[tok + 1].directive == f.lex.tokens[tok].directive && f.lex.str(tok + 1).find('.') == std::string_view::npos)
        enumerators_.insert(std::string(d.name));
    }
    for (size_t ai = 0; ai < f.outline.arms.size(); ++ai)
      for (size_t l : f.outline.arms[ai].labels) {
        const Mention& m = f.outline.mentions[l];
        if (!m.is_string && !is_template_parameter(static_cast<int>(fi), m))
          labels_[m.name].push_back({static_cast<int>(fi), ai, SIZE_MAX, l});
        if (m.role == Role::case_label)
          enumerators_.insert(m.name);
      }
  }
  // "template <> float act<Act::gelu>(float x) {…}": a specialisation is an arm of its own.
  for (size_t fn = 0; fn < functions_.size(); ++fn) {
    const FunctionModel& g = functions_[fn];
    const FileModel& f = files_[static_cast<size_t>(g.file)];
    const Scope& s = f.outline.scopes[static_cast<size_t>(g.scope)];
    if (g.is_type || g.is_lambda || s.name_tok == SIZE_MAX || f.lex.str(s.name_tok + 1) != "<")
      continue;
    size_t open = s.name_tok + 1;
    while (open < s.begin && f.lex.str(open) != "(")
      ++open;
    auto [first, last] = mention_range(g.file, f.lex.tokens[s.name_tok].offset + 1, f.lex.tokens[open].offset);
    for (size_t m = first; m < last; ++m)
      if (const Mention& x = f.outline.mentions[m]; !x.is_string && enumerators_.count(x.name))
        labels_[x.name].push_back({g.file, SIZE_MAX, SIZE_MAX, m, static_cast<int>(fn)});
  }
  index_quantities();
  // "T table[E_COUNT] = {a, b}": entry i belongs to the i-th enumerator of the enumeration that E_COUNT ends.
  std::map<std::string, std::pair<size_t, std::string>> place_of; // enumerator → file, enumeration
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    std::map<std::string, size_t> sizes;
    for (const Enumerator& e : files_[fi].outline.enumerators)
      ++sizes[e.enumeration];
    for (const Enumerator& e : files_[fi].outline.enumerators) {
      place_of.emplace(e.name, std::pair(fi, e.enumeration));
      enumeration_sizes_.emplace(e.name, sizes[e.enumeration]);
    }
  }
  for (size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].key != SIZE_MAX)
      continue;
    const FileModel& f = files_[static_cast<size_t>(rows_[r].file)];
    const Scope& s = f.outline.scopes[static_cast<size_t>(rows_[r].scope)];
    if (s.name_tok == SIZE_MAX || f.lex.str(s.name_tok + 1) != "[")
      continue;
    auto e = place_of.find(std::string(f.lex.str(s.name_tok + 2)));
    if (e == place_of.end())
      continue;
    int position = rows_[r].position;
    for (const Enumerator& x : files_[e->second.first].outline.enumerators)
      if (x.enumeration == e->second.second && position-- == 0) {
        positional_[r] = x.name;
        labels_[x.name].push_back({rows_[r].file, SIZE_MAX, r, SIZE_MAX});
      }
  }
  for (size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].key != SIZE_MAX) {
      const Mention& m = files_[static_cast<size_t>(rows_[r].file)].outline.mentions[rows_[r].key];
      if (!m.is_string)
        labels_[m.name].push_back({rows_[r].file, SIZE_MAX, r, rows_[r].key});
    }
  index_name_lists();
}

/// "const char* names[] = {"ABS", "GELU"}" beside "enum Op { Op_ABS, Op_GELU }": each string is the name of its enumerator.
void Knowledge::index_name_lists() {
  struct Known {
    size_t file;
    const Enumerator* e;
  };
  std::map<std::string, std::vector<Known>, std::less<>> by_end; // "Op_GELU" → "Op_GELU", "GELU"
  for (size_t fi = 0; fi < files_.size(); ++fi)
    for (const Enumerator& e : files_[fi].outline.enumerators) {
      by_end[e.name].push_back({fi, &e});
      for (size_t at = e.name.find('_'); at != std::string::npos && at + 1 < e.name.size(); at = e.name.find('_', at + 1))
        by_end[e.name.substr(at + 1)].push_back({fi, &e});
    }
  std::map<std::pair<int, int>, std::vector<size_t>> lists; // file, scope → rows of one string
  for (size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].key == SIZE_MAX && rows_[r].values.size() == 1 &&
        files_[static_cast<size_t>(rows_[r].file)].outline.mentions[rows_[r].values[0]].is_string) {
      lists[{rows_[r].file, rows_[r].scope}].push_back(r);
      listed_strings_.insert({rows_[r].file, rows_[r].values[0]});
    }
  for (const auto& [where, rows] : lists) {
    if (rows.size() < 3)
      continue;
    // the enumeration that most of the strings belong to
    std::map<std::pair<size_t, std::string>, std::map<size_t, const Enumerator*>> votes;
    for (size_t r : rows) {
      const std::string& s = files_[static_cast<size_t>(where.first)].outline.mentions[rows_[r].values[0]].name;
      if (auto it = by_end.find(s); it != by_end.end())
        for (const Known& k : it->second)
          votes[{k.file, k.e->enumeration}].emplace(r, k.e);
    }
    const std::map<size_t, const Enumerator*>* best = nullptr;
    int nearest = 0;
    for (const auto& [enumeration, found] : votes) {
      int d = distance(where.first, static_cast<int>(enumeration.first));
      if (found.size() * 5 >= rows.size() * 4 && (!best || std::pair(found.size(), -d) > std::pair(best->size(), -nearest))) {
        best = &found;
        nearest = d;
      }
    }
    if (best)
      for (const auto& [r, e] : *best)
        positional_.emplace(r, e->name);
  }
}

void Knowledge::index_rows() {
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    const FileModel& f = files_[fi];
    const auto& tokens = f.lex.tokens;
    std::unordered_map<uint32_t, size_t> at;
    for (size_t m = 0; m < f.outline.mentions.size(); ++m)
      at[f.outline.mentions[m].offset] = m;
    auto mention = [&](size_t tok) {
      auto it = at.find(tokens[tok].offset);
      return it == at.end() ? SIZE_MAX : it->second;
    };
    for (size_t si = 0; si < f.outline.scopes.size(); ++si) {
      const Scope& s = f.outline.scopes[si];
      if (s.kind != ScopeKind::initializer || s.end >= tokens.size() || s.end - s.begin > 200000)
        continue;
      bool outer = f.outline.scopes[static_cast<size_t>(s.parent)].kind != ScopeKind::initializer;
      // the elements of this brace, each as a token range
      size_t from = s.begin + 1;
      int depth = 0, position = 0;
      auto element = [&](size_t a, size_t b) {
        if (a >= b)
          return;
        RowModel row;
        row.file = static_cast<int>(fi);
        row.scope = static_cast<int>(si);
        row.position = position++;
        row.begin = a;
        row.end = b;
        row.key = SIZE_MAX;
        size_t i = a;
        if (f.lex.str(a) == "[") { // [KEY] = value
          for (i = a + 1; i < b && f.lex.str(i) != "]"; ++i)
            if (size_t m = mention(i); m != SIZE_MAX)
              row.key = m;
        } else if (f.lex.str(a) == "{") { // {key, values…}
          size_t comma = a + 1;
          int d = 0;
          while (comma + 1 < b && !(d == 0 && f.lex.str(comma) == ",")) {
            std::string_view t = f.lex.str(comma);
            d += (t == "(" || t == "{" || t == "[") ? 1 : (t == ")" || t == "}" || t == "]") ? -1 : 0;
            ++comma;
          }
          for (i = a + 1; i < comma; ++i)
            if (size_t m = mention(i); m != SIZE_MAX)
              row.key = m;
        } else if (!outer) {
          return; // the parts of a row
        }
        for (; i < b; ++i)
          if (size_t m = mention(i); m != SIZE_MAX && m != row.key)
            row.values.push_back(m);
        if (row.key != SIZE_MAX || !row.values.empty())
          rows_.push_back(std::move(row));
      };
      for (size_t i = s.begin + 1; i < s.end; ++i) {
        if (tokens[i].kind != TokKind::punct)
          continue;
        std::string_view t = f.lex.str(i);
        if (t == "(" || t == "{" || t == "[")
          ++depth;
        else if (t == ")" || t == "}" || t == "]")
          --depth;
        else if (t == "," && depth == 0) {
          element(from, i);
          from = i + 1;
        }
      }
      element(from, s.end);
    }
    // table["key"] = value;
    for (size_t mi = 0; mi < f.outline.mentions.size(); ++mi) {
      const Mention& m = f.outline.mentions[mi];
      size_t i = f.lex.token_at(m.offset);
      if (!m.is_string || i == 0 || i + 3 >= tokens.size() || tokens[i].offset != m.offset || f.lex.str(i - 1) != "[" ||
          f.lex.str(i + 1) != "]" || f.lex.str(i + 2) != "=")
        continue;
      RowModel row;
      row.file = static_cast<int>(fi);
      row.scope = std::max(0, static_cast<int>(m.function));
      row.key = mi;
      row.begin = i + 3;
      for (i += 3; i < tokens.size() && f.lex.str(i) != ";" && f.lex.str(i) != "{"; ++i)
        if (size_t v = mention(i); v != SIZE_MAX)
          row.values.push_back(v);
      row.end = i + 1;
      if (row.values.empty() && f.lex.str(row.begin) != "[")
        continue;
      registered_[m.name].push_back(rows_.size());
      rows_.push_back(std::move(row));
    }
  }
}

void Knowledge::index_assignments() {
  // "name = …": handles bound to kernels by a string, constants that hold an enumerator, pointers to functions.
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    const FileModel& f = files_[fi];
    for (size_t mi = 0; mi < f.outline.mentions.size(); ++mi) {
      const Mention& m = f.outline.mentions[mi];
      if (m.role == Role::type_use && m.needle == NeedleClass::gelu) { // ops::GELU gelu_op(…)
        size_t next = token_at(static_cast<int>(fi), m.offset) + 1;
        if (next < f.lex.tokens.size() && f.lex.tokens[next].kind == TokKind::identifier)
          assigned_[std::string(f.lex.str(next))].emplace_back(static_cast<int>(fi), mi);
        continue;
      }
      bool candidate = m.role == Role::assign || (m.is_string && m.role == Role::argument) || m.role == Role::construct || m.role == Role::call;
      if (!candidate || (m.needle == NeedleClass::none && !m.is_string))
        continue;
      size_t tok = token_at(static_cast<int>(fi), m.offset);
      size_t k = tok;
      int guard = 0;
      while (k > 0 && ++guard < 40) {
        std::string_view s = f.lex.str(k - 1);
        if (s == ";" || s == "{" || s == "}" || s == "=" || s == "return")
          break;
        --k;
      }
      if (k == 0 || f.lex.str(k - 1) != "=")
        continue;
      size_t n = k - 1;
      if (n > 0 && f.lex.tokens[n - 1].kind == TokKind::identifier)
        assigned_[std::string(f.lex.str(n - 1))].emplace_back(static_cast<int>(fi), mi);
    }
  }
}

} // namespace gelint::scan
