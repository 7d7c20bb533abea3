// What a name at a place computes: the target that the parser saw, a rule, a variable, an argument that a macro pastes.

#include "scan/knowledge_parts.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gelint::scan {

using formula::Formula;

bool Knowledge::is_mathematics(int file, size_t mention) {
  const Mention& m = files_[static_cast<size_t>(file)].outline.mentions[mention];
  if (!is_math_like(m.name) || is_math_word(m.name) || m.is_string || !is_function_name(m.name))
    return is_math_like(m.name);
  const Value v = of_mention(file, mention);
  return v.known_by != KnownBy::evaluated || !formula::is_gelu_family(v.formula);
}

Value Knowledge::of_mention(int file, size_t mention) {
  return remembered(mention_values_, std::pair(file, mention), 3, file * 10000000L + static_cast<long>(mention), [&] {
    return files_[static_cast<size_t>(file)].outline.mentions[mention].is_string ? of_string(file, mention) : of_name(file, mention);
  });
}

Value Knowledge::of_name(int file, size_t mi) {
  const FileModel& f = files_[static_cast<size_t>(file)];
  const Mention& m = f.outline.mentions[mi];
  std::string qualified = m.qualified.empty() ? m.name : m.qualified;
  bool callish = m.role == Role::call || m.role == Role::construct || m.role == Role::type_use;
  auto call = f.calls.find(m.offset);
  if (call != f.calls.end() && call->second->value.ok())
    return value_of(call->second->value);
  if (m.needle == NeedleClass::gelu && is_template_parameter(file, m)) {
    Value none;
    none.reason = "a template argument";
    return none;
  }
  if (is_enumerator(file, m)) {
    if (in_gradient(file, m) && !is_gradient_name(m.name)) {
      Value none; // the enumerator's formula is that of the forward direction
      none.reason = "chooses a gradient";
      return none;
    }
    auto r = f.refs.find(m.offset);
    bool from_ast = r != f.refs.end() && r->second->kind == TargetKind::enumerator && r->second->qualified.find("::") != std::string::npos;
    return of_enumerator(from_ast ? r->second->qualified : qualified, file);
  }
  if (callish)
    if (const std::string renamed = renamed_by_macro(file, m); !renamed.empty()) {
      std::vector<std::pair<int, Value>> named;
      for (int fn : candidates(renamed, renamed, file, false))
        if (Value v = of_function(fn); v.tells())
          named.emplace_back(functions_[static_cast<size_t>(fn)].file, v);
      if (Value v = choose(std::move(named), file); v.tells())
        return v;
      if (const ApiSymbol* s = rules_.find(renamed))
        return of_rule(*s, file, m);
      Value none;
      none.reason = "a macro makes it " + renamed;
      return none;
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
  if (r != f.refs.end() && r->second->dynamic)
    add_overriders(r->second->qualified, m.name, file, fns);
  // A class template's explicit specialisations are classes of their own.
  if (fns.size() == 1 && functions_[static_cast<size_t>(fns[0])].is_type) {
    const FunctionModel x = functions_[static_cast<size_t>(fns[0])];
    for (int fn : by_name_[m.name])
      if (const FunctionModel& y = functions_[static_cast<size_t>(fn)]; fn != fns[0] && y.is_type && y.file == x.file && y.qualified == x.qualified)
        fns.push_back(fn);
  }
  // An overload that hands on to another: the parser may name the one that the call stands in.
  auto around = [&](int fn) {
    const FunctionModel& x = functions_[static_cast<size_t>(fn)];
    return x.file == file && !x.is_type && x.first <= mi && mi < x.last && x.name == m.name;
  };
  std::erase_if(fns, around);
  bool variable = r != f.refs.end() && (r->second->kind == TargetKind::variable || r->second->kind == TargetKind::parameter);
  // Without a target, a plain word is only taken for a function of another file when it is used like one.
  bool like_a_function = callish || m.role == Role::template_argument || m.needle == NeedleClass::gelu || r != f.refs.end();
  if (fns.empty() && !variable) {
    // The parser knows which one is meant, though not what it does: a namesake in another scope is another function.
    bool resolved = r != f.refs.end() && !r->second->target_file.empty() && r->second->kind == TargetKind::function &&
                    r->second->qualified.find("::") != std::string::npos;
    fns = candidates(m.name, resolved ? r->second->qualified : qualified, file, false);
    drop_unreachable_methods(fns, file, m);
    std::erase_if(fns, around);
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
  if (r != f.refs.end() && r->second->dynamic && options.size() > 1) {
    Value several;
    for (const auto& [where, o] : options) {
      if (o.known())
        add_unique(several.reachable, o.formula);
      for (formula::Formula x : o.reachable)
        add_unique(several.reachable, x);
    }
    several.reason = "the class of the object decides which method is called";
    if (several.reachable.size() > 1)
      return several;
  }
  Value v = choose(std::move(options), file);
  if (v.by_argument && callish)
    if (Value chosen = by_literal(*v.by_argument, argument_texts(file, m)); chosen.tells()) {
      chosen.definition = v.definition;
      chosen.callees = v.callees;
      return chosen;
    }
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
      Value tv = value_of(e);
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
    if (Value w = pasted(file, m, m.callee, m.argument, 0); w.tells())
      return w;
  // Base<T>::forward(…): what the class computes
  if (callish && fns.empty())
    if (std::string two = last_two(qualified); two.find("::") != std::string::npos)
      if (auto owner = by_name_.find(two.substr(0, two.find("::"))); owner != by_name_.end() && claim_of(owner->first).gelu_family)
        for (int fn : owner->second)
          if (functions_[static_cast<size_t>(fn)].is_type)
            if (Value w = of_function(fn); w.activation())
              return w;
  bool generated = m.group >= 0 && (m.role == Role::assign || m.role == Role::returned || m.role == Role::call);
  // A name with a body of its own that could not be read is not what its namesake is.
  if (m.needle == NeedleClass::gelu && !is_math_word(m.name) && fns.empty())
    if (Value w = by_words(m.name, file, generated); w.known())
      return w;
  return {};
}

bool Knowledge::in_gradient(int file, const Mention& m) const {
  if (is_gradient_name(m.callee))
    return true;
  const std::vector<Scope>& scopes = files_[static_cast<size_t>(file)].outline.scopes;
  for (int s = m.scope; s >= 0; s = scopes[static_cast<size_t>(s)].parent)
    if (const Scope& sc = scopes[static_cast<size_t>(s)]; (sc.kind == ScopeKind::function || sc.kind == ScopeKind::type) && is_gradient_name(sc.name))
      return true;
  return false;
}

bool Knowledge::is_gradient_arm(int file, size_t ai) const {
  const FileModel& f = files_[static_cast<size_t>(file)];
  const DispatchArm& arm = f.outline.arms[ai];
  if (!arm.labels.empty() && in_gradient(file, f.outline.mentions[arm.labels[0]]))
    return true;
  if (arm.begin >= arm.end || arm.end > f.lex.tokens.size())
    return false;
  auto [first, last] = mention_range(file, f.lex.tokens[arm.begin].offset, f.lex.tokens[arm.end - 1].offset + 1);
  for (size_t m = first; m < last; ++m)
    if (const Mention& x = f.outline.mentions[m]; (x.role == Role::call || x.role == Role::construct) && is_gradient_name(x.name))
      return true;
  return false;
}

/// Of whatever class the object is.
void Knowledge::add_overriders(const std::string& method, const std::string& name, int file, std::vector<int>& fns) {
  auto [a, b] = overriders_.equal_range(method);
  for (; a != b; ++a) {
    for (int fn : candidates(name, a->second, file, false))
      if (std::find(fns.begin(), fns.end(), fn) == fns.end())
        fns.push_back(fn);
    if (a->second != method && fns.size() < 64)
      add_overriders(a->second, name, file, fns);
  }
}

/// A call without an object reaches functions and the methods of the class around it, not those of another class.
void Knowledge::drop_unreachable_methods(std::vector<int>& fns, int file, const Mention& m) {
  if (m.role != Role::call || m.qualified != m.name || fns.size() < 2)
    return;
  auto owner = [&](const FunctionModel& g) -> std::string {
    const std::vector<Scope>& scopes = files_[static_cast<size_t>(g.file)].outline.scopes;
    const Scope& s = scopes[static_cast<size_t>(g.scope)];
    if (g.is_type || s.parent < 0)
      return {};
    return scopes[static_cast<size_t>(s.parent)].kind == ScopeKind::type ? scopes[static_cast<size_t>(s.parent)].name : std::string();
  };
  if (m.member) { // of which class is not known: they must agree
    std::set<std::string> owners;
    for (int fn : fns)
      owners.insert(owner(functions_[static_cast<size_t>(fn)]));
    if (m.needle != NeedleClass::none || owners.size() < 2)
      return;
    std::optional<formula::Formula> all;
    for (int fn : fns) {
      Value v = of_function(fn);
      if (!v.activation() || (all && *all != v.formula)) {
        fns.clear();
        return;
      }
      all = v.formula;
    }
    return;
  }
  std::string own;
  const std::vector<Scope>& scopes = files_[static_cast<size_t>(file)].outline.scopes;
  for (int s = m.scope; s >= 0 && own.empty(); s = scopes[static_cast<size_t>(s)].parent)
    if (scopes[static_cast<size_t>(s)].kind == ScopeKind::type)
      own = scopes[static_cast<size_t>(s)].name;
  if (own.empty())
    return;
  bool has_own = std::any_of(fns.begin(), fns.end(), [&](int fn) { return owner(functions_[static_cast<size_t>(fn)]) == own; });
  if (has_own)
    std::erase_if(fns, [&](int fn) { return owner(functions_[static_cast<size_t>(fn)]) != own; });
}

/// The formula that the arguments of a call choose: an enumerator or a name among them.
Value Knowledge::argument_choice(int file, size_t mi) {
  const FileModel& f = files_[static_cast<size_t>(file)];
  auto [a, b] = argument_tokens(file, f.outline.mentions[mi]);
  if (a >= b)
    return {};
  auto [first, last] = mention_range(file, f.lex.tokens[a].offset, f.lex.tokens[b - 1].offset + 1);
  if (Value v = approximation_argument(file, f.outline.mentions[mi]); v.known())
    return v;
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
    auto argument_text = [&, a = a, b = b](int want) {
      int index = 0, depth = 0;
      std::string text;
      for (size_t i = a; i < b; ++i) {
        std::string_view t = lex.str(i);
        depth += (t == "(" || t == "{" || t == "[") ? 1 : (t == ")" || t == "}" || t == "]") ? -1 : 0;
        if (t == "," && depth == 0)
          ++index;
        else if (index == want)
          text += t;
      }
      return text;
    };
    // at::gelu(x, mode), at::gelu(x, fast ? "tanh" : "none"): a literal that stands alone decides
    if (std::string text = s.open_argument >= 0 ? argument_text(s.open_argument) : std::string();
        !text.empty() && (text.find('?') != std::string::npos ||
                          (text.find('"') == std::string::npos &&
                           std::none_of(s.when.begin(), s.when.end(), [&](const ApiCondition& c) { return text.ends_with("::" + c.argument); })))) {
      v.reachable = {s.formula};
      for (const ApiCondition& c : s.when)
        add_unique(v.reachable, c.formula);
      std::sort(v.reachable.begin(), v.reachable.end());
      v.formula = Formula::unknown;
      v.known_by = KnownBy::none;
      v.reason = fmt::format("{} chooses ({})", text, s.source);
      return v;
    }
    std::string open_choice; // the argument that decides, when it is no literal
    for (const ApiCondition& c : s.when) {
      bool hit = false;
      if (c.argument.starts_with('#')) {
        size_t eq = c.argument.find('=');
        const std::string text = argument_text(std::atoi(c.argument.c_str() + 1));
        hit = text == c.argument.substr(eq + 1);
        if (std::any_of(text.begin(), text.end(), [](char ch) { return std::isalpha(static_cast<unsigned char>(ch)); }))
          open_choice = text;
      } else {
        for (size_t i = a; i < b && !hit; ++i)
          hit = lex.tokens[i].kind == TokKind::string ? lex.unquoted(lex.tokens[i]) == c.argument
                                                      : lex.tokens[i].kind == TokKind::identifier && lex.str(i) == c.argument;
      }
      if (hit)
        v.formula = c.formula;
    }
    if (v.formula == Formula::unknown && !open_choice.empty()) {
      v.by_argument = ByArgument{open_choice, SIZE_MAX, {}, {}};
      for (const ApiCondition& c : s.when) {
        add_unique(v.reachable, c.formula);
        if (size_t eq = c.argument.find('='); eq != std::string::npos)
          v.by_argument->arms.emplace_back(c.argument.substr(eq + 1), c.formula);
      }
    }
  }
  if (v.formula == Formula::unknown && !v.building_block)
    v.known_by = KnownBy::none;
  return v;
}

} // namespace gelint::scan
