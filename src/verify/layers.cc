#include "verify/layers.h"

#include "support/glob.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace gelint::verify {

using checkpoint::Weight;
using checkpoint::Weights;

namespace {

/// How a model library names an MLP inside a layer; paths are relative to the layer's prefix. Read in transformers
/// 5.24.0, src/transformers/models/<model>/modeling_<model>.py.
struct Naming {
  std::string_view up, gate, down;         ///< gate empty: none; up empty: fused, activated half first
  std::array<std::string_view, 3> norms;   ///< of the norm before the MLP, the first that is there
};
constexpr Naming k_namings[] = {
    // llama, mistral, qwen, gemma (whose pre_feedforward norm comes first where there is one)
    {"mlp.up_proj", "mlp.gate_proj", "mlp.down_proj", {"pre_feedforward_layernorm", "post_attention_layernorm", "norm2"}},
    {"", "mlp.gate_up_proj", "mlp.down_proj", {"post_attention_layernorm", "pre_feedforward_layernorm", ""}}, // phi3
    {"", "mlp.Wi", "mlp.Wo", {"mlp_norm", "", ""}},                                                          // modernbert
    {"mlp.up_proj", "", "mlp.down_proj", {"post_attention_layernorm", "layernorm", ""}},                     // nemotron
    {"DenseReluDense.wi_1", "DenseReluDense.wi_0", "DenseReluDense.wo", {"layer_norm", "", ""}},             // t5 v1.1
    {"DenseReluDense.wi", "", "DenseReluDense.wo", {"layer_norm", "", ""}},                                  // t5
    // bert and kin, whose norm follows the attention; vit
    {"intermediate.dense", "", "output.dense", {"layernorm_after", "attention.output.LayerNorm", "layernorm_before"}},
    {"mlp.fc1", "", "mlp.fc2", {"layer_norm2", "norm2", "input_layernorm"}},                                 // clip, siglip, phi
    {"mlp.c_fc", "", "mlp.c_proj", {"ln_2", "post_attention_layernorm", ""}},                                // gpt2, starcoder2
    {"mlp.dense_h_to_4h", "", "mlp.dense_4h_to_h", {"post_attention_layernorm", "ln_mlp", "input_layernorm"}}, // neox, falcon
    {"mlp.linear_fc1", "", "mlp.linear_fc2", {"norm2", "", ""}},                                             // qwen vision
    {"ffn.lin1", "", "ffn.lin2", {"sa_layer_norm", "", ""}},                                                 // distilbert
    {"feed_forward.intermediate_dense", "", "feed_forward.output_dense", {"final_layer_norm", "layer_norm", ""}}, // wav2vec2
    {"fc1", "", "fc2", {"final_layer_norm", "layer_norm2", ""}},                                             // bart, whisper, opt
};

/// Words in the names of layers that say which tower they belong to. Read in the same files' base_model_prefix and
/// submodule names.
constexpr std::pair<std::string_view, std::string_view> k_component_words[] = {
    {"vision", "vision"}, {"visual", "vision"},  {"image", "vision"},         {"vit.", "vision"},
    {"audio", "audio"},   {"speech", "audio"},   {"wav2vec2", "audio"},       {"hubert", "audio"},
    {"text", "text"},     {"language", "text"},  {"llm.", "text"},            {"qformer", "qformer"},
};

const Weight* at(const Weights& w, const std::string& prefix, std::string_view path, std::string_view leaf) {
  if (path.empty())
    return nullptr;
  return w.find(fmt::format("{}.{}.{}", prefix, path, leaf));
}

/// Why a weight cannot be run; empty when it can.
std::string unfit(const Weight& w, size_t dimensions) {
  if (w.type == checkpoint::WeightType::other)
    return fmt::format("{} is stored as {}, which is not run", w.name, w.type_name);
  if (w.shape.size() != dimensions)
    return fmt::format("{} has {} dimensions", w.name, w.shape.size());
  return "";
}

/// Layers by prefix: "a.b.3" is number 3 of stack "a.b"; "decoder.block.2.layer.1" likewise its last number.
void place(MlpLayer& l) {
  l.stack = l.name;
  size_t dot = l.name.rfind('.');
  std::string_view tail = std::string_view(l.name).substr(dot == std::string::npos ? 0 : dot + 1);
  int n = 0;
  auto [end, ec] = std::from_chars(tail.data(), tail.data() + tail.size(), n);
  if (ec == std::errc() && end == tail.data() + tail.size() && dot != std::string::npos) {
    l.number = n;
    l.stack = l.name.substr(0, dot);
    // T5: block.N.layer.1 holds the MLP of block N.
    size_t block = l.stack.rfind(".layer");
    if (block != std::string::npos && block + 6 == l.stack.size()) {
      size_t before = l.stack.rfind('.', block - 1);
      std::string_view number = std::string_view(l.stack).substr(before + 1, block - before - 1);
      auto [e, c] = std::from_chars(number.data(), number.data() + number.size(), n);
      if (before != std::string::npos && c == std::errc() && e == number.data() + number.size()) {
        l.number = n;
        l.stack = l.stack.substr(0, before);
      }
    }
  }
}

/// Fills a layer; the reason when its parts do not fit.
std::string fill(MlpLayer& l, const Weights& w, const Naming& n) {
  auto take = [&](Projection& p, std::string_view path) {
    p.weight = at(w, l.name, path, "weight");
    p.bias = at(w, l.name, path, "bias");
  };
  l.gated = !n.gate.empty();
  bool fused = n.up.empty();
  take(l.down, n.down);
  take(l.up, fused ? n.gate : n.up);
  if (l.gated && !fused)
    take(l.gate, n.gate);
  for (const Weight* x : {l.up.weight, l.down.weight, l.gate.weight})
    if (x)
      if (std::string reason = unfit(*x, 2); !reason.empty())
        return reason;
  for (std::string_view norm : n.norms)
    if (!l.norm && (l.norm = at(w, l.name, norm, "weight")))
      l.norm_bias = at(w, l.name, norm, "bias");
  for (const Weight* x : {l.up.bias, l.down.bias, l.gate.bias, l.norm, l.norm_bias})
    if (x)
      if (std::string reason = unfit(*x, 1); !reason.empty())
        return reason;
  // Which side of the weights is the layer's width: a bias or the norm says so, else the narrower.
  const auto& up = l.up.weight->shape;
  const auto& down = l.down.weight->shape;
  uint64_t hidden = l.norm        ? l.norm->shape[0]
                    : l.down.bias ? l.down.bias->shape[0]
                                  : std::min(down[0], down[1]);
  bool transposed = down[0] != hidden;
  auto orient = [&](Projection& p) {
    p.transposed = transposed;
    p.outputs = p.weight->shape[transposed ? 1 : 0];
    p.inputs = p.weight->shape[transposed ? 0 : 1];
  };
  orient(l.up);
  orient(l.down);
  if (l.gate.weight)
    orient(l.gate);
  if (fused) {
    if (transposed || up[0] % 2 != 0)
      return fmt::format("{} cannot be halved", l.up.weight->name);
    l.gate = l.up;
    l.gate.outputs = l.up.outputs = l.up.first = up[0] / 2;
  }
  uint64_t inner = l.down.inputs;
  auto fits = [&](const Projection& p, uint64_t in, uint64_t out) {
    return p.inputs == in && p.outputs == out && (!p.bias || p.bias->shape[0] == p.first + out || fused);
  };
  if (!fits(l.up, hidden, inner) || !fits(l.down, inner, hidden) || (l.gated && !fits(l.gate, hidden, inner)) ||
      (fused && l.up.bias && l.up.bias->shape[0] != 2 * inner))
    return fmt::format("the shapes of {} and {} do not fit together", l.up.weight->name, l.down.weight->name);
  if (l.norm_bias && l.norm_bias->shape[0] != hidden)
    return fmt::format("{} does not fit the layer's width", l.norm_bias->name);
  for (const Projection* p : {&l.up, &l.gate, &l.down})
    if (p->weight && p->weight->type != l.up.weight->type)
      return fmt::format("{} is not of the type of {}", p->weight->name, l.up.weight->name);
  return "";
}

} // namespace

MlpLayers find_layers(const Weights& weights) {
  MlpLayers out;
  std::set<std::string> seen;
  for (const Naming& n : k_namings) {
    std::string tail = fmt::format(".{}.weight", n.down);
    for (const auto& [name, weight] : weights.all()) {
      if (!name.ends_with(tail))
        continue;
      MlpLayer l;
      l.name = name.substr(0, name.size() - tail.size());
      if (seen.contains(name) || !at(weights, l.name, n.up.empty() ? n.gate : n.up, "weight") ||
          (!n.gate.empty() && !at(weights, l.name, n.gate, "weight")))
        continue;
      seen.insert(name); // "mlp.fc2" also ends in "fc2": the longer name was first
      place(l);
      std::string reason = fill(l, weights, n);
      if (reason.empty())
        out.layers.push_back(std::move(l));
      else
        out.left_out.push_back(fmt::format("{}: {}", l.name, reason));
    }
  }
  std::sort(out.layers.begin(), out.layers.end(), [](const MlpLayer& a, const MlpLayer& b) {
    return std::tie(a.stack, a.number, a.name) < std::tie(b.stack, b.number, b.name);
  });
  return out;
}

std::vector<MlpLayer> layers_of_slot(const std::vector<MlpLayer>& layers, const std::string& slot) {
  if (slot.empty())
    return layers;
  size_t dot = slot.find('.');
  std::string component = slot.substr(0, dot);
  if (dot == std::string::npos || slot.substr(dot + 1) != "mlp")
    return {};
  auto says = [](const MlpLayer& l) -> std::string {
    for (const auto& [word, component] : k_component_words)
      if (l.name.find(word) != std::string::npos)
        return std::string(component);
    return "";
  };
  std::vector<MlpLayer> named, other;
  for (const MlpLayer& l : layers)
    if (std::string c = says(l); c == component)
      named.push_back(l);
    else if (c.empty())
      other.push_back(l);
  return named.empty() ? other : named;
}

Result<std::vector<MlpLayer>> select_layers(const std::vector<MlpLayer>& layers, const std::string& selection) {
  std::vector<bool> chosen(layers.size(), false);
  std::string rest = selection.empty() ? "first,middle,last" : selection;
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    std::string item = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    bool found = false;
    for (size_t begin = 0; begin < layers.size();) {
      size_t end = begin;
      while (end < layers.size() && layers[end].stack == layers[begin].stack)
        ++end;
      for (size_t i = begin; i < end; ++i) {
        bool take = item == "all" || (item == "first" && i == begin) || (item == "last" && i + 1 == end) ||
                    (item == "middle" && i == begin + (end - begin) / 2) || item == std::to_string(layers[i].number) ||
                    glob_text(item, layers[i].name);
        chosen[i] = chosen[i] || take;
        found = found || take;
      }
      begin = end;
    }
    if (!found) {
      std::string stacks;
      for (size_t i = 0; i < layers.size(); ++i)
        if (i + 1 == layers.size() || layers[i + 1].stack != layers[i].stack)
          stacks += fmt::format("{}{}", stacks.empty() ? "" : ", ", layers[i].name);
      return Error{.message = fmt::format("--layers: '{}' is no layer of this checkpoint", item),
                   .mend = fmt::format("a number, first, middle, last, all or a glob; the stacks end with {}", stacks)};
    }
  }
  std::vector<MlpLayer> out;
  for (size_t i = 0; i < layers.size(); ++i)
    if (chosen[i])
      out.push_back(layers[i]);
  return out;
}

} // namespace gelint::verify
