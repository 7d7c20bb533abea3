// Templates that a value argument turns an activation on for, "gemm<false, true>(…)" of "template <bool RELU, bool GELU>",
// and what an explicit instantiation instantiates.

#include "scan/knowledge_parts.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::scan {

using formula::Formula;

std::vector<TemplateParameter> template_parameters(const LexedFile& lex, const Scope& s) {
  std::vector<TemplateParameter> out;
  if (s.name_tok == SIZE_MAX)
    return out;
  for (size_t i = s.head; i + 1 < s.name_tok; ++i) {
    if (lex.str(i) != "template" || lex.str(i + 1) != "<")
      continue;
    const size_t close = std::min(after_matching(lex, i + 1), s.name_tok + 1) - 1;
    int depth = 0;
    size_t first = i + 2;
    bool past_name = false;
    TemplateParameter last;
    for (size_t k = i + 2; k <= close; ++k) {
      const std::string_view t = lex.str(k);
      if ((t == "," && depth == 0) || k == close) {
        last.is_type = lex.str(first) == "class" || lex.str(first) == "typename" || lex.str(first) == "template";
        out.push_back(last);
        last = {};
        first = k + 1;
        past_name = false;
      } else if (t == "<" || t == "(") {
        ++depth;
      } else if (t == ">" || t == ")") {
        --depth;
      } else if (t == "=") {
        past_name = true;
      } else if (lex.tokens[k].kind == TokKind::identifier && depth == 0 && !past_name) {
        last.name = t;
      }
    }
    i = close;
  }
  return out;
}

std::vector<std::string> Knowledge::template_argument_texts(int file, size_t name) const {
  const LexedFile& lex = files_[static_cast<size_t>(file)].lex;
  std::vector<std::string> out;
  if (lex.str(name + 1) != "<")
    return out;
  const size_t close = after_matching(lex, name + 1) - 1;
  if (close >= lex.tokens.size() || close > name + 200)
    return out;
  out.emplace_back();
  int depth = 0;
  for (size_t i = name + 2; i < close; ++i) {
    const std::string_view t = lex.str(i);
    depth += (t == "(" || t == "<" || t == "{") ? 1 : (t == ")" || t == ">" || t == "}") ? -1 : 0;
    if (t == "," && depth == 0)
      out.emplace_back();
    else
      out.back() += t;
  }
  return out;
}

/// A plain name that a template around the place declares as its parameter: no enumerator and no function of the tree.
bool Knowledge::is_template_parameter(int file, const Mention& m) const {
  if (m.is_string || m.member || m.qualified != m.name)
    return false;
  const FileModel& f = files_[static_cast<size_t>(file)];
  for (int s = m.scope; s > 0; s = f.outline.scopes[static_cast<size_t>(s)].parent) {
    const Scope& sc = f.outline.scopes[static_cast<size_t>(s)];
    if (sc.kind != ScopeKind::function && sc.kind != ScopeKind::type)
      continue;
    for (const TemplateParameter& p : template_parameters(f.lex, sc))
      if (p.name == m.name)
        return true;
  }
  return false;
}

/// The function runs a member of the family and does not ask the parameter.
Value Knowledge::whatever_the_argument(int fn, const TemplateParameter& p, int depth) {
  Value v = of_function(fn);
  if (!formula::is_gelu_family(v.formula))
    v = switched_value(fn, p.name, true, depth);
  if (!formula::is_gelu_family(v.formula))
    return {};
  v.by_template_argument = true;
  v.is_epilogue = false;
  v.reason = fmt::format("whatever the template argument {} says", p.name);
  return v;
}

/// What this value parameter of a template turns on; not by_template_argument: it turns nothing on.
Value Knowledge::template_switch(int fn, const TemplateParameter& p, int depth) {
  Value none;
  if (p.is_type || !claim_of(p.name).gelu_family)
    return none;
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  LexicalFunction l = lexical_function(fm.lex, fm.outline.scopes[static_cast<size_t>(f.scope)]);
  const bool asks = decided_by(fm.lex, l.begin, l.end, p.name);
  Value v = switched_value(fn, p.name, asks, depth);
  if (!v.tells() && asks)
    if (Value w = of_function(fn); formula::is_gelu_family(w.formula) && w.reachable.size() < 2)
      v = w;
  if (v.tells()) {
    v.known_by = weaker(v.known_by, KnownBy::name); // what runs is known, that the argument asks for it was read from the tokens
    if (v.formula != Formula::other)
      v.reason = "a template argument asks for it: " + p.name;
    v.is_epilogue = false;
  } else if (!asks && whatever_the_argument(fn, p, depth).known()) {
    return none;
  } else {
    v = Value();
    v.reason = fmt::format("the template argument {} asks for it, and what it turns on could not be followed", p.name);
  }
  v.by_template_argument = true;
  if (!v.definition)
    v.definition = Place{fm.path, f.line, f.column};
  return v;
}

Value Knowledge::of_template(int fn) {
  const FunctionModel f = functions_[static_cast<size_t>(fn)];
  if (f.is_type || f.is_lambda || f.from_macro)
    return {};
  const FileModel& fm = files_[static_cast<size_t>(f.file)];
  for (const TemplateParameter& p : template_parameters(fm.lex, fm.outline.scopes[static_cast<size_t>(f.scope)])) {
    if (p.is_type || !claim_of(p.name).gelu_family)
      continue;
    if (Value v = template_switch(fn, p, 0); v.by_template_argument)
      return v;
    return whatever_the_argument(fn, p, 0);
  }
  return {};
}

namespace {

/// The parameters of a function as written, each without its name; `open` is the parenthesis.
std::vector<std::string> parameter_types(const LexedFile& lex, size_t open) {
  std::vector<std::string> out{{}};
  if (lex.str(open) != "(")
    return out;
  const size_t close = after_matching(lex, open) - 1;
  int depth = 0;
  for (size_t i = open + 1; i < close && i < lex.tokens.size(); ++i) {
    const std::string_view t = lex.str(i), next = lex.str(i + 1);
    depth += (t == "(" || t == "<") ? 1 : (t == ")" || t == ">") ? -1 : 0;
    const bool name = lex.tokens[i].kind == TokKind::identifier && (next == "," || next == ")" || next == "=") && depth == 0 && !out.back().empty();
    if (t == "," && depth == 0)
      out.emplace_back();
    else if (!name)
      out.back() += t;
  }
  return out;
}

} // namespace

Value Knowledge::of_instantiation(int file, const std::string& name, const std::string& qualified, bool type, size_t name_tok, size_t end) {
  std::vector<int> fns = candidates(name, qualified, file, false);
  auto model = [&](int fn) -> const FunctionModel& { return functions_[static_cast<size_t>(fn)]; };
  std::erase_if(fns, [&](int fn) { return model(fn).is_type != type || model(fn).is_lambda; });
  // the definition must be in sight: most often in the same file
  if (std::any_of(fns.begin(), fns.end(), [&](int fn) { return model(fn).file == file; }))
    std::erase_if(fns, [&](int fn) { return model(fn).file != file; });
  const std::vector<std::string> arguments = template_argument_texts(file, name_tok);
  if (!type) { // of several overloads, those whose parameters read alike
    const LexedFile& lex = files_[static_cast<size_t>(file)].lex;
    size_t open = name_tok + 1;
    if (lex.str(open) == "<")
      open = after_matching(lex, open);
    const std::vector<std::string> wanted = parameter_types(lex, std::min(open, end));
    size_t best = 0;
    std::vector<int> alike;
    for (int fn : fns) {
      const LexedFile& other = files_[static_cast<size_t>(model(fn).file)].lex;
      const Scope& s = files_[static_cast<size_t>(model(fn).file)].outline.scopes[static_cast<size_t>(model(fn).scope)];
      size_t at = s.name_tok == SIZE_MAX ? s.begin : s.name_tok;
      while (at < s.begin && other.str(at) != "(")
        ++at;
      const std::vector<std::string> types = parameter_types(other, at);
      if (types.size() != wanted.size())
        continue;
      size_t same = 1;
      for (size_t p = 0; p < types.size(); ++p)
        same += types[p] == wanted[p];
      if (same > best)
        alike.clear();
      if (same >= best) {
        best = same;
        alike.push_back(fn);
      }
    }
    if (!alike.empty())
      fns = std::move(alike);
  }
  std::vector<std::pair<int, Value>> options;
  Value asked; // by a template argument
  for (int fn : fns) {
    const FileModel& fm = files_[static_cast<size_t>(model(fn).file)];
    const std::vector<TemplateParameter> parameters = template_parameters(fm.lex, fm.outline.scopes[static_cast<size_t>(model(fn).scope)]);
    bool decided = false;
    Value v;
    for (size_t p = 0; p < parameters.size() && p < arguments.size() && !type; ++p) {
      if (parameters[p].is_type || !claim_of(parameters[p].name).gelu_family)
        continue;
      Value s = template_switch(fn, parameters[p], 0);
      decided = decided || s.by_template_argument;
      if (s.by_template_argument && arguments[p] != "false" && arguments[p] != "0" && !asked.by_template_argument)
        asked = s;
      if (!s.by_template_argument)
        v = whatever_the_argument(fn, parameters[p], 0);
    }
    if (decided)
      continue;
    if (!v.known())
      v = of_function(fn);
    if (v.known() || !v.reachable.empty())
      options.emplace_back(model(fn).file, v);
  }
  if (asked.by_template_argument)
    return asked;
  Value v = choose(std::move(options), file);
  v.is_epilogue = false;
  return v;
}

} // namespace gelint::scan
