#pragma once
// Which formula a term of the lexical tier computes, and of which of its symbols.

#include "scan/facts.h"
#include "scan/lexical_term.h"

#include <string>
#include <vector>

namespace gelint::scan {

/// Tries every symbol as the input, and every other as the gate; a formula counts when it holds for all values of the rest.
/// The input is one of `parameters` where the term holds any of them. Not ok, with a reason and `either`: it depends on a
/// value that is not known.
Evaluated judge(const Term& p, const std::vector<std::string>& parameters);

bool in_vocabulary(formula::Formula f);
/// The text of a symbol is a call that the other symbol is an argument of.
bool made_of(const std::string& symbol, const std::string& other);

} // namespace gelint::scan
