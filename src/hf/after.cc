#include "hf/after.h"

#include "hf/unresolved.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::hf {
namespace {

using formula::Formula;

/// What the release says of everything that the resolution looked up; equal signatures give equal answers.
std::vector<int> signature(Resolver& r, Release release) {
  std::vector<int> s;
  for (const std::string& type : r.types) {
    std::string_view cls = r.tables.class_of_type(type, release);
    s.push_back(cls.empty() ? -1 : cls == r.tables.class_of_type(type, r.release) ? 1 : 2);
    if (s.back() == 2)
      s.push_back(r.tables.meaning(cls, release));
  }
  for (const std::string& cls : r.classes)
    s.push_back(r.tables.meaning(cls, release));
  for (const std::string& name : r.names)
    s.push_back(r.tables.activation_meaning(name, release));
  return s;
}

void compare_versions(Resolver& r, const ResolveOptions& options) {
  const auto count = static_cast<Release>(r.tables.releases().size());
  Value root = r.model.config->root();
  const std::string_view type = root.find("model_type").string();
  struct Known {
    std::vector<int> signature;
    std::vector<Slot> slots;
    std::map<std::string, std::string> modules;
  };
  std::vector<Known> known{{signature(r, r.release), {}, {}}};
  std::vector<int> index(static_cast<size_t>(count), -1); // into `known`; -1: that release does not know the model
  bool differs = false;
  for (Release i = 0; i < count; ++i) {
    std::vector<int> s = signature(r, i);
    auto it = std::find_if(known.begin(), known.end(), [&](auto& k) { return k.signature == s; });
    if (it == known.end()) {
      const ClassRecord* record = r.tables.type_record(type, i);
      if (!record)
        continue;
      Resolver other{r.tables, i, r.model, true};
      other.report.model_type = r.report.model_type;
      ConfigView view;
      view.record = record;
      view.node = root;
      view.model_type = std::string(type);
      view.component = root_component(*record);
      other.tensors = r.tensors;
      other.resolve_config(view, 0);
      known.push_back({std::move(s), std::move(other.report.slots), std::move(other.modules)});
      it = known.end() - 1;
      differs = true;
    }
    index[static_cast<size_t>(i)] = static_cast<int>(it - known.begin());
  }
  if (!differs)
    return;
  for (Slot& slot : r.report.slots) {
    if (slot.formula == Formula::unknown)
      continue;
    for (Release i = count; i-- > 0;) {
      int k = index[static_cast<size_t>(i)];
      if (k < 0)
        continue;
      const Slot* other = &slot;
      if (k > 0) {
        auto& slots = known[static_cast<size_t>(k)].slots;
        auto it = std::find_if(slots.begin(), slots.end(), [&](const Slot& s) { return s.slot == slot.slot; });
        if (it == slots.end() || it->formula == Formula::unknown || it->formula == Formula::other)
          continue;
        // Another module that goes by the same slot name in that release says nothing of this one, unless both read
        // the same key: then the module was renamed.
        const bool same_key = !slot.config_path.empty() && it->config_path == slot.config_path;
        if (!same_key && known[static_cast<size_t>(k)].modules[slot.slot] != r.modules[slot.slot])
          continue;
        other = &*it;
      }
      if (slot.versions.empty() || slot.versions.back().formula != other->formula)
        slot.versions.push_back(
            {r.tables.releases()[static_cast<size_t>(i)], other->formula, other->name, other->config_path});
    }
    if (slot.versions.size() < 2) {
      slot.versions.clear();
      continue;
    }
    std::string message = slot.slot + ':';
    for (size_t i = 0; i < slot.versions.size(); ++i) {
      const VersionedAnswer& v = slot.versions[i];
      message += fmt::format("{} {} {} transformers {}", i ? "," : "", to_string(v.formula), i ? "from" : "in", v.transformers);
      if (v.config_path.empty())
        message += " (hard-coded)";
      else if (v.config_path != slot.config_path || v.name != slot.name)
        message += fmt::format(" ({} {})", v.config_path, v.name);
    }
    r.issue("GL105", message + ": state the version, or write the key so that all agree", slot.line ? r.model.config->root().at_path(slot.config_path) : root.find("model_type"),
            slot.config_path, slot.slot);
    const bool pinned = !options.transformers.empty() && options.transformers != "auto";
    if (slot.verdict == SlotVerdict::ok && !pinned)
      slot.verdict = SlotVerdict::conflict;
  }
}

void add_facts(Resolver& r) {
  for (Slot& slot : r.report.slots)
    for (const std::string& type : {r.report.model_type, slot.model_type}) {
      if (slot.trained_with)
        break;
      for (const TrainedFact& f : r.tables.facts(type).trained_with) {
        if (f.slot != slot.slot && f.slot != slot.slot.substr(slot.slot.find('.') + 1))
          continue;
        slot.trained_with = f.formula;
        slot.trained_with_source = f.source;
        if (slot.formula != f.formula && slot.formula != Formula::unknown)
          r.issue("GL109",
                  fmt::format("{}: the weights were trained with {}, the reference runs {} ({})", slot.slot,
                              to_string(f.formula), to_string(slot.formula), f.source),
                  slot.line ? r.model.config->root().at_path(slot.config_path) : r.model.config->root().find("model_type"),
                  slot.config_path, slot.slot);
        break;
      }
    }
}

void add_ports(Resolver& r) {
  for (Slot& slot : r.report.slots)
    for (const std::string& type : {r.report.model_type, slot.model_type}) {
      if (!slot.ports.empty() || type.empty())
        break;
      for (const PortRow& p : r.tables.ports(type)) {
        // A port's text model is also the text tower of a larger one.
        if (p.slot != slot.slot && !(type != r.report.model_type && p.slot.substr(p.slot.find('.') + 1) ==
                                                                        slot.slot.substr(slot.slot.rfind('.') + 1)))
          continue;
        PortAnswer a{p.port, p.formula, p.file, p.line, p.known_by, false};
        // A port that reads the same key runs what the file declares; its row is the answer for the default.
        if (!p.reads.empty() && slot.declared && slot.formula != Formula::unknown &&
            slot.config_path.ends_with(p.reads))
          a.formula = slot.formula;
        a.diverges = a.formula != slot.formula && a.formula != Formula::unknown && slot.formula != Formula::unknown;
        slot.ports.push_back(std::move(a));
      }
    }
}

} // namespace

void after_resolution(Resolver& r, const ResolveOptions& options) {
  if (options.compare_releases)
    compare_versions(r, options);
  add_facts(r);
  if (options.ports)
    add_ports(r);
}

} // namespace gelint::hf
