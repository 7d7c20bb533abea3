// Objects of layers: what a constructor's default chooses, and classes whose name tells nothing of what they apply.

#include "scan/emitter.h"

#include <algorithm>

namespace gelint::scan {

void Emitter::layers() {
  for (const auto& [name, places] : k_.instantiations())
    for (const Instantiation& i : places)
      if (i.file == fi_)
        made_layer(name, i);
  // A class that other files make objects of is where its activation is defined for them.
  for (int fn : f_.functions) {
    const FunctionModel& f = k_.functions()[static_cast<size_t>(fn)];
    if (!f.is_type || defined_.count(fn) || classify_identifier(f.name) == NeedleClass::gelu)
      continue;
    auto it = k_.instantiations().find(f.name);
    const bool elsewhere = it != k_.instantiations().end() && std::any_of(it->second.begin(), it->second.end(), [&](const Instantiation& i) {
      return i.file != fi_ && k_.type_named(f.name, i.file) == fn;
    });
    if (!elsewhere)
      continue;
    Value v = k_.of_layer(fn);
    if (!v.activation())
      continue;
    v.reason = "a layer that applies it";
    Site s = definition_site(f);
    fill(s, v, f.name);
    out_.sites.push_back(std::move(s));
  }
}

void Emitter::made_layer(const std::string& name, const Instantiation& i) {
  const int type = k_.type_named(name, fi_);
  if (type < 0 || classify_identifier(name) == NeedleClass::gelu)
    return;
  const Mention at = mention_at(i.token, Role::construct);
  // "new FeedForward(width)": the default decides
  if (const std::optional<ActivationSwitch> d = k_.defaulted(type)) {
    size_t given = 0;
    int depth = 0;
    const size_t end = after_matching(f_.lex, i.open) - 1;
    for (size_t t = i.open + 1; t < end; ++t) {
      const std::string_view s = f_.lex.str(t);
      depth += s == "(" || s == "{" || s == "[" ? 1 : s == ")" || s == "}" || s == "]" ? -1 : 0;
      given += given == 0 || (depth == 0 && s == ",");
    }
    if (given > d->parameter)
      return;
    Value v = d->value;
    v.reason = "the default of the constructor's parameter " + std::to_string(d->parameter + 1);
    Site s = site(at, SiteKind::selector, v);
    s.tier = f_.parsed && s.active ? (f_.has_command ? Tier::ast : Tier::stub) : Tier::lexical;
    out_.sites.push_back(std::move(s));
    return;
  }
  const FunctionModel& f = k_.functions()[static_cast<size_t>(type)];
  if (f.file == fi_)
    return; // whoever reads this file sees what the class applies
  Value v = k_.of_layer(type);
  if (!v.activation())
    return;
  v.reason = "a layer that applies it";
  v.definition = Place{k_.files()[static_cast<size_t>(f.file)].path, f.line, f.column};
  Site s = site(at, SiteKind::call, v);
  s.tier = f_.parsed && s.active ? (f_.has_command ? Tier::ast : Tier::stub) : Tier::lexical;
  out_.sites.push_back(std::move(s));
}

} // namespace gelint::scan
