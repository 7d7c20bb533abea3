#pragma once
// Which name tables read Hugging Face configs. A table of another ecosystem may use the same words
// for other formulas.

#include "decide/rule.h"
#include "formula/names.h"

#include <algorithm>
#include <string_view>

namespace gelint::decide {

/// The table looks up a key of a Hugging Face config, or knows a name that only ACT2FN uses.
inline bool reads_hf_names(const scan::NameTable& table) {
  static constexpr std::string_view k_keys[] = {"hidden_act",
                                                "hidden_activation",
                                                "activation_function",
                                                "feed_forward_proj",
                                                "hidden_activation_function",
                                                "projector_hidden_act",
                                                "activation_fn",
                                                "ffn_activation"};
  static constexpr std::string_view k_only_hf[] = {
      "gelu_new",      "gelu_pytorch_tanh", "gelu_python", "gelu_python_tanh",
      "gelu_accurate", "gelu_10",           "quick_gelu"};
  auto is_one_of = [](auto& list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
  };
  std::string_view key = table.config_key;
  if (size_t dot = key.rfind('.'); dot != std::string_view::npos)
    key.remove_prefix(dot + 1);
  return is_one_of(k_keys, key) ||
         std::any_of(table.entries.begin(), table.entries.end(),
                     [&](const scan::TableEntry& e) { return is_one_of(k_only_hf, e.name); });
}

} // namespace gelint::decide
