#pragma once
// The Hugging Face tables that a command uses: the built-in ones, or with --hf-defaults others.

#include "cli/common_options.h"
#include "hf/tables.h"

namespace gelint::cli {

/// Lives until the process ends. A directory that holds tables/ stands in for the built-in ones; a YAML file, or a
/// directory of them, is an overlay added to these.
Result<hf::Tables*> reference_tables(const CommonOptions& o);

/// A fault when nothing is at the path of a checkpoint that was named; "-" is standard input. What is there and cannot
/// be read is a finding instead (GL111).
Status there_is_a_model(const std::string& path);

} // namespace gelint::cli
