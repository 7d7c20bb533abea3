// What the arms of a dispatch compute, and through them the enumerators that label them.

#include "scan/knowledge_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <optional>

namespace gelint::scan {

using formula::Formula;

namespace {

/// "if (t == A || t == B) { if (t == A) …; if (t == B) …; }"
bool decided_inside(const FileModel& f, size_t ai) {
  const DispatchArm& arm = f.outline.arms[ai];
  auto name = [&](size_t l) -> const std::string& { return f.outline.mentions[l].name; };
  for (const DispatchArm& in : f.outline.arms)
    if (&in != &arm && in.begin > arm.begin && in.end <= arm.end)
      for (size_t l : in.labels)
        if (std::any_of(arm.labels.begin(), arm.labels.end(), [&](size_t o) { return name(o) == name(l) && !is_math_word(name(o)); }))
          return true;
  return false;
}

/// "if (op == A) { if (mode == "b") act = B; }": what it is otherwise was decided before.
bool under_further_condition(const FileModel& f, const DispatchArm& arm, const Mention& m) {
  size_t i = arm.begin;
  while (i < arm.end && f.lex.str(i) == "{")
    ++i;
  if (f.lex.str(i) != "if" || f.lex.str(i + 1) != "(")
    return false;
  const size_t body = after_matching(f.lex, i + 1);
  size_t end = f.lex.str(body) == "{" ? after_matching(f.lex, body) : body;
  while (end < arm.end && end > 0 && f.lex.str(body) != "{" && f.lex.str(end - 1) != ";")
    ++end;
  if (end >= f.lex.tokens.size() || f.lex.str(end) == "else")
    return false;
  return f.lex.tokens[body].offset <= m.offset && m.offset < f.lex.tokens[end].offset;
}

bool has_slope(Formula f) { return f == Formula::leaky_relu || f == Formula::prelu; }

} // namespace

Value Knowledge::of_arm(int file, size_t arm) {
  return remembered(arm_values_, std::pair(file, arm), 1, file * 1000000L + static_cast<long>(arm), [&] { return arm_value(file, arm); });
}

Value Knowledge::arm_value(int file, size_t ai) {
  const FileModel& f = files_[static_cast<size_t>(file)];
  const DispatchArm& arm = f.outline.arms[ai];
  Value out;
  if (arm.labels.size() > 1 && decided_inside(f, ai)) {
    out.reason = "which one is decided inside of the arm";
    return out;
  }
  if (arm.begin < arm.end && arm.end <= f.lex.tokens.size()) {
    auto [first, last] = mention_range(file, f.lex.tokens[arm.begin].offset, f.lex.tokens[arm.end - 1].offset + 1);
    std::vector<Value> found;
    bool math = false;
    const bool gradient = !arm.labels.empty() && in_gradient(file, f.outline.mentions[arm.labels[0]]);
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
      bool label = std::any_of(arm.labels.begin(), arm.labels.end(), [&](size_t l) { return f.outline.mentions[l].name == x.name && !f.outline.mentions[l].is_string; });
      if (label && is_enumerator(file, x))
        continue;
      if (x.is_string && (is_math_like(x.name) || !found.empty()))
        continue;
      if (gradient && !is_gradient_name(x.name))
        continue; // the forward direction is a part of the gradient, not what the arm computes
      Value v = of_mention(file, m);
      if (v.building_block || in_product_with_its_argument(file, x, v.formula))
        continue;
      if (v.activation() && x.role == Role::assign && is_enumerator(file, x) && under_further_condition(f, arm, x)) {
        out.reason = "which one is decided inside of the arm";
        out.reachable = {v.formula};
        return out;
      }
      if (v.activation() || !v.reachable.empty() || (v.formula == Formula::other && claim_of(x.name).gelu_family))
        found.push_back(v);
    }
    std::string label = arm.labels.empty() ? std::string() : f.outline.mentions[arm.labels.back()].name;
    out = combine(found, label);
    // "case A: return [](float x) { … };"
    if (!out.known() && out.reachable.empty() && f.lex.str(arm.begin) == "return")
      if (Value v = lambda_in(file, arm.begin, arm.end); v.known())
        out = v;
    if (!out.known() && out.reachable.empty() && arm.end - arm.begin < 600 &&
        (math || has_needle(f.lex.text.substr(f.lex.tokens[arm.begin].offset, f.lex.tokens[arm.end - 1].offset - f.lex.tokens[arm.begin].offset), false))) {
      Evaluated& e = arm_evaluated_[{file, ai}];
      e = evaluate_tokens(f.lex, arm.begin, arm.end, {}, environment(file));
      // Tokens tell less than an AST: see function_value.
      if (e.ok() && e.print.formula != Formula::identity && (e.print.formula != Formula::other || gradient || e.print.near_miss || e.print.distance < 0.9)) {
        out = value_of(e);
        out.definition = Place{f.path, static_cast<int>(f.lex.tokens[arm.begin].line), static_cast<int>(f.lex.tokens[arm.begin].column)};
      }
    }
  }
  if (out.backend == Backend::unknown || f.backend != Backend::unknown)
    out.backend = f.backend;
  return out;
}

Value Knowledge::of_enumerator(const std::string& qualified, int from) {
  auto key = std::pair(last_two(qualified), from);
  long id = static_cast<long>(std::hash<std::string>{}(key.first + ":" + std::to_string(from)) & 0x7fffffffffffL);
  return remembered(enumerator_values_, key, 2, id, [&] {
    Value v = enumerator_value(qualified, from);
    // ReLU6 handed to what also runs PReLU: outside of the family that this tool is about, a name that says otherwise is a doubt.
    const Claim claim = claim_of(std::string_view(qualified).substr(qualified.rfind(':') + 1));
    if (v.known() && claim.formula && v.formula != *claim.formula && v.formula != Formula::other && !formula::is_gelu_family(v.formula) &&
        !formula::is_gelu_family(*claim.formula) && !(has_slope(v.formula) && has_slope(*claim.formula))) {
      Value doubted;
      doubted.reason = fmt::format("what takes it computes {}, its name says {}", to_string(v.formula), to_string(*claim.formula));
      return doubted;
    }
    return v;
  });
}

Value Knowledge::enumerator_value(const std::string& qualified, int from) {
  std::string name = qualified.substr(qualified.rfind("::") == std::string::npos ? 0 : qualified.rfind("::") + 2);
  std::vector<std::pair<int, Value>> options;
  std::vector<Formula> everywhere;
  size_t uses = 0, telling = 0;
  std::optional<Formula> further;
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
      if (!is_gradient_name(name) && (in_gradient(u.file, m) || (u.arm != SIZE_MAX && is_gradient_arm(u.file, u.arm) && !of_arm(u.file, u.arm).activation())))
        continue;
      std::string q = m.qualified.empty() ? m.name : m.qualified;
      auto r = files_[static_cast<size_t>(u.file)].refs.find(m.offset);
      if (r != files_[static_cast<size_t>(u.file)].refs.end() && r->second->kind == TargetKind::enumerator)
        q = r->second->qualified;
      if (!compatible(q, qualified))
        continue;
      ++uses;
      if (u.function >= 0) {
        const FunctionModel& g = functions_[static_cast<size_t>(u.function)];
        if (Value v = of_function(u.function); v.known() && (!is_gradient_name(g.name) || is_gradient_name(name))) {
          ++telling;
          if (v.activation())
            add_unique(everywhere, v.formula);
          options.emplace_back(u.file, v);
        }
        continue;
      }
      if (u.arm == SIZE_MAX) { // {key, value} outside a named table is an argument list, unless the name itself tells
        const auto& scopes = files_[static_cast<size_t>(u.file)].outline.scopes;
        const Scope& sc = scopes[static_cast<size_t>(rows_[u.row].scope)];
        if (sc.name.empty() && (sc.parent < 0 || scopes[static_cast<size_t>(sc.parent)].name.empty()) && !claim_of(name).gelu_family && !claim_of(name).formula)
          continue;
      }
      Value v = u.arm != SIZE_MAX ? of_arm(u.file, u.arm) : of_row(rows_[u.row]);
      if (!v.known() && v.reachable.empty())
        continue;
      if (!v.known() && v.reachable.size() == 1) { // set there under a further condition
        further = v.reachable[0];
        continue;
      }
      ++telling;
      if (v.activation())
        add_unique(everywhere, v.formula);
      options.emplace_back(u.file, v);
    }
  Value out = choose(std::move(options), from);
  if (further && out.activation() && out.formula != *further) {
    Value several;
    several.reachable = {std::min(out.formula, *further), std::max(out.formula, *further)};
    several.reason = "which of several formulas runs is decided at run time";
    return several;
  }
  // A data type or a mode is dispatched in many places, some of them inside an activation: it selects none.
  Claim claim = claim_of(name);
  if (!claim.gelu_family && !claim.formula && (everywhere.size() > 1 || telling * 2 < uses))
    out = Value{};
  if (out.activation() && everywhere.size() > 1)
    out.reachable = everywhere;
  if (!out.known() && out.reachable.empty()) {
    if (const ApiSymbol* s = rules_.find(qualified))
      out = of_rule(*s, from, Mention{});
    else if (Claim c = claim_of(name); (c.gelu_family || c.formula) && !c.gradient && !is_math_like(name)) {
      bool constant = std::none_of(name.begin(), name.end(), [](char ch) { return ch >= 'a' && ch <= 'z'; });
      out = by_words(name, from, constant);
      if (!out.known())
        out = sole_function(name);
      // outside of the family the words only link what they say: "ReLU6" is not what is called "relu"
      if (!c.gelu_family && out.known() && out.formula != *c.formula)
        out = Value();
    }
  }
  return out;
}

/// All functions of the tree that carry this name compute one formula.
Value Knowledge::sole_function(const std::string& name) {
  auto it = by_words_.find(link_words(name));
  Value out;
  for (int fn : it == by_words_.end() ? std::vector<int>{} : it->second) {
    Value v = claim_of(functions_[static_cast<size_t>(fn)].name).gradient ? Value() : of_function(fn);
    if (!v.activation() || v.known_by != KnownBy::evaluated)
      continue;
    if (out.known() && out.formula != v.formula)
      return {};
    out = v;
  }
  if (out.known()) {
    out.known_by = KnownBy::name;
    out.reason = "linked by its name to the only formula that the tree has for it";
  }
  return out;
}

bool Knowledge::is_of_activation_enumeration(const Mention& m) const {
  std::string two = last_two(m.qualified);
  if (size_t colons = two.find("::"); colons != std::string::npos)
    return is_activation_enumeration(std::string_view(two).substr(0, colons));
  auto it = enumerations_.find(m.name);
  return it != enumerations_.end() && std::any_of(it->second.begin(), it->second.end(), [&](const std::string& e) { return is_activation_enumeration(e); });
}

std::vector<Formula> Knowledge::formulas_of_enumeration(const std::string& name, int from_file) {
  std::vector<Formula> out;
  for (const auto& [enumerator, enumerations] : enumerations_)
    if (enumerations.count(name)) {
      if (Value v = of_enumerator(name + "::" + enumerator, from_file); v.activation())
        add_unique(out, v.formula);
      else if (Claim c = claim_of(enumerator); c.formula)
        add_unique(out, *c.formula);
    }
  return out;
}

std::string Knowledge::enumeration_of_variable(const std::string& name, int from_file) const {
  std::string best;
  int nearest = std::numeric_limits<int>::max();
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    const FileModel& f = files_[fi];
    for (const Mention& m : f.outline.mentions) {
      if (m.name != name || m.is_string || (m.role != Role::declaration && m.role != Role::parameter))
        continue;
      size_t tok = f.lex.token_at(m.offset);
      if (tok > 0 && (f.lex.str(tok - 1) == "*" || f.lex.str(tok - 1) == "&"))
        --tok;
      if (tok > 0 && is_activation_enumeration(f.lex.str(tok - 1)) && distance(from_file, static_cast<int>(fi)) < nearest) {
        nearest = distance(from_file, static_cast<int>(fi));
        best = f.lex.str(tok - 1);
      }
    }
  }
  return best;
}

} // namespace gelint::scan
