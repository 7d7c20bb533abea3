// Keys of the file that name an activation and that no slot reads: GL103, GL104, GL108.

#include "hf/resolver.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::hf {
namespace {

constexpr int k_max_level = 8;

// Objects that hold no config of a model.
constexpr std::string_view k_other_objects[] = {"quantization_config", "generation_config", "auto_map", "id2label",
                                                "label2id", "task_specific_params", "peft_config", "processor_config",
                                                "preprocess_cfg", "compression_config"};

bool contains(std::string_view s, std::string_view part) { return s.find(part) != std::string_view::npos; }

std::string parent_path(std::string_view path) {
  size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string() : std::string(path.substr(0, dot));
}

std::string_view last_part(std::string_view path) {
  size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

} // namespace

bool looks_like_activation_key(std::string_view key) {
  for (std::string_view part : {"dropout", "checkpoint", "sparsity", "quant", "dtype", "active", "actual", "interact",
                                "action", "activation_dir", "scale", "clip_act"})
    if (contains(key, part))
      return false;
  for (std::string_view name : {"afn", "feed_forward_proj", "dense_act_fn", "image_mlp_activations"})
    if (key == name)
      return true;
  return contains(key, "hidden_act") || contains(key, "activation") || contains(key, "act_fn") ||
         contains(key, "act_func") || contains(key, "act_layer") || key.ends_with("_act") || key.starts_with("act_");
}

void Resolver::report_unread(const ConfigView& root) {
  if (quiet)
    return;
  struct Level {
    Value node;
    std::string path;
    int depth;
  };
  std::vector<Level> levels{{root.node, root.path, 0}};
  while (!levels.empty()) {
    Level level = levels.back();
    levels.pop_back();
    for (Value v = level.node.first(); v; v = v.next()) {
      const std::string path = join_path(level.path, v.key());
      if (v.is(Kind::object)) {
        // A sub-config whose slots are unresolved: which keys its reader reads is not known.
        bool unresolved = std::any_of(report.slots.begin(), report.slots.end(), [&](const Slot& s) {
          return s.verdict == SlotVerdict::unresolved && s.config_path == path;
        });
        bool other = std::find(std::begin(k_other_objects), std::end(k_other_objects), v.key()) !=
                     std::end(k_other_objects);
        if (level.depth < k_max_level && !unresolved && !other)
          levels.push_back({v, path, level.depth + 1});
        continue;
      }
      // Of one key given twice only the last counts; that is told elsewhere.
      if (is_read(v) || level.node.find(v.key()) != v || !v.is(Kind::string) || !looks_like_activation_key(v.key()))
        continue;
      report_unread_key(v, path, level.path);
    }
  }
}

void Resolver::report_unread_key(Value v, const std::string& path, const std::string& level) {
  const ActivationEntry* meaning = tables.activation(v.string(), release);
  const Slot *rival = nullptr, *elsewhere = nullptr, *fixed = nullptr;
  for (const Slot& s : report.slots) {
    if (s.config_path.empty()) {
      if (!fixed && s.source == SlotSource::hard_coded && slot_level(s) == level)
        fixed = &s;
    } else if (parent_path(s.config_path) == level && last_part(s.config_path) != v.key()) {
      if (!rival)
        rival = &s;
    } else if (last_part(s.config_path) == v.key() && s.config_path != path) {
      // A sibling reads its own key: text_config does not stand for vision_config.
      const std::string other = parent_path(s.config_path);
      const bool related = level.empty() || other.empty() || other.starts_with(level + '.') || level.starts_with(other + '.');
      if (!elsewhere && related)
        elsewhere = &s;
    }
  }
  // A key of the class itself that its code leaves alone is dead, not misplaced.
  auto cls = level_classes.find(level);
  if (cls != level_classes.end() && cls->second && cls->second->key(v.key()))
    elsewhere = nullptr;
  const bool agrees_elsewhere = elsewhere && meaning && meaning->formula == elsewhere->formula;
  if (elsewhere) {
    const bool declared = elsewhere->source == SlotSource::declared;
    issue("GL108",
          fmt::format("{} = {} stands where nothing reads it; {} reads {}, which {} {}: {}", path, quoted(v.string()),
                      elsewhere->slot, elsewhere->config_path, declared ? "says" : "is omitted and means",
                      quoted(elsewhere->name),
                      agrees_elsewhere ? "the copy can be removed"
                      : declared       ? "remove the copy, or correct the key that is read"
                                       : "move the key there, or remove it"),
          v, path);
    report.issues.back().harmless = agrees_elsewhere;
    return;
  }
  std::string why;
  for (const Slot& s : report.slots)
    if (why.empty() && (slot_level(s) == level || parent_path(s.config_path) == level))
      for (const StaleFact& f : tables.facts(s.model_type).stale)
        if (f.key == v.key())
          why = f.why;
  if (why.empty() && rival)
    why = fmt::format("{} reads {} instead", rival->slot, rival->config_path);
  else if (why.empty() && fixed)
    why = fmt::format("{} hard-codes {} ({})", fixed->slot, to_string(fixed->formula),
                      fixed->reader.file.empty() ? fixed->reader.version
                                                 : fmt::format("{}:{}", fixed->reader.file, fixed->reader.line));
  else if (why.empty())
    why = "no reader of this model reads it";
  const Slot* decides = rival ? rival : fixed;
  const bool harmless = decides && meaning && meaning->formula == decides->formula;
  issue("GL103",
        fmt::format("{} = {} is not read: {}; {}", path, quoted(v.string()), why,
                    harmless ? "it can be removed"
                    : rival  ? fmt::format("remove it, or say it in {}", rival->config_path)
                             : "remove it"),
        v, path);
  report.issues.back().harmless = harmless;
  if (rival && meaning && rival->formula != formula::Formula::unknown && meaning->formula != rival->formula)
    issue("GL104",
          fmt::format("{} = {} ({}) and {} = {} ({}) contradict each other; only {} is read: make them agree", path,
                      quoted(v.string()), to_string(meaning->formula), rival->config_path, quoted(rival->name),
                      to_string(rival->formula), rival->config_path),
          v, path, rival->slot);
}

} // namespace gelint::hf
