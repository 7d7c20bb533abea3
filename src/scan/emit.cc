#include "scan/emit.h"

#include "scan/emitter.h"

#include <algorithm>

namespace gelint::scan {

EmittedFile Emitter::run() {
  for (size_t m = 0; m < f_.outline.mentions.size(); ++m)
    mention(m);
  handed_members();
  unnamed_definitions();
  functor_objects();
  layers();
  conditional_bodies();
  inline_formulas();
  left_out_arms();
  instantiations();
  other_needles();
  settle_fates();
  // The roles are guesses from tokens, and here the parser has nothing to hold against them.
  for (auto& [offset, fate] : out_.fates)
    if ((fate == NeedleFate::declaration || fate == NeedleFate::unrelated) && std::binary_search(f_.lost.begin(), f_.lost.end(), offset))
      fate = NeedleFate::unparsed;
  std::sort(out_.fates.begin(), out_.fates.end());
  return std::move(out_);
}

void Emitter::mention(size_t mi) {
  M m = f_.outline.mentions[mi];
  if (f_.handed.count(m.offset))
    return fate(m, NeedleFate::site); // listed with the others of its kind
  if (m.needle == NeedleClass::none || (m.needle != NeedleClass::gelu && m.needle != NeedleClass::choice && !all_)) {
    if (m.needle == NeedleClass::none || m.needle == NeedleClass::activation)
      maybe_choice(mi);
    return;
  }
  if (m.needle == NeedleClass::choice) {
    choice(mi);
    return;
  }
  if (m.is_string) {
    string(mi);
    return;
  }
  switch (m.role) {
  case Role::definition: definition(mi); return;
  case Role::enumerator: {
    if (is_math_like(m.name) && !names_tanh(m))
      break;
    Value v = k_.of_enumerator(f_.outline.enclosing(m) + "::" + m.name, fi_);
    if (!v.known() && v.reachable.empty())
      v = k_.of_enumerator(m.name, fi_);
    weak_name(v, m);
    if (listed(v, m))
      return add(m, site(m, SiteKind::registration, v));
    break;
  }
  case Role::macro_name: macro(mi); return;
  case Role::declaration:
  case Role::parameter: declared(mi); return;
  case Role::type_use: type_use(mi); return;
  case Role::case_label: {
    Value v = arm_value(mi);
    weak_name(v, m);
    if ((!is_math_like(m.name) || names_tanh(m)) && listed(v, m)) {
      Site s = site(m, SiteKind::dispatch, v);
      s.capability_only = arm_is_empty(mi);
      return add(m, std::move(s));
    }
    break;
  }
  default: use(mi); return;
  }
  fate(m, is_math_like(m.name) ? math_fate(m) : NeedleFate::unrelated);
}

EmittedFile emit_file(Knowledge& k, int file, bool all_activations) { return Emitter(k, file, all_activations).run(); }

} // namespace gelint::scan
