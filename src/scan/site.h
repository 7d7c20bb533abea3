#pragma once
// What a scan finds. No libclang types here: these travel to decide, report and verify.

#include "formula/classify.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gelint::scan {

enum class SiteKind : uint8_t {
  definition, call, selector, table_entry, dispatch, epilogue, registration, config_read,
};
std::string_view to_string(SiteKind k);

/// How a formula is known; from strongest to weakest.
enum class KnownBy : uint8_t { evaluated, rule, name, none };
std::string_view to_string(KnownBy k);

/// ast: compile database. stub: virtual stub headers. lexical: token level.
enum class Tier : uint8_t { ast, stub, lexical };
std::string_view to_string(Tier t);

enum class Backend : uint8_t { cpu, cuda, metal, vulkan, opencl, sycl, hip, webgpu, graph, unknown };
std::string_view to_string(Backend b);

struct Place {
  std::string path; ///< relative to the scanned root, '/' separators
  int line = 0;     ///< 1-based
  int column = 0;   ///< 1-based, UTF-8 bytes; report writers convert
  bool operator==(const Place&) const = default;
};

struct Site {
  std::string id; ///< stable across moved lines and checkouts: see site_id()
  Place place;
  int end_column = 0; ///< one past the symbol on the same line
  SiteKind kind = SiteKind::call;
  std::string symbol;    ///< as written: function, enumerator, string, kernel name
  std::string enclosing; ///< qualified function, lambda as "f::(lambda)", or class; empty at file level
  formula::Formula formula = formula::Formula::unknown;
  KnownBy known_by = KnownBy::none;
  double deviation = 0; ///< of an evaluated formula from the canonical one
  formula::Formula nearest = formula::Formula::unknown;
  double distance = 0;
  bool near_miss = false;
  formula::Precision precision = formula::Precision::unknown;
  Backend backend = Backend::unknown;
  formula::Gating gating = formula::Gating::none;
  Tier tier = Tier::lexical;
  bool active = true;
  bool capability_only = false; ///< supports_op lists and the like: names an activation and computes nothing
  std::vector<formula::Formula> reachable; ///< dispatch, config_read, selector over several arms; sorted, unique
  std::string config_key;     ///< config_read: the key or flag
  std::string config_default; ///< config_read: the engine's own default, as written; empty when there is none
  std::string expr;           ///< formula::to_text of the lowered code; empty when not lowered
  std::string reason;         ///< one sentence: why unknown, or the chain that leads to the formula
  std::vector<formula::Hazard> hazards;
  std::optional<Place> definition;  ///< of the callee, builder or kernel that computes
  std::vector<std::string> callees; ///< call chain from this site to the definition, qualified names
  formula::Formula claimed = formula::Formula::unknown; ///< by the name, enumerator or comment; unknown: claims nothing
  std::string claimed_by;           ///< the text that claims it
  std::vector<std::string> waived_rules; ///< rules of an inline waiver on this line
};

/// One entry of a string → activation table of the engine.
struct TableEntry {
  std::string name;   ///< the activation name
  std::string target; ///< enumerator, function or class it maps to
  formula::Formula formula = formula::Formula::unknown;
  Place place;
};

/// What happens for a name that is in no entry.
enum class FallbackKind : uint8_t { none_found, silent, error };
struct NameTable {
  std::string id;
  std::string symbol;    ///< variable or function that is the table
  std::string enclosing;
  Place place;
  std::vector<TableEntry> entries;
  FallbackKind fallback_kind = FallbackKind::none_found;
  formula::Formula fallback = formula::Formula::unknown;
  std::optional<Place> fallback_place;
  std::string config_key;      ///< the key whose value is looked up, when known
  std::string omitted_default; ///< what an omitted key becomes, as written; empty when unknown
  formula::Formula omitted_formula = formula::Formula::unknown;
  Tier tier = Tier::lexical;
};

struct InlineWaiver {
  Place place;
  std::vector<std::string> rules;
  std::string reason; ///< empty is a fault of its own
  int applies_to_line = 0;
  bool used = false;
};

/// Every needle is in exactly one class; `needles` is their sum.
struct Ledger {
  uint64_t needles = 0, sites = 0, comments = 0, strings = 0, declarations = 0, inactive = 0, unrelated = 0, unparsed = 0;
  std::vector<Place> unparsed_at; ///< sorted
};

struct TuFailure { ///< GL002
  std::string path;
  std::string reason;
};

/// Where a function calls another, for following builders down to sites; qualified names.
struct CallEdge {
  std::string caller, callee;
  Place place;
};

struct ScanResult {
  std::string root;             ///< as the user gave it
  std::string compile_database; ///< path as found; empty: stub tier
  uint64_t files_seen = 0, files_with_needles = 0, units_parsed = 0;
  std::vector<Site> sites;      ///< sorted by path, line, column, kind, symbol
  std::vector<NameTable> tables;
  std::vector<CallEdge> calls;  ///< sorted, unique
  std::vector<InlineWaiver> waivers;
  std::vector<TuFailure> failures;
  std::vector<std::string> notes; ///< one line each: what was used, what was not
  Ledger ledger;
};

/// Hash of path, enclosing, kind, symbol and the ordinal among equals in the file: no line numbers.
std::string site_id(const Site& s, int ordinal);

} // namespace gelint::scan
