// Strings that name an activation: registrations, entries of name tables, keys.

#include "scan/config_keys.h"
#include "scan/emitter.h"

#include <algorithm>
#include <cctype>

namespace gelint::scan {

using formula::Formula;

/// m.def("gelu_fp32", &run<Act::gelu, float>): the name of the function beside it, as that template argument instantiates it.
bool Emitter::registered_with(size_t mi, Value& v) {
  M m = f_.outline.mentions[mi];
  size_t end = f_.lex.token_at(m.offset); // of the call that the name is handed to
  for (int depth = 0; end < f_.lex.tokens.size() && depth >= 0; ++end)
    depth += f_.lex.str(end) == "(" ? 1 : f_.lex.str(end) == ")" ? -1 : 0;
  for (size_t x = mi + 1; x < f_.outline.mentions.size() && f_.outline.mentions[x].offset < m.offset + 400; ++x) {
    M o = f_.outline.mentions[x];
    if (o.role == Role::template_argument && f_.lex.token_at(o.offset) >= end)
      return false;
    if (o.callee == m.callee && o.argument <= m.argument && o.argument >= 0)
      return false; // the next call
    const size_t tok = f_.lex.token_at(o.offset);
    const bool made = (o.role == Role::call || o.role == Role::construct) && tok > 0 && f_.lex.str(tok - 1) == "new"; // add("gelu", new Curve())
    bool names = (o.callee == m.callee && (o.role == Role::argument || made)) || o.role == Role::template_argument;
    if (!names || o.is_string || is_math_word(o.name))
      continue;
    const Claim c = claim_of(o.name);
    if (c.gradient)
      continue;
    Value w = k_.of_mention(fi_, x);
    const bool gradient = claim_of(m.name).gradient && (w.known() || (k_.is_enumerator(fi_, o) && (c.gelu_family || c.formula)));
    if (!w.tells() && !gradient)
      continue;
    if (gradient) {
      w = Value{};
      w.formula = Formula::other;
      w.known_by = KnownBy::name;
      w.reason = "the gradient of an activation";
    }
    v = w;
    return true;
  }
  return false;
}

void Emitter::string(size_t mi) {
  M m = f_.outline.mentions[mi];
  bool identifier_like = !m.name.empty() && m.name.size() < 100 && std::all_of(m.name.begin(), m.name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '+';
  });
  if (!identifier_like || k_.rules().is_message_call(m.callee) || m.in_macro || is_math_like(m.name))
    return fate(m, NeedleFate::string);
  Value v;
  const int guarded = arm_of_label(mi);
  if ((k_.in_gradient(fi_, m) || (guarded >= 0 && k_.is_gradient_arm(fi_, static_cast<size_t>(guarded)))) && !is_gradient_name(m.name))
    v.reason = "chooses a gradient";
  else
    v = k_.of_mention(fi_, mi);
  SiteKind kind = SiteKind::registration;
  if (m.role == Role::element || m.role == Role::assign)
    kind = SiteKind::table_entry;
  if (m.role == Role::compare || m.role == Role::case_label) {
    if (int a = arm_of_label(mi); a >= 0)
      if (Value w = k_.of_arm(fi_, static_cast<size_t>(a)); w.tells())
        v = w;
    kind = SiteKind::table_entry;
  }
  // get(file, "hidden_act", "quick_gelu"): the second is what an absent key becomes
  const bool default_of_key = std::any_of(f_.outline.mentions.begin() + static_cast<long>(mi > 8 ? mi - 8 : 0), f_.outline.mentions.begin() + static_cast<long>(mi), [&](M o) {
    return o.is_string && o.line + 3 > m.line && o.callee == m.callee && o.role == Role::argument && o.argument < m.argument && is_activation_key(o.name);
  });
  if (m.role == Role::argument && k_.rules().is_config_call(m.callee) && !v.known() && !default_of_key)
    kind = SiteKind::config_read;
  for (const RowModel& r : k_.rows())
    if (r.file == fi_ && r.key == mi) {
      // what stands beside the name decides, not a function that happens to be called the same
      if (Value w = k_.of_row(r); w.tells())
        v = w;
      kind = SiteKind::table_entry;
    }
  // the name that a list gives an enumerator is that enumerator's
  for (size_t r = 0; r < k_.rows().size(); ++r)
    if (k_.rows()[r].file == fi_ && k_.rows()[r].key == SIZE_MAX && k_.rows()[r].values.size() == 1 && k_.rows()[r].values[0] == mi)
      if (std::string e = k_.positional_enumerator(r); !e.empty())
        if (Value w = k_.of_enumerator(e, fi_); w.tells() || !v.known() || v.known_by == KnownBy::name)
          v = w;
  if (m.role == Role::argument) {
    // strcmp(name, "gelu"), name == "gelu": the arm's label
    if (int a = arm_of_label(mi); a >= 0) {
      if (Value w = k_.of_arm(fi_, static_cast<size_t>(a)); w.tells())
        v = w;
      kind = m.name.starts_with("-") ? SiteKind::config_read : SiteKind::table_entry;
    }
  }
  if (std::string key = flag_key(m.name); !v.tells() && !key.empty() && (m.role == Role::argument || m.role == Role::element) && listed(v, m))
    return read_flag(m, key, {});
  if (Value w; !v.tells() && m.role == Role::argument && registered_with(mi, w))
    v = w;
  // {"addBiasGelu", 32, 1024}: a label, not an entry
  if (m.role == Role::element && !v.tells() && !names_something(mi))
    return fate(m, NeedleFate::string);
  weak_name(v, m);
  if (!listed(v, m))
    return fate(m, NeedleFate::string);
  Site s = site(m, kind, v);
  if (kind == SiteKind::config_read) {
    s.config_key = m.name;
    s.config_default = default_beside(f_.lex, f_.lex.token_at(m.offset));
  }
  add(m, std::move(s));
}

/// The row of this string holds a name beside it.
bool Emitter::names_something(size_t mi) const {
  return std::any_of(k_.rows().begin(), k_.rows().end(), [&](const RowModel& r) {
    return r.file == fi_ && (r.key == mi ? !r.values.empty() : r.values.size() > 1 && std::find(r.values.begin(), r.values.end(), mi) != r.values.end());
  });
}

} // namespace gelint::scan
