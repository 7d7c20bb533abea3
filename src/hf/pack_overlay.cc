#include "hf/pack_overlay.h"

#include "hf/pack.h"
#include "hf/releases.h"
#include "support/files.h"
#include "support/yaml_load.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

namespace gelint::hf {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* k_sections[] = {"families", "derivations", "trained_with", "patches", "flat", "towers", "stale"};

Json scalar(const YAML::Node& n) {
  const std::string& s = n.Scalar();
  if (n.Tag() == "!") // quoted
    return s;
  if (s == "true" || s == "false")
    return s == "true";
  if (s == "null" || s == "~" || s.empty())
    return nullptr;
  int64_t whole = 0;
  if (auto [end, ec] = std::from_chars(s.data(), s.data() + s.size(), whole); ec == std::errc() && end == s.data() + s.size())
    return whole;
  double real = 0;
  if (auto [end, ec] = std::from_chars(s.data(), s.data() + s.size(), real); ec == std::errc() && end == s.data() + s.size())
    return real;
  return s;
}

Json to_json(const YAML::Node& n) {
  switch (n.Type()) {
  case YAML::NodeType::Scalar:
    return scalar(n);
  case YAML::NodeType::Sequence: {
    Json out = Json::array();
    for (const auto& v : n)
      out.push_back(to_json(v));
    return out;
  }
  case YAML::NodeType::Map: {
    Json out = Json::object();
    for (const auto& kv : n)
      out[kv.first.Scalar()] = to_json(kv.second);
    return out;
  }
  default:
    return nullptr;
  }
}

[[noreturn]] void fault(const std::string& file, const YAML::Mark& mark, std::string message, std::string mend) {
  throw PackFault{{std::move(message), file, mark.line + 1, mark.column + 1, std::move(mend)}};
}

void check_row(const std::string& file, const std::string& section, const YAML::Node& row) {
  if (!row.IsMap())
    fault(file, row.Mark(), "a row of " + section + " is not a map of fields", "see hf_defaults/overlay/README.md");
  auto need = [&](const char* field) {
    if (!row[field])
      fault(file, row.Mark(), fmt::format("a row of {} lacks '{}'", section, field), "add it");
  };
  need("source");
  if (section == "families")
    need("class");
  else if (section == "trained_with")
    need("formula"), need("slot"), need("model_types");
  else if (section == "derivations")
    need("key"), need("from");
  else if (section == "flat")
    need("sub"), need("model_types");
  else if (section == "towers")
    need("library"), need("names");
  else if (section == "patches")
    need("classes");
}

std::vector<std::string> strings(const Json& row, const char* field) {
  std::vector<std::string> out;
  auto it = row.find(field);
  if (it == row.end())
    return out;
  if (it->is_string())
    out.push_back(*it);
  else if (it->is_array())
    for (const Json& v : *it)
      if (v.is_string())
        out.push_back(v);
  return out;
}

bool applies(const Json& row, const std::string& release) {
  if (auto it = row.find("since"); it != row.end() && it->is_string() && compare_releases(release, it->get<std::string>()) < 0)
    return false;
  auto it = row.find("until");
  return it == row.end() || !it->is_string() || compare_releases(release, it->get<std::string>()) <= 0;
}

/// Class records of the release that the row names, by class or by model_type.
std::vector<Json*> records(Json& release, const Json& row) {
  std::vector<std::string> names = strings(row, "classes");
  for (const std::string& type : strings(row, "model_types"))
    if (auto it = release["model_types"].find(type); it != release["model_types"].end() && it->is_string())
      names.push_back(*it);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Json*> out;
  for (const std::string& name : names)
    if (auto it = release["configs"].find(name); it != release["configs"].end())
      out.push_back(&*it);
  return out;
}

const Json& section(const Json& rows, const char* name) {
  static const Json none = Json::array();
  auto it = rows.find(name);
  return it == rows.end() ? none : *it;
}

} // namespace

Overlay read_overlay(const std::string& dir) {
  std::vector<std::string> files;
  std::error_code ec;
  if (fs::is_regular_file(dir, ec))
    files.push_back(dir);
  for (fs::directory_iterator it(dir, ec), end; !ec && it != end; it.increment(ec))
    if (it->path().extension() == ".yaml")
      files.push_back(it->path().string());
  std::sort(files.begin(), files.end());
  Overlay overlay;
  for (const std::string& file : files) {
    Result<std::string> text = read_file(file);
    if (!text)
      throw PackFault{text.error()};
    try {
      Result<YAML::Node> root = load_yaml_map(*text, file, "an overlay", "see hf_defaults/overlay/README.md");
      if (!root)
        throw PackFault{root.error()};
      for (const auto& kv : *root) {
        const std::string name = kv.first.Scalar();
        if (name == "schema")
          continue;
        if (std::find(std::begin(k_sections), std::end(k_sections), name) == std::end(k_sections))
          fault(file, kv.first.Mark(), "unknown section '" + name + "'", "see hf_defaults/overlay/README.md");
        for (const auto& row : kv.second) {
          check_row(file, name, row);
          overlay.rows[name].push_back(to_json(row));
        }
      }
    } catch (const YAML::Exception& e) {
      throw PackFault{yaml_error(file, e)};
    }
  }
  return overlay;
}

void Overlay::merge_into(Json& release) const {
  const std::string version = release.value("transformers", "");
  for (const Json& row : section(rows, "patches"))
    if (applies(row, version))
      for (Json* record : records(release, row))
        for (const char* field : {"keys", "subs", "slots", "attribute_map"})
          if (auto it = row.find(field); it != row.end())
            (*record)[field].merge_patch(*it);
  for (const Json& row : section(rows, "derivations"))
    if (applies(row, version))
      for (Json* record : records(release, row))
        (*record)["derive"].push_back(row);
  for (const Json& row : section(rows, "flat"))
    if (applies(row, version))
      for (Json* record : records(release, row))
        if (auto subs = record->find("subs"); subs != record->end() && subs->contains(row.value("sub", "")))
          (*subs)[row.value("sub", "")]["flat"] = true;
}

void Overlay::add_entries(std::map<std::string, std::string>& entries, size_t releases) const {
  std::map<std::string, Json> facts, named;
  for (const Json& row : section(rows, "families")) {
    const std::string cls = row.value("class", "");
    if (entries.contains("class/" + cls))
      throw PackFault{{"the overlay's class " + cls + " is also a class of the tables", "hf_defaults/overlay", 0, 0,
                       "give it another name"}};
    Json record = row;
    record["remote"] = true;
    entries["class/" + cls] = Json{{"of", std::vector<int>(releases, 0)},
                                   {"same", std::vector<int>(releases, 0)},
                                   {"variants", Json::array({record})}}
                                  .dump();
    for (auto [field, kind] : {std::pair{"model_types", "type"}, {"architectures", "arch"}, {"auto_map", "auto"},
                               {"formats", "format"}})
      for (const std::string& name : strings(row, field))
        named[std::string("family/") + kind + "/" + name].push_back(cls);
  }
  for (const char* name : {"trained_with", "stale"})
    for (const Json& row : section(rows, name))
      for (const std::string& type : strings(row, "model_types"))
        facts["facts/" + type][name].push_back(row);
  for (const Json& row : section(rows, "towers"))
    for (const std::string& name : strings(row, "names"))
      entries["tower/" + row.value("library", "") + "/" + name] = row.dump();
  for (auto& [key, value] : facts)
    entries[key] = value.dump();
  for (auto& [key, value] : named)
    entries[key] = value.dump();
}

} // namespace gelint::hf
