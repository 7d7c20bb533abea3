#pragma once
// Keys of a model's configuration, as engines read them: get_str("hidden_act", "gelu").

#include "scan/emit.h"
#include "scan/knowledge.h"
#include "scan/lex.h"

#include <string>
#include <string_view>

namespace gelint::scan {

/// The last part of "text_config.hidden_act", "encoder/activation": a key that names an activation.
bool is_activation_key(std::string_view s);

/// What stands in for a key that is absent, as written: the literal or enumerator after it in the call, or the last arm of
/// the ternary that asks for it. `token` is the key's string. Empty when there is none.
std::string default_beside(const LexedFile& f, size_t token);

/// Fills the key of a table, what an omitted one becomes and its formula. `subject` is the expression that the entries are
/// compared with, `function` the function that is the table; either may be empty.
void find_key(Knowledge& k, int file, const Scope* function, const std::string& subject, NameTable& t);

} // namespace gelint::scan
