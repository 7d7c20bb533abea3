#include "decide/select_sites.h"

#include "decide/model_names.h"
#include "support/glob.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gelint::decide {
namespace {

using Match = bool (*)(std::string_view, std::string_view);

bool any(const std::vector<std::string>& globs, std::string_view text, Match match) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(),
                                      [&](const std::string& g) { return match(g, text); });
}

template <class T> bool among(const std::vector<T>& list, T value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

bool names_something(scan::SiteKind k) {
  return k == scan::SiteKind::selector || k == scan::SiteKind::dispatch ||
         k == scan::SiteKind::epilogue || k == scan::SiteKind::table_entry;
}

/// Code that applies an activation, as against code that defines, lists or chooses one.
bool is_use(scan::SiteKind k) {
  return k == scan::SiteKind::call || k == scan::SiteKind::selector ||
         k == scan::SiteKind::epilogue;
}

class Selector {
public:
  Selector(const scan::ScanResult& scan) : scan_(scan), graph_(scan.calls) {}

  std::vector<size_t> sites(const SiteSelector& sel) const {
    std::vector<std::string_view> from;
    for (std::string_view f : graph_.callers())
      if (!sel.reached_from.empty() && any(sel.reached_from, f, glob_name))
        from.push_back(f);
    std::set<std::string_view> reached = graph_.reachable(from);
    std::vector<size_t> out;
    for (size_t i = 0; i < scan_.sites.size(); ++i)
      if (fits(sel, scan_.sites[i], reached))
        out.push_back(i);
    if (!sel.kind.empty())
      return out;
    // `enclosing: build_phi` means what the function applies, not the table or lambda that it also
    // holds.
    bool uses =
        std::any_of(out.begin(), out.end(), [&](size_t i) { return is_use(scan_.sites[i].kind); });
    if (uses)
      std::erase_if(out, [&](size_t i) { return !is_use(scan_.sites[i].kind); });
    return out;
  }

private:
  const scan::ScanResult& scan_;
  CallGraph graph_;
};

std::string list(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& n : names)
    out += (out.empty() ? "" : ", ") + n;
  return out;
}

/// Looks for the code of a selector that fits nothing: first the same function and symbol under
/// another path, then the same path and symbol in another function. One candidate that nobody else
/// names is strong evidence.
void follow(const Selector& selector, const scan::ScanResult& scan, const std::vector<bool>& taken,
            SelectorState& state) {
  const SiteSelector& sel = *state.selector;
  auto free_sites = [&](const SiteSelector& relaxed) {
    std::vector<size_t> found = selector.sites(relaxed);
    std::erase_if(found, [&](size_t i) { return taken[i]; });
    return found;
  };
  auto names = [&](const std::vector<size_t>& found, auto field) {
    std::set<std::string> out;
    for (size_t i : found)
      out.insert(std::string(field(scan.sites[i])));
    return out;
  };
  if (!sel.path.empty() && !sel.enclosing.empty()) {
    SiteSelector relaxed = sel;
    relaxed.path.clear();
    std::vector<size_t> found = free_sites(relaxed);
    std::set<std::string> paths = names(found, [](const scan::Site& s) { return s.place.path; });
    if (paths.size() == 1) {
      state.followed = true;
      state.sites = found;
      state.evidence = fmt::format("the function is in {} now", *paths.begin());
      return;
    }
    if (paths.size() > 1)
      state.evidence =
          fmt::format("the function name is found in {} files: {}", paths.size(), list(paths));
  }
  bool has_symbol = !sel.symbol.empty() || !sel.enumerator.empty();
  if (!sel.enclosing.empty() && !sel.path.empty() && has_symbol) {
    SiteSelector relaxed = sel;
    relaxed.enclosing.clear();
    std::vector<size_t> found = free_sites(relaxed);
    std::set<std::string> functions =
        names(found, [](const scan::Site& s) { return outer_function(s.enclosing); });
    if (functions.size() == 1) {
      state.followed = true;
      state.sites = found;
      state.evidence = fmt::format("the only other use of the symbol in that file is in {}",
                                   functions.begin()->empty() ? "no function" : *functions.begin());
      return;
    }
    if (functions.size() > 1)
      state.evidence = fmt::format("the symbol is used in {} other functions there: {}",
                                   functions.size(), list(functions));
  }
}

/// Marks the code that bound sites run.
void mark_reached(const scan::ScanResult& scan, Selection& selection) {
  std::set<std::pair<std::string_view, int>> places;
  std::set<std::string_view> functions, bound_functions;
  for (size_t i = 0; i < scan.sites.size(); ++i) {
    if (selection.use[i] != SiteUse::bound)
      continue;
    const scan::Site& s = scan.sites[i];
    if (s.definition)
      places.insert({s.definition->path, s.definition->line});
    for (const std::string& c : s.callees)
      functions.insert(outer_function(c));
    if (!s.enclosing.empty())
      bound_functions.insert(outer_function(s.enclosing));
  }
  for (size_t i = 0; i < scan.sites.size(); ++i) {
    const scan::Site& s = scan.sites[i];
    if (selection.use[i] != SiteUse::unbound)
      continue;
    bool by_place = places.contains({s.place.path, s.place.line});
    bool by_name = functions.contains(outer_function(s.enclosing)) ||
                   (s.kind == scan::SiteKind::definition && functions.contains(s.symbol));
    // A caller of code that is bound adds nothing to it.
    bool above = std::any_of(s.callees.begin(), s.callees.end(), [&](const std::string& c) {
      return bound_functions.contains(outer_function(c));
    });
    if (by_place || by_name || above)
      selection.use[i] = SiteUse::reached;
  }
}

/// Functions that are activations for other sites, or choose one for their caller: what they call
/// is no use of its own. A function that looks like an activation and that no site calls is a
/// model's code (a kernel launch, a builder).
class Library {
public:
  explicit Library(const scan::ScanResult& scan) {
    std::set<std::string_view> called;
    std::set<std::pair<std::string_view, int>> places;
    for (const scan::Site& s : scan.sites)
      if (s.definition && !(*s.definition == s.place))
        places.insert({s.definition->path, s.definition->line});
    for (const scan::Site& s : scan.sites)
      for (const std::string& c : s.callees)
        if (outer_function(c) != outer_function(s.enclosing))
          called.insert(outer_function(c));
    for (const scan::Site& s : scan.sites) {
      std::string_view f = outer_function(s.enclosing);
      bool defines =
          s.kind == scan::SiteKind::definition &&
          (f.empty() || called.contains(f) || places.contains({s.place.path, s.place.line}));
      if (defines || s.kind == scan::SiteKind::dispatch)
        functions_.insert({s.place.path, f});
      if (is_use(s.kind))
        with_uses_.insert({s.place.path, f});
    }
  }
  bool contains(const scan::Site& s) const {
    return functions_.contains({s.place.path, outer_function(s.enclosing)});
  }
  /// The formula is written out in a function that is no library, so that no other site stands for
  /// it.
  bool is_written_out(const scan::Site& s) const {
    std::pair<std::string_view, std::string_view> f{s.place.path, outer_function(s.enclosing)};
    return s.kind == scan::SiteKind::definition && !s.enclosing.empty() &&
           !functions_.contains(f) && !with_uses_.contains(f);
  }

private:
  std::set<std::pair<std::string_view, std::string_view>> functions_, with_uses_;
};

bool names_gelu(std::string_view symbol, std::string_view config_key) {
  for (std::string_view text : {symbol, config_key})
    for (const std::string& w : identifier_words(text))
      if (w.find("gelu") != std::string::npos || w.find("geglu") != std::string::npos ||
          w.starts_with("activation") || w == "act")
        return true;
  return false;
}

/// Not a matter of bindings: inactive, a list of what is supported, the library itself, or no GELU
/// in sight.
bool is_minor(const scan::Site& s, const Library& library) {
  if (!s.active || s.capability_only)
    return true;
  bool use = is_use(s.kind) || s.kind == scan::SiteKind::config_read;
  if (!library.is_written_out(s) && (!use || (!s.enclosing.empty() && library.contains(s))))
    return true;
  if (formula::is_gelu_family(s.formula) || formula::is_gelu_family(s.claimed))
    return false;
  // What chooses among activations matters when a GELU is among them; what is not known matters
  // when it may be one.
  bool known = s.formula != formula::Formula::unknown && s.formula != formula::Formula::other;
  bool chooses = !known && std::any_of(s.reachable.begin(), s.reachable.end(), formula::is_gelu_family);
  bool may_be = s.reachable.empty() && s.claimed == formula::Formula::unknown &&
                s.formula == formula::Formula::unknown && names_gelu(s.symbol, s.config_key);
  bool open = may_be || (s.formula == formula::Formula::other && s.near_miss);
  return !chooses && !open;
}

} // namespace

bool fits(const SiteSelector& sel, const scan::Site& s, const std::set<std::string_view>& reached) {
  if (s.capability_only || (!s.active && !sel.inactive))
    return false;
  if (!among(sel.kind, s.kind) || !among(sel.backend, s.backend) ||
      (sel.gating && *sel.gating != s.gating))
    return false;
  if (!any(sel.path, s.place.path, glob_path) || !any(sel.enclosing, s.enclosing, glob_name) ||
      !any(sel.symbol, s.symbol, glob_name) || !any(sel.config_key, s.config_key, glob_text))
    return false;
  if (!sel.enumerator.empty() &&
      !(names_something(s.kind) && any(sel.enumerator, s.symbol, glob_name)))
    return false;
  if (!sel.calls.empty() &&
      std::none_of(s.callees.begin(), s.callees.end(),
                   [&](const std::string& c) { return any(sel.calls, c, glob_name); }))
    return false;
  return sel.reached_from.empty() || reached.contains(outer_function(s.enclosing));
}

Selection select_sites(const Inventory& inventory, const scan::ScanResult& scan) {
  Selection out;
  Selector selector(scan);
  Library library(scan);
  out.use.resize(scan.sites.size());
  for (size_t i = 0; i < scan.sites.size(); ++i)
    out.use[i] = is_minor(scan.sites[i], library) ? SiteUse::minor : SiteUse::unbound;

  std::vector<bool> taken(scan.sites.size(), false);
  for (const Binding& b : inventory.rows) {
    BindingState state{&b, {}, {}};
    for (const SiteSelector& sel : b.sites) {
      state.selectors.push_back({&sel, selector.sites(sel), false, ""});
      for (size_t i : state.selectors.back().sites)
        taken[i] = true;
    }
    out.bindings.push_back(std::move(state));
  }
  for (BindingState& b : out.bindings) {
    for (SelectorState& s : b.selectors) {
      if (s.sites.empty())
        follow(selector, scan, taken, s);
      b.sites.insert(b.sites.end(), s.sites.begin(), s.sites.end());
    }
    std::sort(b.sites.begin(), b.sites.end());
    b.sites.erase(std::unique(b.sites.begin(), b.sites.end()), b.sites.end());
    for (size_t i : b.sites)
      out.use[i] = SiteUse::bound;
  }
  for (const IgnoredSites& entry : inventory.ignored) {
    std::vector<size_t> sites;
    for (const SiteSelector& sel : entry.sites) {
      SiteSelector all = sel; // an ignore entry means everything it names, definitions too
      if (all.kind.empty())
        for (int k = 0; k <= static_cast<int>(scan::SiteKind::config_read); ++k)
          all.kind.push_back(static_cast<scan::SiteKind>(k));
      for (size_t i : selector.sites(all)) {
        sites.push_back(i);
        if (out.use[i] == SiteUse::unbound || out.use[i] == SiteUse::minor)
          out.use[i] = SiteUse::ignored;
      }
    }
    out.ignored.push_back(std::move(sites));
  }
  mark_reached(scan, out);
  return out;
}

} // namespace gelint::decide
