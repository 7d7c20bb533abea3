// What a GGUF file says, and whether it agrees with the config that it lies beside.

#include "hf/after.h"
#include "hf/foreign.h"
#include "hf/resolve.h"

#include <fmt/format.h>

namespace gelint::hf {
namespace {

using checkpoint::Gguf;
using checkpoint::GgufValue;
using formula::Formula;

constexpr const char* k_reader = "llama.cpp tools/mtmd/clip.cpp";

bool flag(const Gguf& g, const char* key) {
  const GgufValue* v = g.find(key);
  return v && v->kind == GgufValue::Kind::boolean && v->truth;
}

Slot start(Resolver& r, std::string slot, std::string path) {
  Slot s;
  s.slot = std::move(slot);
  s.component = s.slot.substr(0, s.slot.find('.'));
  s.model_type = r.report.model_type;
  s.config_path = std::move(path);
  return s;
}

// Two flags stand for three formulas; use_gelu runs ggml_gelu, which is the tanh form, so erf cannot be said.
void projector_slots(Resolver& r, const Gguf& g) {
  const bool gelu = flag(g, "clip.use_gelu"), silu = flag(g, "clip.use_silu");
  const bool audio = flag(g, "clip.has_audio_encoder") && !flag(g, "clip.has_vision_encoder");
  Slot s = start(r, audio ? "audio.mlp" : "vision.mlp", gelu ? "clip.use_gelu" : silu ? "clip.use_silu" : "clip.use_gelu");
  s.reader = {k_reader, 0, "llama.cpp"};
  if (gelu && silu) {
    s.verdict = SlotVerdict::error;
    s.reason = "clip.use_gelu and clip.use_silu are both set: the reader refuses the file";
    r.issue("GL104", s.reason + "; convert it again", {}, "clip.use_gelu", s.slot);
  } else {
    s.verdict = SlotVerdict::ok;
    s.formula = gelu ? Formula::gelu_tanh : silu ? Formula::silu : Formula::gelu_quick;
    s.source = gelu || silu ? SlotSource::declared : SlotSource::class_default;
    if (gelu || silu)
      s.declared = "true";
    s.reason = gelu   ? "clip.use_gelu is set: ggml_gelu, the tanh form"
               : silu ? "clip.use_silu is set"
                      : "neither clip.use_gelu nor clip.use_silu is set: quick_gelu";
  }
  r.report.slots.push_back(std::move(s));
}

void text_slot(Resolver& r, const Gguf& g, const std::string& architecture) {
  for (const char* key : {".hidden_activation", ".hidden_act", ".activation_function"}) {
    const GgufValue* v = g.find(architecture + key);
    if (!v)
      continue;
    Slot s = start(r, "text.mlp", architecture + key);
    s.declared = v->kind == GgufValue::Kind::string ? v->text : fmt::format("{}", v->number);
    s.name = v->text;
    s.source = SlotSource::declared;
    s.reader = {"", 0, "llama.cpp"};
    if (const ActivationEntry* a = r.tables.activation(s.name, r.release)) {
      s.formula = a->formula;
      s.verdict = SlotVerdict::ok;
      s.reason = fmt::format("{} is {}, as ACT2FN names it: {}", s.config_path, quoted(s.name), to_string(s.formula));
    } else {
      s.verdict = SlotVerdict::error;
      s.reason = fmt::format("{} is {}, which ACT2FN does not know", s.config_path, quoted(s.name));
      std::string near = suggestions(r.tables, r.release, s.name);
      r.issue("GL101", s.reason + (near.empty() ? "" : ": did you mean " + near + "?"), {}, s.config_path, s.slot);
    }
    r.report.slots.push_back(std::move(s));
    return;
  }
  Slot s = start(r, "text.mlp", architecture + ".hidden_activation");
  s.verdict = SlotVerdict::unresolved;
  s.reason = "the file holds no activation key: the graph of the engine for " + quoted(architecture) +
             " decides, not this file";
  r.report.slots.push_back(std::move(s));
}

void compare_with_config(Resolver& r) {
  checkpoint::Model beside = r.model;
  beside.kind = checkpoint::ModelKind::transformers;
  beside.gguf.reset();
  beside.errors.clear();
  beside.path = beside.config_file = r.model.config->file();
  ResolveOptions options;
  options.transformers = r.report.transformers;
  options.compare_releases = options.ports = false;
  ModelReport config = resolve_model(r.tables, beside, options);
  for (Slot& s : r.report.slots)
    for (const Slot& c : config.slots) {
      const bool same = c.slot == s.slot || (config.slots.size() == 1 && c.slot.ends_with(".mlp"));
      if (!same || c.formula == Formula::unknown)
        continue;
      if (s.formula == Formula::unknown) {
        s.reason += fmt::format("; the config beside it asks for {}", to_string(c.formula));
      } else if (s.formula != c.formula) {
        s.verdict = SlotVerdict::conflict;
        s.reason += fmt::format("; the config beside it asks for {}", to_string(c.formula));
        r.issue("GL104", fmt::format("{} gives {} for {}, {} in {} gives {}: convert the file again, or state the formula "
                                     "in the engine", s.config_path, to_string(s.formula), s.slot,
                                     c.config_path.empty() ? "the reader" : c.config_path, config.config_file,
                                     to_string(c.formula)), {}, s.config_path, s.slot);
      }
      break;
    }
}

} // namespace

void resolve_gguf(Resolver& r, const ResolveOptions&) {
  const Gguf& g = *r.model.gguf;
  const std::string architecture = g.string("general.architecture");
  r.report.model_type = architecture;
  r.report.architecture = g.string("general.name");
  if (architecture.empty())
    r.issue("GL107", "general.architecture is missing: no engine can tell what the file holds", {}, "general.architecture");
  else if (architecture == "clip")
    projector_slots(r, g);
  else
    text_slot(r, g, architecture);
  if (r.model.config)
    compare_with_config(r);
}

} // namespace gelint::hf
