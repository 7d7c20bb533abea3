#pragma once
// Drafting an inventory from a scan: what `inventory draft` prints and what
// `audit` uses when there is no inventory.

#include "decide/draft.h"
#include "scan/site.h"
#include "support/result.h"

#include <string>

namespace gelint::cli {

/// `root` is read for architecture enumerators. `transformers` as the option of
/// that name.
Result<decide::Draft> make_draft(const scan::ScanResult &scan,
                                 const std::string &root,
                                 const std::string &transformers);

} // namespace gelint::cli
