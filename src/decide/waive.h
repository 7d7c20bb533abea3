#pragma once
// Waivers: inline in the code and in the inventory.

#include "decide/finding.h"
#include "decide/inventory.h"
#include "decide/row.h"

#include <functional>
#include <string_view>
#include <vector>

namespace gelint::decide {

/// Marks findings that a waiver with a reason covers (an expired one covers nothing), fills
/// Row::waiver of mismatches, and appends GL005 for each waiver that covers nothing although every
/// rule it names was run (`ran`). `scan` and `inventory` may be null. GL005 itself cannot be
/// waived.
void apply_waivers(std::vector<Finding>& findings, scan::ScanResult* scan,
                   const Inventory* inventory, std::vector<Row>* rows, std::string_view today,
                   const std::function<bool(std::string_view rule)>& ran);

/// Has the waiver's date passed? ISO dates compare as text.
bool expired(const InventoryWaiver& waiver, std::string_view today);

} // namespace gelint::decide
