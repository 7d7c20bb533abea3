#pragma once
// What a path given to `lint` or `audit` holds: a directory, a file, a tree of models, or JSON lines.

#include "checkpoint/document.h"
#include "checkpoint/gguf.h"
#include "checkpoint/tensors.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gelint::checkpoint {

enum class ModelKind : uint8_t {
  transformers, ///< config.json
  open_clip,    ///< open_clip_config.json
  diffusers,    ///< component config with _class_name
  timm,         ///< config.json with architecture and pretrained_cfg
  mistral,      ///< params.json
  gguf,
  unreadable,   ///< only `errors` say something
};
std::string_view to_string(ModelKind k);

struct Model {
  std::string path;        ///< as given: directory, file, "tree/sub/dir", "-:LINE"
  std::string config_file; ///< as given plus file name; the stream for JSON lines
  ModelKind kind = ModelKind::unreadable;
  std::shared_ptr<const Document> config; ///< null when unreadable, or a GGUF without a config beside it
  std::shared_ptr<const Gguf> gguf;       ///< kind gguf only
  std::vector<std::string> tensor_files;  ///< safetensors files or their index; see read_tensors()
  std::vector<std::string> python_files;  ///< *.py in the directory, sorted
  std::vector<Error> errors;              ///< GL111
};

/// Calls `each` for every model under `path` in a fixed order (directories sorted by name); memory does not grow
/// with their number. Everything unreadable is a Model with errors: nothing is left out in silence.
/// "-" reads JSON lines from standard input, a *.jsonl file likewise.
void for_each_model(const std::string& path, const std::function<void(Model&&)>& each);

std::vector<Model> load_models(const std::string& path);

/// One model from JSON text, for tests and JSON lines.
Model model_from_text(std::string text, std::string path, std::string config_file, int first_line = 1);

} // namespace gelint::checkpoint
