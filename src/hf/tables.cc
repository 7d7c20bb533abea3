#include "hf/tables.h"

#include "hf/releases.h"

#include <algorithm>
#include <nlohmann/json.hpp>

extern "C" const char gelint_hf_pack[], gelint_hf_pack_end[]; // cmake/HfPack.cmake

namespace gelint::hf {
namespace {

using Json = nlohmann::json;

Json parse(const std::optional<std::string>& text) {
  return text ? Json::parse(*text, nullptr, false) : Json();
}

std::vector<int> indices(const Json& j, const char* field) {
  std::vector<int> out;
  if (auto it = j.find(field); it != j.end() && it->is_array())
    for (const Json& v : *it)
      out.push_back(v.is_number_integer() ? v.get<int>() : -1);
  return out;
}

int at(const std::vector<int>& of, Release r) {
  return r >= 0 && static_cast<size_t>(r) < of.size() ? of[static_cast<size_t>(r)] : -1;
}

std::string text(const Json& j, const char* field) {
  auto it = j.find(field);
  return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
}

formula::Formula formula_of(const Json& j) {
  return formula::formula_from_string(text(j, "formula")).value_or(formula::Formula::unknown);
}

int line_of(const Json& j) {
  auto it = j.find("line");
  return it != j.end() && it->is_number_integer() ? it->get<int>() : 0;
}

} // namespace

struct Tables::Variants {
  std::vector<int> of, same;
  std::vector<ClassRecord> records;
};

Tables::Tables() = default;
Tables::~Tables() = default;

Tables& Tables::builtin() {
  static Tables* tables = [] {
    auto* t = new Tables;
    // A damaged block shows as tables without releases; the build's own test would fail first.
    (void)t->open({gelint_hf_pack, static_cast<size_t>(gelint_hf_pack_end - gelint_hf_pack)});
    return t;
  }();
  return *tables;
}

Result<std::unique_ptr<Tables>> Tables::from_pack(std::string bytes) {
  std::unique_ptr<Tables> t(new Tables);
  t->owned_ = std::move(bytes);
  if (Status s = t->open(t->owned_); !s)
    return s.error();
  return t;
}

Result<std::unique_ptr<Tables>> Tables::from_directory(const std::string& dir) {
  Result<std::string> pack = build_pack(dir);
  if (!pack)
    return pack.error();
  return from_pack(std::move(*pack));
}

Status Tables::open(std::string_view bytes) {
  Result<Pack> pack = Pack::open(bytes);
  if (!pack)
    return pack.error();
  pack_ = std::make_unique<Pack>(*pack);
  Json meta = parse(pack_->get("meta"));
  if (auto it = meta.find("releases"); meta.is_object() && it != meta.end())
    for (const Json& v : *it)
      if (v.is_string())
        releases_.push_back(v);
  return {};
}

std::optional<std::string> Tables::entry(const std::string& key) const {
  for (const Pack& p : overlays_)
    if (auto found = p.get(key))
      return found;
  return pack_ ? pack_->get(key) : std::nullopt;
}

Status Tables::add_overlay(const std::string& path) {
  Result<std::string> bytes = build_overlay_pack(path, releases_.size());
  if (!bytes)
    return bytes.error();
  auto kept = std::make_unique<std::string>(std::move(*bytes));
  Result<Pack> pack = Pack::open(*kept);
  if (!pack)
    return pack.error();
  overlay_bytes_.push_back(std::move(kept));
  overlays_.insert(overlays_.begin(), *pack);
  return {};
}

Release Tables::pick(std::string_view version, bool& exact) const {
  exact = false;
  for (size_t i = 0; i < releases_.size(); ++i) {
    int c = compare_releases(releases_[i], version);
    if (c <= 0) {
      exact = c == 0;
      return static_cast<Release>(i);
    }
  }
  return releases_.empty() ? 0 : static_cast<Release>(releases_.size() - 1);
}

Tables::Variants* Tables::class_entry(std::string_view name) {
  if (auto it = classes_.find(name); it != classes_.end())
    return it->second.get();
  std::unique_ptr<Variants> v;
  if (!name.empty())
    if (auto found = entry("class/" + std::string(name))) {
      Json j = parse(found);
      v = std::make_unique<Variants>();
      v->of = indices(j, "of");
      v->same = indices(j, "same");
      for (const Json& record : j.value("variants", Json::array()))
        v->records.push_back(parse_class(name, record));
    }
  return classes_.emplace(name, std::move(v)).first->second.get();
}

const ClassRecord* Tables::config_class(std::string_view name, Release r) {
  Variants* v = class_entry(name);
  int i = v ? at(v->of, r) : -1;
  return i >= 0 && static_cast<size_t>(i) < v->records.size() ? &v->records[static_cast<size_t>(i)] : nullptr;
}

int Tables::meaning(std::string_view name, Release r) {
  Variants* v = class_entry(name);
  return v ? at(v->same, r) : -1;
}

std::string_view Tables::class_of_type(std::string_view model_type, Release r) {
  auto it = types_.find(model_type);
  if (it == types_.end()) {
    // Only what the tables know is kept: a stream of made-up names must not grow the memory.
    std::optional<std::string> found = pack_ ? pack_->get("type/" + std::string(model_type)) : std::nullopt;
    if (!found)
      return {};
    TypeEntry e;
    Json j = parse(found);
    e.of = indices(j, "of");
    for (const Json& v : j.value("variants", Json::array()))
      e.classes.push_back(v.is_string() ? v.get<std::string>() : std::string());
    it = types_.emplace(model_type, std::move(e)).first;
  }
  int i = at(it->second.of, r);
  return i >= 0 && static_cast<size_t>(i) < it->second.classes.size()
             ? std::string_view(it->second.classes[static_cast<size_t>(i)])
             : std::string_view();
}

const ClassRecord* Tables::type_record(std::string_view model_type, Release r) {
  return config_class(class_of_type(model_type, r), r);
}

void Tables::load_activations() {
  if (activations_loaded_ || !pack_)
    return;
  activations_loaded_ = true;
  Json j = parse(pack_->get("act2fn"));
  if (!j.is_object())
    return;
  for (auto& [name, entry] : j.items()) {
    Activation a;
    a.of = indices(entry, "of");
    for (const Json& v : entry.value("variants", Json::array()))
      a.variants.push_back({formula_of(v), text(v, "class"), line_of(v)});
    activations_.emplace(name, std::move(a));
  }
}

const ActivationEntry* Tables::activation(std::string_view name, Release r) {
  load_activations();
  auto it = activations_.find(name);
  int i = it == activations_.end() ? -1 : at(it->second.of, r);
  return i >= 0 && static_cast<size_t>(i) < it->second.variants.size() ? &it->second.variants[static_cast<size_t>(i)]
                                                                       : nullptr;
}

std::vector<std::string> Tables::activation_names(Release r) {
  load_activations();
  std::vector<std::string> out;
  for (auto& [name, a] : activations_)
    if (at(a.of, r) >= 0)
      out.push_back(name);
  return out;
}

std::optional<Release> Tables::introduced(std::string_view name) {
  load_activations();
  auto it = activations_.find(name);
  if (it != activations_.end())
    for (size_t i = it->second.of.size(); i-- > 0;)
      if (it->second.of[i] >= 0)
        return static_cast<Release>(i);
  return std::nullopt;
}

int Tables::activation_meaning(std::string_view name, Release r) {
  const ActivationEntry* a = activation(name, r);
  return a ? static_cast<int>(a->formula) : -1;
}

std::string Tables::family(const std::string& kind, std::string_view name) {
  std::string key = "family/" + kind + "/" + std::string(name);
  auto it = families_.find(key);
  if (it == families_.end()) {
    std::optional<std::string> found = entry(key);
    if (!found)
      return {};
    Json j = parse(found);
    std::string cls = j.is_array() && !j.empty() && j[0].is_string() ? j[0].get<std::string>() : std::string();
    it = families_.emplace(key, std::move(cls)).first;
  }
  return it->second;
}

const Facts& Tables::facts(std::string_view model_type) {
  static const Facts none;
  auto it = facts_.find(model_type);
  if (it == facts_.end()) {
    std::optional<std::string> found = entry("facts/" + std::string(model_type));
    if (!found)
      return none;
    Facts facts;
    Json j = parse(found);
    if (j.is_object()) {
      for (const Json& row : j.value("trained_with", Json::array()))
        facts.trained_with.push_back({text(row, "slot"), text(row, "source"), formula_of(row)});
      for (const Json& row : j.value("stale", Json::array()))
        facts.stale.push_back({text(row, "key"), text(row, "why")});
    }
    it = facts_.emplace(model_type, std::move(facts)).first;
  }
  return it->second;
}

const std::vector<PortRow>& Tables::ports(std::string_view model_type) {
  static const std::vector<PortRow> none;
  auto it = ports_.find(model_type);
  if (it == ports_.end()) {
    std::optional<std::string> found = entry("ports/" + std::string(model_type));
    if (!found)
      return none;
    std::vector<PortRow> rows;
    Json j = parse(found);
    if (j.is_array())
      for (const Json& v : j)
        rows.push_back({text(v, "port"), text(v, "slot"), text(v, "reads"), text(v, "file"), text(v, "known_by"),
                        text(v, "written"), formula_of(v), line_of(v)});
    it = ports_.emplace(model_type, std::move(rows)).first;
  }
  return it->second;
}

const ClassRecord* Tables::tower(const std::string& library, std::string_view name) {
  if (name.size() > 256) // longer than any architecture
    return nullptr;
  std::string key = "tower/" + library + "/" + std::string(name);
  std::optional<std::string> found = entry(key);
  for (size_t n = name.size() + 1; !found && n-- > 0;) {
    key = "tower/" + library + "/" + std::string(name.substr(0, n)) + "*";
    found = entry(key);
  }
  if (!found)
    return nullptr;
  std::unique_ptr<ClassRecord>& record = towers_[key];
  if (!record)
    record = std::make_unique<ClassRecord>(parse_class(name, parse(found)));
  return record.get();
}

std::vector<std::string> Tables::model_types(Release r) {
  std::vector<std::string> out;
  if (pack_)
    pack_->each_key("type/", [&](std::string_view type) {
      if (!class_of_type(type, r).empty())
        out.emplace_back(type);
    });
  return out;
}

bool Tables::is_activation_key(std::string_view key) {
  if (!keys_loaded_ && pack_) {
    keys_loaded_ = true;
    Json j = parse(pack_->get("keys"));
    if (j.is_object())
      for (auto& [name, count] : j.items())
        keys_.insert(name);
  }
  return keys_.contains(key);
}

} // namespace gelint::hf
