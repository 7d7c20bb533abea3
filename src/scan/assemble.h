#pragma once
// From what is known of a tree to the result of a scan: sites in order with their identities, tables, waivers, failures,
// and the ledger, whose sum is checked.

#include "scan/facts.h"
#include "scan/knowledge.h"
#include "scan/scan.h"
#include "scan/source_tree.h"

#include <vector>

namespace gelint::scan {

/// Adds to `result`; a ledger whose sum is wrong becomes a note.
void assemble(ScanResult& result, Knowledge& k, const std::vector<UnitFacts>& units, const SourceTree& tree, bool all_activations);

} // namespace gelint::scan
