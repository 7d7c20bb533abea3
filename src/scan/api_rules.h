#pragma once
// Knowledge of APIs whose body is elsewhere (rules/*.yaml): what a symbol, an enumerator or an epilogue computes.
// Only the last resort but one: evaluation of code wins over a rule, a rule over a name.

#include "formula/classify.h"
#include "support/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::scan {

enum class ApiKind : uint8_t { function, type, enumerator, epilogue };

struct ApiCondition {
  std::string argument; ///< an argument that holds this string or this last identifier, or "#2=1": argument 2 is 1
  formula::Formula formula = formula::Formula::unknown;
};

struct ApiSymbol {
  std::string name; ///< "torch::gelu", "ggml_gelu"; matched by its tail
  ApiKind kind = ApiKind::function;
  formula::Formula formula = formula::Formula::unknown; ///< `other` for a gradient
  formula::Gating gating = formula::Gating::none;
  formula::Precision precision = formula::Precision::unknown;
  std::vector<ApiCondition> when;
  int open_argument = -1; ///< this argument, when it is no literal, leaves open which of `formula` and `when` runs
  std::string backend; ///< a Backend's name, or empty
  std::string note;
  std::string source; ///< public source of the fact
  formula::Formula nearest = formula::Formula::unknown; ///< of `other`: what it is a variant of
  bool building_block = false; ///< tanh, erf of a tensor library: part of a formula
};

class ApiRules {
public:
  /// The embedded rules; `extra` files are added, later entries win.
  static Result<ApiRules> load(const std::vector<std::string>& extra);
  Status add(std::string_view yaml, const std::string& file);

  /// By the longest known tail of "a::b::c".
  const ApiSymbol* find(std::string_view qualified) const;
  /// Functions whose name holds one of these words only report what is possible ("supports_op").
  const std::vector<std::string>& capability_words() const { return capability_words_; }
  /// A function, type or constant with one of these words in its name handles an activation's data and computes none
  /// ("CreateRelu", "GeluSizeComputer"). Single words, lower case.
  const std::vector<std::string>& handling_words() const { return handling_words_; }
  /// A name that begins with one of these words is a flag ("use_gelu", "enableGelu").
  const std::vector<std::string>& flag_words() const { return flag_words_; }
  /// Calls whose string arguments are messages ("fprintf", "GGML_LOG_INFO").
  bool is_message_call(std::string_view callee) const;
  /// Calls whose string argument is a configuration key ("gguf_find_key", "value").
  bool is_config_call(std::string_view callee) const;
  std::string fingerprint() const { return fingerprint_; }

private:
  std::map<std::string, ApiSymbol, std::less<>> symbols_;
  std::vector<std::string> capability_words_, handling_words_, flag_words_, message_calls_, config_calls_;
  std::string fingerprint_;
};

} // namespace gelint::scan
