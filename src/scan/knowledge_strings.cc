// What a string stands for: the rows it keys, the function or file that is named beside it, a name of the same words.

#include "scan/knowledge_parts.h"

#include <algorithm>
#include <limits>
#include <fmt/format.h>

namespace gelint::scan {

using formula::Formula;

/// Files of the tree that a string like "gelu.cl" or "shaders/gelu.comp" may mean.
std::vector<int> Knowledge::files_named(const std::string& name) const {
  std::vector<int> out;
  if (name.find('.') != std::string::npos && name.find(' ') == std::string::npos)
    for (size_t k = 0; k < files_.size(); ++k)
      if (files_[k].path.ends_with("/" + name) || files_[k].path == name)
        out.push_back(static_cast<int>(k));
  return out;
}

/// The members of the family that the functions of a file compute.
Value Knowledge::of_file(int file) {
  std::vector<Value> found;
  for (int fn : files_[static_cast<size_t>(file)].functions)
    if (Value w = of_function(fn); w.activation() && formula::is_gelu_family(w.formula))
      found.push_back(w);
  Value v = combine(found, "");
  if (v.known())
    v.reason = fmt::format("the file {} computes it", files_[static_cast<size_t>(file)].path);
  return v;
}

Value Knowledge::of_string(int file, size_t mi) {
  const FileModel& f = files_[static_cast<size_t>(file)];
  const Mention& m = f.outline.mentions[mi];
  int nearest = 0; // of the functions of the last name
  auto named = [&](const std::string& name) -> Value {
    std::vector<std::pair<int, Value>> options;
    if (auto it = by_name_.find(name); it != by_name_.end())
      for (int fn : it->second)
        if (Value v = of_function(fn); v.tells())
          options.emplace_back(functions_[static_cast<size_t>(fn)].file, v);
    if (options.empty())
      if (auto it = by_condition_.find(name); it != by_condition_.end())
        for (int fn : it->second)
          if (Value v = of_function(fn); v.known())
            options.emplace_back(functions_[static_cast<size_t>(fn)].file, v);
    nearest = std::numeric_limits<int>::max();
    for (const auto& o : options)
      nearest = std::min(nearest, static_cast<int>(distance(file, o.first)));
    return choose(std::move(options), file);
  };
  // Where it is registered, possibly once for every backend.
  if (auto it = registered_.find(m.name); it != registered_.end()) {
    std::vector<std::pair<int, Value>> options;
    bool itself = std::any_of(it->second.begin(), it->second.end(), [&](size_t r) { return rows_[r].key == mi && rows_[r].file == file; });
    for (size_t r : it->second)
      if (!itself) // one backend's entry says nothing about another's
        if (Value v = of_row(rows_[r]); v.activation() && v.known_by == KnownBy::evaluated)
          options.emplace_back(rows_[r].file, v);
    if (Value v = choose(std::move(options), file); v.known())
      return v;
  }
  if (std::vector<int> named_files = files_named(m.name); !named_files.empty()) {
    std::vector<std::pair<int, Value>> options;
    for (int k : named_files)
      if (Value w = of_file(k); w.tells())
        options.emplace_back(k, w);
    return choose(std::move(options), file);
  }
  Value v = named(m.name);
  const int own = nearest;
  // a class that chooses at run time, spoken of in its own method
  if (!v.known() && v.reachable.size() > 1 && m.function >= 0) {
    const std::string& around = f.outline.scopes[static_cast<size_t>(m.function)].qualified;
    if (around.starts_with(m.name + "::") || around.find("::" + m.name + "::") != std::string::npos)
      return v;
  }
  // In a list of names the neighbours are names of other things, and a function far away may share this one.
  const Claim claimed = claim_of(m.name);
  if (listed_strings_.count({file, mi})) {
    if (v.reachable.size() > 1 || (claimed.formula && v.known() && v.formula != *claimed.formula))
      v = {};
    return v.known() || m.needle != NeedleClass::gelu ? v : linked_by_words(file, mi);
  }
  if (auto it = labels_.find(m.name); !v.known() && it != labels_.end() && enumerators_.count(m.name))
    if (Value e = of_enumerator(m.name, file); e.known())
      return e;
  // beside it in the same call: the function or the file that holds the body
  size_t tok = token_at(file, m.offset);
  size_t a = tok, b = tok;
  int depth = 0;
  while (a > 0 && tok - a < 60) {
    std::string_view s = f.lex.str(a - 1);
    if (s == ";" || s == "{" || s == "}")
      break;
    --a;
  }
  while (b < f.lex.tokens.size() && b - tok < 80) {
    std::string_view s = f.lex.str(b);
    depth += (s == "(" || s == "{") ? 1 : (s == ")" || s == "}") ? -1 : 0;
    if (s == ";")
      break;
    ++b;
  }
  std::vector<std::pair<int, Value>> in_file;
  for (size_t i = a; i < b; ++i) {
    if (f.lex.tokens[i].kind != TokKind::string || i == tok)
      continue;
    std::string other(f.lex.unquoted(f.lex.tokens[i]));
    if (other.size() < 4)
      continue;
    // A function of the string's own name counts, unless it lies further away: another backend may have one.
    const Claim beside = claim_of(other);
    const bool same = (claimed.gelu_family == beside.gelu_family || !(claimed.gelu_family || claimed.formula)) &&
                      (!claimed.formula || !beside.formula || claimed.formula == beside.formula);
    if (same && (beside.gelu_family || beside.formula))
      if (Value w = named(other); w.known() && (!v.known() || nearest < own))
        return w;
    if (v.known())
      continue;
    for (int k : files_named(other))
      if (Value w = of_file(k); w.known())
        in_file.emplace_back(k, w);
  }
  if (v.known())
    return v;
  if (!in_file.empty())
    return choose(std::move(in_file), file);
  return linked_by_words(file, mi);
}

Value Knowledge::linked_by_words(int file, size_t mi) {
  const Mention& m = files_[static_cast<size_t>(file)].outline.mentions[mi];
  if (m.needle != NeedleClass::gelu || m.name.find(' ') != std::string::npos)
    return {};
  if (Value w = by_words(m.name, file, false); w.known())
    return w;
  // a name table's string: the enumerator of the same words
  if (m.role != Role::element)
    return {};
  std::string key = link_words(m.name);
  for (const auto& [name, uses] : labels_)
    if (claim_of(name).gelu_family && link_words(name) == key && enumerators_.count(name))
      if (Value e = of_enumerator(name, file); e.known()) {
        e.known_by = weaker(e.known_by, KnownBy::name);
        e.reason = fmt::format("linked by its name to {}", name);
        return e;
      }
  return {};
}

Value Knowledge::by_words(const std::string& name, int from, bool loosely) {
  const bool gradient = claim_of(name).gradient;
  const std::string& p = files_[static_cast<size_t>(from)].path;
  std::string dir = p.substr(0, p.rfind('/') == std::string::npos ? 0 : p.rfind('/') + 1);
  auto search = [&](const std::map<std::string, std::vector<int>>& index, const std::string& key) -> Value {
    auto it = index.find(key);
    if (key.empty() || it == index.end())
      return {};
    std::vector<std::pair<int, Value>> options;
    for (int fn : it->second) {
      const FunctionModel& f = functions_[static_cast<size_t>(fn)];
      const std::string& q = files_[static_cast<size_t>(f.file)].path;
      if (!q.starts_with(dir))
        continue;
      if (claim_of(f.name).gradient != gradient)
        continue;
      Value v = of_function(fn);
      if (!(v.activation() || (gradient && v.formula == Formula::other)) || v.known_by != KnownBy::evaluated)
        continue;
      v.known_by = KnownBy::name;
      v.reason = fmt::format("linked by its name to {} ({})", f.name, q);
      options.emplace_back(f.file, v);
    }
    return choose(std::move(options), from);
  };
  Value v = search(by_words_, link_words(name));
  if (!v.known())
    v = search(by_stem_, link_words(name));
  return v.known() || !loosely ? v : search(by_core_, core_words(name));
}

/// {"name", [](float x) { … }}: what the one lambda of a row was evaluated to, whatever the name says.
Value Knowledge::lambda_in(int file, size_t first, size_t last) {
  auto [it, fresh] = lambdas_.try_emplace(file);
  std::vector<std::pair<size_t, int>>& lambdas = it->second; // first token of the body, function
  const std::vector<Scope>& scopes = files_[static_cast<size_t>(file)].outline.scopes;
  if (fresh) {
    for (int fn : files_[static_cast<size_t>(file)].functions)
      if (const FunctionModel& f = functions_[static_cast<size_t>(fn)]; f.is_lambda)
        lambdas.emplace_back(scopes[static_cast<size_t>(f.scope)].begin, fn);
    std::sort(lambdas.begin(), lambdas.end());
  }
  Value out;
  size_t end = 0;
  for (auto l = std::lower_bound(lambdas.begin(), lambdas.end(), std::pair(first, -1)); l != lambdas.end() && l->first < last; ++l) {
    if (l->first < end)
      continue; // inside the one that was found
    if (end > 0)
      return {}; // a second one: a gradient, perhaps
    const FunctionModel f = functions_[static_cast<size_t>(l->second)];
    end = scopes[static_cast<size_t>(f.scope)].end;
    if (f.fact && f.fact->value.ok())
      out = of_function(l->second);
  }
  const bool tells = out.activation() || (out.formula == Formula::other && out.evaluated && out.evaluated->print.near_miss);
  return out.known_by == KnownBy::evaluated && tells ? out : Value();
}

Value Knowledge::of_row(const RowModel& r) {
  std::vector<Value> found;
  const auto& mentions = files_[static_cast<size_t>(r.file)].outline.mentions;
  if (r.key != SIZE_MAX)
    if (Value v = lambda_in(r.file, r.begin, r.end); v.known())
      return v;
  for (size_t m : r.values) {
    const Mention& x = mentions[m];
    if ((x.is_string && r.values.size() > 1) || is_math_word(x.name))
      continue;
    if (Value v = of_mention(r.file, m); v.known() || !v.reachable.empty())
      found.push_back(v);
  }
  return combine(found, r.key != SIZE_MAX ? mentions[r.key].name : std::string());
}

} // namespace gelint::scan
