#pragma once
// Facts of a parsed unit: evaluated definitions, what names refer to, calls whose arguments decide.

#include "scan/facts.h"
#include "scan/parse_unit.h"
#include "scan/tu.h"

namespace gelint::scan {

void collect_ast_facts(const Tu& tu, const SourceTree& tree, const UnitRequest& r, UnitFacts& out);

/// Of a parse with the excluded arms retained: only definitions that stand in `out.skipped`.
void collect_excluded_definitions(const Tu& tu, const SourceTree& tree, const UnitRequest& r, UnitFacts& out);

/// Of a parse in which other arms are taken (variant_arms.h): what the definitions of `of` compute there, in their order;
/// one that is not evaluated there has no expression.
std::vector<Evaluated> collect_variants(const Tu& tu, const SourceTree& tree, const UnitRequest& r, const std::vector<DefinitionFact>& of, UnitFacts& out);

} // namespace gelint::scan
