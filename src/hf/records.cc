#include "hf/records.h"

#include <nlohmann/json.hpp>

namespace gelint::hf {
namespace {

using Json = nlohmann::json;

std::string text(const Json& j, const char* field) {
  auto it = j.find(field);
  return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
}

int number(const Json& j, const char* field) {
  auto it = j.find(field);
  return it != j.end() && it->is_number_integer() ? it->get<int>() : 0;
}

bool flag(const Json& j, const char* field) {
  auto it = j.find(field);
  return it != j.end() && it->is_boolean() && it->get<bool>();
}

const Json& object(const Json& j, const char* field) {
  static const Json none = Json::object();
  auto it = j.find(field);
  return it != j.end() && it->is_object() ? *it : none;
}

Literal literal(const Json& j) {
  Literal l;
  if (j.is_string()) {
    l.kind = Literal::Kind::string;
    l.text = j;
  } else if (j.is_boolean()) {
    l.kind = Literal::Kind::boolean;
    l.truth = j;
    l.text = l.truth ? "true" : "false";
  } else if (j.is_number()) {
    l.kind = Literal::Kind::number;
    l.text = j.dump();
    l.truth = j.get<double>() != 0;
  } else if (j.is_null()) {
    l.text = "null";
  } else if (j.is_object() && j.size() == 1 && j.contains("py") && j["py"].is_string()) {
    l.text = j["py"];
    l.kind = l.text == "None" ? Literal::Kind::none : Literal::Kind::python;
    if (l.kind == Literal::Kind::none)
      l.text = "null";
  } else {
    l.kind = Literal::Kind::composite;
    l.text = j.dump();
    l.truth = !j.empty();
  }
  return l;
}

std::map<std::string, std::string> strings(const Json& j) {
  std::map<std::string, std::string> out;
  for (auto& [k, v] : j.items())
    if (v.is_string())
      out[k] = v;
  return out;
}

void add_conditions(const Json& j, std::vector<Condition>& out) {
  if (j.is_array()) {
    for (const Json& v : j)
      add_conditions(v, out);
    return;
  }
  if (!j.is_object())
    return;
  if (auto all = j.find("all"); all != j.end()) {
    add_conditions(*all, out);
    return;
  }
  Condition c;
  c.key = text(j, "key");
  using Kind = Condition::Kind;
  if (auto it = j.find("equals"); it != j.end()) {
    c.value = literal(*it);
  } else if (it = j.find("not_equals"); it != j.end()) {
    c.kind = Kind::not_equals;
    c.value = literal(*it);
  } else if (flag(j, "not_null")) {
    c.kind = Kind::not_null;
  } else if (flag(j, "is_null")) {
    c.kind = Kind::is_null;
  } else { // "expr", "any": not decidable from the keys alone
    c.kind = Kind::expression;
    c.key = text(j, "expr").empty() ? j.dump() : text(j, "expr");
  }
  out.push_back(std::move(c));
}

SlotRecord slot(const std::string& name, const Json& j) {
  SlotRecord s;
  s.name = name;
  s.local = text(j, "local");
  if (s.local.empty())
    s.local = name.substr(0, name.find(':'));
  s.read = text(j, "read");
  std::string formula = text(j, "formula");
  s.formula = formula::formula_from_string(formula).value_or(formula::Formula::unknown);
  s.formula_name = text(j, "name");
  s.written = text(j, "written");
  s.class_name = text(j, "class");
  s.file = text(j, "file");
  s.line = number(j, "line");
  s.component = text(j, "component");
  if (auto it = j.find("fallback"); it != j.end())
    s.fallback = literal(*it);
  if (text(j, "gating") == "glu")
    s.gating = formula::Gating::glu;
  if (auto it = j.find("modifiers"); it != j.end() && it->is_array())
    for (const Json& m : *it)
      if (m.is_string())
        s.modifiers.push_back(m);
  if (auto it = j.find("when"); it != j.end())
    add_conditions(*it, s.when);
  s.names = strings(object(j, "names"));
  return s;
}

SubRecord sub(const std::string& name, const Json& j) {
  SubRecord s;
  s.name = name;
  s.class_name = text(j, "class");
  s.when_missing = text(j, "when_missing");
  s.when_no_model_type = text(j, "when_no_model_type");
  for (auto& [k, v] : object(j, "missing_overrides").items())
    s.missing_overrides[k] = literal(v);
  s.from_parent = strings(object(j, "from_parent"));
  s.flat = flag(j, "flat");
  s.optional = flag(j, "optional");
  s.legacy_dict = flag(j, "legacy_dict");
  s.line = number(j, "line");
  return s;
}

Derivation derivation(const Json& j) {
  Derivation d;
  d.key = text(j, "key");
  d.from = text(j, "from");
  d.strip = text(j, "strip");
  d.prefix_flag = text(j, "prefix_flag");
  d.rewrite = strings(object(j, "rewrite"));
  d.explicit_wins = flag(j, "explicit_wins");
  d.source = text(j, "source");
  return d;
}

} // namespace

const KeyRecord* ClassRecord::key(std::string_view name) const {
  for (const KeyRecord& k : keys)
    if (k.name == name)
      return &k;
  return nullptr;
}

const SubRecord* ClassRecord::sub(std::string_view name) const {
  for (const SubRecord& s : subs)
    if (s.name == name)
      return &s;
  return nullptr;
}

const Derivation* ClassRecord::derivation(std::string_view key) const {
  for (const Derivation& d : derivations)
    if (d.key == key)
      return &d;
  return nullptr;
}

std::string_view ClassRecord::field(std::string_view name) const {
  auto it = attribute_map.find(std::string(name));
  return it == attribute_map.end() ? name : std::string_view(it->second);
}

ClassRecord parse_class(std::string_view name, const Json& j) {
  ClassRecord c;
  c.name = name;
  if (!j.is_object())
    return c;
  c.model_type = text(j, "model_type");
  c.file = text(j, "file");
  c.line = number(j, "line");
  c.modality = text(j, "modality");
  c.source = text(j, "source");
  c.package = text(j, "package");
  c.remote = flag(j, "remote");
  c.attribute_map = strings(object(j, "attribute_map"));
  for (auto& [k, v] : object(j, "keys").items()) {
    KeyRecord key;
    key.name = k;
    key.has_default = v.is_object() && v.contains("default");
    if (key.has_default)
      key.value = literal(v["default"]);
    key.line = v.is_object() ? number(v, "line") : 0;
    c.keys.push_back(std::move(key));
    if (Derivation d; v.is_object() && v.contains("rewrites")) { // the class changes what the file gives
      d.key = d.from = k;
      d.rewrite = strings(object(v, "rewrites"));
      d.source = c.file;
      c.derivations.push_back(std::move(d));
    }
  }
  for (auto& [k, v] : object(j, "subs").items())
    if (v.is_object())
      c.subs.push_back(sub(k, v));
  for (auto& [k, v] : object(j, "slots").items())
    if (v.is_object())
      c.slots.push_back(slot(k, v));
  if (auto it = j.find("derive"); it != j.end() && it->is_array())
    for (const Json& d : *it)
      c.derivations.push_back(derivation(d));
  return c;
}

} // namespace gelint::hf
