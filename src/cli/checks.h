#pragma once
// What an option or a setting may hold, said in one way for the command line and the settings file.

#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class Option;
}

namespace gelint::cli {

/// "GL1, gl201,warning" → "GL1", "GL201", "warning": parts without blanks, ids in capitals; empty parts dropped.
std::vector<std::string> split_ids(const std::string& text);

/// Each a prefix of some rule's id; `where` names the option or the key.
Status check_rule_prefixes(const std::vector<std::string>& prefixes, std::string_view where);
/// Levels, "none" and rule id prefixes, comma separated.
Status check_fail_on(const std::string& text, std::string_view where);
/// A release number or "auto".
Status check_transformers(const std::string& text, std::string_view where);

/// Limits the option to these words, and names them in help, man page and completions.
void one_of(CLI::Option* option, std::vector<std::string> words);
/// Limits the option to whole numbers.
void whole_number(CLI::Option* option, long least, long most);
/// Any check that gives a message ("'x' is not a date (YYYY-MM-DD)") or nothing.
void checked(CLI::Option* option, std::string (*fault_of)(const std::string&));

} // namespace gelint::cli
