#include "decide/engine_parser.h"

#include "decide/call_graph.h"
#include "decide/reason.h"
#include "formula/names.h"
#include "support/glob.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::decide {
namespace {

/// `omitted: "@class_default"`: the converter loads the config through transformers.
constexpr std::string_view k_class_default = "@class_default";

std::string at(const scan::Place& p) { return decide::at(p.path, p.line); }

const scan::TableEntry* entry_of(const scan::NameTable& t, std::string_view name) {
  for (const scan::TableEntry& e : t.entries)
    if (e.name == name)
      return &e;
  return nullptr;
}

/// A value that the engine looks up as a name: JSON text of another type is none.
bool is_name(const std::string& v) {
  return v != "null" && v != "true" && v != "false" && !v.starts_with('{') && !v.starts_with('[') &&
         !v.empty() && !(v[0] >= '0' && v[0] <= '9') && v[0] != '-';
}

EngineAnswer look_up(const scan::NameTable& t, const std::string& name) {
  EngineAnswer a;
  if (const scan::TableEntry* e = entry_of(t, name)) {
    a.formula = e->formula;
    a.how = fmt::format("the engine's table {} maps '{}' to {} ({})", t.symbol, name,
                        e->target.empty() ? to_string(e->formula) : e->target, at(e->place));
    return a;
  }
  std::string where = at(t.fallback_place ? *t.fallback_place : t.place);
  switch (t.fallback_kind) {
  case scan::FallbackKind::silent:
    a.formula = t.fallback;
    a.how = fmt::format("the engine's table {} does not know '{}' and falls back in silence ({})",
                        t.symbol, name, where);
    break;
  case scan::FallbackKind::error:
    a.rejects = true;
    a.how = fmt::format("the engine's table {} does not know '{}' and the load fails ({})",
                        t.symbol, name, where);
    break;
  case scan::FallbackKind::none_found:
    a.how = fmt::format(
        "the engine's table {} does not know '{}' and what happens then was not found ({})",
        t.symbol, name, where);
    break;
  }
  return a;
}

/// What an omitted key becomes, as written: a name of the table, or a target of one of its entries.
EngineAnswer from_default(const scan::NameTable& t, std::string written, const std::string& by) {
  if (written.size() > 1 && (written.front() == '"' || written.front() == '\''))
    written = written.substr(1, written.size() - 2);
  EngineAnswer a;
  const scan::TableEntry* e = entry_of(t, written);
  auto last = [](std::string_view name) { return name_components(name).back(); };
  for (const scan::TableEntry& candidate : t.entries)
    if (!e && !candidate.target.empty() && last(candidate.target) == last(written))
      e = &candidate;
  if (e) {
    a.formula = e->formula;
    a.how = fmt::format(
        "the key is omitted, the engine then takes {} ({}), which is {} in its table {} ({})",
        written, by, e->target.empty() ? to_string(e->formula) : e->target, t.symbol, at(e->place));
    return a;
  }
  a = look_up(t, written);
  a.how = fmt::format("the key is omitted, the engine then takes '{}' ({}), and {}", written, by,
                      a.how);
  return a;
}

EngineAnswer omitted(const scan::NameTable& t, const Binding& b, const scan::Site& site) {
  if (b.omitted)
    return from_default(t, *b.omitted, "stated in the inventory");
  // The reader's own default comes before the table's: it never asks the table.
  if (!site.config_default.empty())
    return from_default(t, site.config_default, at(site.place));
  EngineAnswer a;
  if (t.omitted_formula != formula::Formula::unknown) {
    a.formula = t.omitted_formula;
    a.how = fmt::format("the key is omitted, the engine then takes {} ({})",
                        t.omitted_default.empty() ? std::string(to_string(t.omitted_formula))
                                                  : t.omitted_default,
                        at(t.place));
  } else if (!t.omitted_default.empty()) {
    a = from_default(t, t.omitted_default, at(t.place));
  } else if (t.fallback_kind == scan::FallbackKind::silent) {
    a.formula = t.fallback;
    a.how = fmt::format("the key is omitted, the engine's table {} then falls back in silence ({})",
                        t.symbol, at(t.fallback_place ? *t.fallback_place : t.place));
  } else {
    a.how = fmt::format(
        "the key is omitted and what the engine's table {} then takes was not found ({})", t.symbol,
        at(t.place));
  }
  return a;
}

/// The function that looks names up in the table: the one around it, or, for a table at file level,
/// the one that falls back after it.
std::string_view reader_of(const scan::ScanResult& scan, const scan::NameTable& t) {
  if (!t.enclosing.empty() || !t.fallback_place)
    return t.enclosing;
  for (const scan::Site& s : scan.sites)
    if (s.place.path == t.fallback_place->path && s.place.line == t.fallback_place->line &&
        !s.enclosing.empty())
      return outer_function(s.enclosing);
  return {};
}

} // namespace

bool is_config_driven(const scan::Site& site, const Binding& binding) {
  return !binding.table.empty() || site.reachable.size() > 1 ||
         site.kind == scan::SiteKind::config_read;
}

const scan::NameTable* table_of(const scan::ScanResult& scan, const scan::Site& site,
                                const Binding& binding) {
  for (const scan::NameTable& t : scan.tables)
    if (!binding.table.empty() &&
        (glob_name(binding.table, t.symbol) || glob_name(binding.table, reader_of(scan, t))))
      return &t;
  if (!binding.table.empty())
    return nullptr;
  for (const scan::NameTable& t : scan.tables) {
    std::string_view reader = reader_of(scan, t);
    auto named = [&](std::string_view function) {
      return !function.empty() && (reader == function || t.symbol == function);
    };
    bool chain = std::any_of(site.callees.begin(), site.callees.end(),
                             [&](const std::string& c) { return named(outer_function(c)); });
    if (chain || named(outer_function(site.enclosing)) ||
        (site.definition && *site.definition == t.place))
      return &t;
  }
  // A read of the very key that a table looks up, and of no other table's key.
  const scan::NameTable* by_key = nullptr;
  for (const scan::NameTable& t : scan.tables) {
    if (site.config_key.empty() || t.config_key != site.config_key)
      continue;
    if (by_key)
      return nullptr;
    by_key = &t;
  }
  return by_key;
}

std::string engine_path(const hf::Slot& slot, const scan::Site& site, const scan::NameTable* table,
                        const Binding& binding) {
  if (!binding.reads.empty())
    return binding.reads;
  // A table that the inventory names reads its own key; the site's may be a name inside the
  // engine's converted file.
  std::string key = table && !binding.table.empty() ? table->config_key
                    : !site.config_key.empty()      ? site.config_key
                    : table                         ? table->config_key
                                                    : "";
  if (key.find('.') != std::string::npos)
    return key;
  if (slot.config_path.empty()) {
    if (key.empty())
      return {};
    return slot.component.empty() || slot.component == "text" ? key
                                                              : slot.component + "_config." + key;
  }
  if (key.empty())
    return slot.config_path;
  size_t dot = slot.config_path.rfind('.');
  return dot == std::string::npos ? key : slot.config_path.substr(0, dot + 1) + key;
}

EngineAnswer engine_answer(const scan::ScanResult& scan, const scan::Site& site,
                           const Binding& binding, const hf::Slot& slot, const ConfigValue& value) {
  const scan::NameTable* table = table_of(scan, site, binding);
  EngineAnswer a;
  std::string path = engine_path(slot, site, table, binding);
  if (!table) {
    a.config_path = path;
    a.how = "the site chooses at run time and no name table is known for it";
    return a;
  }
  std::optional<std::string> found;
  if (!path.empty())
    found = value ? value(path) : path == slot.config_path ? slot.declared : std::nullopt;
  if ((!found || *found == "null") && binding.omitted == k_class_default && slot.default_value)
    a = from_default(*table, *slot.default_value, "the class default, which the converter takes");
  else if (!found || *found == "null")
    a = omitted(*table, binding, site);
  else if (!is_name(*found))
    a.how = fmt::format("{} holds {}, which is not a name", path, *found);
  else
    a = look_up(*table, *found);
  a.config_path = path;
  return a;
}

} // namespace gelint::decide
