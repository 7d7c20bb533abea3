#pragma once
// One resolution of one config at one release. Internal to hf/.

#include "hf/model_report.h"
#include "hf/resolve.h"
#include "hf/tables.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace gelint::hf {

using checkpoint::Kind;
using checkpoint::Value;

/// A config or sub-config: its class, and where its keys are in the file.
struct ConfigView {
  const ClassRecord* record = nullptr;
  Value node;             ///< missing: every key is at its default
  Value legacy;           ///< "<name>_dict", which overrides node and the class default
  std::string path;       ///< "thinker_config.vision_config"; the root's is empty
  std::string component;  ///< "vision"
  std::string model_type; ///< as the file says, else of the class
  const std::map<std::string, Literal>* overrides = nullptr; ///< by the parent, for a sub-config that is missing
  const std::map<std::string, std::string>* from_parent = nullptr; ///< keys that the parent writes over
  const ConfigView* parent = nullptr;
  bool flat = false;      ///< its keys lie at the level of its parent
};

enum class SubState : uint8_t { present, defaulted, absent, named_by_string, wrong_type, unknown_type };

struct SubView {
  SubState state = SubState::absent;
  ConfigView view;  ///< record may be null unless present or defaulted
  Value value;      ///< as in the file
};

/// What a key is when the model is built.
struct KeyAnswer {
  SlotSource source = SlotSource::unresolved;
  Value value;            ///< in the file
  Literal literal;        ///< elsewhere
  std::string config_path;
  const ConfigView* view = nullptr;
  const KeyRecord* key = nullptr; ///< class default
  const Derivation* derivation = nullptr;
  std::string derived_from; ///< path
  Value other;            ///< another key of the file that claims the same slot
  std::string other_path, other_text; ///< what it would have given
  bool sub_unreadable = false; ///< the sub-config that holds the key is a string or of unknown type
};

struct Resolver {
  Tables& tables;
  Release release;
  const checkpoint::Model& model;
  bool quiet = false; ///< comparison run: no issues, no reasons

  ModelReport report{};
  std::vector<bool> read_ids{}; ///< values of the document that some slot reads
  std::vector<std::string> classes{}; ///< class names met: decides whether another release can differ
  std::vector<std::string> names{};   ///< activation names looked up
  std::vector<std::string> types{};   ///< model_types looked up
  std::deque<ConfigView> views{};     ///< stable addresses
  std::map<std::string, int> slot_names{};
  std::map<std::string, std::string> levels{}; ///< slot → path of its config
  std::map<std::string, std::string> modules{}; ///< slot → class of the modeling code
  std::map<std::string, const ClassRecord*> level_classes{}; ///< path of a config → its class
  std::shared_ptr<const checkpoint::Tensors> tensors{}; ///< shared with the comparison runs
  bool tensors_read = false;

  void resolve_config(const ConfigView& view, int depth);
  void resolve_sub_config(const ConfigView& view, const SubRecord& sub, int depth);
  SubView sub_view(const ConfigView& view, const SubRecord& sub);
  KeyAnswer lookup(const ConfigView& view, std::string_view key_path);
  KeyAnswer lookup_field(const ConfigView& view, std::string_view key);
  /// 1 holds, 0 does not, -1 cannot be told.
  int holds(const ConfigView& view, const Condition& c);
  bool add_slot(const ConfigView& view, const SlotRecord& record);
  void absent_slots(const ConfigView& view, const std::string& reason, SlotSource source);
  void evaluate(Slot& slot, const SlotRecord& record, const KeyAnswer& answer);
  void set_name(Slot& slot, const SlotRecord& record, std::string_view name, const KeyAnswer& answer);
  void place(Slot& slot, Value v);
  std::string slot_name(const ConfigView& view, const SlotRecord& record);
  void report_unread(const ConfigView& root);
  void report_unread_key(Value v, const std::string& path, const std::string& level);
  /// Path of the config that owns the slot.
  const std::string& slot_level(const Slot& s) const;
  const ClassRecord* class_record(std::string_view name);
  const ClassRecord* type_record(std::string_view model_type);
  std::string package(const ClassRecord* record) const; ///< "transformers 5.24.0" or "remote code"
  void issue(const char* rule, std::string message, Value at, std::string config_path, std::string slot = {});
  bool is_read(Value v) const { return v.id() < read_ids.size() && read_ids[v.id()]; }
  void mark_read(Value v);
  bool tower_has_tensors(const SubRecord& sub);
  /// Names and shapes; null when there are none. Read once, on first use.
  const checkpoint::Tensors* tensor_facts();
  void check_gating(Slot& slot, const ConfigView& view);
};

std::string join_path(const std::string& parent, std::string_view key);
/// "vision_config" → "vision"; nested in `parent` where that is no mere wrapper.
std::string component_of(const ConfigView& parent, std::string_view sub_name);
/// One line of quoted text from a file, cut and without control characters.
std::string quoted(std::string_view text);
std::string quoted(const Literal& l);
bool looks_like_activation_key(std::string_view key);
/// "'gelu_new' or 'gelu'": names of the release nearest to `name`.
std::string suggestions(Tables& tables, Release r, std::string_view name);

} // namespace gelint::hf
