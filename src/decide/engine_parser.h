#pragma once
// What an engine that chooses at run time does with the value of a checkpoint: its own name table,
// default and fallback.

#include "decide/inventory.h"
#include "hf/slot.h"
#include "scan/site.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gelint::decide {

/// The value at a config path of the checkpoint: text for a string, JSON text otherwise; nullopt
/// when it is not there.
using ConfigValue = std::function<std::optional<std::string>(std::string_view config_path)>;

struct EngineAnswer {
  formula::Formula formula = formula::Formula::unknown;
  bool rejects = false;    ///< the engine refuses to load
  std::string how;         ///< clause: "the table at nn/act.cpp:12 maps 'gelu' to gelu_erf"
  std::string config_path; ///< what the engine reads
};

/// Does the site choose at run time?
bool is_config_driven(const scan::Site& site, const Binding& binding);

/// The table that decides for the site: the binding's, else one that the site's call chain or
/// function names.
const scan::NameTable* table_of(const scan::ScanResult& scan, const scan::Site& site,
                                const Binding& binding);

/// The config path that the engine reads: the binding's `reads`, else Hugging Face's with the
/// engine's own key, else a path under the slot's component for slots that Hugging Face hard-codes.
std::string engine_path(const hf::Slot& slot, const scan::Site& site, const scan::NameTable* table,
                        const Binding& binding);

EngineAnswer engine_answer(const scan::ScanResult& scan, const scan::Site& site,
                           const Binding& binding, const hf::Slot& slot, const ConfigValue& value);

} // namespace gelint::decide
