#pragma once
// Which sites each binding of an inventory names, and which sites nobody names.

#include "decide/call_graph.h"
#include "decide/inventory.h"
#include "scan/site.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gelint::decide {

/// What became of one selector.
struct SelectorState {
  const SiteSelector* selector = nullptr;
  std::vector<size_t> sites; ///< indices into ScanResult::sites, ascending
  bool followed =
      false; ///< nothing fits as written; these sites do under another path or function name
  std::string evidence; ///< followed or not: what was found instead, one sentence; may be empty
};

struct BindingState {
  const Binding* binding = nullptr;
  std::vector<SelectorState> selectors;
  std::vector<size_t> sites; ///< union, ascending
};

/// Why a site has no binding of its own, or that it has one.
enum class SiteUse : uint8_t {
  bound,
  reached, ///< the code that a bound site runs, or a caller of code that is bound
  ignored, ///< an `ignore` entry names it
  minor, ///< not a matter of bindings: inactive, capability list, plain activation outside the GELU
         ///< family
  unbound,
};

struct Selection {
  std::vector<BindingState> bindings;
  std::vector<SiteUse> use;                 ///< one per site
  std::vector<std::vector<size_t>> ignored; ///< per `ignore` entry: its sites
};

/// Does the site fit every key of the selector? `reached` is the set for reached_from (unused when
/// that list is empty).
bool fits(const SiteSelector& selector, const scan::Site& site,
          const std::set<std::string_view>& reached);

Selection select_sites(const Inventory& inventory, const scan::ScanResult& scan);

} // namespace gelint::decide
