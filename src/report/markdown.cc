// The document a project commits, docs/gelu-call-sites.md.

#include "decide/rule.h"
#include "report/fields.h"
#include "report/format.h"
#include "report/locate.h"
#include "report/markdown_notes.h"
#include "report/markup.h"
#include "report/writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gelint::report {
namespace {

const char* title_of(Command c) {
  switch (c) {
  case Command::audit: return "GELU call sites";
  case Command::scan: return "Activation sites";
  case Command::lint: return "What the checkpoints ask for";
  case Command::defaults: return "Slots and defaults";
  case Command::verify: return "Numerical verification";
  }
  return "";
}

std::string verdict_mark(decide::Verdict v) {
  std::string text(to_string(v));
  return v == decide::Verdict::match || v == decide::Verdict::absent ? text : "**" + text + "**";
}

class Markdown {
public:
  Markdown(const Report& report, const WriteOptions& options)
      : r_(report), locate_(report), notes_(options.previous) {}

  std::string write() {
    out_ += fmt::format("# {}\n\n", title_of(r_.command));
    out_ += fmt::format("<!-- Written by `gelint {}`. Notes between the markers survive; the rest is replaced. -->\n\n",
                        to_string(r_.command));
    out_ += notes_.block("top") + "\n";
    summary();
    if (r_.command == Command::audit) {
      decisions();
      inventory();
      tables();
      hazards();
      unparsed();
      unbound();
    } else if (r_.command == Command::scan) {
      section("Sites");
      sites(all_sites());
      tables();
      hazards();
      unparsed();
    } else if (r_.command == Command::verify) {
      verified();
    } else {
      models();
    }
    findings();
    legend();
    provenance();
    if (std::string rest = notes_.leftover(); !rest.empty())
      out_ += "\n## Notes whose section has gone\n\n" + rest;
    return std::move(out_);
  }

private:
  void section(std::string_view title) { out_ += fmt::format("## {}\n\n", title); }
  void head(std::initializer_list<std::string_view> titles) {
    out_ += fmt::format("| {} |\n|", fmt::join(titles, " | "));
    for (size_t i = 0; i < titles.size(); ++i)
      out_ += " --- |";
    out_ += "\n";
  }
  void row(std::initializer_list<std::string> cells) { out_ += fmt::format("| {} |\n", fmt::join(cells, " | ")); }
  std::string place(const scan::Place& p) const { return md_code(place_text(locate_(p.path), p.line, 0)); }

  void summary() {
    section("Summary");
    const Summary& s = r_.summary;
    if (r_.command == Command::audit) {
      head({"Verdict", "Rows"});
      for (auto [name, n] : {std::pair{"match", s.match}, {"mismatch", s.mismatch}, {"conflict", s.conflict},
                             {"unresolved", s.unresolved}, {"absent", s.absent}, {"unbound", s.unbound}})
        row({name, std::to_string(n)});
      row({"all", std::to_string(s.rows)});
      out_ += "\n";
    }
    if (r_.command == Command::scan || r_.command == Command::audit) {
      const scan::Ledger& l = r_.scan.ledger;
      out_ += fmt::format("{} in {} of {}, {} parsed. ", count(r_.scan.sites.size(), "site"), r_.scan.files_with_needles,
                          count(r_.scan.files_seen, "file"), count(r_.scan.units_parsed, "unit"));
      out_ += fmt::format("Of {} {} are in sites, {} in comments, {} in strings, {} in declarations, {} inactive, {} "
                          "unrelated, {} unparsed.\n\n",
                          count(l.needles, "needle"), l.sites, l.comments, l.strings, l.declarations, l.inactive,
                          l.unrelated, l.unparsed);
    }
    out_ += fmt::format("Findings: {}.\n\n", summary_findings(s));
    std::map<std::string, std::array<int, 3>> counts;
    for (const decide::Finding& f : r_.findings)
      ++counts[f.rule][f.waived ? 1 : f.in_baseline ? 2 : 0];
    if (counts.empty())
      return;
    head({"Rule", "What", "Open", "Waived", "In the baseline"});
    for (const auto& [id, n] : counts) {
      const decide::Rule* rule = decide::find_rule(id);
      row({id, rule ? md(rule->summary) : "", std::to_string(n[0]), std::to_string(n[1]), std::to_string(n[2])});
    }
    out_ += "\n";
  }

  void decisions() {
    section("Decisions");
    bool any = false;
    for (const decide::Row& r : r_.rows) {
      if (r.verdict == decide::Verdict::unbound)
        continue;
      if (!any)
        head({"Checkpoint", "Slot", "Asked by", "Required", "Implemented", "Verdict", "Max diff", "Site", "Reason"});
      any = true;
      std::string verdict = verdict_mark(r.verdict);
      if (!r.waiver.empty())
        verdict += fmt::format(" ({}: {})", r.waiver.front().expired ? "waiver expired" : "waived",
                               md(r.waiver.front().reason));
      std::string reason = md(r.reason);
      for (const decide::PortDivergence& p : r.ports)
        reason += fmt::format("; {} runs {}{}", md(p.port), formula::to_string(p.formula), p.expected ? " (known)" : "");
      for (const std::string& n : r.notes)
        reason += "; " + md(n);
      row({r.checkpoint.empty() ? md(r.model_type) : md_code(model_name(r.checkpoint)), md(r.slot.slot),
           md_code(asked_by(r.slot)), std::string(formula::to_string(r.required)),
           r.has_site ? std::string(formula::to_string(r.implemented)) : "", verdict,
           r.max_abs_diff > 0 ? fmt::format("{} at {:.3g}", number(r.max_abs_diff), r.max_abs_diff_at) : "",
           r.has_site ? place(r.site.place) : "", reason});
    }
    out_ += any ? "\n" : "None.\n\n";
    out_ += notes_.block("decisions") + "\n";
  }

  struct Entry {
    const scan::Site* site;
    std::vector<std::string> serves;
  };

  void sites(const std::vector<Entry>& entries) {
    if (entries.empty()) {
      out_ += "None.\n\n";
      return;
    }
    const bool serves = std::any_of(entries.begin(), entries.end(), [](const Entry& e) { return !e.serves.empty(); });
    if (serves)
      head({"Site", "Kind", "Symbol", "In", "Formula", "Known by", "Precision", "Backend", "Tier", "Serves"});
    else
      head({"Site", "Kind", "Symbol", "In", "Formula", "Known by", "Precision", "Backend", "Tier"});
    for (const Entry& e : entries) {
      const scan::Site& s = *e.site;
      std::string formula = md(formula_text(s));
      if (s.gating == formula::Gating::glu)
        formula += ", gated";
      if (!s.active)
        formula += ", inactive";
      std::vector<std::string> cells = {place(s.place), std::string(to_string(s.kind)), md_code(s.symbol),
                                        md_code(s.enclosing), formula, std::string(to_string(s.known_by)),
                                        std::string(formula::to_string(s.precision)), std::string(to_string(s.backend)),
                                        std::string(to_string(s.tier))};
      if (serves)
        cells.push_back(fmt::format("{}", fmt::join(e.serves, ", ")));
      out_ += fmt::format("| {} |\n", fmt::join(cells, " | "));
    }
    out_ += "\n";
  }

  std::vector<Entry> all_sites() const {
    std::vector<Entry> out;
    for (const scan::Site& s : r_.scan.sites)
      out.push_back({&s, {}});
    return out;
  }

  /// Bound sites by group, in the order of the rows; each site once a group.
  void inventory() {
    section("Inventory");
    std::vector<std::string> groups;
    std::map<std::string, std::vector<Entry>> by_group;
    for (const decide::Row& r : r_.rows) {
      if (!r.has_site || r.verdict == decide::Verdict::unbound)
        continue;
      std::string group = r.group.empty() ? "Other" : r.group;
      if (!by_group.contains(group))
        groups.push_back(group);
      std::vector<Entry>& entries = by_group[group];
      auto same = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.site->id == r.site.id; });
      if (same == entries.end())
        same = entries.insert(entries.end(), {&r.site, {}});
      std::string serves = md((r.model_type.empty() ? r.family : r.model_type) + " " + r.slot.slot);
      if (std::find(same->serves.begin(), same->serves.end(), serves) == same->serves.end())
        same->serves.push_back(serves);
    }
    if (groups.empty())
      out_ += "None.\n\n";
    for (const std::string& group : groups) {
      out_ += fmt::format("### {}\n\n", md(group));
      sites(by_group[group]);
      out_ += notes_.block("group-" + slug(group)) + "\n";
    }
  }

  void tables() {
    section("Name tables");
    if (r_.scan.tables.empty())
      out_ += "None.\n\n";
    for (const scan::NameTable& t : r_.scan.tables) {
      out_ += fmt::format("### {} at {}\n\n", md_code(t.symbol), place(t.place));
      if (!t.config_key.empty())
        out_ += fmt::format("Looks up the value of {}. ", md_code(t.config_key));
      if (!t.omitted_default.empty())
        out_ += fmt::format("An omitted key becomes {} ({}). ", md_code(t.omitted_default),
                            formula::to_string(t.omitted_formula));
      out_ += "A name in no entry: ";
      if (t.fallback_kind == scan::FallbackKind::silent)
        out_ += fmt::format("silently {}", formula::to_string(t.fallback));
      else
        out_ += t.fallback_kind == scan::FallbackKind::error ? "an error" : "no fallback was found";
      out_ += (t.fallback_place ? " (" + place(*t.fallback_place) + ")" : "") + ".\n\n";
      head({"Name", "Target", "Formula", "Place"});
      for (const scan::TableEntry& e : t.entries)
        row({md_code(e.name), md_code(e.target), std::string(formula::to_string(e.formula)), place(e.place)});
      out_ += "\n";
    }
  }

  void hazards() {
    section("Numerical hazards");
    bool any = false;
    // From the findings: a site lists the hazards of all that it calls, a finding stands where the code has them.
    for (const decide::Finding& f : r_.findings) {
      if (!f.rule.starts_with("GL4"))
        continue;
      if (!any)
        head({"Hazard", "Site", "Precision", "Detail"});
      any = true;
      auto s = std::find_if(r_.scan.sites.begin(), r_.scan.sites.end(), [&](const scan::Site& x) {
        return x.place.path == f.path && x.place.line == f.line && x.place.column == f.column;
      });
      row({f.rule, md_code(place_text(locate_(f.path), f.line, 0)),
           s == r_.scan.sites.end() ? "" : std::string(formula::to_string(s->precision)), md(f.message)});
    }
    out_ += any ? "\n" : "None.\n\n";
  }

  void unparsed() {
    section("Unparsed");
    const bool any = r_.scan.ledger.unparsed > 0 || !r_.scan.failures.empty();
    for (const scan::TuFailure& f : r_.scan.failures)
      out_ += fmt::format("- {} was not parsed: {}\n", md_code(locate_(f.path)), md(f.reason));
    for (const scan::Place& p : r_.scan.ledger.unparsed_at)
      out_ += fmt::format("- {}\n", md_code(place_text(locate_(p.path), p.line, p.column)));
    out_ += any ? "\n" : "None: every needle is accounted for.\n\n";
  }

  void unbound() {
    section("Unbound sites");
    std::vector<Entry> entries;
    for (const decide::Row& r : r_.rows)
      if (r.verdict == decide::Verdict::unbound)
        entries.push_back({&r.site, {}});
    sites(entries);
  }

  void models() {
    for (const hf::ModelReport& m : r_.models) {
      section(md(m.path.empty() ? m.model_type : m.path));
      out_ += fmt::format("{}, transformers {}{}.\n\n", m.model_type.empty() ? "no model_type" : md(m.model_type),
                          md(m.transformers), m.remote_code ? ", remote code" : "");
      if (m.slots.empty()) {
        out_ += "No slots.\n\n";
        continue;
      }
      head({"Slot", "Formula", "Source", "Key", "Declared", "Default", "Verdict", "Reader", "Reason"});
      for (const hf::Slot& s : m.slots)
        row({md(s.slot), std::string(formula::to_string(s.formula)), std::string(to_string(s.source)),
             md_code(s.config_path), md_code(s.declared.value_or("")), md_code(s.default_value.value_or("")),
             std::string(to_string(s.verdict)), md_code(place_text(s.reader.file, s.reader.line, 0)), md(s.reason)});
      out_ += "\n";
    }
  }

  void verified() {
    section("Rows");
    head({"Id", "Backend", "Type", "Inputs", "All", "Max diff", "At", "Max ULP", "Differing", "NaN", "Inf", "Verdict"});
    for (const VerifyRow& v : r_.verify_rows)
      row({md(v.id), md(v.backend), md(v.dtype), std::to_string(v.inputs), v.exhaustive ? "yes" : "no",
           number(v.max_abs_diff), fmt::format("{:.6g}", v.max_abs_diff_at), fmt::format("{:.4g}", v.max_ulp),
           std::to_string(v.differing), std::to_string(v.nan), std::to_string(v.inf), md(v.verdict)});
    out_ += "\n";
    if (!r_.impact.empty()) {
      section("Impact");
      head({"Id", "Model", "Layer", "Type", "Widths", "Output error", "Before down", "Rounding alone", "Not finite"});
      for (const ImpactRow& i : r_.impact)
        row({md(i.id), md(i.model), md_code(i.layer), md(i.dtype),
             fmt::format("{}x{}{}", i.hidden, i.intermediate, i.gated ? " gated" : ""), number(i.relative_error),
             number(i.activation_error), number(i.rounding_error), std::to_string(i.nan)});
      out_ += "\n";
    }
    if (!r_.cost.empty()) {
      section("Cost");
      head({"Id", "Backend", "Type", "Shape", "Runs", "Implemented ms", "Required ms", "Paired difference", "Null arm", "Verdict"});
      for (const CostRow& c : r_.cost)
        row({md(c.id), md(c.backend), md(c.dtype), md(c.shape), std::to_string(c.runs), fmt::format("{:.4g}", c.implemented_ms),
             fmt::format("{:.4g}", c.required_ms),
             fmt::format("{:+.3g} ({:+.3g} to {:+.3g}), {:+.1f} %", c.difference_ms, c.difference_low, c.difference_high,
                         c.difference_percent),
             fmt::format("{:+.3g} ({:+.3g} to {:+.3g})", c.null_ms, c.null_low, c.null_high), md(c.verdict)});
      out_ += "\n";
    }
  }

  void findings() {
    section("Findings");
    if (r_.findings.empty()) {
      out_ += "None.\n\n";
      return;
    }
    head({"Rule", "Level", "Place", "Message", "Waiver"});
    for (const decide::Finding& f : r_.findings)
      row({f.rule, std::string(to_string(f.level)), md_code(place_text(locate_(f.path), f.line, 0)), md(f.message),
           f.waived ? md(f.waiver_reason) : f.in_baseline ? "in the baseline" : ""});
    out_ += "\n";
  }

  void legend() {
    section("Legend");
    out_ += "- **required**: what the checkpoint asks for: the formula hard-coded by its reader, else the declared key "
            "that the reader reads, else the default of the config class.\n"
            "- **implemented**: what the code computes, found by evaluating it where that is possible.\n"
            "- **verdict**: match, mismatch, conflict (two answers), unresolved (no answer), absent (not in this "
            "checkpoint), unbound (no binding names the site).\n"
            "- **known by**: evaluated, rule (the body is elsewhere), name (weakest), none.\n"
            "- **tier**: ast (compile database), stub (virtual headers), lexical (tokens only).\n"
            "- **precision**: the type in which the formula is evaluated; `input` rounds after each operation.\n"
            "- **max diff**: largest absolute difference of the two formulas.\n\n";
  }

  void provenance() {
    section("Provenance");
    const Provenance& p = r_.provenance;
    auto item = [&](std::string_view name, const std::string& text) {
      if (!text.empty())
        out_ += fmt::format("- {}: {}\n", name, md(text));
    };
    item("gelint", p.commit.empty() ? p.gelint : p.gelint + " (" + p.commit + ")");
    item("libclang", p.libclang);
    item("transformers tables", p.transformers);
    item("codebase", p.codebase + (p.codebase_commit.empty() ? "" : " at " + p.codebase_commit));
    for (const std::string& i : p.inventories)
      item("inventory", i);
    for (const std::string& n : r_.scan.notes)
      item("scan", n);
  }

  const Report& r_;
  Locator locate_;
  Notes notes_;
  std::string out_;
};

std::string write_markdown(const Report& report, const WriteOptions& options) {
  return Markdown(report, options).write();
}

} // namespace

extern const Writer k_markdown;
const Writer k_markdown{"markdown", "the document a project commits; notes between markers survive", write_markdown};

} // namespace gelint::report
