#include "decide/waive.h"

#include "decide/decide.h"
#include "decide/rule.h"
#include "support/glob.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gelint::decide {

extern const Rule k_gl005;

namespace {

bool names(const std::vector<std::string>& rules, std::string_view rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

/// "T5" covers "T5/phi-2" and "T5#2"; a glob is taken as it stands.
bool row_fits(const std::string& glob, const std::string& row) {
  return glob_text(glob, row) || glob_text(glob, row.substr(0, row.find_first_of("/#~")));
}

bool covers(const InventoryWaiver& w, const Finding& f, const Row* row) {
  if (!names(w.rules, f.rule))
    return false;
  if (!w.row.empty() && (f.row.empty() || !row_fits(w.row, f.row)))
    return false;
  if (!w.path.empty() && !glob_path(w.path, f.path))
    return false;
  if (!w.checkpoint.empty()) {
    std::string path = row ? row->checkpoint : f.path;
    if (!glob_path(w.checkpoint, path) && !glob_text(w.checkpoint, checkpoint_name(path)))
      return false;
  }
  return w.slot.empty() || (row && glob_text(w.slot, row->slot.slot));
}

/// A finding about a whole function stands at its name; a waiver inside the function covers it,
/// too.
bool inside(const scan::InlineWaiver& w, const Finding& f, const scan::ScanResult& scan) {
  if (w.place.path != f.path || f.line <= 0 || w.applies_to_line < f.line)
    return false;
  bool at_definition = false;
  for (const scan::Site& s : scan.sites) {
    if (s.kind != scan::SiteKind::definition || s.place.path != f.path)
      continue;
    at_definition |= s.place.line == f.line;
    if (s.place.line > f.line && s.place.line <= w.applies_to_line)
      return false;
  }
  return at_definition;
}

std::string joined(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& s : list)
    out += (out.empty() ? "" : ", ") + s;
  return out;
}

} // namespace

bool expired(const InventoryWaiver& w, std::string_view today) {
  return !w.expires.empty() && !today.empty() && std::string_view(w.expires) < today;
}

void apply_waivers(std::vector<Finding>& findings, scan::ScanResult* scan,
                   const Inventory* inventory, std::vector<Row>* rows, std::string_view today,
                   const std::function<bool(std::string_view)>& ran) {
  std::map<std::string_view, Row*> by_id;
  if (rows)
    for (Row& r : *rows)
      by_id.emplace(r.id, &r);
  std::vector<bool> used(inventory ? inventory->waivers.size() : 0, false);
  for (Finding& f : findings) {
    if (f.rule == k_gl005.id)
      continue;
    auto it = by_id.find(f.row);
    Row* row = it == by_id.end() ? nullptr : it->second;
    RowWaiver taken;
    if (scan)
      for (scan::InlineWaiver& w : scan->waivers)
        if (names(w.rules, f.rule) &&
            ((w.place.path == f.path && w.applies_to_line == f.line) || inside(w, f, *scan))) {
          w.used = true;
          if (w.reason.empty() || f.waived)
            continue;
          f.waived = true;
          f.waiver_reason = w.reason;
          taken = {w.reason, "", false};
        }
    for (size_t i = 0; inventory && i < inventory->waivers.size(); ++i) {
      const InventoryWaiver& w = inventory->waivers[i];
      if (!covers(w, f, row))
        continue;
      used[i] = true;
      bool over = expired(w, today);
      if (!f.waived && !over) {
        f.waived = true;
        f.waiver_reason = w.reason;
      }
      if (taken.reason.empty())
        taken = {w.reason, w.expires, over};
    }
    if (row && f.rule == "GL201" && !taken.reason.empty())
      row->waiver = {taken};
  }
  auto all_ran = [&](const std::vector<std::string>& rules) {
    return std::all_of(rules.begin(), rules.end(), ran);
  };
  if (!ran(k_gl005.id))
    return;
  if (scan)
    for (const scan::InlineWaiver& w : scan->waivers) {
      if (w.used || w.rules.empty() || !all_ran(w.rules))
        continue;
      Finding f = make_finding(
          k_gl005, fmt::format("the waiver of {} waives nothing; remove it", joined(w.rules)));
      f.path = w.place.path;
      f.line = w.place.line;
      f.column = w.place.column;
      f.anchor = "unused|" + joined(w.rules) + '|' + w.reason;
      findings.push_back(std::move(f));
    }
  for (size_t i = 0; i < used.size(); ++i) {
    const InventoryWaiver& w = inventory->waivers[i];
    if (used[i] || !all_ran(w.rules))
      continue;
    Finding f = make_finding(k_gl005, fmt::format("the waiver of {} ({}) waives nothing; remove it",
                                                  joined(w.rules), w.reason));
    f.path = w.where.file;
    f.line = w.where.line;
    f.column = w.where.column;
    f.anchor = "unused|" + joined(w.rules) + '|' + w.reason;
    findings.push_back(std::move(f));
  }
}

} // namespace gelint::decide
