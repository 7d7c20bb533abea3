#pragma once
// Source code that a C++ file holds in its string literals: kernels that are compiled at run time.

#include "scan/lex.h"

#include <string>

namespace gelint::scan {

/// The file with everything blank but the contents of the string literals that hold bodies of functions and a needle.
/// Every byte keeps its offset; escapes become white space. Empty: there are none.
std::string embedded_source(const LexedFile& host);

/// Gives the tokens of embedded source the lines and columns that they have in the host.
void place_in_host(LexedFile& embedded, std::string_view host);

} // namespace gelint::scan
