#include "decide/decide.h"

#include "decide/engine_parser.h"
#include "decide/reason.h"
#include "decide/severity.h"
#include "support/glob.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace gelint::decide {
namespace {

using formula::Formula;

bool known(Formula f) { return f != Formula::unknown; }

bool any_glob(const std::vector<std::string>& globs, std::string_view text) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& g) { return glob_text(g, text); });
}

bool listed(const std::vector<std::string>& list, std::string_view word) {
  return !word.empty() && std::find(list.begin(), list.end(), word) != list.end();
}

bool checkpoint_fits(const Binding& b, const std::string& path) {
  if (b.checkpoints.empty())
    return true;
  std::string name = checkpoint_name(path);
  return std::any_of(b.checkpoints.begin(), b.checkpoints.end(), [&](const std::string& g) {
    return glob_path(g, path) || glob_text(g, name);
  });
}

bool model_fits(const Binding& b, const hf::ModelReport& m, const hf::Slot& s) {
  return listed(b.model_types, s.model_type) || listed(b.model_types, m.model_type) ||
         any_glob(b.architectures, m.architecture);
}

std::string hazard_ids(const scan::Site& site) {
  std::set<std::string> ids;
  for (const formula::Hazard& h : site.hazards)
    ids.insert(fmt::format("GL40{}", static_cast<int>(h.kind) + 1));
  if (site.near_miss)
    ids.insert("GL406");
  std::string out;
  for (const std::string& id : ids)
    out += (out.empty() ? "" : ",") + id;
  return out;
}

class Join {
public:
  Join(const DecideInput& in) : in_(in) {}

  Decisions run() {
    out_.selection = select_sites(*in_.inventory, *in_.scan);
    for (const BindingState& state : out_.selection.bindings)
      binding(state);
    for (size_t i = 0; i < in_.scan->sites.size(); ++i)
      if (out_.selection.use[i] == SiteUse::unbound)
        unbound(in_.scan->sites[i]);
    return std::move(out_);
  }

private:
  void binding(const BindingState& state) {
    const Binding& b = *state.binding;
    size_t before = out_.rows.size();
    const std::vector<hf::ModelReport>& models = *in_.models;
    bool any_model = false;
    for (size_t m = 0; m < models.size(); ++m)
      if (checkpoint_fits(b, models[m].path))
        any_model |= slots_of(state, models[m], models[m].path, m);
    // A binding for named checkpoints says nothing about the class defaults.
    if (out_.rows.size() == before && !any_model && in_.class_defaults && b.checkpoints.empty())
      for (const std::string& type : b.model_types)
        if (const hf::ModelReport* defaults = in_.class_defaults(type))
          any_model |= slots_of(state, *defaults, "", npos);
    bool of_models = !b.model_types.empty() || !b.architectures.empty();
    bool wanted = !of_models || (in_.class_defaults && b.checkpoints.empty());
    if (out_.rows.size() == before && b.reference && wanted)
      contract(state);
    if (out_.rows.size() == before)
      out_.without_model.push_back(&b);
  }

  bool slots_of(const BindingState& state, const hf::ModelReport& m, const std::string& path,
                size_t index) {
    bool any = false;
    for (const hf::Slot& s : m.slots)
      if (model_fits(*state.binding, m, s) && any_glob(state.binding->slots, s.slot)) {
        slot_rows(state, m, s, path, index);
        any = true;
      }
    if (any || !state.binding->reference || !model_matches_alone(*state.binding, m))
      return any;
    // The reference states a formula for a slot that no Hugging Face code has.
    for (const std::string& name : state.binding->slots) {
      hf::Slot s;
      s.slot = name;
      s.component = name.substr(0, name.find('.'));
      s.model_type = m.model_type;
      slot_rows(state, m, s, path, index);
    }
    return true;
  }

  static bool model_matches_alone(const Binding& b, const hf::ModelReport& m) {
    return listed(b.model_types, m.model_type) || any_glob(b.architectures, m.architecture);
  }

  /// A row on the reference alone: what the engine's own operation promises, or a model that no
  /// table knows.
  void contract(const BindingState& state) {
    const Reference& r = *state.binding->reference;
    hf::ModelReport none;
    if (!state.binding->model_types.empty())
      none.model_type = state.binding->model_types.front();
    for (const std::string& name : state.binding->slots) {
      hf::Slot s;
      s.slot = name;
      s.component = name.substr(0, name.find('.'));
      s.formula = r.formula;
      s.source = hf::SlotSource::unresolved;
      slot_rows(state, none, s, "", npos);
    }
  }

  void slot_rows(const BindingState& state, const hf::ModelReport& m, const hf::Slot& s,
                 const std::string& path, size_t index) {
    if (state.sites.empty() || s.verdict == hf::SlotVerdict::absent ||
        s.source == hf::SlotSource::absent) {
      out_.rows.push_back(row_of(state, m, s, path, nullptr, 0, index));
      return;
    }
    int ordinal = 0;
    for (size_t i : state.sites)
      out_.rows.push_back(row_of(state, m, s, path, &in_.scan->sites[i], ordinal++, index));
  }

  Row row_of(const BindingState& state, const hf::ModelReport& m, const hf::Slot& s,
             const std::string& path, const scan::Site* site, int ordinal, size_t index) {
    const Binding& b = *state.binding;
    Row row;
    row.id = row_id(b, m, s, path, ordinal);
    row.group = b.group;
    const Family* f = in_.inventory->family(b.family);
    row.family = f ? f->name : b.family;
    row.model_type = s.model_type.empty() ? m.model_type : s.model_type;
    row.checkpoint = path;
    row.slot = s;
    row.notes = b.notes;
    row.has_site = site != nullptr;
    if (site)
      row.site = *site;
    row.required = s.formula;
    bool stated = false;
    if (b.reference &&
        (s.source == hf::SlotSource::unresolved || s.verdict == hf::SlotVerdict::unresolved)) {
      row.required = b.reference->formula;
      stated = true;
    }
    std::optional<EngineAnswer> engine;
    if (site) {
      row.hazard = hazard_ids(*site);
      row.implemented = site->formula;
      if (is_config_driven(*site, b)) {
        ConfigValue value;
        if (index != npos && in_.config_value)
          value = [&](std::string_view p) { return in_.config_value(index, p); };
        engine = engine_answer(*in_.scan, *site, b, s, value);
        // A site that chooses, but for which no parser was found, may still be known as it stands.
        if (!known(engine->formula) && !engine->rejects && known(site->formula) && b.table.empty())
          engine.reset();
        else
          row.implemented = engine->formula;
      }
    }
    judge(row, stated, engine ? &*engine : nullptr);
    ports(row, b);
    row.reason = reason_of(row, m, b, engine ? &*engine : nullptr);
    return row;
  }

  static void judge(Row& row, bool stated, const EngineAnswer* engine) {
    const hf::Slot& s = row.slot;
    if (s.verdict == hf::SlotVerdict::absent || s.source == hf::SlotSource::absent)
      row.verdict = Verdict::absent;
    else if (!row.has_site)
      row.verdict = Verdict::unresolved;
    else if (s.verdict == hf::SlotVerdict::conflict)
      row.verdict = Verdict::conflict;
    else if (!stated &&
             (s.verdict == hf::SlotVerdict::unresolved || s.verdict == hf::SlotVerdict::error))
      row.verdict = Verdict::unresolved;
    else if (!known(row.implemented) || !known(row.required) || (engine && engine->rejects))
      row.verdict = Verdict::unresolved;
    else
      row.verdict = row.implemented == row.required ? Verdict::match : Verdict::mismatch;

    row.severity = "none";
    if (!known(row.implemented) || !known(row.required) || row.implemented == row.required)
      return;
    if (row.implemented == Formula::other) {
      // Only the distance to the nearest formula was measured.
      row.max_abs_diff = row.site.distance;
      if (row.site.nearest != row.required && known(row.site.nearest))
        row.max_abs_diff =
            std::max(row.max_abs_diff, formula::gap(row.site.nearest, row.required).max_abs_diff);
    } else if (row.required != Formula::other) {
      formula::Gap g = formula::gap(row.implemented, row.required);
      row.max_abs_diff = g.max_abs_diff;
      row.max_abs_diff_at = g.at;
    }
    if (row.verdict == Verdict::mismatch)
      row.severity = severity_of(row.max_abs_diff, row.site.precision);
  }

  static void ports(Row& row, const Binding& b) {
    std::set<std::string> seen;
    auto name_of = [](const std::string& port) { return port.substr(0, port.find(' ')); };
    for (const hf::PortAnswer& p : row.slot.ports) {
      if (!known(p.formula) || p.formula == row.required)
        continue;
      PortDivergence d{p.port, p.formula, p.file, p.line, false};
      for (const ExpectedPort& e : b.ports)
        if (e.port == name_of(p.port) && (e.formula == p.formula || !known(e.formula)))
          d.expected = true;
      seen.insert(name_of(p.port));
      row.ports.push_back(std::move(d));
    }
    for (const ExpectedPort& e : b.ports)
      if (!seen.contains(e.port) && known(e.formula) && e.formula != row.required)
        row.ports.push_back({e.port, e.formula, "", 0, true});
  }

  std::string row_id(const Binding& b, const hf::ModelReport& m, const hf::Slot& s,
                     const std::string& path, int ordinal) {
    std::string id = b.id;
    if (!path.empty())
      id += '/' + checkpoint_name(path);
    else if (!m.model_type.empty() && b.model_types.size() > 1)
      id += '/' + m.model_type;
    bool several = b.slots.size() > 1 || b.slots.front().find_first_of("*?") != std::string::npos;
    if (several)
      id += '/' + s.slot;
    if (ordinal > 0)
      id += fmt::format("#{}", ordinal + 1);
    // Two checkpoints of one name, or two slots of one name in one model.
    int again = ++ids_[id];
    return again == 1 ? id : fmt::format("{}~{}", id, again);
  }

  void unbound(const scan::Site& site) {
    Row row;
    std::string id = "unbound/" + site.place.path + '/' +
                     (site.enclosing.empty() ? site.symbol : site.enclosing + '/' + site.symbol);
    int again = ++ids_[id];
    row.id = again == 1 ? id : fmt::format("{}#{}", id, again);
    row.has_site = true;
    row.site = site;
    row.implemented = site.formula;
    row.hazard = hazard_ids(site);
    row.verdict = Verdict::unbound;
    row.severity = "none";
    row.reason = site_clause(site, nullptr) + "; no binding of the inventory names it.";
    out_.rows.push_back(std::move(row));
  }

  static constexpr size_t npos = static_cast<size_t>(-1);
  const DecideInput& in_;
  Decisions out_;
  std::map<std::string, int> ids_;
};

} // namespace

std::string_view to_string(Verdict v) {
  switch (v) {
  case Verdict::match:
    return "match";
  case Verdict::mismatch:
    return "mismatch";
  case Verdict::conflict:
    return "conflict";
  case Verdict::unresolved:
    return "unresolved";
  case Verdict::absent:
    return "absent";
  case Verdict::unbound:
    return "unbound";
  }
  return "";
}

const Binding* binding_of(const Inventory& inventory, std::string_view row_id) {
  std::string_view id = row_id.substr(0, row_id.find_first_of("/#~"));
  for (const Binding& b : inventory.rows)
    if (b.id == id)
      return &b;
  return nullptr;
}

std::string checkpoint_name(std::string_view path) {
  for (std::string_view tail : {"/config.json", "/"})
    if (path.ends_with(tail) && path.size() > tail.size())
      path.remove_suffix(tail.size());
  while (path.ends_with('/'))
    path.remove_suffix(1);
  size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

void add_recorded_sites(scan::ScanResult& scan, const Inventory& inventory) {
  auto taken = [&](const std::vector<std::string>& states) {
    return inventory.state.empty() || states.empty() || listed(states, inventory.state);
  };
  for (const RecordedSite& r : inventory.recorded)
    if (taken(r.states))
      scan.sites.push_back(r.site);
  for (const RecordedTable& r : inventory.recorded_tables)
    if (taken(r.states))
      scan.tables.push_back(r.table);
  auto key = [](const scan::Site& s) {
    return std::tie(s.place.path, s.place.line, s.place.column, s.kind, s.symbol, s.enclosing);
  };
  std::stable_sort(scan.sites.begin(), scan.sites.end(),
                   [&](const scan::Site& a, const scan::Site& b) { return key(a) < key(b); });
}

Decisions decide(const DecideInput& input) { return Join(input).run(); }

} // namespace gelint::decide
