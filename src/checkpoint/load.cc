#include "checkpoint/model.h"
#include "support/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

namespace gelint::checkpoint {
namespace {

namespace fs = std::filesystem;
using Each = std::function<void(Model&&)>;

constexpr size_t k_max_config = 64u << 20;
constexpr size_t k_max_line = 64u << 20;
constexpr int k_max_depth = 16; // a hub cache needs 4

std::string join(const std::string& dir, const std::string& name) {
  return dir.empty() || dir.ends_with('/') ? dir + name : dir + '/' + name;
}

Model unreadable(const std::string& path, Error error) {
  Model m;
  m.path = path;
  m.config_file = error.file;
  m.errors.push_back(std::move(error));
  return m;
}

/// Names in `dir`, sorted; an empty list with `error` set when it cannot be listed.
std::vector<std::string> list(const std::string& dir, std::error_code& error) {
  std::vector<std::string> names;
  for (fs::directory_iterator it(dir, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::binary_search(names.begin(), names.end(), name);
}

Model read_config(const std::string& path, const std::string& file) {
  std::error_code ec;
  if (fs::is_symlink(file, ec) && !fs::exists(file, ec))
    return unreadable(path, {"is a broken symbolic link", file, 0, 0, "download the model again"});
  // A pipe found in a tree would be waited for without end; one that is named itself ("/dev/fd/63") may be read.
  if (path != file && fs::exists(file, ec) && !fs::is_regular_file(file, ec))
    return unreadable(path, {fs::is_directory(file, ec) ? "is a directory, not a file" : "is no regular file", file, 0, 0,
                             "put the model's config there"});
  Result<std::string> text = read_file(file, k_max_config);
  if (!text)
    return unreadable(path, text.error());
  return model_from_text(std::move(*text), path, file);
}

Model read_gguf_model(const std::string& file, std::shared_ptr<const Document> beside) {
  Model m;
  m.path = m.config_file = file;
  m.config = std::move(beside);
  Result<Gguf> g = read_gguf(file);
  if (!g) {
    m.errors.push_back(g.error());
    return m;
  }
  m.kind = ModelKind::gguf;
  m.gguf = std::make_shared<const Gguf>(std::move(*g));
  return m;
}

void attach_files(Model& m, const std::string& dir, const std::vector<std::string>& names) {
  for (const char* index : {"model.safetensors.index.json", "diffusion_pytorch_model.safetensors.index.json"})
    if (has(names, index))
      m.tensor_files = {join(dir, index)};
  for (const std::string& name : names) {
    if (name.ends_with(".py"))
      m.python_files.push_back(join(dir, name));
    // The shards hold the shapes that the index lacks.
    else if (name.ends_with(".safetensors") && !name.starts_with("adapter"))
      m.tensor_files.push_back(join(dir, name));
  }
}

bool is_model_directory(const std::vector<std::string>& names) {
  return has(names, "config.json") || has(names, "open_clip_config.json") || has(names, "model_index.json") ||
         has(names, "params.json") ||
         std::any_of(names.begin(), names.end(), [](const std::string& n) { return n.ends_with(".gguf"); });
}

// model_index.json: {"_class_name": …, "text_encoder": ["transformers", "CLIPTextModel"], …}
void read_pipeline(const std::string& dir, const Each& each) {
  const std::string file = join(dir, "model_index.json");
  Model index = read_config(dir, file);
  if (!index.config) {
    each(std::move(index));
    return;
  }
  size_t components = 0;
  for (Value v = index.config->root().first(); v; v = v.next()) {
    if (!v.is(Kind::array) || v.size() != 2 || !v.first().is(Kind::string) || !v.first().next().is(Kind::string))
      continue;
    std::string name(v.key());
    // The name becomes a path: it must not leave the directory.
    if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..")
      continue;
    std::string_view cls = v.first().next().string();
    bool holds_weights = cls.ends_with("Model") || cls.find("Encoder") != std::string_view::npos ||
                         cls.find("ModelWith") != std::string_view::npos || cls.starts_with("UNet") ||
                         cls.find("Transformer") != std::string_view::npos || cls.starts_with("Autoencoder");
    std::string sub = join(dir, name), config = join(sub, "config.json");
    std::error_code ec;
    if (fs::exists(fs::symlink_status(config, ec))) {
      Model m = read_config(sub, config);
      std::error_code ignored;
      attach_files(m, sub, list(sub, ignored));
      each(std::move(m));
      ++components;
    } else if (holds_weights) {
      Position p = v.key_position();
      each(unreadable(sub, {"names the component " + name + ", which has no config.json", file, p.line, p.column,
                            "download the component's folder"}));
      ++components;
    }
  }
  if (components == 0)
    each(unreadable(dir, {"names no component with a config", file, 0, 0, "download the whole pipeline"}));
}

void read_model_directory(const std::string& dir, const std::vector<std::string>& names, const Each& each) {
  std::shared_ptr<const Document> config;
  auto give = [&](const char* name) {
    Model m = read_config(dir, join(dir, name));
    attach_files(m, dir, names);
    if (!config && m.kind == ModelKind::transformers)
      config = m.config;
    each(std::move(m));
  };
  bool any = false;
  for (const char* name : {"config.json", "open_clip_config.json"})
    if (has(names, name)) {
      give(name);
      any = true;
    }
  if (has(names, "model_index.json")) {
    read_pipeline(dir, each);
    any = true;
  }
  // Mistral's own format lies beside the transformers config and says the same.
  if (!any && has(names, "params.json"))
    give("params.json");
  for (const std::string& name : names)
    if (name.ends_with(".gguf"))
      each(read_gguf_model(join(dir, name), config));
}

struct Walk {
  const Each& each;
  size_t found = 0;
  std::set<std::string> visited{}; // real directories: symbolic links may loop

  void tree(const std::string& dir, int depth) {
    std::error_code ec;
    std::string real = fs::canonical(dir, ec).string();
    if (ec || !visited.insert(real).second)
      return;
    std::vector<std::string> names = list(dir, ec);
    if (ec) {
      each(unreadable(dir, {"cannot be listed: " + ec.message(), dir, 0, 0, ""}));
      ++found;
      return;
    }
    if (is_model_directory(names)) {
      read_model_directory(dir, names, each);
      ++found;
      return;
    }
    if (depth >= k_max_depth)
      return;
    for (const std::string& name : names) {
      // blobs and refs of a hub cache hold what snapshots point to.
      if (name.starts_with('.') || name == "blobs" || name == "refs")
        continue;
      std::string sub = join(dir, name);
      if (fs::is_directory(sub, ec))
        tree(sub, depth + 1);
    }
  }
};

void read_lines(std::istream& in, const std::string& name, const Each& each) {
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    const std::string path = name + ':' + std::to_string(number);
    if (line.size() > k_max_line)
      each(unreadable(path, {"is longer than 64 MiB", path, 0, 0, "give one config a line"}));
    else
      each(model_from_text(line, path, name, number));
  }
}

} // namespace

void for_each_model(const std::string& path, const Each& each) {
  if (path == "-") {
    std::ios::sync_with_stdio(false);
    read_lines(std::cin, "-", each);
    return;
  }
  std::error_code ec;
  fs::file_status status = fs::status(path, ec);
  if (!fs::exists(status)) {
    bool broken = fs::is_symlink(path, ec);
    each(unreadable(path, {broken ? "is a broken symbolic link" : "does not exist", path, 0, 0,
                           "give a model directory, a config.json, a tree of models, or - for JSON lines"}));
    return;
  }
  if (fs::is_directory(status)) {
    Walk walk{each};
    walk.tree(path, 0);
    if (!walk.found)
      each(unreadable(path, {"holds no config.json, here or below", path, 0, 0,
                             "give the directory that the model was downloaded to"}));
    return;
  }
  if (path.ends_with(".gguf")) {
    std::string beside = join(fs::path(path).parent_path().string(), "config.json");
    std::shared_ptr<const Document> config;
    if (fs::exists(beside, ec))
      config = read_config(path, beside).config;
    each(read_gguf_model(path, std::move(config)));
    return;
  }
  if (path.ends_with(".jsonl") || path.ends_with(".ndjson")) {
    std::ifstream in(path);
    read_lines(in, path, each);
    return;
  }
  if (fs::path(path).filename() == "model_index.json") {
    std::string dir = fs::path(path).parent_path().string();
    read_pipeline(dir.empty() ? "." : dir, each);
    return;
  }
  Model m = read_config(path, path);
  std::string dir = fs::path(path).parent_path().string();
  if (m.config)
    attach_files(m, dir, list(dir.empty() ? "." : dir, ec));
  each(std::move(m));
}

} // namespace gelint::checkpoint
