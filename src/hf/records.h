#pragma once
// A config class as the tables describe it, parsed from its packed record.

#include "formula/classify.h"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::hf {

/// A literal of the tables: a key's default, the value a condition compares with.
struct Literal {
  enum class Kind : uint8_t { string, boolean, number, none, python, composite } kind = Kind::none;
  std::string text; ///< the string; else the literal as written
  bool truth = false;
  bool operator==(const Literal&) const = default;
};

struct KeyRecord {
  std::string name;
  Literal value;
  bool has_default = true;
  int line = 0;
};

struct SubRecord {
  std::string name;
  std::string class_name; ///< concrete class; empty for AutoConfig
  std::string when_missing, when_no_model_type; ///< model_type, or class, for AutoConfig
  std::map<std::string, Literal> missing_overrides;
  std::map<std::string, std::string> from_parent; ///< key → key of its parent that always takes its place (CLAP)
  bool flat = false;      ///< absent: its keys are read at the level of its parent
  bool optional = false;  ///< absent: stays absent
  bool legacy_dict = false; ///< "<name>_dict" in the file overrides it, defaults of its class included (CLIP)
  int line = 0;
};

/// Under which a slot exists. `expression`: depends on more than keys (layer numbers); holds for some layers.
struct Condition {
  enum class Kind : uint8_t { equals, not_equals, is_null, not_null, expression } kind = Kind::equals;
  std::string key; ///< config path; the text of an expression
  Literal value;
};

struct SlotRecord {
  std::string name;  ///< of the record: "mlp", "mlp:use_swiglu_ffn=true"
  std::string local; ///< what the slot is called in its component: "mlp"
  std::string read; ///< config path relative to the class; empty when hard-coded
  formula::Formula formula = formula::Formula::unknown;
  std::string formula_name; ///< activation name of a hard-coded ACT2FN["gelu_new"], where given
  std::string written, class_name, file, component;
  int line = 0;
  std::optional<Literal> fallback;
  formula::Gating gating = formula::Gating::none;
  std::vector<std::string> modifiers;
  std::vector<Condition> when; ///< all must hold
  std::map<std::string, std::string> names; ///< module-local registry: name → formula; replaces ACT2FN
};

/// How a key is computed from another one (overlay).
struct Derivation {
  std::string key, from, strip;
  std::string prefix_flag; ///< the key is a flag: whether `from` begins with this
  std::map<std::string, std::string> rewrite; ///< whole value of `from` → name
  bool explicit_wins = false;
  std::string source;
};

struct ClassRecord {
  std::string name, model_type, file, modality, source;
  std::string package; ///< "diffusers 0.42.1": where it is neither transformers nor remote code
  int line = 0;
  bool remote = false; ///< from the overlay: no transformers release has it
  std::map<std::string, std::string> attribute_map; ///< attribute → field
  std::vector<KeyRecord> keys;
  std::vector<SubRecord> subs;
  std::vector<SlotRecord> slots;
  std::vector<Derivation> derivations;

  const KeyRecord* key(std::string_view name) const;
  const SubRecord* sub(std::string_view name) const;
  const Derivation* derivation(std::string_view key) const;
  /// The field that attribute `name` stands for.
  std::string_view field(std::string_view name) const;
};

/// Unknown fields are ignored; a field of a wrong type counts as absent.
ClassRecord parse_class(std::string_view name, const nlohmann::json& json);

} // namespace gelint::hf
