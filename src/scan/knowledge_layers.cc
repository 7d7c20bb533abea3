// Classes that apply an activation among other things, and where objects of them are made.

#include "scan/knowledge_parts.h"

#include <algorithm>

namespace gelint::scan {

using formula::Formula;

namespace {

constexpr size_t k_short_class = 400; ///< tokens; what is longer is a model

} // namespace

const std::map<std::string, std::vector<Instantiation>, std::less<>>& Knowledge::instantiations() {
  if (instantiations_known_)
    return instantiations_;
  instantiations_known_ = true;
  for (size_t fi = 0; fi < files_.size(); ++fi) {
    const LexedFile& lex = files_[fi].lex;
    for (size_t i = 0; i + 2 < lex.tokens.size(); ++i) {
      if (lex.tokens[i].kind != TokKind::identifier || lex.tokens[i].directive >= 0)
        continue;
      const bool made = lex.str(i) == "make_shared" || lex.str(i) == "make_unique";
      if (!made && lex.str(i) != "new")
        continue;
      size_t name = i + 1;
      if (made && lex.str(name++) != "<")
        continue;
      while (lex.str(name) == "::" || lex.str(name + 1) == "::")
        name += lex.str(name) == "::" ? 1 : 2;
      if (name >= lex.tokens.size() || lex.tokens[name].kind != TokKind::identifier)
        continue;
      size_t open = name + 1;
      if (lex.str(open) == "<")
        open = after_matching(lex, open);
      if (made && lex.str(open++) != ">")
        continue;
      if (lex.str(open) == "(" || lex.str(open) == "{")
        instantiations_[std::string(lex.str(name))].push_back({static_cast<int>(fi), name, open});
    }
  }
  return instantiations_;
}

int Knowledge::type_named(const std::string& name, int from) const {
  auto it = by_name_.find(name);
  int own = -1, any = -1;
  size_t owns = 0, all = 0;
  for (int fn : it == by_name_.end() ? std::vector<int>{} : it->second) {
    const FunctionModel& f = functions_[static_cast<size_t>(fn)];
    if (!f.is_type)
      continue;
    ++all;
    any = fn;
    if (f.file == from) {
      ++owns;
      own = fn;
    }
  }
  return owns == 1 ? own : owns == 0 && all == 1 ? any : -1;
}

Value Knowledge::of_layer(int type) {
  const FunctionModel t = functions_[static_cast<size_t>(type)];
  const FileModel& fm = files_[static_cast<size_t>(t.file)];
  const Scope& body = fm.outline.scopes[static_cast<size_t>(t.scope)];
  if (!t.is_type || body.end - body.begin > k_short_class)
    return {};
  std::vector<Value> found;
  for (int fn : fm.functions) {
    const FunctionModel& g = functions_[static_cast<size_t>(fn)];
    if (g.is_type || g.name == t.name || g.first < t.first || g.last > t.last)
      continue;
    for (size_t m = g.first; m < g.last; ++m) {
      const Mention& x = fm.outline.mentions[m];
      if (x.role != Role::call || x.is_string || is_math_like(x.name))
        continue;
      Value v = of_mention(t.file, m);
      if (v.reachable.size() > 1)
        return {};
      if (v.activation())
        found.push_back(v);
      else if (Claim c = claim_of(x.name); c.formula && !c.gradient)
        return {}; // another one, which could not be evaluated
    }
  }
  Value v = combine(found, t.name);
  return v.activation() && formula::is_gelu_family(v.formula) ? v : Value();
}

std::set<std::string> Knowledge::layer_makers() {
  std::set<std::string> out;
  for (size_t fn = 0; fn < functions_.size(); ++fn) {
    const FunctionModel f = functions_[fn];
    if (!f.is_type || f.name.size() < 3 || classify_identifier(f.name) == NeedleClass::gelu)
      continue;
    if (const int type = static_cast<int>(fn); type_named(f.name, f.file) == type && (defaulted(type) || of_layer(type).activation())) {
      out.insert("new " + f.name + "(");
      out.insert("<" + f.name + ">(");
    }
  }
  return out;
}

std::optional<ActivationSwitch> Knowledge::defaulted(int type) {
  const FunctionModel t = functions_[static_cast<size_t>(type)];
  const FileModel& fm = files_[static_cast<size_t>(t.file)];
  for (size_t m = t.first; m < t.last; ++m) {
    const Mention& x = fm.outline.mentions[m];
    if (x.is_string || x.callee != t.name || x.role != Role::assign || x.argument < 0 || !is_enumerator(t.file, x))
      continue;
    if (Value v = of_mention(t.file, m); v.activation() && formula::is_gelu_family(v.formula) && v.reachable.size() < 2)
      return ActivationSwitch{static_cast<size_t>(x.argument), v, false};
  }
  return std::nullopt;
}

} // namespace gelint::scan
