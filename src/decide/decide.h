#pragma once
// The join: bindings × slots × sites → rows.

#include "decide/inventory.h"
#include "decide/row.h"
#include "decide/select_sites.h"
#include "hf/model_report.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::decide {

struct DecideInput {
  const std::vector<hf::ModelReport>* models = nullptr;
  const scan::ScanResult* scan = nullptr; ///< with the recorded sites: see add_recorded_sites()
  const Inventory* inventory = nullptr;
  /// The value at a config path of models[i]: text for a string, JSON text otherwise. May be empty:
  /// then only the values that the slots carry are known.
  std::function<std::optional<std::string>(size_t model, std::string_view config_path)>
      config_value;
  /// The slots of a config that declares nothing but its model_type; nullptr when the type is
  /// unknown. When set, bindings that no checkpoint fits are decided on class defaults.
  std::function<const hf::ModelReport*(std::string_view model_type)> class_defaults;
};

struct Decisions {
  std::vector<Row>
      rows; ///< in inventory order, then checkpoints in the order given; unbound sites last
  Selection selection;
  std::vector<const Binding*> without_model; ///< bindings that no checkpoint and no model type fits
};

/// Adds the inventory's recorded sites of its state to the scan; keeps the order of sites.
void add_recorded_sites(scan::ScanResult& scan, const Inventory& inventory);

Decisions decide(const DecideInput& input);

/// The binding that a row came from: the part of the id before '/', '#' or '~'. nullptr for unbound
/// rows.
const Binding* binding_of(const Inventory& inventory, std::string_view row_id);

/// Last component of a checkpoint path: "models/phi-2/" and "models/phi-2/config.json" give
/// "phi-2".
std::string checkpoint_name(std::string_view path);

} // namespace gelint::decide
