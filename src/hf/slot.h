#pragma once
// What a checkpoint asks for.

#include "formula/classify.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gelint::hf {

enum class SlotSource : uint8_t { declared, class_default, hard_coded, derived, parent_override, unresolved, absent };
std::string_view to_string(SlotSource s); ///< "declared", "default", "hard_coded", …

enum class SlotVerdict : uint8_t { ok, conflict, unresolved, absent, error };
std::string_view to_string(SlotVerdict v);

/// The code that reads the key or hard-codes the formula.
struct Reader {
  std::string file; ///< path inside the package, or a public address
  int line = 0;
  std::string version; ///< "transformers 5.24.0", "remote code, <source>"
};

/// The answer of one library version, when versions differ.
struct VersionedAnswer {
  std::string transformers; ///< first release of the tables with this answer
  formula::Formula formula = formula::Formula::unknown;
  std::string name, config_path;
};

/// What a port runs for the slot.
struct PortAnswer {
  std::string port; ///< "mlx-lm 0.32.2"
  formula::Formula formula = formula::Formula::unknown;
  std::string file;
  int line = 0;
  std::string known_by; ///< "evaluated" or "read"
  bool diverges = false;
};

struct Slot {
  std::string slot;        ///< "vision.mlp"
  std::string component;   ///< "vision"
  std::string model_type;  ///< of the config that owns the slot
  std::string config_path; ///< "vision_config.hidden_act"; empty when no key is read
  std::optional<std::string> declared;      ///< value in the file, JSON text when it is not a string
  std::optional<std::string> default_value; ///< of the config class
  std::string name;        ///< activation name that is evaluated; empty when hard-coded
  formula::Formula formula = formula::Formula::unknown;
  SlotSource source = SlotSource::unresolved;
  Reader reader;
  Reader default_reader;   ///< config class file and line of the default
  SlotVerdict verdict = SlotVerdict::unresolved;
  std::string reason;      ///< one sentence
  formula::Gating gating = formula::Gating::none;
  std::vector<std::string> modifiers;
  std::optional<formula::Formula> trained_with; ///< curated fact, shown beside the reference
  std::string trained_with_source;
  std::vector<VersionedAnswer> versions; ///< only when the answer differs between releases, oldest first
  std::vector<PortAnswer> ports;
  int line = 0, column = 0; ///< of the key in the file; 0 when it is not there
};

} // namespace gelint::hf
