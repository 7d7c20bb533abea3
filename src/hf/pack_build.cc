#include "hf/pack.h"
#include "hf/pack_overlay.h"
#include "support/files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <zstd.h>

namespace gelint::hf {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& dir, const std::string& ending) {
  std::vector<std::string> out;
  std::error_code ec;
  for (fs::directory_iterator it(dir, ec), end; !ec && it != end; it.increment(ec))
    if (it->path().filename().string().ends_with(ending))
      out.push_back(it->path().string());
  std::sort(out.begin(), out.end());
  return out;
}

Json read_json(const std::string& file) {
  Result<std::string> text = read_file(file);
  if (!text)
    throw PackFault{text.error()};
  try {
    return Json::parse(*text);
  } catch (const Json::exception& e) {
    throw PackFault{{std::string("is not valid JSON: ") + e.what(), file, 0, 0, "make the table again"}};
  }
}

// What distinguishes answers: not where the source lines are or how they are spelled.
Json meaning(const Json& record) {
  if (record.is_array()) {
    Json out = Json::array();
    for (const Json& v : record)
      out.push_back(meaning(v));
    return out;
  }
  if (!record.is_object())
    return record;
  Json out = Json::object();
  for (auto& [key, v] : record.items())
    if (key != "line" && key != "file" && key != "written" && key != "how")
      out[key] = meaning(v);
  return out;
}

/// {"of": […], "variants": […]} of one thing over the releases; null where a release lacks it.
Json variants_of(const std::vector<Json>& per_release, bool with_meaning) {
  Json variants = Json::array(), of = Json::array(), same = Json::array();
  std::vector<std::string> texts, meanings;
  for (const Json& v : per_release) {
    if (v.is_null()) {
      of.push_back(-1);
      same.push_back(-1);
      continue;
    }
    auto index = [](std::vector<std::string>& seen, std::string text) {
      auto it = std::find(seen.begin(), seen.end(), text);
      if (it == seen.end())
        it = seen.insert(seen.end(), std::move(text));
      return it - seen.begin();
    };
    size_t before = texts.size();
    of.push_back(index(texts, v.dump()));
    if (texts.size() > before)
      variants.push_back(v);
    if (with_meaning)
      same.push_back(index(meanings, meaning(v).dump()));
  }
  Json out{{"of", of}, {"variants", variants}};
  if (with_meaning)
    out["same"] = same;
  return out;
}

/// Newest release first; older ones are merge patches of the next newer.
std::vector<Json> read_releases(const std::string& dir) {
  std::vector<Json> whole;
  std::map<std::string, std::pair<std::string, Json>> patches; // by base
  for (const std::string& file : files_in(dir, ".json")) {
    Json doc = read_json(file);
    if (!doc.is_object() || doc.value("schema", "") != (doc.contains("patch") ? "gelint-hf-diff/1" : "gelint-hf/1"))
      throw PackFault{{"is not a gelint-hf/1 table", file, 0, 0, "make the table again"}};
    if (doc.contains("patch"))
      patches[doc.value("base", "")] = {doc.value("transformers", ""), doc["patch"]};
    else
      whole.push_back(std::move(doc));
  }
  if (whole.empty())
    throw PackFault{{"holds no whole table", dir, 0, 0, "make the tables again"}};
  if (whole.size() > 1)
    throw PackFault{{"holds more than one whole table", dir, 0, 0, "keep the newest whole, older ones as patches"}};
  for (auto it = patches.find(whole[0].value("transformers", "")); it != patches.end();
       it = patches.find(whole.back().value("transformers", ""))) {
    Json older = whole.back();
    older.merge_patch(it->second.second);
    older["transformers"] = it->second.first;
    patches.erase(it);
    whole.push_back(std::move(older));
  }
  if (!patches.empty())
    throw PackFault{{"holds a patch whose base " + patches.begin()->first + " is missing", dir, 0, 0, ""}};
  return whole;
}

std::string write_entries(const std::map<std::string, std::string>& entries) {
  std::string keys, data;
  struct Row {
    uint32_t key_at, key_size, data_at, data_size, raw_size;
  };
  std::vector<Row> rows;
  const std::string magic = "GLHFPK1\n";
  auto count = static_cast<uint32_t>(entries.size());
  const size_t keys_at = magic.size() + sizeof count + entries.size() * sizeof(Row);
  for (auto& [key, text] : entries) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    size_t n = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 19);
    rows.push_back({static_cast<uint32_t>(keys_at + keys.size()), static_cast<uint32_t>(key.size()),
                    static_cast<uint32_t>(data.size()), static_cast<uint32_t>(n), static_cast<uint32_t>(text.size())});
    keys += key;
    data.append(packed, 0, n);
  }
  for (Row& r : rows)
    r.data_at += static_cast<uint32_t>(keys_at + keys.size());
  std::string out = magic;
  out.append(reinterpret_cast<const char*>(&count), sizeof count);
  out.append(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row));
  return out + keys + data;
}

void pack_ports(const std::string& dir, std::map<std::string, std::string>& entries) {
  std::map<std::string, Json> by_type;
  for (const std::string& file : files_in(dir, ".json")) {
    Json doc = read_json(file);
    if (doc.value("schema", "") != "gelint-port/1")
      continue; // a port's other files
    const std::string port = doc.value("port", "") + " " + doc.value("version", "");
    for (Json row : doc.value("rows", Json::array())) {
      const std::string type = row.value("model_type", "");
      row["port"] = port;
      row.erase("model_type");
      by_type[type].push_back(std::move(row));
    }
  }
  for (auto& [type, rows] : by_type)
    entries["ports/" + type] = rows.dump();
}

} // namespace

Result<std::string> build_pack(const std::string& dir) try {
  std::vector<Json> releases = read_releases(dir + "/tables");
  Overlay overlay = read_overlay(dir + "/overlay");
  for (Json& r : releases)
    overlay.merge_into(r);

  std::map<std::string, std::string> entries;
  Json names = Json::array();
  for (const Json& r : releases)
    names.push_back(r.value("transformers", ""));
  entries["meta"] = Json{{"releases", names}}.dump();

  auto collect = [&](const char* section) {
    std::map<std::string, std::vector<Json>> out;
    for (size_t i = 0; i < releases.size(); ++i)
      if (auto it = releases[i].find(section); it != releases[i].end() && it->is_object())
        for (auto& [name, v] : it->items()) {
          auto& list = out[name];
          list.resize(releases.size());
          list[i] = v;
        }
    return out;
  };
  Json act2fn = Json::object();
  for (auto& [name, per] : collect("act2fn"))
    act2fn[name] = variants_of(per, false);
  entries["act2fn"] = act2fn.dump();
  for (auto& [type, per] : collect("model_types"))
    entries["type/" + type] = variants_of(per, false).dump();
  std::map<std::string, int> keys;
  for (auto& [name, per] : collect("configs")) {
    entries["class/" + name] = variants_of(per, true).dump();
    for (const Json& record : per)
      if (auto it = record.find("keys"); record.is_object() && it != record.end() && it->is_object())
        for (auto& [key, v] : it->items())
          ++keys[key];
  }
  entries["keys"] = Json(keys).dump();
  overlay.add_entries(entries, releases.size());
  pack_ports(dir + "/ports", entries);
  return write_entries(entries);
} catch (const PackFault& f) {
  return f.error;
} catch (const std::exception& e) {
  return Error{std::string("cannot be packed: ") + e.what(), dir, 0, 0, ""};
}

Result<std::string> build_overlay_pack(const std::string& path, size_t releases) try {
  Overlay overlay = read_overlay(path);
  for (const char* name : {"patches", "derivations", "flat"})
    if (overlay.rows.contains(name))
      return Error{std::string("holds ") + name + ", which change classes of the tables", path, 0, 0,
                   "put it under overlay/ of a whole directory"};
  if (overlay.rows.empty())
    return Error{"holds no overlay row", path, 0, 0, "see hf_defaults/overlay/README.md"};
  std::map<std::string, std::string> entries;
  overlay.add_entries(entries, releases);
  return write_entries(entries);
} catch (const PackFault& f) {
  return f.error;
} catch (const std::exception& e) {
  return Error{std::string("cannot be packed: ") + e.what(), path, 0, 0, ""};
}

} // namespace gelint::hf
