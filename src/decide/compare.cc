#include "decide/compare.h"

#include "support/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gelint::decide {
namespace {

bool open(const Finding& f) { return !f.waived && !f.in_baseline; }
bool is_mismatch(const Row* r) { return r && r->verdict == Verdict::mismatch; }

bool differs(const Row& a, const Row& b) {
  return a.verdict != b.verdict || a.implemented != b.implemented || a.required != b.required ||
         a.hazard != b.hazard || a.slot.source != b.slot.source ||
         a.slot.declared != b.slot.declared || a.has_site != b.has_site ||
         a.site.place.path != b.site.place.path || a.site.symbol != b.site.symbol ||
         a.site.enclosing != b.site.enclosing;
}

std::string state(const Row* r) {
  if (!r)
    return "no row";
  if (r->verdict == Verdict::mismatch)
    return fmt::format("mismatch ({} for {})", to_string(r->implemented), to_string(r->required));
  return fmt::format("{} ({})", to_string(r->verdict), to_string(r->implemented));
}

/// Quoted text in Markdown: nothing of it can become markup.
std::string plain(const std::string& text, bool markdown) {
  std::string clean = printable(text);
  if (!markdown)
    return clean;
  std::string out;
  for (char c : clean) {
    if (std::string_view("\\`*_{}[]<>()#+-!|~&").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

void rows_part(std::string& out, const char* title, const std::vector<RowChange>& list, bool md) {
  if (list.empty())
    return;
  out += fmt::format("{}{} ({})\n{}", md ? "## " : "", title, list.size(), md ? "\n" : "");
  for (const RowChange& c : list) {
    const Row& r = c.after ? *c.after : *c.before;
    std::string place =
        r.has_site ? fmt::format("  {}:{}", r.site.place.path, r.site.place.line) : "";
    out += fmt::format("{} {}  {} -> {}{}\n", md ? "-" : " ", plain(r.id, md), state(c.before),
                       state(c.after), plain(place, md));
  }
  out += '\n';
}

void findings_part(std::string& out, const char* title, const std::vector<const Finding*>& list,
                   bool md) {
  if (list.empty())
    return;
  out += fmt::format("{}{} ({})\n{}", md ? "## " : "", title, list.size(), md ? "\n" : "");
  for (const Finding* f : list) {
    std::string place = f->path.empty() ? ""
                        : f->line > 0   ? fmt::format("{}:{}: ", f->path, f->line)
                                        : f->path + ": ";
    out += fmt::format("{} {}{} {} {}\n", md ? "-" : " ", plain(place, md), to_string(f->level),
                       f->rule, plain(f->message, md));
  }
  out += '\n';
}

} // namespace

bool Comparison::empty() const {
  return fixed.empty() && broken.empty() && changed.empty() && fixed_findings.empty() &&
         new_findings.empty();
}

Comparison compare(const std::vector<Row>& old_rows, const std::vector<Finding>& old_findings,
                   const std::vector<Row>& new_rows, const std::vector<Finding>& new_findings) {
  Comparison out;
  std::map<std::string_view, const Row*> before, after;
  for (const Row& r : old_rows)
    before.emplace(r.id, &r);
  for (const Row& r : new_rows)
    after.emplace(r.id, &r);
  auto sort_in = [&](const Row* b, const Row* a) {
    if (is_mismatch(b) && !is_mismatch(a))
      out.fixed.push_back({b, a});
    else if (!is_mismatch(b) && is_mismatch(a))
      out.broken.push_back({b, a});
    else if (!a || !b || differs(*b, *a))
      out.changed.push_back({b, a});
    else
      ++out.same;
  };
  for (const Row& r : new_rows) {
    auto it = before.find(r.id);
    sort_in(it == before.end() ? nullptr : it->second, &r);
  }
  for (const Row& r : old_rows)
    if (!after.contains(r.id))
      sort_in(&r, nullptr);

  std::set<std::string_view> had, has;
  for (const Finding& f : old_findings)
    if (open(f))
      had.insert(f.fingerprint);
  for (const Finding& f : new_findings)
    if (open(f)) {
      has.insert(f.fingerprint);
      if (!had.contains(f.fingerprint))
        out.new_findings.push_back(&f);
    }
  for (const Finding& f : old_findings)
    if (open(f) && !has.contains(f.fingerprint))
      out.fixed_findings.push_back(&f);
  return out;
}

std::string comparison_text(const Comparison& c, bool md) {
  std::string out;
  if (md)
    out += "# What changed\n\n";
  rows_part(out, "Fixed rows", c.fixed, md);
  rows_part(out, "New mismatches", c.broken, md);
  rows_part(out, "Changed rows", c.changed, md);
  findings_part(out, "Fixed findings", c.fixed_findings, md);
  findings_part(out, "New findings", c.new_findings, md);
  out += fmt::format("{} fixed, {} new, {} changed, {} rows the same; {} findings fixed, {} new\n",
                     c.fixed.size(), c.broken.size(), c.changed.size(), c.same,
                     c.fixed_findings.size(), c.new_findings.size());
  return out;
}

} // namespace gelint::decide
