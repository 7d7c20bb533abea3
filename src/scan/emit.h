#pragma once
// From knowledge to the result: sites, name tables, the ledger.

#include "scan/knowledge.h"
#include "scan/scan.h"

namespace gelint::scan {

/// How the ledger accounts for a needle that is no site.
enum class NeedleFate : uint8_t { site, comment, string, declaration, inactive, unrelated, unparsed };

struct EmittedFile {
  std::vector<Site> sites;
  std::vector<std::pair<uint32_t, NeedleFate>> fates; ///< one per needle, by offset
};

EmittedFile emit_file(Knowledge& k, int file, bool all_activations);

/// Tables of activation names, in order of place. Their sites are among those of emit_file.
std::vector<NameTable> name_tables(Knowledge& k);

/// "// gelint: ignore[GL201,GL405] reason" in the comments of a file.
std::vector<InlineWaiver> inline_waivers(const FileModel& f);

/// Caller → callee for functions that take part in activations, for following builders.
std::vector<CallEdge> call_edges(Knowledge& k);

} // namespace gelint::scan
