#pragma once
// A command line that cannot be parsed, in the words that the other faults have.

#include "support/result.h"

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace gelint::cli {

/// What is wrong and what to do: the nearest option or command, else where the help is.
Error usage_error(const CLI::App& app, const CLI::ParseError& fault);

} // namespace gelint::cli
