#pragma once
// A decision: binding + slot + site → implemented, required, verdict.

#include "hf/slot.h"
#include "scan/site.h"

#include <string>
#include <vector>

namespace gelint::decide {

enum class Verdict : uint8_t { match, mismatch, conflict, unresolved, absent, unbound };
std::string_view to_string(Verdict v);

struct PortDivergence {
  std::string port;
  formula::Formula formula = formula::Formula::unknown;
  std::string file;
  int line = 0;
  bool expected = false; ///< listed in the inventory
};

struct RowWaiver {
  std::string reason, expires; ///< ISO date or empty
  bool expired = false;
};

struct Row {
  std::string id;    ///< stable: inventory row id, with the checkpoint and an ordinal where one
                     ///< binding gives several
  std::string group; ///< section of the document
  std::string family;
  std::string model_type;
  std::string checkpoint; ///< path as listed; empty for a row decided on the class default alone
  hf::Slot slot;
  bool has_site = false;
  scan::Site site; ///< the site that serves the slot; for unbound rows the site without binding
  formula::Formula implemented =
      formula::Formula::unknown; ///< after the engine's own parser, for config-driven sites
  formula::Formula required = formula::Formula::unknown;
  std::string
      reason; ///< one sentence with key, value or class default, file and line, site and evidence
  Verdict verdict = Verdict::unresolved;
  double max_abs_diff = 0, max_abs_diff_at = 0; ///< between the two formulas
  std::string severity; ///< "none", "low", "medium", "high": from the gap and the precision path
  std::string hazard;   ///< ids, comma separated; never a mismatch
  std::vector<PortDivergence> ports;
  std::vector<RowWaiver> waiver; ///< at most one
  std::vector<std::string> notes;
};

} // namespace gelint::decide
