#pragma once
// `gelint --version`.

namespace gelint::cli {

/// Prints the versions of everything that can change an answer; `args` may be `--format text|json`.
int print_version(int argc, char** argv);

} // namespace gelint::cli
