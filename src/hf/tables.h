#pragma once
// The tables of every release, read class by class from the packed block. Not for use by several threads at once.

#include "hf/pack.h"
#include "hf/records.h"
#include "support/result.h"

#include <memory>
#include <set>
#include <unordered_map>

namespace gelint::hf {

struct ActivationEntry {
  formula::Formula formula = formula::Formula::unknown;
  std::string class_name;
  int line = 0;
};

struct TrainedFact {
  std::string slot, source;
  formula::Formula formula = formula::Formula::unknown;
};

/// A key that files carry and no reader reads.
struct StaleFact {
  std::string key, why;
};

struct Facts {
  std::vector<TrainedFact> trained_with;
  std::vector<StaleFact> stale;
};

struct PortRow {
  std::string port, slot, reads, file, known_by, written;
  formula::Formula formula = formula::Formula::unknown;
  int line = 0;
};

/// Index of a release, 0 the newest.
using Release = int;

class Tables {
public:
  /// What is linked in.
  static Tables& builtin();
  /// Packs and opens a directory like hf_defaults/.
  static Result<std::unique_ptr<Tables>> from_directory(const std::string& dir);
  static Result<std::unique_ptr<Tables>> from_pack(std::string bytes);

  /// Adds a YAML file, or a directory of them, in the format of hf_defaults/overlay; its rows come first. Rows that
  /// change classes of the tables (patches, derivations, flat) are refused: those need the whole tables.
  Status add_overlay(const std::string& path);

  const std::vector<std::string>& releases() const { return releases_; }
  /// The newest release not above `version`; the oldest when all are above. `exact` says whether it is that version.
  Release pick(std::string_view version, bool& exact) const;

  const ClassRecord* config_class(std::string_view name, Release r);
  /// CONFIG_MAPPING; empty when that release does not know the model_type.
  std::string_view class_of_type(std::string_view model_type, Release r);
  const ClassRecord* type_record(std::string_view model_type, Release r);
  /// Equal numbers mean that two releases say the same of the class; -1: the release lacks it.
  int meaning(std::string_view class_name, Release r);

  const ActivationEntry* activation(std::string_view name, Release r);
  /// Names of that release, sorted.
  std::vector<std::string> activation_names(Release r);
  /// Oldest release, of those with a table, that knows the name; nullopt when none does.
  std::optional<Release> introduced(std::string_view name);
  /// Equal numbers: the name means the same in both releases.
  int activation_meaning(std::string_view name, Release r);

  /// Overlay class of a remote family: kind "type", "arch" or "auto".
  std::string family(const std::string& kind, std::string_view name);
  const Facts& facts(std::string_view model_type);
  const std::vector<PortRow>& ports(std::string_view model_type);
  /// Slots of a timm or open_clip architecture; exact name, else the longest prefix with a trailing '*'.
  const ClassRecord* tower(const std::string& library, std::string_view name);
  std::vector<std::string> model_types(Release r);
  bool is_activation_key(std::string_view key);

private:
  struct Variants; // one entry of the pack with its parsed records
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };
  template <class T> using Map = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

  Tables();
  Status open(std::string_view bytes);
  std::optional<std::string> entry(const std::string& key) const;
  Variants* class_entry(std::string_view name);
  void load_activations();

public:
  ~Tables();

private:
  std::string owned_;
  std::unique_ptr<Pack> pack_;
  std::vector<std::unique_ptr<std::string>> overlay_bytes_;
  std::vector<Pack> overlays_; ///< newest first
  std::vector<std::string> releases_;
  Map<std::unique_ptr<Variants>> classes_;
  struct TypeEntry {
    std::vector<int> of;
    std::vector<std::string> classes;
  };
  Map<TypeEntry> types_;
  struct Activation {
    std::vector<int> of;
    std::vector<ActivationEntry> variants;
  };
  std::map<std::string, Activation, std::less<>> activations_;
  bool activations_loaded_ = false, keys_loaded_ = false;
  Map<Facts> facts_;
  Map<std::vector<PortRow>> ports_;
  Map<std::string> families_;
  Map<std::unique_ptr<ClassRecord>> towers_;
  std::set<std::string, std::less<>> keys_;
};

} // namespace gelint::hf
