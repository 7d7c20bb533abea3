// The model is made from the facts of all units; questions about one place.

#include "scan/knowledge.h"

#include <algorithm>
#include <cstdlib>

namespace gelint::scan {

using formula::Formula;

bool FileModel::is_active(uint32_t offset, int32_t arm) const {
  for (int32_t a = arm; a >= 0; a = lex.arms[static_cast<size_t>(a)].parent)
    if (lex.arms[static_cast<size_t>(a)].dead)
      return false;
  return std::none_of(skipped.begin(), skipped.end(), [&](const auto& s) { return s.first <= offset && offset < s.second; });
}

Knowledge::Knowledge(const SourceTree& tree, const ApiRules& rules, std::vector<FileModel> files, const std::vector<UnitFacts>& units)
    : tree_(tree), rules_(rules), files_(std::move(files)) {
  for (size_t i = 0; i < files_.size(); ++i)
    if (!files_[i].embedded)
      file_index_[{files_[i].path, 0}] = i;
  auto file = [&](const std::string& path) -> FileModel* {
    auto it = file_index_.find({path, 0});
    return it == file_index_.end() ? nullptr : &files_[it->second];
  };
  for (const UnitFacts& u : units) {
    if (FileModel* f = file(u.path)) {
      f->parsed = f->parsed || u.parsed;
      f->skipped = u.skipped;
      f->lost = u.lost;
    }
    for (const RefFact& r : u.refs)
      if (FileModel* f = file(r.file)) {
        f->parsed = true;
        const RefFact*& slot = f->refs[r.offset];
        // The most telling of several cursors at one place: a target in the tree, then any target.
        auto rank = [](const RefFact* x) { return !x ? -1 : (x->kind != TargetKind::none) + (x->kind != TargetKind::macro) + 2 * !x->target_file.empty(); };
        if (rank(&r) > rank(slot))
          slot = &r;
      }
    for (const CallFact& c : u.calls)
      if (FileModel* f = file(c.file))
        f->calls.emplace(c.offset, &c);
    for (const HandedFact& h : u.handed)
      if (FileModel* f = file(h.file))
        f->handed.emplace(h.offset, &h);
    for (const InnerFact& i : u.inner)
      inner_.push_back(&i);
    for (const FunctionSummary& s : u.summaries)
      index_.add(s);
    for (const TableSummary& s : u.tables)
      index_.add(s);
  }
  index_functions();
  index_aliases();
  // Definitions of the AST by their place.
  std::map<std::pair<std::string, int>, std::vector<const DefinitionFact*>> facts;
  for (const UnitFacts& u : units) {
    for (const DefinitionFact& d : u.definitions)
      facts[{d.file, d.line}].push_back(&d);
    for (const ArmFact& a : u.arms)
      arms_.push_back(&a);
    for (const OverrideFact& o : u.overrides)
      if (auto [a, b] = overriders_.equal_range(o.base); std::none_of(a, b, [&](const auto& x) { return x.second == o.method; }))
        overriders_.emplace(o.base, o.method);
  }
  for (auto& [where, list] : facts)
    unite(list, units);
  std::map<std::pair<std::string, int>, std::vector<FunctionModel*>> heads;
  for (FunctionModel& fn : functions_)
    heads[{files_[static_cast<size_t>(fn.file)].path, fn.line}].push_back(&fn);
  auto worth = [](const DefinitionFact* x) { return !x ? -1 : (x->value.ok() ? 2 : 0) + (x->alternatives.size() > 1) + (x->value.print.formula != Formula::other && x->value.ok()); };
  for (const auto& [where, list] : facts)
    if (auto it = heads.find(where); it != heads.end())
      for (const DefinitionFact* d : list)
        if (FunctionModel* fn = nearest_head(*d, it->second); fn && worth(d) > worth(fn->fact))
          fn->fact = d;
  // Functions that a macro makes have no head in the text: the AST alone knows them.
  std::set<const DefinitionFact*> matched;
  for (const FunctionModel& fn : functions_)
    if (fn.fact)
      matched.insert(fn.fact);
  std::set<std::pair<std::string, std::string>> made;
  for (const auto& [where, list] : facts)
    for (const DefinitionFact* d : list) {
      auto it = file_index_.find({d->file, 0});
      if (matched.count(d) || it == file_index_.end() || d->name == "(lambda)" || d->name.starts_with("operator") || !d->value.ok() ||
          by_name_.count(d->name) || !made.emplace(d->file, d->qualified).second)
        continue;
      FileModel& f = files_[it->second];
      auto tok = std::lower_bound(f.lex.tokens.begin(), f.lex.tokens.end(), static_cast<uint32_t>(d->line),
                                  [](const Tok& t, uint32_t line) { return t.line < line; });
      if (tok == f.lex.tokens.end())
        continue;
      Scope s;
      s.kind = ScopeKind::function;
      s.parent = 0;
      s.name = d->name;
      s.qualified = d->qualified;
      s.begin = s.end = s.head = static_cast<size_t>(tok - f.lex.tokens.begin());
      FunctionModel fn;
      fn.file = static_cast<int>(it->second);
      fn.scope = static_cast<int>(f.outline.scopes.size());
      fn.name = d->name;
      fn.qualified = d->qualified;
      fn.line = d->line;
      fn.column = d->column;
      fn.from_macro = true;
      fn.fact = d;
      f.outline.scopes.push_back(std::move(s));
      int index = static_cast<int>(functions_.size());
      f.functions.push_back(index);
      by_name_[fn.name].push_back(index);
      by_words_[link_words(fn.name)].push_back(index);
      by_core_[core_words(fn.name)].push_back(index);
      functions_.push_back(std::move(fn));
    }
  index_rows();
  index_labels();
  index_assignments();
}

/// Units that define other macros may read one header as different functions: a definition on which they do not agree
/// has what each of them found as its arms. A header that is read alone only counts where no unit includes it. So has a
/// class whose call operators compute different things.
void Knowledge::unite(std::vector<const DefinitionFact*>& list, const std::vector<UnitFacts>& units) {
  if (list.size() < 2)
    return;
  auto alone = [&](const DefinitionFact* d) {
    return std::any_of(units.begin(), units.end(), [&](const UnitFacts& u) {
      return u.path == d->file && !u.definitions.empty() && d >= &u.definitions.front() && d <= &u.definitions.back();
    });
  };
  auto identity = [](const DefinitionFact* d) {
    return std::pair(d->usr.find("@F@operator()") == std::string::npos ? d->usr : d->qualified + "()", d->column);
  };
  std::map<std::pair<std::string, int>, std::vector<const DefinitionFact*>> same;
  for (bool single : {false, true}) // the header alone, where nothing else is known
    if (same.empty())
      for (const DefinitionFact* d : list)
        if (d->value.ok() && !d->usr.empty() && alone(d) == single)
          same[identity(d)].push_back(d);
  for (const auto& [which, found] : same) {
    std::vector<const DefinitionFact*> different;
    for (const DefinitionFact* d : found)
      if (std::none_of(different.begin(), different.end(), [&](const DefinitionFact* x) { return same_formula(x->value, d->value); }))
        different.push_back(d);
    std::erase_if(list, [&](const DefinitionFact* d) {
      return identity(d) == which && (different.size() > 1 || (alone(d) && !same_formula(d->value, different[0]->value)));
    });
    if (different.size() < 2)
      continue;
    DefinitionFact all = *different[0];
    all.value = Evaluated{};
    all.value.reason = "units that define other macros compile different functions from it";
    for (const DefinitionFact* d : different)
      all.alternatives.emplace_back(d->usr == all.usr ? k_by_unit : k_by_overload, d->value);
    if (all.alternatives.back().first == k_by_overload)
      all.alternatives.front().first = k_by_overload;
    united_.push_back(std::move(all));
    list.push_back(&united_.back());
  }
}

/// The one function of a line that a fact is about. A macro or an attribute moves the column of the cursor.
FunctionModel* Knowledge::nearest_head(const DefinitionFact& d, const std::vector<FunctionModel*>& line) {
  FunctionModel* best = nullptr;
  std::pair<int, int> least{3, 0};
  for (FunctionModel* fn : line) {
    const bool alike = (fn->is_lambda && d.name == "(lambda)") || (fn->name.starts_with("operator") && d.name.starts_with("operator"));
    const int rank = d.column == fn->column ? 0 : d.name == fn->name ? 1 : alike ? 2 : 3;
    if (std::pair distance(rank, std::abs(d.column - fn->column)); distance < least) {
      least = distance;
      best = fn;
    }
  }
  return best || line.size() > 1 ? best : line.front();
}

std::pair<size_t, size_t> Knowledge::mention_range(int file, uint32_t begin, uint32_t end) const {
  const auto& m = files_[static_cast<size_t>(file)].outline.mentions;
  auto less = [](const Mention& x, uint32_t o) { return x.offset < o; };
  auto a = std::lower_bound(m.begin(), m.end(), begin, less), b = std::lower_bound(m.begin(), m.end(), end, less);
  return {static_cast<size_t>(a - m.begin()), static_cast<size_t>(b - m.begin())};
}

size_t Knowledge::token_at(int file, uint32_t offset) const { return files_[static_cast<size_t>(file)].lex.token_at(offset); }

std::pair<size_t, size_t> Knowledge::argument_tokens(int file, const Mention& m) const {
  const LexedFile& lex = files_[static_cast<size_t>(file)].lex;
  size_t tok = token_at(file, m.offset) + 1;
  if (lex.str(tok) == "<") {
    int depth = 0;
    for (size_t k = tok; k < std::min(lex.tokens.size(), tok + 100); ++k) {
      depth += lex.str(k) == "<" ? 1 : lex.str(k) == ">" ? -1 : 0;
      if (depth == 0) {
        tok = k + 1;
        break;
      }
    }
  }
  if (lex.str(tok) == "<<<") {
    while (tok < lex.tokens.size() && lex.str(tok) != ">>>")
      ++tok;
    ++tok;
  }
  if (tok < lex.tokens.size() && lex.tokens[tok].kind == TokKind::identifier) // T name(args)
    ++tok;
  // make_shared<T>(args): the name stands inside the angle brackets
  if (lex.str(tok) == ">")
    ++tok;
  if (lex.str(tok) != "(" && lex.str(tok) != "{")
    return {0, 0};
  return {tok + 1, after_matching(lex, tok) - 1};
}

int Knowledge::distance(int a, int b) const {
  if (a == b)
    return 0;
  const std::string& p = files_[static_cast<size_t>(a)].path;
  const std::string& q = files_[static_cast<size_t>(b)].path;
  size_t n = 0, last = 0;
  while (n < p.size() && n < q.size() && p[n] == q[n]) {
    if (p[n] == '/')
      last = n + 1;
    ++n;
  }
  auto parts = [](std::string_view s) { return static_cast<int>(std::count(s.begin(), s.end(), '/')); };
  return 1 + parts(std::string_view(p).substr(last)) + parts(std::string_view(q).substr(last));
}

const TableSummary* Knowledge::table(const std::string& name) const { return index_.find_table("", name); }

int Knowledge::function_at(int file, size_t mention) const {
  const FileModel& f = files_[static_cast<size_t>(file)];
  const Mention& m = f.outline.mentions[mention];
  for (int fn : f.functions) {
    const FunctionModel& x = functions_[static_cast<size_t>(fn)];
    if (x.line == static_cast<int>(m.line) && x.column == static_cast<int>(m.column))
      return fn;
  }
  return -1;
}

bool Knowledge::is_enumerator(int file, const Mention& m) const {
  const FileModel& f = files_[static_cast<size_t>(file)];
  auto r = f.refs.find(m.offset);
  if (r != f.refs.end() && r->second->kind != TargetKind::none && r->second->kind != TargetKind::macro)
    return r->second->kind == TargetKind::enumerator;
  if (enumerators_.count(m.name) && is_template_parameter(file, m))
    return false;
  if (const ApiSymbol* s = rules_.find(m.qualified.empty() ? m.name : m.qualified))
    if (s->kind == ApiKind::enumerator || s->kind == ApiKind::epilogue)
      return true;
  if (!enumerators_.count(m.name) || m.role == Role::call)
    return false;
  // REGISTER(GELU, …) with VENDOR_##op names VENDOR_GELU, and not what else is called GELU.
  if (m.role == Role::argument && m.qualified == m.name && pastes(m.callee, m.argument))
    return false;
  // "Act::GELU" against a class GELU: a function or type of the same name makes an unqualified use ambiguous
  return m.qualified != m.name || !by_name_.count(m.name);
}

} // namespace gelint::scan
