#include "cli/settings.h"

#include "cli/checks.h"
#include "report/writer.h"
#include "support/files.h"
#include "support/text.h"
#include "support/yaml_load.h"

#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace gelint::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_file_name = ".gelint.yaml";

const SettingsKey k_keys[] = {
    {"codebase", "path", "root of the engine's source tree"},
    {"compile_database", "path", "folder that holds compile_commands.json; the stub tier when left out and none is near"},
    {"inventories", "list", "binding files, or names of built-in inventories"},
    {"checkpoints", "list", "model directories, config files, or folders of models"},
    {"outputs", "list", "what `audit` writes, each FORMAT or FORMAT:PATH"},
    {"select", "list", "rule id prefixes to run; all when left out"},
    {"ignore", "list", "rule id prefixes not to run"},
    {"fail_on", "text", "error, warning, note, none, or rule ids: what makes the exit status 1"},
    {"baseline", "path", "findings that this file lists do not count; `gelint baseline write` makes it"},
    {"exclude", "list", "globs, relative to the codebase, that are not scanned"},
    {"transformers", "text", "version of the reference tables; auto takes each file's own"},
    {"rules", "list", "files of engine knowledge added to the built-in ones"},
    {"hf_defaults", "list", "tables of slots and defaults added to the built-in ones"},
};

std::string known_keys() {
  std::string out;
  for (const SettingsKey& k : k_keys)
    out += (out.empty() ? "" : ", ") + std::string(k.name);
  return out;
}

/// Joined with the folder of the settings file.
std::string join(const std::string& file, const std::string& path) {
  fs::path p(path);
  if (p.is_absolute())
    return path;
  std::string joined = (fs::path(file).parent_path() / p).lexically_normal().generic_string();
  while (joined.size() > 1 && joined.ends_with('/'))
    joined.pop_back();
  return joined.empty() ? "." : joined;
}

bool is_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".yaml") || text.ends_with(".yml");
}

Status read_text(const std::string& file, std::string_view key, const YAML::Node& node, std::string& out) {
  if (!node.IsScalar() || node.Scalar().empty())
    return yaml_error(file, node.Mark(), fmt::format("'{}' is not a text", key), fmt::format("write {}: VALUE", key));
  out = node.Scalar();
  return {};
}

/// A list of texts; one text counts as a list of one.
Status read_list(const std::string& file, std::string_view key, const YAML::Node& node, std::vector<std::string>& out) {
  if (node.IsScalar() && !node.Scalar().empty()) {
    out.push_back(node.Scalar());
    return {};
  }
  if (!node.IsSequence())
    return yaml_error(file, node.Mark(), fmt::format("'{}' is not a list", key),
                    fmt::format("write {}: [VALUE, ...]", key));
  for (const YAML::Node& item : node) {
    std::string text;
    if (Status s = read_text(file, key, item, text); !s)
      return s;
    out.push_back(text);
  }
  return {};
}

Status read_paths(const std::string& file, std::string_view key, const YAML::Node& node, std::vector<std::string>& out) {
  std::vector<std::string> raw;
  if (Status s = read_list(file, key, node, raw); !s)
    return s;
  for (const std::string& text : raw)
    out.push_back(join(file, text));
  return {};
}

Status read_key(const std::string& file, const std::string& key, const YAML::Node& key_node, const YAML::Node& node,
                Settings& s) {
  auto at_node = [&](Status st) {
    return st ? st : Status(yaml_error(file, node.Mark(), st.error().message, st.error().mend));
  };
  std::string text;
  if (key == "codebase" || key == "compile_database" || key == "baseline") {
    if (Status st = read_text(file, key, node, text); !st)
      return st;
    (key == "codebase" ? s.codebase : key == "baseline" ? s.baseline : s.compile_database) = join(file, text);
    return {};
  }
  if (key == "fail_on") {
    std::vector<std::string> parts; // a list of ids reads better in YAML than a comma separated text
    if (Status st = read_list(file, key, node, parts); !st)
      return st;
    s.fail_on = fmt::format("{}", fmt::join(parts, ","));
    return at_node(check_fail_on(s.fail_on, key));
  }
  if (key == "transformers") {
    if (Status st = read_text(file, key, node, s.transformers); !st)
      return st;
    return at_node(check_transformers(s.transformers, key));
  }
  if (key == "select" || key == "ignore") {
    std::vector<std::string> parts;
    if (Status st = read_list(file, key, node, parts); !st)
      return st;
    std::vector<std::string>& ids = key == "select" ? s.select : s.ignore;
    ids = split_ids(fmt::format("{}", fmt::join(parts, ",")));
    return at_node(check_rule_prefixes(ids, key));
  }
  if (key == "exclude")
    return read_list(file, key, node, s.exclude);
  if (key == "checkpoints")
    return read_paths(file, key, node, s.checkpoints);
  if (key == "rules")
    return read_paths(file, key, node, s.rules);
  if (key == "hf_defaults")
    return read_paths(file, key, node, s.hf_defaults);
  if (key == "inventories") {
    if (Status st = read_list(file, key, node, s.inventories); !st)
      return st;
    for (std::string& i : s.inventories)
      if (is_path(i))
        i = join(file, i);
    return {};
  }
  if (key == "outputs") {
    std::vector<std::string> raw;
    if (Status st = read_list(file, key, node, raw); !st)
      return st;
    for (const std::string& r : raw) {
      Result<OutputSpec> spec = parse_output(r);
      if (!spec)
        return yaml_error(file, node.Mark(), spec.error().message, spec.error().mend);
      if (!spec->path.empty())
        spec->path = join(file, spec->path);
      s.outputs.push_back(*spec);
    }
    return {};
  }
  std::vector<std::string_view> names;
  for (const SettingsKey& k : k_keys)
    names.push_back(k.name);
  std::string_view near = nearest_text(key, names);
  return yaml_error(file, key_node.Mark(), fmt::format("unknown key '{}'", key),
                    near.empty() ? "known keys: " + known_keys() : fmt::format("did you mean '{}'?", near));
}

void emit_list(YAML::Emitter& out, const char* key, const std::vector<std::string>& list) {
  if (!list.empty())
    out << YAML::Key << key << YAML::Value << list;
}

void emit_text(YAML::Emitter& out, const char* key, const std::string& text) {
  if (!text.empty())
    out << YAML::Key << key << YAML::Value << text;
}

} // namespace

std::span<const SettingsKey> settings_keys() { return k_keys; }

std::string find_settings_file(const std::string& start) {
  std::error_code ec;
  fs::path here = fs::current_path(ec);
  fs::path dir = fs::weakly_canonical(here / start, ec);
  if (ec)
    return "";
  for (;; dir = dir.parent_path()) {
    fs::path file = dir / k_file_name;
    if (fs::is_regular_file(file, ec))
      return file.lexically_relative(here).generic_string();
    if (dir == dir.root_path())
      return "";
  }
}

Result<Settings> read_settings(const std::string& file) {
  Result<std::string> text = read_file(file, size_t{1} << 20);
  if (!text)
    return text.error();
  Settings s;
  s.file = file;
  try {
    if (YAML::Load(*text).IsNull())
      return s;
    Result<YAML::Node> root = load_yaml_map(*text, file, "a settings file", "known keys: " + known_keys());
    if (!root)
      return root.error();
    std::set<std::string> seen;
    for (const auto& entry : *root) {
      if (!entry.first.IsScalar())
        return yaml_error(file, entry.first.Mark(), "a key is not a text", "known keys: " + known_keys());
      const std::string& key = entry.first.Scalar();
      if (!seen.insert(key).second) // yaml-cpp keeps both
        return yaml_error(file, entry.first.Mark(), fmt::format("the key '{}' stands twice", key), "keep one");
      if (Status st = read_key(file, key, entry.first, entry.second, s); !st)
        return st.error();
    }
  } catch (const YAML::Exception& e) {
    return yaml_error(file, e);
  }
  return s;
}

std::string settings_to_yaml(const Settings& s) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  emit_text(out, "codebase", s.codebase);
  emit_text(out, "compile_database", s.compile_database);
  emit_list(out, "inventories", s.inventories);
  emit_list(out, "checkpoints", s.checkpoints);
  std::vector<std::string> outputs;
  for (const OutputSpec& o : s.outputs)
    outputs.push_back(o.path.empty() ? o.format : o.format + ":" + o.path);
  emit_list(out, "outputs", outputs);
  emit_list(out, "select", s.select);
  emit_list(out, "ignore", s.ignore);
  emit_text(out, "fail_on", s.fail_on);
  emit_text(out, "baseline", s.baseline);
  emit_list(out, "exclude", s.exclude);
  emit_text(out, "transformers", s.transformers);
  emit_list(out, "rules", s.rules);
  emit_list(out, "hf_defaults", s.hf_defaults);
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

Result<OutputSpec> parse_output(const std::string& text) {
  OutputSpec spec;
  size_t colon = text.find(':');
  spec.format = text.substr(0, colon);
  if (colon != std::string::npos)
    spec.path = text.substr(colon + 1);
  if (spec.path == "-")
    spec.path.clear();
  else if (colon != std::string::npos && spec.path.empty())
    return Error{fmt::format("output '{}' has an empty path", text), "", 0, 0, "write FORMAT or FORMAT:PATH"};
  if (!report::find_writer(spec.format)) {
    std::string known;
    for (const report::Writer& w : report::writers())
      known += (known.empty() ? "" : ", ") + std::string(w.format);
    return Error{fmt::format("there is no output format '{}'", spec.format), "", 0, 0, "formats: " + known};
  }
  return spec;
}

} // namespace gelint::cli
