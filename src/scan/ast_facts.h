#pragma once
// Facts of a parsed unit: evaluated definitions, what names refer to, calls whose arguments decide.

#include "scan/facts.h"
#include "scan/parse_unit.h"
#include "scan/tu.h"

namespace gelint::scan {

void collect_ast_facts(const Tu& tu, const SourceTree& tree, const UnitRequest& r, UnitFacts& out);

/// Of a parse with the excluded arms retained: only definitions that stand in `out.skipped`.
void collect_excluded_definitions(const Tu& tu, const SourceTree& tree, const UnitRequest& r, UnitFacts& out);

} // namespace gelint::scan
