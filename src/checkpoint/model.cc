#include "checkpoint/model.h"

#include <filesystem>

namespace gelint::checkpoint {
namespace {

bool is_open_clip(const Value& root) {
  Value cfg = root.find("model_cfg");
  return cfg.is(Kind::object) ? cfg.find("vision_cfg") || cfg.find("text_cfg")
                              : root.find("vision_cfg") && root.find("embed_dim");
}

ModelKind kind_of(const Value& root, const std::string& name) {
  if (!root.is(Kind::object))
    return ModelKind::unreadable;
  if (name == "open_clip_config.json" || is_open_clip(root))
    return ModelKind::open_clip;
  if (root.find("_class_name") && !root.find("model_type"))
    return ModelKind::diffusers;
  if (name == "params.json" || (root.find("dim") && root.find("n_layers") && !root.find("model_type")))
    return ModelKind::mistral;
  // timm writes architecture (one string) where transformers writes architectures (a list).
  if (root.find("architecture").is(Kind::string) && !root.find("model_type"))
    return ModelKind::timm;
  return ModelKind::transformers;
}

} // namespace

std::string_view to_string(ModelKind k) {
  switch (k) {
  case ModelKind::transformers:
    return "transformers";
  case ModelKind::open_clip:
    return "open_clip";
  case ModelKind::diffusers:
    return "diffusers";
  case ModelKind::timm:
    return "timm";
  case ModelKind::mistral:
    return "mistral";
  case ModelKind::gguf:
    return "gguf";
  case ModelKind::unreadable:
    return "unreadable";
  }
  return "";
}

Model model_from_text(std::string text, std::string path, std::string config_file, int first_line) {
  Model m;
  m.path = std::move(path);
  m.config_file = std::move(config_file);
  auto document = Document::parse(std::move(text), m.config_file, first_line);
  if (!document) {
    m.errors.push_back(document.error());
    return m;
  }
  Value root = (*document)->root();
  m.kind = kind_of(root, std::filesystem::path(m.config_file).filename().string());
  if (m.kind == ModelKind::unreadable) {
    Position p = root.position();
    m.errors.push_back({"holds " + std::string(to_string(root.kind())) + " where an object of keys belongs",
                        m.config_file, p.line, p.column, "give the model's config"});
    return m;
  }
  m.config = std::move(*document);
  return m;
}

std::vector<Model> load_models(const std::string& path) {
  std::vector<Model> models;
  for_each_model(path, [&](Model&& m) { models.push_back(std::move(m)); });
  return models;
}

} // namespace gelint::checkpoint
