#include "hf/unresolved.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace gelint::hf {

std::string root_component(const ClassRecord& record) {
  if (record.modality.empty() || record.modality == "other" || record.modality == "multimodal")
    return {};
  return record.modality;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  b = b.substr(0, 64);
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= std::min<size_t>(a.size(), 64); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t up = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = up;
    }
  }
  return row[b.size()];
}

void unresolved_keys(Resolver& r, Value root) {
  struct Level {
    Value node;
    ConfigView view;
  };
  const char* reader = r.report.remote_code ? "the reader is the repository's own code" : "no class reads it";
  std::vector<Level> levels{{root, {}}};
  for (size_t i = 0; i < levels.size() && i < 64; ++i) {
    for (Value v = levels[i].node.first(); v; v = v.next()) {
      const ConfigView parent = levels[i].view;
      const std::string path = join_path(parent.path, v.key());
      if (v.is(Kind::object) && v.key().ends_with("_config") && v.key() != "quantization_config") {
        ConfigView child;
        child.path = path;
        child.component = component_of(parent, v.key());
        levels.push_back({v, child});
      } else if (looks_like_activation_key(v.key()) && (v.is(Kind::string) || v.is(Kind::null))) {
        Slot s;
        s.component = parent.component.empty() ? "model" : parent.component;
        s.slot = s.component + '.' + std::string(v.key());
        s.model_type = r.report.model_type;
        s.config_path = path;
        s.declared = std::string(v.is(Kind::string) ? v.string() : v.text());
        s.name = std::string(v.string());
        s.verdict = SlotVerdict::unresolved;
        const ActivationEntry* a = r.tables.activation(s.name, r.release);
        s.reason = fmt::format("{} is {}{}; {}", path, v.is(Kind::string) ? quoted(v.string()) : "null",
                               a ? fmt::format(" (ACT2FN: {})", to_string(a->formula)) : "", reader);
        r.place(s, v);
        r.report.slots.push_back(std::move(s));
      }
    }
  }
}

} // namespace gelint::hf
