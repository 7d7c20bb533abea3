// From a config to its sub-configs: dict, string, null, absent.

#include "hf/resolver.h"

#include <algorithm>

namespace gelint::hf {
namespace {

struct Alias {
  std::string_view name, component;
};
// Names that families give to the same part.
constexpr Alias k_aliases[] = {{"llm", "text"},      {"language", "text"}, {"language_model", "text"},
                               {"visual", "vision"}, {"vit", "vision"},    {"vision_tower", "vision"},
                               {"mm_vision_tower", "vision"}, {"vision_backbone", "vision"}};

bool contains(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

} // namespace

std::string component_of(const ConfigView& parent, std::string_view sub_name) {
  std::string_view base = sub_name;
  for (std::string_view suffix : {"_config", "_cfg"})
    if (base.ends_with(suffix) && base.size() > suffix.size()) {
      base.remove_suffix(suffix.size());
      break;
    }
  for (const Alias& a : k_aliases)
    if (a.name == base)
      base = a.component;
  // The thinker of the omni models is the model; its talker and the rest are parts beside it.
  if (parent.path.empty() || parent.path == "thinker_config" || parent.component.empty())
    return std::string(base);
  return parent.component + '.' + std::string(base);
}

SubView Resolver::sub_view(const ConfigView& view, const SubRecord& sub) {
  SubView s;
  s.view.path = join_path(view.path, sub.name);
  s.view.component = component_of(view, sub.name);
  s.view.parent = &view;
  s.view.from_parent = &sub.from_parent;
  s.value = view.node.find(sub.name);
  if (s.value)
    mark_read(s.value);
  auto by_name = [&](const std::string& name) -> const ClassRecord* {
    if (name.empty())
      return nullptr;
    const ClassRecord* r = type_record(name);
    return r ? r : class_record(name);
  };
  if (sub.legacy_dict)
    if (Value old = view.node.find(sub.name + "_dict"); old.is(Kind::object)) {
      s.view.legacy = old;
      if (!s.value || s.value.is(Kind::null))
        s.view.node = old;
    }
  switch (s.value.kind()) {
  case Kind::object: {
    s.view.node = s.value;
    Value type = s.value.find("model_type");
    if (type.is(Kind::string))
      s.view.model_type = type.string();
    if (!sub.class_name.empty()) {
      s.view.record = class_record(sub.class_name);
    } else if (type.is(Kind::string)) {
      s.view.record = type_record(type.string());
      if (!s.view.record)
        s.view.record = class_record(tables.family("type", type.string()));
    } else {
      s.view.record = by_name(sub.when_no_model_type);
    }
    s.state = s.view.record ? SubState::present : SubState::unknown_type;
    break;
  }
  case Kind::missing:
  case Kind::null:
    if (sub.optional && !s.view.legacy) {
      s.view.record = by_name(sub.class_name.empty() ? sub.when_no_model_type : sub.class_name);
      s.state = SubState::absent;
      break;
    }
    s.view.record = by_name(sub.class_name.empty() ? sub.when_missing : sub.class_name);
    s.view.overrides = &sub.missing_overrides;
    s.state = s.view.record ? SubState::defaulted : SubState::absent;
    if (sub.flat && view.node && s.view.record) {
      s.view.node = view.node;
      s.view.path = view.path;
      s.view.flat = true;
    }
    break;
  case Kind::string:
    s.state = SubState::named_by_string;
    s.view.record = by_name(sub.class_name.empty() ? sub.when_missing : sub.class_name);
    break;
  default:
    s.state = SubState::wrong_type;
    s.view.record = by_name(sub.class_name.empty() ? sub.when_missing : sub.class_name);
  }
  if (s.view.model_type.empty() && s.view.record)
    s.view.model_type = s.view.record->model_type;
  return s;
}

const ClassRecord* Resolver::class_record(std::string_view name) {
  if (name.empty())
    return nullptr;
  if (std::find(classes.begin(), classes.end(), name) == classes.end())
    classes.emplace_back(name);
  return tables.config_class(name, release);
}

const ClassRecord* Resolver::type_record(std::string_view model_type) {
  if (std::find(types.begin(), types.end(), model_type) == types.end())
    types.emplace_back(model_type);
  return class_record(tables.class_of_type(model_type, release));
}

void Resolver::mark_read(Value v) {
  if (read_ids.size() <= v.id())
    read_ids.resize(v.document() ? v.document()->value_count() : v.id() + 1);
  read_ids[v.id()] = true;
}

bool Resolver::tower_has_tensors(const SubRecord& sub) {
  static constexpr std::string_view vision[] = {"vision_tower", "vision_model", "visual",      "vision_encoder",
                                                "vit",          "vpm",          "image_tower", "vision"};
  static constexpr std::string_view audio[] = {"audio_tower", "audio_model", "audio_encoder", "audio", "speech"};
  const checkpoint::Tensors* t = tensor_facts();
  if (!t)
    return true;
  auto any = [&](auto& parts) {
    return std::any_of(std::begin(parts), std::end(parts), [&](std::string_view p) { return t->has_part(p); });
  };
  if (contains(sub.name, "vision"))
    return any(vision);
  if (contains(sub.name, "audio"))
    return any(audio);
  return true;
}

void Resolver::resolve_sub_config(const ConfigView& view, const SubRecord& sub, int depth) {
  views.push_back({});
  SubView s = sub_view(view, sub);
  ConfigView& child = views.back();
  child = std::move(s.view);
  const std::string key = join_path(view.path, sub.name);
  switch (s.state) {
  case SubState::present:
    resolve_config(child, depth + 1);
    return;
  case SubState::defaulted:
    if (!child.flat && !child.legacy && !tower_has_tensors(sub)) {
      absent_slots(child, key + " is not in the file and the checkpoint holds no tensor of it", SlotSource::absent);
      return;
    }
    resolve_config(child, depth + 1);
    return;
  case SubState::absent:
    if (child.record)
      absent_slots(child, key + " is not in the file, and the model is built without it", SlotSource::absent);
    return;
  case SubState::named_by_string: {
    const std::string_view name = s.value.string();
    for (const char* library : {"hub", "timm", "open_clip"})
      if (const ClassRecord* tower = tables.tower(library, name)) {
        child.record = tower;
        child.node = {};
        child.path = key;
        issue("GL110", key + " names " + quoted(name) + ", whose formula the tables know; its own config is not in "
              "this file", s.value, key);
        resolve_config(child, depth + 1);
        return;
      }
    issue("GL110", key + " is the string " + quoted(name) + ", which names another repository or architecture: give "
          "its config as an object, or check that one", s.value, key);
    absent_slots(child, key + " is the string " + quoted(name) + ": the activation is decided there",
                 SlotSource::unresolved);
    return;
  }
  case SubState::wrong_type:
    issue("GL102", key + " holds " + std::string(to_string(s.value.kind())) + " where an object belongs", s.value, key);
    absent_slots(child, key + " holds " + std::string(to_string(s.value.kind())) + " where an object belongs",
                 SlotSource::unresolved);
    return;
  case SubState::unknown_type: {
    Value type = s.value.find("model_type");
    std::string what = type.is(Kind::string)
                           ? "model_type " + quoted(type.string()) + " of " + key + " is unknown to transformers " +
                                 tables.releases()[static_cast<size_t>(release)]
                           : key + " has no model_type and its parent has no default for it";
    issue("GL107", what, type ? type : s.value, join_path(key, "model_type"));
    absent_slots(child, what, SlotSource::unresolved);
    return;
  }
  }
}

} // namespace gelint::hf
