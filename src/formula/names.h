#pragma once
// Activation names of each ecosystem. The namespaces are never mixed: HF "gelu_fast" is gelu_tanh, MLX
// "gelu_fast_approx" is gelu_quick, "ggml_gelu" is gelu_tanh.

#include "formula/formula.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gelint::formula {

enum class NameSpace : uint8_t { act2fn, mlx, torch, ggml, onnx, tensorflow, jax, onednn };
std::string_view to_string(NameSpace ns);

/// How rounding happens in a half-precision input, which separates names of one formula.
enum class OpOrder : uint8_t {
  native,       ///< one fused kernel, computed in f32 for half types, one rounding
  op_by_op,     ///< each tensor operation rounds to the input type
  not_stated,
};

struct ActivationName {
  NameSpace ns;
  std::string_view name;
  Formula formula;
  OpOrder order;
  std::string_view since;   ///< release that introduced it ("≤2.8" when older than the record); empty when not tracked
  std::string_view written; ///< the expression as the source evaluates it, in our own notation
  std::string_view source;  ///< public source of the fact
};

std::span<const ActivationName> activation_names();

/// Exact, case-sensitive look-up, as ACT2FN does it. nullptr when unknown.
const ActivationName* find_name(NameSpace ns, std::string_view name);

/// Up to `n` names of `ns` nearest to `name` by edit distance, nearest first; ties in table order.
std::vector<std::string_view> nearest_names(NameSpace ns, std::string_view name, size_t n);

} // namespace gelint::formula
