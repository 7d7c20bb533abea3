#include "hf/foreign.h"

#include "hf/after.h"
#include "hf/unresolved.h"

#include <fmt/format.h>

namespace gelint::hf {
namespace {

using checkpoint::ModelKind;
using formula::Formula;

void add_unresolved(Resolver& r, const std::string& slot, const std::string& path, std::string reason, Value at) {
  Slot s;
  s.slot = slot;
  s.component = slot.substr(0, slot.find('.'));
  s.config_path = path;
  s.verdict = SlotVerdict::unresolved;
  s.reason = std::move(reason);
  r.place(s, at);
  r.report.slots.push_back(std::move(s));
}

/// Resolves `node` as the overlay's class for this format. False when there is none.
bool resolve_as(Resolver& r, const std::string& format, Value node, const std::string& path,
                const std::string& component) {
  const ClassRecord* record = r.class_record(r.tables.family("format", format));
  if (!record)
    return false;
  ConfigView view;
  view.record = record;
  view.node = node;
  view.path = path;
  view.component = component.empty() ? root_component(*record) : component;
  view.model_type = r.report.model_type;
  r.resolve_config(view, 0);
  r.report_unread(view);
  return true;
}

void drop(Resolver& r, const std::string& component) {
  std::erase_if(r.report.slots, [&](const Slot& s) { return s.component == component; });
}

void tower_of(Resolver& r, Value name, const char* library, const std::string& component, const std::string& path) {
  drop(r, component);
  if (const ClassRecord* tower = r.tables.tower(library, name.string())) {
    ConfigView view;
    view.record = tower;
    view.path = path;
    view.component = component;
    r.resolve_config(view, 0);
    return;
  }
  r.issue("GL110", fmt::format("{} names {} of {}: the activation is decided there", path, quoted(name.string()),
                               library), name, path);
  add_unresolved(r, component + ".mlp", path,
                 fmt::format("{} names {} of {}: the activation is decided there", path, quoted(name.string()), library),
                 name);
}

void open_clip(Resolver& r) {
  Value root = r.model.config->root();
  const bool nested = root.find("model_cfg").is(Kind::object);
  const std::string prefix = nested ? "model_cfg" : "";
  Value cfg = nested ? root.find("model_cfg") : root;
  r.report.model_type = "open_clip";
  if (!resolve_as(r, "open_clip", cfg, prefix, ""))
    return;
  if (Value v = cfg.at_path("vision_cfg.timm_model_name"); v.is(Kind::string) && !v.string().empty())
    tower_of(r, v, "timm", "vision", join_path(prefix, "vision_cfg.timm_model_name"));
  if (Value v = cfg.at_path("text_cfg.hf_model_name"); v.is(Kind::string) && !v.string().empty())
    tower_of(r, v, "hub", "text", join_path(prefix, "text_cfg.hf_model_name"));
  // act_kwargs go to nn.GELU: {"approximate": "tanh"}.
  for (const char* tower : {"vision", "text"}) {
    Value v = cfg.at_path(std::string(tower) + "_cfg.act_kwargs.approximate");
    if (v.string() != "tanh")
      continue;
    for (Slot& s : r.report.slots)
      if (s.component == tower && s.formula == Formula::gelu_erf) {
        s.formula = Formula::gelu_tanh;
        s.config_path = join_path(prefix, std::string(tower) + "_cfg.act_kwargs.approximate");
        s.declared = "tanh";
        s.source = SlotSource::declared;
        s.reason = s.config_path + " is \"tanh\", handed to nn.GELU";
        r.place(s, v);
      }
  }
  // The weights' origin decides, not the architecture: OpenAI's and MetaCLIP's were trained with QuickGELU.
  for (const char* key : {"pretrained", "tag", "pretrained_tag", "hf_hub_id", "_name_or_path"}) {
    Value v = root.find(key) ? root.find(key) : cfg.find(key);
    std::string tag(v.string());
    const bool quick = tag.find("openai") != std::string::npos || tag.find("metaclip") != std::string::npos;
    if (!quick)
      continue;
    for (Slot& s : r.report.slots)
      if (s.formula == Formula::gelu_erf && s.slot.ends_with("mlp")) {
        s.trained_with = Formula::gelu_quick;
        s.trained_with_source = "open_clip, pretrained.py: tags of OpenAI and MetaCLIP weights set quick_gelu";
        r.issue("GL109", fmt::format("{}: {} = {} says weights that were trained with gelu_quick, the config runs "
                                     "gelu_erf: set quick_gelu to true", s.slot, key, quoted(tag)), v, key, s.slot);
      }
    return;
  }
}

void diffusers(Resolver& r) {
  Value root = r.model.config->root();
  const std::string cls(root.find("_class_name").string());
  r.report.model_type = cls;
  r.report.written_by = root.find("_diffusers_version").string();
  if (!resolve_as(r, "diffusers/" + cls, root, "", "")) {
    r.issue("GL107", "_class_name " + quoted(cls) + " is in no table of diffusers classes", root.find("_class_name"),
            "_class_name");
    unresolved_keys(r, root);
  }
}

void timm(Resolver& r) {
  Value root = r.model.config->root();
  Value architecture = root.find("architecture");
  const std::string name(architecture.string());
  r.report.model_type = "timm_wrapper";
  r.report.architecture = name;
  if (Value act = root.at_path("model_args.act_layer"))
    resolve_as(r, "timm", root.find("model_args"), "model_args", "");
  if (const ClassRecord* tower = r.tables.tower("timm", name)) {
    ConfigView view;
    view.record = tower;
    view.component = root_component(*tower).empty() ? "vision" : root_component(*tower);
    r.resolve_config(view, 0);
  }
  if (r.report.slots.empty())
    add_unresolved(r, "vision.mlp", "architecture",
                   "the activation of timm's " + quoted(name) + " lies in timm's code, which no table covers",
                   architecture);
}

void mistral(Resolver& r) {
  Value root = r.model.config->root();
  r.report.model_type = "mistral";
  resolve_as(r, "mistral", root, "", "text");
  if (root.find("vision_encoder").is(Kind::object))
    resolve_as(r, "mistral/vision_encoder", root.find("vision_encoder"), "vision_encoder", "vision");
}

} // namespace

void resolve_gguf(Resolver& r, const ResolveOptions& options); // gguf_slots.cc

void resolve_foreign(Resolver& r, const ResolveOptions& options) {
  switch (r.model.kind) {
  case ModelKind::open_clip:
    return open_clip(r);
  case ModelKind::diffusers:
    return diffusers(r);
  case ModelKind::timm:
    return timm(r);
  case ModelKind::mistral:
    return mistral(r);
  case ModelKind::gguf:
    return resolve_gguf(r, options);
  default:
    return;
  }
}

} // namespace gelint::hf
