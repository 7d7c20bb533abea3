// What a key of a config is once the model is built: file, parent, class default.

#include "hf/resolver.h"

namespace gelint::hf {
namespace {

Literal literal_of(Value v) {
  Literal l;
  switch (v.kind()) {
  case Kind::string:
    l.kind = Literal::Kind::string;
    l.text = v.string();
    break;
  case Kind::boolean:
    l.kind = Literal::Kind::boolean;
    l.truth = v.boolean();
    l.text = v.text();
    break;
  case Kind::number:
    l.kind = Literal::Kind::number;
    l.truth = v.number() != 0;
    l.text = v.text();
    break;
  case Kind::null:
  case Kind::missing:
    l.text = "null";
    break;
  default:
    l.kind = Literal::Kind::composite;
    l.truth = v.size() > 0;
    l.text = v.text();
  }
  return l;
}

bool equal(const Literal& a, const Literal& b) {
  using K = Literal::Kind;
  if (a.kind == b.kind)
    return a.kind == K::boolean ? a.truth == b.truth : a.text == b.text;
  // Python: True == 1. Conditions also stand for plain truth tests.
  if (a.kind == K::boolean || b.kind == K::boolean) {
    const Literal& other = a.kind == K::boolean ? b : a;
    const Literal& flag = a.kind == K::boolean ? a : b;
    bool truth = other.kind == K::string ? !other.text.empty() : other.truth;
    return truth == flag.truth;
  }
  return false;
}

/// The value that a derivation gives for `from`, and whether it gives one.
bool derive(const Derivation& d, const Literal& from, Literal& out) {
  if (from.kind != Literal::Kind::string)
    return false;
  if (!d.prefix_flag.empty()) {
    out.kind = Literal::Kind::boolean;
    out.truth = from.text.starts_with(d.prefix_flag);
    out.text = out.truth ? "true" : "false";
    return true;
  }
  out.kind = Literal::Kind::string;
  if (auto it = d.rewrite.find(from.text); it != d.rewrite.end())
    out.text = it->second;
  else if (!d.strip.empty() && from.text.starts_with(d.strip))
    out.text = from.text.substr(d.strip.size());
  else
    out.text = from.text;
  return true;
}

} // namespace

std::string join_path(const std::string& parent, std::string_view key) {
  return parent.empty() ? std::string(key) : parent + '.' + std::string(key);
}

KeyAnswer Resolver::lookup(const ConfigView& view, std::string_view key_path) {
  size_t dot = key_path.find('.');
  if (dot == std::string_view::npos)
    return lookup_field(view, key_path);
  std::string_view head = key_path.substr(0, dot), rest = key_path.substr(dot + 1);
  if (const SubRecord* sub = view.record->sub(head)) {
    SubView s = sub_view(view, *sub);
    if ((s.state == SubState::present || s.state == SubState::defaulted) && s.view.record) {
      views.push_back(std::move(s.view));
      return lookup(views.back(), rest);
    }
    KeyAnswer a;
    a.sub_unreadable = s.state != SubState::absent;
    a.source = s.state == SubState::absent ? SlotSource::absent : SlotSource::unresolved;
    a.config_path = join_path(view.path, key_path);
    return a;
  }
  // A plain dict inside the config: its default is a dict too.
  KeyAnswer whole = lookup_field(view, head);
  KeyAnswer a;
  a.view = &view;
  a.config_path = join_path(view.path, key_path);
  if (whole.value.is(Kind::object)) {
    if (Value v = whole.value.at_path(rest)) {
      mark_read(v);
      a.value = v;
      a.source = SlotSource::declared;
    }
  }
  return a;
}

KeyAnswer Resolver::lookup_field(const ConfigView& view, std::string_view key) {
  KeyAnswer a;
  a.view = &view;
  const std::string_view field = view.record->field(key);
  a.key = view.record->key(field);
  a.config_path = join_path(view.path, field);

  // CLAP: the parent assigns its own key over the sub-config's, whatever that says.
  if (view.from_parent && view.parent)
    if (auto it = view.from_parent->find(std::string(field)); it != view.from_parent->end()) {
      KeyAnswer up = lookup_field(*view.parent, it->second);
      if (Value own = view.node.find(field)) {
        mark_read(own);
        const bool same = up.source == SlotSource::declared ? own.text() == up.value.text()
                                                            : own.is(Kind::string) && own.string() == up.literal.text;
        if (!same) {
          up.other = own;
          up.other_path = a.config_path;
          up.other_text = own.text();
        }
      }
      return up;
    }

  // attribute_map: the file may use the attribute's name or the field's; Python sets the attribute after the field.
  Value direct = view.node.find(field), alias;
  std::string alias_name;
  for (const auto& [attribute, target] : view.record->attribute_map)
    if (target == field && attribute != field)
      if (Value v = view.node.find(attribute)) {
        alias = v;
        alias_name = attribute;
      }
  Value found = alias ? alias : direct;
  if (alias) {
    a.config_path = join_path(view.path, alias_name);
    mark_read(alias);
    if (direct) {
      mark_read(direct);
      a.other = direct;
      a.other_path = join_path(view.path, field);
      a.other_text = direct.text();
    }
  } else if (direct) {
    mark_read(direct);
  }

  // CLIP: what stands in the legacy dict wins, and so do the class defaults of what it omits.
  if (view.legacy) {
    Value old = view.legacy.find(field);
    const bool same = old ? found.text() == old.text()
                          : a.key && found.is(Kind::string) && found.string() == a.key->value.text;
    if (found && !same) {
      a.other = found;
      a.other_path = a.config_path;
      a.other_text = found.text();
    }
    a.config_path = join_path(view.path + "_dict", field);
    found = old;
    if (old)
      mark_read(old);
  }

  const Derivation* d = view.record->derivation(field);
  if (d && d->from == field) {
    // The class rewrites the value that the file gives.
    auto it = d->rewrite.find(std::string(found.string()));
    if (it == d->rewrite.end())
      it = d->rewrite.find("*"); // whatever it says
    if (found.is(Kind::string) && it != d->rewrite.end() && it->second != found.string()) {
      a.value = found;
      a.literal = {Literal::Kind::string, it->second, true};
      a.derivation = d;
      a.derived_from = a.config_path;
      a.source = SlotSource::derived;
      return a;
    }
    d = nullptr;
  }
  if (d) {
    KeyAnswer from = lookup_field(view, d->from);
    Literal from_literal = from.source == SlotSource::declared ? literal_of(from.value) : from.literal;
    Literal derived;
    const bool ok = derive(*d, from_literal, derived);
    if (found && d->explicit_wins) {
      a.value = found;
      a.source = SlotSource::declared;
      if (ok && from.source == SlotSource::declared && !equal(literal_of(found), derived)) {
        a.other = from.value;
        a.other_path = from.config_path;
        a.other_text = quoted(derived);
        a.derivation = d;
      }
      return a;
    }
    if (ok) {
      a.literal = derived;
      a.value = from.value;
      a.derivation = d;
      a.derived_from = from.config_path;
      a.config_path = from.config_path;
      a.source = SlotSource::derived;
      return a;
    }
  }

  if (found) {
    a.value = found;
    a.source = SlotSource::declared;
    return a;
  }
  if (view.overrides && !view.legacy) {
    if (auto it = view.overrides->find(std::string(field)); it != view.overrides->end()) {
      a.literal = it->second;
      a.source = SlotSource::parent_override;
      return a;
    }
  }
  if (a.key && a.key->has_default) {
    a.literal = a.key->value;
    a.source = SlotSource::class_default;
  }
  return a;
}

int Resolver::holds(const ConfigView& view, const Condition& c) {
  using CK = Condition::Kind;
  if (c.kind == CK::expression)
    return -1;
  // "detector_config": a sub-config counts as set where it is in the file or made by default.
  if (const SubRecord* sub = view.record->sub(c.key); sub && (c.kind == CK::is_null || c.kind == CK::not_null)) {
    SubState s = sub_view(view, *sub).state;
    return (s != SubState::absent) == (c.kind == CK::not_null);
  }
  KeyAnswer a = lookup(view, c.key);
  Literal value;
  switch (a.source) {
  case SlotSource::declared:
    value = literal_of(a.value);
    break;
  case SlotSource::class_default:
  case SlotSource::parent_override:
  case SlotSource::derived:
    value = a.literal;
    break;
  default:
    // Neither in the file nor known to the class: the modeling code must set it.
    return c.kind == CK::not_null || c.kind == CK::is_null ? (c.kind == CK::is_null) : -1;
  }
  if (value.kind == Literal::Kind::python)
    return c.kind == CK::not_null ? 1 : c.kind == CK::is_null ? 0 : -1;
  switch (c.kind) {
  case CK::equals:
    return equal(value, c.value);
  case CK::not_equals:
    return !equal(value, c.value);
  case CK::is_null:
    return value.kind == Literal::Kind::none;
  case CK::not_null:
    // A null where the class has another default is a fault of the file (GL102), not a switch that is off.
    return value.kind != Literal::Kind::none || (a.key && a.key->value.kind != Literal::Kind::none);
  default:
    return -1;
  }
}

} // namespace gelint::hf
