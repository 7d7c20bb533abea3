// Functions that run an activation only when an argument asks for it: "matmul(…, pre_gelu)", "ffn(x, use_gelu)".

#include "scan/knowledge_parts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gelint::scan {

using formula::Formula;

bool decided_by(const LexedFile& lex, size_t begin, size_t end, std::string_view parameter) {
  static constexpr std::array<std::string_view, 7> k_compares = {"?", "!=", "==", ">=", "<=", "<", ">"};
  for (size_t i = begin; i + 1 < end; ++i) {
    std::string_view s = lex.str(i);
    if (const size_t open = i + (lex.str(i + 1) == "constexpr" ? 2 : 1); s == "if" && lex.str(open) == "(") {
      size_t close = std::min(end, after_matching(lex, open));
      for (size_t k = open + 1; k < close; ++k)
        if (lex.str(k) == parameter)
          return true;
    }
    if (s == parameter && std::find(k_compares.begin(), k_compares.end(), lex.str(i + 1)) != k_compares.end())
      return true;
  }
  return false;
}

namespace {

std::vector<std::string> texts_between(const LexedFile& lex, size_t a, size_t b) {
  std::vector<std::string> out;
  if (a >= b)
    return out;
  out.emplace_back();
  int depth = 0;
  for (size_t i = a; i < b; ++i) {
    std::string_view s = lex.str(i);
    depth += (s == "(" || s == "{" || s == "[") ? 1 : (s == ")" || s == "}" || s == "]") ? -1 : 0;
    if (s == "," && depth == 0)
      out.emplace_back();
    else
      out.back() += s;
  }
  return out;
}

} // namespace

std::vector<std::string> Knowledge::argument_texts(int file, const Mention& m) const {
  auto [a, b] = argument_tokens(file, m);
  return texts_between(files_[static_cast<size_t>(file)].lex, a, b);
}

std::vector<std::string> Knowledge::arguments_around(int file, const Mention& m) const {
  const LexedFile& lex = files_[static_cast<size_t>(file)].lex;
  int depth = 0;
  for (size_t i = token_at(file, m.offset); i > 0; --i) {
    std::string_view s = lex.str(i - 1);
    depth += s == ")" ? 1 : s == "(" ? -1 : 0;
    if (depth < 0)
      return texts_between(lex, i, after_matching(lex, i - 1) - 1);
    if (s == ";" || s == "{" || s == "}")
      break;
  }
  return {};
}

std::string Knowledge::string_macro(std::string_view name) const {
  for (const FileModel& f : files_)
    for (const PpDirective& d : f.lex.directives) {
      if (d.keyword != "define" || d.function_like || d.name != name)
        continue;
      const size_t tok = f.lex.token_at(static_cast<uint32_t>(d.name.data() - f.lex.text.data())) + 1;
      if (tok < f.lex.tokens.size() && f.lex.tokens[tok].kind == TokKind::string && f.lex.tokens[tok].directive == f.lex.tokens[tok - 1].directive)
        return std::string(f.lex.unquoted(f.lex.tokens[tok]));
    }
  return {};
}

/// One of the values found in the body hangs on a parameter of the function: its callers' literals decide.
void Knowledge::pass_on_argument(int fn, const std::vector<Value>& found, Value& v) const {
  v.by_argument.reset();
  const FunctionModel& f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  for (const Value& x : found) {
    if (!x.by_argument || v.known())
      continue;
    std::vector<std::string> parameters = lexical_function(fm.lex, fm.outline.scopes[static_cast<size_t>(f.scope)]).parameters;
    auto p = std::find(parameters.begin(), parameters.end(), x.by_argument->name);
    if (p == parameters.end())
      continue;
    v.by_argument = x.by_argument;
    v.by_argument->parameter = static_cast<size_t>(p - parameters.begin());
    for (const Value& y : found)
      if (y.activation())
        add_unique(v.by_argument->besides, y.formula);
    return;
  }
}

Value Knowledge::by_literal(const ByArgument& choice, const std::vector<std::string>& arguments) const {
  Value v;
  if (choice.parameter >= arguments.size())
    return v;
  for (const auto& [literal, formula] : choice.arms) {
    if (arguments[choice.parameter] != literal)
      continue;
    v.reachable = choice.besides;
    add_unique(v.reachable, formula);
    v.reason = fmt::format("{} is {}", choice.name, literal);
    if (v.reachable.size() == 1) {
      v.formula = formula;
      v.known_by = KnownBy::rule;
      v.reachable.clear();
    }
    return v;
  }
  return v;
}

/// What the body of a function computes when this parameter is given.
Value Knowledge::switched_value(int fn, const std::string& parameter, bool decided_here, int depth) {
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  std::vector<Value> found;
  bool gradient = false;
  for (size_t mi = f.first; mi < f.last; ++mi) {
    const Mention& m = fm.outline.mentions[mi];
    if (m.is_string || m.name == parameter)
      continue;
    if (decided_here && m.needle == NeedleClass::gelu && !is_math_like(m.name) && (m.role == Role::call || m.role == Role::assign || m.role == Role::ternary || m.role == Role::argument)) {
      Value v = of_mention(f.file, mi);
      if (v.activation() && formula::is_gelu_family(v.formula))
        found.push_back(v);
      gradient = gradient || (v.formula == Formula::other && claim_of(m.name).gradient);
    } else if (m.role == Role::call && depth < 3) {
      for (const ActivationSwitch& s : switches(m.name, depth + 1)) {
        std::vector<std::string> given = s.in_template ? template_argument_texts(f.file, token_at(f.file, m.offset)) : argument_texts(f.file, m);
        if (s.parameter < given.size() && given[s.parameter].find(parameter) != std::string::npos && s.value.tells())
          found.push_back(s.value);
      }
    }
  }
  if (claim_of(f.name).gradient && (gradient || !found.empty())) {
    Value v;
    v.formula = Formula::other;
    v.known_by = KnownBy::name;
    v.reason = "the gradient of an activation";
    return v;
  }
  return combine(found, f.name);
}

std::vector<ActivationSwitch> Knowledge::switches(const std::string& name, int depth) {
  if (auto it = switches_.find(name); it != switches_.end())
    return it->second;
  switches_[name]; // a function that calls itself
  std::vector<ActivationSwitch> out;
  auto named = by_name_.find(name);
  if (named == by_name_.end() || named->second.size() > 8 || claim_of(name).gelu_family)
    return out;
  for (int fn : named->second) {
    const FunctionModel f = functions_[static_cast<size_t>(fn)];
    if (f.is_type || f.is_lambda || f.from_macro)
      continue;
    const FileModel& fm = files_[static_cast<size_t>(f.file)];
    const Scope& s = fm.outline.scopes[static_cast<size_t>(f.scope)];
    LexicalFunction l = lexical_function(fm.lex, s);
    for (size_t p = 0; p < l.parameters.size(); ++p) {
      if (!claim_of(l.parameters[p]).gelu_family)
        continue;
      Value v = switched_value(fn, l.parameters[p], decided_by(fm.lex, l.begin, l.end, l.parameters[p]), depth);
      if (!v.tells())
        continue;
      v.known_by = weaker(v.known_by, KnownBy::name); // what runs was evaluated, that the argument asks for it was read from the tokens
      if (v.reason.empty() || v.known())
        v.reason = v.formula == Formula::other ? v.reason : "an argument asks for it: " + l.parameters[p];
      if (!v.definition)
        v.definition = Place{fm.path, f.line, f.column};
      out.push_back({p, std::move(v)});
    }
    const std::vector<TemplateParameter> of_template = template_parameters(fm.lex, s);
    for (size_t p = 0; p < of_template.size(); ++p)
      if (Value v = template_switch(fn, of_template[p], depth); v.by_template_argument)
        out.push_back({p, std::move(v), true});
  }
  switches_[name] = out;
  return out;
}

} // namespace gelint::scan
