#include "decide/model_names.h"

#include "decide/yaml_reader.h"
#include "support/yaml_load.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace gelint::decide {
namespace {

/// Words that say what kind of code it is, not which model.
constexpr std::array<std::string_view, 70> k_general = {
    "build",  "builder",     "graph",      "graphs",  "model",   "models",  "forward", "context",
    "ctx",    "layer",       "layers",     "block",   "mlp",     "ffn",     "feed",    "attention",
    "attn",   "encoder",     "decoder",    "enc",     "dec",     "vision",  "audio",   "text",
    "image",  "tower",       "projector",  "proj",    "merger",  "impl",    "init",    "from",
    "run",    "eval",        "infer",      "compute", "apply",   "op",      "ops",     "fn",
    "arch",   "llm",         "type",       "moe",     "cpp",     "cc",      "cu",      "src",
    "the",    "for",         "weight",     "weights", "net",     "network", "head",    "lm",
    "causal", "conditional", "generation", "config",  "int8",    "bf16",    "fp16",    "cls",
    "static", "base",        "inference",  "iswa",    "experts", "expert"};

bool is_general(std::string_view word) {
  return std::find(k_general.begin(), k_general.end(), word) != k_general.end();
}

std::string squeezed(std::string_view text) {
  std::string out;
  for (char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Project names that are also model names: as a prefix they say nothing.
bool is_weak(std::string_view spelling) {
  return spelling == "llama" || spelling == "bert" || spelling == "mistral";
}

} // namespace

std::vector<std::string> identifier_words(std::string_view id) {
  std::vector<std::string> out;
  std::string word;
  auto flush = [&] {
    // "GPTNeoXMLP" gives a run of capitals with the kind of layer at its end.
    if (word.size() > 3 && word.ends_with("mlp")) {
      out.push_back(word.substr(0, word.size() - 3));
      word = "mlp";
    }
    if (!word.empty())
      out.push_back(std::move(word));
    word.clear();
  };
  for (size_t i = 0; i < id.size(); ++i) {
    auto at = [&](size_t k) { return k < id.size() ? static_cast<unsigned char>(id[k]) : 0; };
    unsigned char c = at(i);
    if (!std::isalnum(c)) {
      flush();
      continue;
    }
    // "SiglipMLP" → siglip, mlp; "MLPBlock" → mlp, block; "GPT2Model" → gpt2, model.
    bool lower_before = i > 0 && (std::islower(at(i - 1)) || std::isdigit(at(i - 1)));
    bool ends_run = i > 0 && std::isupper(at(i - 1)) && std::islower(at(i + 1));
    if (std::isupper(c) && !word.empty() && (lower_before || ends_run))
      flush();
    word += static_cast<char>(std::tolower(c));
  }
  flush();
  return out;
}

Result<ModelNames> ModelNames::make(const std::vector<std::string>& model_types,
                                    std::string_view aliases, const std::string& file) {
  ModelNames out;
  for (const std::string& type : model_types)
    if (std::string s = squeezed(type); s.size() > 1)
      out.spellings_[s].push_back(type);
  std::vector<Error> faults;
  try {
    YamlMap top(YAML::Load(std::string(aliases)), "name list", file, faults);
    top.text("schema");
    for (const YAML::Node& n : top.maps("names")) {
      YamlMap m(n, "name", file, faults);
      std::vector<std::string> types = m.texts("model_types");
      for (const std::string& s : m.texts("spelling"))
        out.spellings_[squeezed(s)] = types;
      m.finish();
    }
    top.finish();
  } catch (const YAML::Exception& e) {
    return yaml_error(file, e);
  }
  if (!faults.empty())
    return faults.front();
  return out;
}

std::optional<NameHit> ModelNames::find(std::string_view identifier) const {
  std::vector<std::string> words = identifier_words(identifier);
  std::optional<NameHit> best;
  size_t best_length = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string run;
    for (size_t k = i; k < words.size() && k < i + 5; ++k) {
      run += words[k];
      auto it = spellings_.find(run);
      if (it == spellings_.end() || (k == i && is_general(run)))
        continue;
      size_t length = is_weak(run) ? 1 : run.size();
      if (length < best_length || (length == best_length && best))
        continue;
      bool exact = true;
      for (size_t w = 0; w < words.size(); ++w)
        if ((w < i || w > k) && !is_general(words[w]) && !(is_weak(words[w]) && !is_weak(run)))
          exact = false;
      best = NameHit{run, it->second, exact};
      best_length = length;
    }
  }
  return best;
}

} // namespace gelint::decide
