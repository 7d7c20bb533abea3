// What names compute: functions through their bodies and callees, enumerators through their arms, strings and handles
// through what they are bound to.

#include "scan/knowledge.h"

#include <algorithm>
#include <limits>
#include <fmt/format.h>

namespace gelint::scan {

using formula::Formula;

namespace {

constexpr int k_max_depth = 40;

KnownBy weaker(KnownBy a, KnownBy b) { return static_cast<KnownBy>(std::max(static_cast<int>(a), static_cast<int>(b))); }

void add_unique(std::vector<Formula>& v, Formula f) {
  if (std::find(v.begin(), v.end(), f) == v.end())
    v.push_back(f);
  std::sort(v.begin(), v.end());
}

std::string last_two(std::string_view q) {
  size_t a = q.rfind("::");
  if (a == std::string_view::npos)
    return std::string(q);
  size_t b = q.rfind("::", a == 0 ? 0 : a - 1);
  return std::string(b == std::string_view::npos || b == a ? q : q.substr(b + 2));
}

/// "Act::gelu" and "gelu" may be one; "Act::gelu" and "Mode::gelu" are not.
bool compatible(std::string_view a, std::string_view b) {
  std::string x = last_two(a), y = last_two(b);
  bool qx = x.find("::") != std::string::npos, qy = y.find("::") != std::string::npos;
  return !qx || !qy || x == y;
}

/// Restores a set of keys in progress on leaving a scope.
class Busy {
public:
  Busy(std::set<std::pair<int, long>>& set, int kind, long key) : set_(set), it_(set.emplace(kind, key)) {}
  ~Busy() {
    if (it_.second)
      set_.erase(it_.first);
  }
  bool again() const { return !it_.second; }

private:
  std::set<std::pair<int, long>>& set_;
  std::pair<std::set<std::pair<int, long>>::iterator, bool> it_;
};

} // namespace

/// An empty answer that a cycle had a part in may only mean "not yet": it is not remembered, within reason.
bool Knowledge::keeps(const Value& v, uint64_t cycles_before) const {
  return v.known() || !v.reachable.empty() || cycles_ == cycles_before || depth_ == 0;
}

Value Knowledge::from_evaluated(const Evaluated& e, int fn) const {
  Value v;
  v.formula = e.print.formula;
  v.known_by = KnownBy::evaluated;
  v.gating = e.print.gating;
  v.precision = e.precision;
  v.evaluated = &e;
  if (fn >= 0) {
    const FunctionModel& f = functions_[static_cast<size_t>(fn)];
    v.definition = Place{files_[static_cast<size_t>(f.file)].path, f.line, f.column};
    v.callees = {f.qualified.empty() ? f.name : f.qualified};
  }
  return v;
}

/// One value out of several that were found side by side.
Value Knowledge::combine(const std::vector<Value>& found, const std::string& name) const {
  std::vector<Formula> all;
  for (const Value& v : found)
    if (v.activation())
      add_unique(all, v.formula);
    else
      for (Formula f : v.reachable)
        add_unique(all, f);
  if (all.size() == 1) {
    const Value* best = nullptr;
    for (const Value& v : found)
      if (v.activation() && v.formula == all[0] && (!best || v.known_by < best->known_by))
        best = &v;
    if (best)
      return *best;
  }
  Claim claim = claim_of(name);
  if (all.size() > 1 && claim.gelu_family) {
    // a name of the GELU family over a body that also gates with something else: only the family counts
    std::vector<Formula> family;
    for (Formula f : all)
      if (formula::is_gelu_family(f))
        add_unique(family, f);
    if (family.size() == 1)
      for (const Value& v : found)
        if (v.formula == family[0])
          return v;
    if (!family.empty())
      all = family;
  }
  Value v;
  if (all.size() > 1) {
    v.reachable = all;
    v.reason = "which of several formulas runs is decided at run time";
    return v;
  }
  for (const Value& x : found)
    if (x.formula == Formula::other)
      return x;
  return v;
}

void Knowledge::index_constants() {
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    const LexedFile& lex = files_[fi].lex;
    for (const PpDirective& d : lex.directives)
      if (d.keyword == "define" && !d.name.empty() && !d.function_like) {
        size_t tok = token_at(static_cast<int>(fi), static_cast<uint32_t>(d.name.data() - lex.text.data())) + 1;
        size_t end = tok;
        while (end < lex.tokens.size() && lex.tokens[end].offset < d.end)
          ++end;
        if (end > tok && end - tok < 60)
          constants_[std::string(d.name)].push_back({static_cast<int>(fi), tok, end});
      }
    std::vector<char> local(lex.tokens.size(), 0);
    for (const Scope& sc : files_[fi].outline.scopes)
      if (sc.kind == ScopeKind::function)
        std::fill(local.begin() + static_cast<long>(std::min(sc.begin, local.size())), local.begin() + static_cast<long>(std::min(sc.end, local.size())), 1);
    bool constant = false;
    for (size_t i = 0; i + 2 < lex.tokens.size(); ++i) {
      if (local[i])
        continue;
      std::string_view s = lex.str(i);
      if (lex.tokens[i].kind == TokKind::punct) {
        if (s == ";" || s == "{" || s == "}")
          constant = false;
        continue;
      }
      constant = constant || s == "const" || s == "constant" || s == "constexpr" || s == "__constant" || s == "__constant__" || s == "let";
      if (!constant || lex.tokens[i].kind != TokKind::identifier)
        continue;
      size_t eq = i + 1;
      if (lex.str(eq) == ":") // WGSL: const X: f32 = …
        while (eq < lex.tokens.size() && eq < i + 6 && lex.str(eq) != "=")
          ++eq;
      if (lex.str(eq) != "=")
        continue;
      size_t end = eq + 1;
      while (end < lex.tokens.size() && end < eq + 60 && lex.str(end) != ";")
        ++end;
      constants_[std::string(s)].push_back({static_cast<int>(fi), eq + 1, end});
    }
  }
}

LexicalEnvironment Knowledge::environment(int file) {
  LexicalEnvironment env;
  env.function = [this, file](std::string_view name) -> const LexicalFunction* {
    auto it = by_name_.find(name);
    if (it == by_name_.end())
      return nullptr;
    int best = -1;
    for (int fn : it->second) {
      const FunctionModel& f = functions_[static_cast<size_t>(fn)];
      if (f.is_type)
        continue;
      if (best < 0 || distance(file, f.file) < distance(file, functions_[static_cast<size_t>(best)].file))
        best = fn;
    }
    if (best < 0 || distance(file, functions_[static_cast<size_t>(best)].file) > 6)
      return nullptr;
    std::string key = std::to_string(best);
    auto l = lexical_functions_.find(key);
    if (l == lexical_functions_.end()) {
      const FunctionModel& f = functions_[static_cast<size_t>(best)];
      const FileModel& fm = files_[static_cast<size_t>(f.file)];
      l = lexical_functions_.emplace(key, lexical_function(fm.lex, fm.outline.scopes[static_cast<size_t>(f.scope)])).first;
    }
    return &l->second;
  };
  env.constant = [this, file](std::string_view name) -> LexicalEnvironment::Tokens {
    if (constants_.empty())
      index_constants();
    auto it = constants_.find(name);
    if (it == constants_.end())
      return {};
    const ConstantPlace* best = nullptr;
    for (const ConstantPlace& c : it->second)
      if (distance(file, c.file) <= 3 && (!best || distance(file, c.file) < distance(file, best->file)))
        best = &c;
    return best ? LexicalEnvironment::Tokens{&files_[static_cast<size_t>(best->file)].lex, best->begin, best->end} : LexicalEnvironment::Tokens{};
  };
  return env;
}

const Evaluated* Knowledge::lexical(int fn) {
  auto it = lexical_values_.find(fn);
  if (it != lexical_values_.end())
    return it->second.ok() ? &it->second : nullptr;
  const FunctionModel& f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  const Scope& s = fm.outline.scopes[static_cast<size_t>(f.scope)];
  Evaluated& slot = lexical_values_[fn];
  uint32_t begin = fm.lex.tokens[s.begin].offset;
  uint32_t end = s.end < fm.lex.tokens.size() ? fm.lex.tokens[s.end].offset : static_cast<uint32_t>(fm.lex.text.size());
  if (f.is_type || end - begin > 20000 || !has_needle(fm.lex.text.substr(begin, end - begin), true))
    return nullptr;
  LexicalFunction l = lexical_function(fm.lex, s);
  slot = evaluate_tokens(fm.lex, l.begin, l.end, l.parameters, environment(f.file));
  return slot.ok() ? &slot : nullptr;
}

const Evaluated* Knowledge::of_tokens(int file, size_t begin, size_t end) {
  Evaluated& e = token_values_[{file, begin}];
  if (!e.ok() && e.reason.empty())
    e = evaluate_tokens(files_[static_cast<size_t>(file)].lex, begin, end, {}, environment(file));
  return e.ok() && e.print.formula != Formula::other && e.print.formula != Formula::identity ? &e : nullptr;
}

Value Knowledge::default_of_type(int fn) {
  const FunctionModel& f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  for (size_t m = f.first; m < f.last; ++m) {
    const Mention& x = fm.outline.mentions[m];
    if (x.callee != f.name && x.role != Role::assign)
      continue;
    size_t tok = token_at(f.file, x.offset);
    while (tok > 1 && fm.lex.str(tok - 1) == "::")
      tok -= 2;
    if (tok > 0 && fm.lex.str(tok - 1) == "=" && x.callee == f.name)
      if (Value v = of_mention(f.file, m); v.known())
        return v;
  }
  return {};
}

Value Knowledge::of_function(int fn) {
  auto it = function_values_.find(fn);
  if (it != function_values_.end() && (depth_ > 0 || !it->second.weak))
    return it->second;
  Busy busy(busy_, 0, fn);
  if (busy.again() || depth_ > k_max_depth) {
    ++cycles_;
    return {};
  }
  const uint64_t cycles_before = cycles_;
  ++depth_;
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  const Scope& scope = fm.outline.scopes[static_cast<size_t>(f.scope)];
  Place here{fm.path, f.line, f.column};
  std::string shown = f.qualified.empty() ? f.name : f.qualified;
  Claim claim = claim_of(f.name);
  Value out;
  bool done = false;
  if (f.fact && f.fact->value.ok()) {
    out = from_evaluated(f.fact->value, fn);
    for (const std::string& c : f.fact->callees)
      out.callees.push_back(c);
    done = out.formula != Formula::other && out.formula != Formula::identity;
  }
  if (!done && f.fact && f.fact->alternatives.size() > 1) {
    for (const auto& [condition, e] : f.fact->alternatives)
      add_unique(out.reachable, e.print.formula);
    out.reason = "several arms, chosen by " + f.fact->alternatives[0].first;
    if (out.reachable.size() == 1) {
      out = from_evaluated(f.fact->alternatives[0].second, fn);
      done = out.formula != Formula::other;
    }
  }
  bool need_tokens = !done && (fm.language == Language::shader || !fm.parsed || !f.active || !f.fact);
  if (need_tokens)
    if (const Evaluated* e = lexical(fn); e && e->print.formula != Formula::identity) {
      // Tokens tell less than an AST: "matches nothing" is only believed of a gradient or of a near miss.
      if (e->print.formula != Formula::other || claim.gradient || (claim.gelu_family && e->print.near_miss)) {
        Value v = from_evaluated(*e, fn);
        if (!out.known() || v.formula != Formula::other)
          out = v;
        done = v.formula != Formula::other;
      }
    }
  if (!done) {
    // A wrapper: what its body calls, constructs, returns or hands on.
    size_t tokens = scope.end > scope.begin ? scope.end - scope.begin : 0;
    bool may = f.is_type || claim.gelu_family || claim.formula || tokens <= 60 || (tokens <= 600 && classify_identifier(f.name) == NeedleClass::choice);
    std::vector<Value> found;
    if (f.is_type) {
      for (int m : fm.functions) {
        const FunctionModel& g = functions_[static_cast<size_t>(m)];
        if (m == fn || g.is_type || g.first < f.first || g.last > f.last || g.name == f.name)
          continue;
        // A functor is its call operator; a class that is named after an activation, any of its methods.
        if (g.name != "operator" && !claim.gelu_family && !claim.formula)
          continue;
        if (Value v = of_function(m); v.known() || !v.reachable.empty())
          found.push_back(v);
      }
      // A class that chooses among formulas is told by its choice, not by one of its methods.
      bool chooses = false;
      for (size_t t = scope.begin; t < scope.end && !chooses; ++t)
        chooses = fm.lex.str(t) == "switch" || fm.lex.str(t) == "enum";
      if (found.empty() && !chooses && (claim.gelu_family || claim.formula))
        found = methods_elsewhere(fn);
    } else if (may) {
      for (size_t m = f.first; m < f.last; ++m) {
        const Mention& x = fm.outline.mentions[m];
        bool role = x.role == Role::call || x.role == Role::construct || x.role == Role::template_argument || x.role == Role::argument ||
                    x.role == Role::assign || x.role == Role::returned || x.role == Role::ternary || x.role == Role::type_use ||
                    (x.role == Role::operand && x.needle == NeedleClass::gelu);
        if (!role || (x.is_string && x.role != Role::argument && x.role != Role::assign) || is_math_word(x.name))
          continue;
        if (x.name == f.name && (by_name_.find(f.name) == by_name_.end() || by_name_.find(f.name)->second.size() < 2))
          continue;
        if (x.needle == NeedleClass::none && x.role != Role::call && x.role != Role::template_argument && x.role != Role::construct)
          continue;
        if (x.is_string && rules_.is_message_call(x.callee))
          continue;
        if (x.name.size() > 1 && x.qualified.ends_with("::max"))
          continue;
        Value v = of_mention(f.file, m);
        if (v.building_block)
          continue;
        if (v.activation() || !v.reachable.empty() || (v.formula == Formula::other && claim_of(x.name).gelu_family))
          found.push_back(v);
      }
      // an arm that computes in place
      for (size_t a = 0; a < fm.outline.arms.size() && tokens <= 3000; ++a)
        if (fm.outline.arms[a].function == f.scope && fm.language == Language::shader)
          if (Value v = of_arm(f.file, a); v.activation())
            found.push_back(v);
    }
    if (found.empty() && (f.is_type || claim.gelu_family))
      found = through_types(fn);
    Value w = combine(found, f.name);
    // `other` from a body that only hands on is weaker than what it hands on to.
    if (w.known() || (w.reachable.size() > 1 && !out.known())) {
      if (!(out.formula == Formula::other && w.known_by == KnownBy::name)) {
        out = w;
        out.callees.insert(out.callees.begin(), shown);
        if (out.reason.empty() && w.definition)
          out.reason = fmt::format("through {}", w.callees.size() > 1 ? w.callees[1] : shown);
      }
    }
    if (f.is_type && !out.known()) {
      out.definition = here;
      if (out.reachable.empty())
        out.reason = out.reason.empty() ? "no method computes a formula that could be evaluated" : out.reason;
    }
  }
  if (!out.known() && out.reason.empty() && f.fact)
    out.reason = f.fact->value.reason;
  if (!out.definition)
    out.definition = here;
  if (out.backend == Backend::unknown)
    out.backend = fm.backend;
  if (claim.gated && out.gating == formula::Gating::none && out.known())
    out.gating = formula::Gating::glu;
  --depth_;
  if (keeps(out, cycles_before) || cycles_ > 20000) {
    out.weak = !keeps(out, cycles_before);
    function_values_[fn] = out;
  }
  return out;
}

/// The methods of a type that are defined outside of it, as "Op::Run" in a source file for a class of a header.
std::vector<Value> Knowledge::methods_elsewhere(int type) {
  if (by_owner_.empty())
    for (size_t i = 0; i < functions_.size(); ++i) {
      const FunctionModel& g = functions_[i];
      size_t colons = g.qualified.rfind("::");
      if (g.is_type || g.is_lambda || colons == std::string::npos || colons == 0)
        continue;
      const std::vector<Scope>& scopes = files_[static_cast<size_t>(g.file)].outline.scopes;
      if (scopes[static_cast<size_t>(std::max(0, scopes[static_cast<size_t>(g.scope)].parent))].kind == ScopeKind::type)
        continue; // of its own class or specialisation
      size_t before = g.qualified.rfind("::", colons - 1);
      size_t from = before == std::string::npos ? 0 : before + 2;
      by_owner_[g.qualified.substr(from, colons - from)].push_back(static_cast<int>(i));
    }
  const FunctionModel f = functions_[static_cast<size_t>(type)];
  std::vector<Value> found;
  auto it = by_owner_.find(f.name);
  if (it == by_owner_.end())
    return found;
  for (int m : it->second) {
    const FunctionModel g = functions_[static_cast<size_t>(m)];
    bool inside = g.file == f.file && g.first >= f.first && g.last <= f.last;
    if (inside || g.name == f.name || g.name.ends_with("::" + f.name) || g.name.find('~') != std::string::npos)
      continue;
    std::string owner = g.qualified.substr(0, g.qualified.rfind("::"));
    const std::string& whole = f.qualified.empty() ? f.name : f.qualified;
    // "ns::Op" and "Op" inside a namespace that the text opens elsewhere are one class; "a::Op" and "b::Op" are not.
    auto within = [](const std::string& name, const std::string& tail) { return name == tail || name.ends_with("::" + tail); };
    if (!within(whole, owner) && !within(owner, whole))
      continue;
    if (Value v = of_function(m); v.activation() || !v.reachable.empty()) {
      found.push_back(v);
      continue;
    }
    // The method does more than the activation, which stands in the midst of it.
    for (const InnerFact* i : inner_)
      if (i->value.ok() && formula::is_gelu_family(i->value.print.formula) && i->file == files_[static_cast<size_t>(g.file)].path &&
          within(i->enclosing, g.qualified)) {
        Value v = from_evaluated(i->value, -1);
        v.definition = Place{i->file, i->line, i->column};
        v.callees = {g.qualified};
        found.push_back(v);
      }
  }
  return found;
}

/// A look-up table object: what its constructor fills it with. For a function, the types that its text names.
std::vector<Value> Knowledge::through_types(int fn) {
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  std::vector<Value> found;
  if (f.is_type) {
    auto it = by_name_.find(f.name);
    for (int c : it == by_name_.end() ? std::vector<int>{} : it->second) {
      const FunctionModel& g = functions_[static_cast<size_t>(c)];
      const FileModel& gm = files_[static_cast<size_t>(g.file)];
      if (g.is_type || g.name != f.name || distance(f.file, g.file) > 3)
        continue;
      for (size_t m = g.first; m < g.last; ++m)
        if (gm.outline.mentions[m].role == Role::call || gm.outline.mentions[m].role == Role::argument)
          if (Value v = of_mention(g.file, m); v.activation() && v.known_by == KnownBy::evaluated) {
            v.precision = formula::Precision::unknown;
            v.reason = "a table that its constructor fills";
            found.push_back(v);
          }
    }
    return found;
  }
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  const Scope& s = fm.outline.scopes[static_cast<size_t>(f.scope)];
  for (size_t i = s.head; i < std::min(s.end, fm.lex.tokens.size()) && i < s.begin + 300; ++i) {
    if (fm.lex.tokens[i].kind != TokKind::identifier)
      continue;
    auto it = by_name_.find(fm.lex.str(i));
    for (int c : it == by_name_.end() ? std::vector<int>{} : it->second)
      if (functions_[static_cast<size_t>(c)].is_type && distance(f.file, functions_[static_cast<size_t>(c)].file) <= 3)
        if (Value v = of_function(c); v.activation())
          found.push_back(v);
  }
  return found;
}

std::vector<int> Knowledge::candidates(const std::string& name, const std::string& qualified, int from, bool) {
  auto it = by_name_.find(name);
  if (it == by_name_.end())
    return {};
  std::vector<int> out;
  for (int fn : it->second) {
    const FunctionModel& f = functions_[static_cast<size_t>(fn)];
    if (f.is_lambda && f.file != from)
      continue;
    // Host code does not call a shader's functions by name, nor the other way round.
    if ((files_[static_cast<size_t>(f.file)].language == Language::shader) != (files_[static_cast<size_t>(from)].language == Language::shader))
      continue;
    if (qualified.find("::") != std::string::npos && f.qualified.find("::") != std::string::npos && !compatible(qualified, f.qualified))
      continue;
    out.push_back(fn);
  }
  return out;
}

/// The nearest known values decide; among equally near ones the CPU's, then agreement.
Value Knowledge::choose(std::vector<std::pair<int, Value>> options, int from) const {
  if (options.empty())
    return {};
  std::vector<Formula> all;
  for (const auto& [file, v] : options)
    if (v.activation())
      add_unique(all, v.formula);
  auto rank = [&](const std::pair<int, Value>& o) {
    const Value& v = o.second;
    int backend = v.backend == Backend::cpu ? 0 : v.backend == Backend::unknown ? 1 : 2;
    return std::tuple(!v.activation() && v.formula != Formula::other, distance(from, o.first), backend, static_cast<int>(v.known_by));
  };
  std::stable_sort(options.begin(), options.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  Value best = options[0].second;
  // As near as the best and of the same standing, but different: a run-time matter.
  std::vector<Formula> equal;
  std::map<Formula, int> votes;
  for (const auto& o : options)
    if (rank(o) == rank(options[0]) && o.second.activation()) {
      add_unique(equal, o.second.formula);
      ++votes[o.second.formula];
    }
  if (equal.size() > 1) {
    Formula top = equal[0];
    for (const auto& [f, n] : votes)
      if (n > votes[top])
        top = f;
    for (const auto& o : options)
      if (o.second.formula == top) {
        best = o.second;
        break;
      }
  }
  if (all.size() > 1 && best.reachable.empty())
    best.reachable = all;
  return best;
}

Value Knowledge::of_rule(const ApiSymbol& s, int file, const Mention& m) {
  Value v;
  v.formula = s.formula;
  v.known_by = KnownBy::rule;
  v.gating = s.gating;
  v.precision = s.precision;
  v.building_block = s.building_block;
  v.is_epilogue = s.kind == ApiKind::epilogue;
  v.reason = s.note.empty() ? fmt::format("{} by rule ({})", s.name, s.source) : fmt::format("{} by rule: {} ({})", s.name, s.note, s.source);
  for (Backend b : {Backend::cpu, Backend::cuda, Backend::metal, Backend::vulkan, Backend::opencl, Backend::sycl, Backend::hip, Backend::webgpu, Backend::graph})
    if (s.backend == to_string(b))
      v.backend = b;
  if (!s.when.empty()) {
    const LexedFile& lex = files_[static_cast<size_t>(file)].lex;
    auto [a, b] = argument_tokens(file, m);
    if (a >= b && m.role == Role::argument && m.length > 0) {
      // pasted by a macro: its arguments are those that follow the name
      a = token_at(file, m.offset) + 2;
      int open = 0;
      for (b = a; b < lex.tokens.size() && open >= 0; ++b)
        open += lex.str(b) == "(" ? 1 : lex.str(b) == ")" ? -1 : 0;
      b = b > a ? b - 1 : a;
    }
    for (const ApiCondition& c : s.when) {
      bool hit = false;
      if (c.argument.starts_with('#')) {
        size_t eq = c.argument.find('=');
        int want = std::atoi(c.argument.c_str() + 1), index = 0, depth = 0;
        std::string text;
        for (size_t i = a; i < b; ++i) {
          std::string_view t = lex.str(i);
          depth += (t == "(" || t == "{" || t == "[") ? 1 : (t == ")" || t == "}" || t == "]") ? -1 : 0;
          if (t == "," && depth == 0)
            ++index;
          else if (index == want)
            text += t;
        }
        hit = text == c.argument.substr(eq + 1);
      } else {
        for (size_t i = a; i < b && !hit; ++i)
          hit = lex.tokens[i].kind == TokKind::string ? lex.unquoted(lex.tokens[i]) == c.argument
                                                      : lex.tokens[i].kind == TokKind::identifier && lex.str(i) == c.argument;
      }
      if (hit)
        v.formula = c.formula;
    }
  }
  if (v.formula == Formula::unknown && !v.building_block)
    v.known_by = KnownBy::none;
  return v;
}

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

/// The formula that the arguments of a call choose: an enumerator or a name among them.
Value Knowledge::argument_choice(int file, size_t mi) {
  const FileModel& f = files_[static_cast<size_t>(file)];
  auto [a, b] = argument_tokens(file, f.outline.mentions[mi]);
  if (a >= b)
    return {};
  auto [first, last] = mention_range(file, f.lex.tokens[a].offset, f.lex.tokens[b - 1].offset + 1);
  std::vector<Value> found;
  for (size_t m = first; m < last; ++m) {
    const Mention& x = f.outline.mentions[m];
    if (m == mi || x.role == Role::call)
      continue;
    if (x.is_string) { // run("Gelu", …), where a table says what that name stands for
      if (x.needle == NeedleClass::gelu && x.callee == f.outline.mentions[mi].name)
        if (Value v = of_mention(file, m); v.activation() && v.known_by == KnownBy::evaluated)
          found.push_back(v);
      continue;
    }
    auto r = f.refs.find(x.offset);
    if (r != f.refs.end() && (r->second->kind == TargetKind::variable || r->second->kind == TargetKind::parameter))
      continue; // shares its name with an enumerator
    if (is_enumerator(file, x))
      if (Value v = of_mention(file, m); v.activation())
        found.push_back(v);
  }
  return combine(found, "");
}

Value Knowledge::of_name(int file, size_t mi) {
  const FileModel& f = files_[static_cast<size_t>(file)];
  const Mention& m = f.outline.mentions[mi];
  std::string qualified = m.qualified.empty() ? m.name : m.qualified;
  bool callish = m.role == Role::call || m.role == Role::construct || m.role == Role::type_use;
  auto call = f.calls.find(m.offset);
  if (call != f.calls.end() && call->second->value.ok())
    return from_evaluated(call->second->value, -1);
  if (is_enumerator(file, m)) {
    auto r = f.refs.find(m.offset);
    bool from_ast = r != f.refs.end() && r->second->kind == TargetKind::enumerator && r->second->qualified.find("::") != std::string::npos;
    return of_enumerator(from_ast ? r->second->qualified : qualified, file);
  }
  // the AST's target
  std::vector<int> fns;
  auto r = f.refs.find(m.offset);
  if (r != f.refs.end() && !r->second->target_file.empty() && (r->second->kind == TargetKind::function || r->second->kind == TargetKind::type)) {
    auto it = by_name_.find(m.name);
    if (it != by_name_.end())
      for (int fn : it->second) {
        const FunctionModel& x = functions_[static_cast<size_t>(fn)];
        if (files_[static_cast<size_t>(x.file)].path == r->second->target_file && x.line == r->second->target_line && fn != function_at(file, mi))
          fns.push_back(fn);
      }
    if (fns.empty())
      fns = candidates(m.name, r->second->qualified, file, false);
  }
  bool variable = r != f.refs.end() && (r->second->kind == TargetKind::variable || r->second->kind == TargetKind::parameter);
  // Without a target, a plain word is only taken for a function of another file when it is used like one.
  bool like_a_function = callish || m.role == Role::template_argument || m.needle == NeedleClass::gelu || r != f.refs.end();
  if (fns.empty() && !variable) {
    fns = candidates(m.name, qualified, file, false);
    if (!like_a_function)
      std::erase_if(fns, [&](int fn) { return functions_[static_cast<size_t>(fn)].file != file; });
  }
  if (fns.empty() && variable) { // a variable that holds a lambda of this file
    fns = candidates(m.name, m.name, file, false);
    std::erase_if(fns, [&](int fn) { return !functions_[static_cast<size_t>(fn)].is_lambda; });
  }
  std::vector<std::pair<int, Value>> options;
  for (int fn : fns)
    if (Value v = of_function(fn); v.known() || !v.reachable.empty())
      options.emplace_back(functions_[static_cast<size_t>(fn)].file, v);
  Value v = choose(std::move(options), file);
  if ((!v.known() || v.reachable.size() > 1) && (callish || m.role == Role::template_argument)) {
    if (Value by = argument_choice(file, mi); by.activation()) {
      by.reason = by.reason.empty() ? "the argument chooses" : by.reason;
      return by;
    }
    for (int fn : fns)
      if (functions_[static_cast<size_t>(fn)].is_type && argument_tokens(file, m).first >= argument_tokens(file, m).second)
        if (Value d = default_of_type(fn); d.activation()) {
          d.reason = "default argument of the constructor";
          return d;
        }
  }
  if (v.known() || !v.reachable.empty())
    return v;
  // macros, tables, handles, variables
  if (const TableSummary* t = table(m.name)) {
    Evaluated& e = table_values_[t->name];
    if (!e.ok()) {
      std::string error, text = t->expr;
      // the index stands for the value that its bits are: the leaf is that value
      if (size_t leaf = text.find("x:i32"); leaf != std::string::npos)
        text.replace(leaf, 5, "x:f32");
      if (auto x = formula::parse_expr(text, &error)) {
        e.print = formula::classify(*x);
        e.expr = text;
        e.precision = formula::Precision::f16_table;
      }
    }
    if (e.ok()) {
      Value tv = from_evaluated(e, -1);
      tv.definition = Place{t->file, t->line, 1};
      tv.reason = "look-up table";
      return tv;
    }
  }
  if (const ApiSymbol* s = rules_.find(r != f.refs.end() && r->second->target_file.empty() && !r->second->qualified.empty() &&
                                                 rules_.find(r->second->qualified) ? r->second->qualified : qualified))
    return of_rule(*s, file, m);
  auto as = assigned_.find(m.name);
  bool is_parameter = r != f.refs.end() && r->second->kind == TargetKind::parameter;
  if (!is_parameter && as != assigned_.end() && as->second.size() < 60) {
    std::vector<std::pair<int, Value>> from;
    std::vector<std::pair<int, size_t>> sources = as->second;
    for (size_t i = sources.size(); i-- > 0;) { // a local variable: its latest value before this use
      if (sources[i].first != file || sources[i].second >= mi)
        continue;
      const Mention& o = f.outline.mentions[sources[i].second];
      if (o.function == m.function && m.function >= 0 && o.group == m.group) {
        sources = {sources[i]};
        break;
      }
    }
    for (const auto& [fi, other] : sources) {
      const Mention& o = files_[static_cast<size_t>(fi)].outline.mentions[other];
      if ((fi == file && other == mi) || o.name == m.name || (fi != file && ((distance(file, fi) > 4 && o.role != Role::type_use) || !claim_of(m.name).gelu_family)))
        continue;
      if (Value x = of_mention(fi, other); x.activation())
        from.emplace_back(fi, x);
    }
    Value x = choose(std::move(from), file);
    if (x.activation() && x.reachable.size() < 2)
      return x;
    if (x.reachable.size() > 1) {
      Value several;
      several.reachable = x.reachable;
      several.reason = "set to several values";
      return several;
    }
  }
  if (m.role == Role::argument && is_macro_function(m.callee))
    if (Value w = pasted(file, m, m.callee, m.argument, 0); w.known())
      return w;
  bool generated = m.group >= 0 && (m.role == Role::assign || m.role == Role::returned || m.role == Role::call);
  // A name with a body of its own that could not be read is not what its namesake is.
  if (m.needle == NeedleClass::gelu && !is_math_word(m.name) && fns.empty())
    if (Value w = by_words(m.name, file, generated); w.known())
      return w;
  return {};
}

/// An argument that a macro pastes into a name: OP(Gelu) with vendor##NAME names vendorGelu.
Value Knowledge::pasted(int file, const Mention& m, const std::string& macro, int position, int depth) {
  auto it = macro_definitions_.find(macro);
  if (it == macro_definitions_.end() || depth > 3)
    return {};
  for (const auto& [fi, directive] : it->second) {
    const LexedFile& lex = files_[static_cast<size_t>(fi)].lex;
    const PpDirective& d = lex.directives[directive];
    size_t tok = token_at(fi, static_cast<uint32_t>(d.name.data() - lex.text.data())) + 1;
    size_t close = tok;
    std::vector<std::string_view> parameters;
    for (; close < lex.tokens.size() && lex.str(close) != ")"; ++close)
      if (lex.tokens[close].kind == TokKind::identifier)
        parameters.push_back(lex.str(close));
    if (position < 0 || static_cast<size_t>(position) >= parameters.size())
      continue;
    std::string_view parameter = parameters[static_cast<size_t>(position)];
    std::string callee;
    int index = 0, nest = 0;
    for (size_t i = close + 1; i < lex.tokens.size() && lex.tokens[i].offset < d.end; ++i) {
      std::string_view s = lex.str(i);
      if (s == "(") {
        if (lex.tokens[i - 1].kind == TokKind::identifier && is_macro_function(std::string(lex.str(i - 1)))) {
          callee = lex.str(i - 1);
          index = 0;
          nest = 0;
        } else {
          ++nest;
        }
      } else if (s == ")") {
        --nest;
      } else if (s == "," && nest <= 0) {
        ++index;
      }
      if (s != parameter)
        continue;
      std::string name;
      if (lex.str(i - 1) == "##" && lex.tokens[i - 2].kind == TokKind::identifier)
        name = std::string(lex.str(i - 2)) + m.name;
      else if (lex.str(i + 1) == "##" && lex.tokens[i + 2].kind == TokKind::identifier)
        name = m.name + std::string(lex.str(i + 2));
      if (!name.empty()) {
        if (const ApiSymbol* s2 = rules_.find(name))
          if (Value v = of_rule(*s2, file, m); v.known())
            return v;
        if (auto fn = by_name_.find(name); fn != by_name_.end())
          for (int x : fn->second)
            if (Value v = of_function(x); v.activation())
              return v;
      } else if (!callee.empty()) {
        if (Value v = pasted(file, m, callee, index, depth + 1); v.known())
          return v;
      }
    }
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
  return v.known() || !loosely ? v : search(by_core_, core_words(name));
}

Value Knowledge::of_string(int file, size_t mi) {
  const FileModel& f = files_[static_cast<size_t>(file)];
  const Mention& m = f.outline.mentions[mi];
  int nearest = 0; // of the functions of the last name
  auto named = [&](const std::string& name) -> Value {
    std::vector<std::pair<int, Value>> options;
    if (auto it = by_name_.find(name); it != by_name_.end())
      for (int fn : it->second)
        if (Value v = of_function(fn); v.known())
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
  Value v = named(m.name);
  const int own = nearest;
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
    if (Value w = named(other); w.known() && (claim_of(other).gelu_family || claim_of(other).formula) && (!v.known() || nearest < own))
      return w;
    if (v.known())
      continue;
    if (other.find('.') != std::string::npos)
      for (size_t k = 0; k < files_.size(); ++k)
        if (files_[k].path.ends_with("/" + other) || files_[k].path == other) {
          std::vector<Value> found;
          for (int fn : files_[k].functions)
            if (Value w = of_function(fn); w.activation() && formula::is_gelu_family(w.formula))
              found.push_back(w);
          if (Value w = combine(found, ""); w.known())
            in_file.emplace_back(static_cast<int>(k), w);
        }
  }
  if (v.known())
    return v;
  if (!in_file.empty())
    return choose(std::move(in_file), file);
  if (m.needle == NeedleClass::gelu && m.name.find(' ') == std::string::npos) {
    if (Value w = by_words(m.name, file, false); w.known())
      return w;
    // a name table's string: the enumerator of the same words
    std::string key = link_words(m.name);
    if (m.role != Role::element)
      return {};
    for (const auto& [name, uses] : labels_)
      if (claim_of(name).gelu_family && link_words(name) == key && enumerators_.count(name))
        if (Value e = of_enumerator(name, file); e.known()) {
          e.known_by = weaker(e.known_by, KnownBy::name);
          e.reason = fmt::format("linked by its name to {}", name);
          return e;
        }
  }
  return {};
}

Value Knowledge::of_row(const RowModel& r) {
  std::vector<Value> found;
  const auto& mentions = files_[static_cast<size_t>(r.file)].outline.mentions;
  for (size_t m : r.values) {
    const Mention& x = mentions[m];
    if ((x.is_string && r.values.size() > 1) || is_math_word(x.name))
      continue;
    if (Value v = of_mention(r.file, m); v.known() || !v.reachable.empty())
      found.push_back(v);
  }
  return combine(found, r.key != SIZE_MAX ? mentions[r.key].name : std::string());
}

Value Knowledge::of_arm(int file, size_t ai) {
  auto key = std::pair(file, ai);
  auto it = arm_values_.find(key);
  if (it != arm_values_.end() && (depth_ > 0 || !it->second.weak))
    return it->second;
  Busy busy(busy_, 1, file * 1000000L + static_cast<long>(ai));
  if (busy.again() || depth_ > k_max_depth) {
    ++cycles_;
    return {};
  }
  const uint64_t cycles_before = cycles_;
  ++depth_;
  const FileModel& f = files_[static_cast<size_t>(file)];
  const DispatchArm& arm = f.outline.arms[ai];
  Value out;
  if (arm.begin < arm.end && arm.end <= f.lex.tokens.size()) {
    auto [first, last] = mention_range(file, f.lex.tokens[arm.begin].offset, f.lex.tokens[arm.end - 1].offset + 1);
    std::vector<Value> found;
    bool math = false;
    for (size_t m = first; m < last; ++m) {
      const Mention& x = f.outline.mentions[m];
      if (is_math_word(x.name) && !x.is_string) {
        math = true;
        continue;
      }
      bool role = x.role == Role::call || x.role == Role::construct || x.role == Role::template_argument || x.role == Role::argument ||
                  x.role == Role::assign || x.role == Role::returned || x.role == Role::ternary || x.role == Role::type_use || x.role == Role::element ||
                  (x.role == Role::operand && x.needle == NeedleClass::gelu);
      if (!role || x.role == Role::case_label || x.role == Role::compare)
        continue;
      if (x.is_string && (rules_.is_message_call(x.callee) || x.needle == NeedleClass::none))
        continue;
      if (x.needle == NeedleClass::none && !x.is_string && !is_enumerator(file, x) && !is_function_name(x.name))
        continue;
      bool label = std::any_of(arm.labels.begin(), arm.labels.end(), [&](size_t l) { return f.outline.mentions[l].name == x.name; });
      if (label && is_enumerator(file, x))
        continue;
      if (x.is_string && (is_math_like(x.name) || !found.empty()))
        continue;
      Value v = of_mention(file, m);
      if (v.building_block)
        continue;
      if (v.activation() || !v.reachable.empty() || (v.formula == Formula::other && claim_of(x.name).gelu_family))
        found.push_back(v);
    }
    std::string label = arm.labels.empty() ? std::string() : f.outline.mentions[arm.labels.back()].name;
    out = combine(found, label);
    if (!out.known() && out.reachable.empty() && arm.end - arm.begin < 600 &&
        (math || has_needle(f.lex.text.substr(f.lex.tokens[arm.begin].offset, f.lex.tokens[arm.end - 1].offset - f.lex.tokens[arm.begin].offset), false))) {
      Evaluated& e = arm_evaluated_[key];
      e = evaluate_tokens(f.lex, arm.begin, arm.end, {}, environment(file));
      if (e.ok() && e.print.formula != Formula::identity) {
        out = from_evaluated(e, -1);
        out.definition = Place{f.path, static_cast<int>(f.lex.tokens[arm.begin].line), static_cast<int>(f.lex.tokens[arm.begin].column)};
      }
    }
  }
  if (out.backend == Backend::unknown || f.backend != Backend::unknown)
    out.backend = f.backend;
  --depth_;
  if (keeps(out, cycles_before) || cycles_ > 20000) {
    out.weak = !keeps(out, cycles_before);
    arm_values_[key] = out;
  }
  return out;
}

Value Knowledge::of_enumerator(const std::string& qualified, int from) {
  auto key = std::pair(last_two(qualified), from);
  auto it = enumerator_values_.find(key);
  if (it != enumerator_values_.end() && (depth_ > 0 || !it->second.weak))
    return it->second;
  std::string name = qualified.substr(qualified.rfind("::") == std::string::npos ? 0 : qualified.rfind("::") + 2);
  Busy busy(busy_, 2, static_cast<long>(std::hash<std::string>{}(key.first + ":" + std::to_string(from)) & 0x7fffffffffffL));
  if (busy.again() || depth_ > k_max_depth) {
    ++cycles_;
    return {};
  }
  const uint64_t cycles_before = cycles_;
  ++depth_;
  std::vector<std::pair<int, Value>> options;
  std::vector<Formula> everywhere;
  size_t uses = 0, telling = 0;
  if (auto l = labels_.find(name); l != labels_.end())
    for (const LabelUse& u : l->second) {
      if (u.mention == SIZE_MAX) { // the entry of an array that stands at the enumerator's position
        if (Value v = of_row(rows_[u.row]); v.known()) {
          if (v.activation())
            add_unique(everywhere, v.formula);
          options.emplace_back(u.file, v);
        }
        continue;
      }
      const Mention& m = files_[static_cast<size_t>(u.file)].outline.mentions[u.mention];
      std::string q = m.qualified.empty() ? m.name : m.qualified;
      auto r = files_[static_cast<size_t>(u.file)].refs.find(m.offset);
      if (r != files_[static_cast<size_t>(u.file)].refs.end() && r->second->kind == TargetKind::enumerator)
        q = r->second->qualified;
      if (!compatible(q, qualified))
        continue;
      ++uses;
      if (u.arm == SIZE_MAX) { // {key, value} outside a named table is an argument list, unless the name itself tells
        const auto& scopes = files_[static_cast<size_t>(u.file)].outline.scopes;
        const Scope& sc = scopes[static_cast<size_t>(rows_[u.row].scope)];
        if (sc.name.empty() && (sc.parent < 0 || scopes[static_cast<size_t>(sc.parent)].name.empty()) && !claim_of(name).gelu_family && !claim_of(name).formula)
          continue;
      }
      Value v = u.arm != SIZE_MAX ? of_arm(u.file, u.arm) : of_row(rows_[u.row]);
      if (!v.known() && v.reachable.empty())
        continue;
      ++telling;
      if (v.activation())
        add_unique(everywhere, v.formula);
      options.emplace_back(u.file, v);
    }
  Value out = choose(std::move(options), from);
  // A data type or a mode is dispatched in many places, some of them inside an activation: it selects none.
  Claim claim = claim_of(name);
  if (!claim.gelu_family && !claim.formula && (everywhere.size() > 1 || telling * 2 < uses))
    out = Value{};
  if (out.activation() && everywhere.size() > 1)
    out.reachable = everywhere;
  if (!out.known() && out.reachable.empty()) {
    if (const ApiSymbol* s = rules_.find(qualified))
      out = of_rule(*s, from, Mention{});
    else if (Claim c = claim_of(name); c.gelu_family && !c.gradient)
      if (Value w = by_words(name, from, std::none_of(name.begin(), name.end(), [](char ch) { return ch >= 'a' && ch <= 'z'; })); w.known())
        out = w;
  }
  --depth_;
  if (keeps(out, cycles_before) || cycles_ > 20000) {
    out.weak = !keeps(out, cycles_before);
    enumerator_values_[key] = out;
  }
  return out;
}

Value Knowledge::of_mention(int file, size_t mi) {
  auto key = std::pair(file, mi);
  auto it = mention_values_.find(key);
  if (it != mention_values_.end() && (depth_ > 0 || !it->second.weak))
    return it->second;
  Busy busy(busy_, 3, file * 10000000L + static_cast<long>(mi));
  if (busy.again() || depth_ > k_max_depth) {
    ++cycles_;
    return {};
  }
  const uint64_t cycles_before = cycles_;
  ++depth_;
  const Mention& m = files_[static_cast<size_t>(file)].outline.mentions[mi];
  Value v = m.is_string ? of_string(file, mi) : of_name(file, mi);
  --depth_;
  if (keeps(v, cycles_before) || cycles_ > 20000) {
    v.weak = !keeps(v, cycles_before);
    mention_values_[key] = v;
  }
  return v;
}

/// A caller of what computes the activation: its calls are sites, it is none.
bool Knowledge::hands_on(int fn) {
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  if (f.fact)
    for (const std::string& c : f.fact->callees) {
      std::string last = c.substr(c.rfind(':') == std::string::npos ? 0 : c.rfind(':') + 1);
      auto it = by_name_.find(last);
      if (last == f.name || is_math_like(last) || it == by_name_.end())
        continue;
      for (int g : it->second)
        if (functions_[static_cast<size_t>(g)].fact && functions_[static_cast<size_t>(g)].fact->value.ok() &&
            formula::is_gelu_family(functions_[static_cast<size_t>(g)].fact->value.print.formula))
          return true;
    }
  for (size_t m = f.first; m < f.last; ++m) {
    const Mention& x = fm.outline.mentions[m];
    if (!x.is_string && x.name != f.name && (x.role == Role::call || x.role == Role::construct || x.role == Role::template_argument) && claim_of(x.name).gelu_family)
      return true;
  }
  return false;
}

std::set<std::string> Knowledge::learned_names() {
  std::set<std::string> out;
  for (size_t fn = 0; fn < functions_.size(); ++fn) {
    const FunctionModel& f = functions_[fn];
    if (f.is_lambda || f.name.empty() || f.name.starts_with("operator") || f.name.size() < 3 || f.name == "main" || f.name == "forward" || f.name == "compute" ||
        f.name == "run" || f.name == "apply" || f.name == "call" || f.name == "eval" || classify_identifier(f.name) == NeedleClass::gelu)
      continue;
    const Scope& body = files_[static_cast<size_t>(f.file)].outline.scopes[static_cast<size_t>(f.scope)];
    bool evaluated = body.end - body.begin <= 600 && f.fact && f.fact->value.ok() && formula::is_gelu_family(f.fact->value.print.formula);
    if (evaluated && !hands_on(static_cast<int>(fn)))
      out.insert(f.name);
  }
  return out;
}

} // namespace gelint::scan
