#pragma once
// The inventory: what a person knows about an engine. docs/inventory.md describes the file format.

#include "formula/formula.h"
#include "scan/site.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::decide {

/// Where an entry stands in its file.
struct Where {
  std::string file;
  int line = 0, column = 0; ///< 1-based
};

/// Every list that is not empty must have one entry that fits; the lists are globs.
struct SiteSelector {
  std::vector<std::string> path;      ///< glob_path over Place::path
  std::vector<std::string> enclosing; ///< glob_name over the function or class around the site
  std::vector<std::string> symbol;    ///< glob_name over the symbol as written
  std::vector<std::string>
      enumerator; ///< like symbol, for selectors, dispatch arms, epilogues, table entries only
  std::vector<std::string>
      calls; ///< glob_name over the call chain from the site to the code that computes
  std::vector<std::string>
      reached_from; ///< glob_name over functions whose calls lead to the enclosing function
  std::vector<std::string> config_key; ///< glob_text over the key of a config_read
  std::vector<scan::SiteKind> kind;
  std::vector<scan::Backend> backend;
  std::optional<formula::Gating> gating;
  bool inactive = false; ///< also sites in an inactive #if arm
  Where where;
};

struct Family {
  std::string id, name;
  std::vector<std::string> model_types;
  std::vector<std::string> architectures; ///< globs over architectures[0], for checkpoints whose
                                          ///< model_type does not tell
  Where where;
};

/// A port that is known to run another formula than Hugging Face does.
struct ExpectedPort {
  std::string port; ///< name without version: "mlx-lm"
  formula::Formula formula = formula::Formula::unknown;
  std::string note;
};

/// A formula stated with its source, for a slot that no Hugging Face code decides.
struct Reference {
  formula::Formula formula = formula::Formula::unknown;
  std::string source, why;
};

/// One `rows:` entry: these sites serve these slots of these models.
struct Binding {
  std::string id, group, family;
  std::string title;
  std::vector<std::string> model_types, architectures;
  std::vector<std::string> slots; ///< globs over Slot::slot
  std::vector<SiteSelector> sites;
  std::string table; ///< glob_name over NameTable symbol or enclosing: the engine's own parser
  std::string reads; ///< config path that the engine reads; empty: the slot's
  std::optional<std::string>
      omitted; ///< activation name that the engine takes when the key is omitted
  std::vector<std::string> checkpoints; ///< globs; empty: all
  std::vector<ExpectedPort> ports;
  std::optional<Reference> reference;
  std::vector<std::string> notes;
  Where where;
};

struct InventoryWaiver {
  std::vector<std::string> rules;
  std::string row, path, checkpoint, slot; ///< globs; empty: any
  std::string reason, expires;             ///< ISO date or empty
  Where where;
};

/// Sites that serve no slot, with the reason.
struct IgnoredSites {
  std::vector<SiteSelector> sites;
  std::string reason;
  Where where;
};

/// A site that a person read in code the scanner does not read (another language, a vendor's
/// library).
struct RecordedSite {
  scan::Site site;
  std::vector<std::string> states; ///< empty: every state
  Where where;
};

/// A name table of such code.
struct RecordedTable {
  scan::NameTable table;
  std::vector<std::string> states;
  Where where;
};

struct CheckpointEntry {
  std::string path; ///< relative to the inventory file
  std::string note;
  Where where;
};

struct Inventory {
  std::vector<std::string> files;
  std::string engine, description, source, commit;
  std::string state; ///< which recorded sites are taken; empty: all of them
  std::vector<Family> families;
  std::vector<Binding> rows;
  std::vector<CheckpointEntry> checkpoints;
  std::vector<InventoryWaiver> waivers;
  std::vector<IgnoredSites> ignored;
  std::vector<RecordedSite> recorded;
  std::vector<RecordedTable> recorded_tables;
  std::vector<Error> faults; ///< GL003; the entries at fault are left out, the others stay

  const Family* family(std::string_view id) const;
};

/// Reads one inventory text; `name` is what messages call it. Never fails: faults are in the
/// result.
Inventory parse_inventory(std::string_view text, const std::string& name);

/// Reads a file, or an embedded inventory by its bare name ("mlxcel"). A file that cannot be read
/// is a fault.
Inventory load_inventory(const std::string& path_or_name);

/// Adds `other` to `into`: a row, family or group of the same id is a fault of `other`.
void merge_inventory(Inventory& into, Inventory other);

} // namespace gelint::decide
