#pragma once
// The JSON Schema of the json output and its reference page, generated from fields.h so that they cannot fall behind.

#include <string>

namespace gelint::report {

/// docs/schema/gelint-1.json, draft-07.
std::string json_schema();

/// docs/json.md.
std::string json_reference();

} // namespace gelint::report
