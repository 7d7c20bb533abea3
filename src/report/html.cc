// One HTML file without any reference to the network. All content is in the markup; the script only filters and opens.

#include "decide/rule.h"
#include "report/curve.h"
#include "report/fields.h"
#include "report/format.h"
#include "report/locate.h"
#include "report/markup.h"
#include "report/writer.h"
#include "support/embed.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <xxhash.h>

namespace gelint::report {
namespace {

std::string code(std::string_view text) { return text.empty() ? "" : "<code>" + xml(text) + "</code>"; }

/// A definition list that leaves out what is empty.
class Details {
public:
  void raw(std::string_view term, const std::string& html) {
    if (!html.empty())
      out_ += fmt::format("<dt>{}</dt><dd>{}</dd>", xml(term), html);
  }
  void text(std::string_view term, std::string_view value) { raw(term, xml(value)); }
  void code_text(std::string_view term, std::string_view value) { raw(term, code(value)); }
  std::string html() const { return out_.empty() ? "" : "<dl>" + out_ + "</dl>"; }

private:
  std::string out_;
};

/// Rank of a verdict or level: what is wrong first.
size_t weight(std::string_view kind) {
  constexpr std::string_view k_order[] = {"mismatch", "fault",   "error", "conflict", "unresolved",
                                          "warning",  "unbound", "note",  "match",    "absent"};
  return static_cast<size_t>(std::find(std::begin(k_order), std::end(k_order), kind) - std::begin(k_order));
}

std::vector<std::pair<std::string, size_t>> by_weight(const std::map<std::string, size_t>& kinds) {
  std::vector<std::pair<std::string, size_t>> out(kinds.begin(), kinds.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return weight(a.first) < weight(b.first); });
  return out;
}

class Html {
public:
  explicit Html(const Report& report) : r_(report), locate_(report) {}

  std::string write() {
    switch (r_.command) {
    case Command::audit:
      rows();
      name_tables();
      unparsed();
      break;
    case Command::scan:
      sites();
      name_tables();
      unparsed();
      break;
    case Command::lint:
    case Command::defaults: slots(); break;
    case Command::verify: verified(); break;
    }
    findings();
    provenance();
    return page();
  }

private:
  std::string page() {
    // The policy lets only this file's own script run. Its nonce depends on the content, so that no quoted text can
    // carry it.
    XXH128_hash_t hash = XXH3_128bits(body_.data(), body_.size());
    std::string nonce = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    std::string title = fmt::format("gelint {}", to_string(r_.command));
    std::string kinds;
    for (const auto& [k, n] : by_weight(kinds_))
      kinds += fmt::format("<label><input type=\"checkbox\" data-kind=\"{0}\" checked> <span class=\"{0}\">{0}</span> "
                           "<span class=\"muted\">{1}</span></label>\n", k, n);
    std::string summary = summary_findings(r_.summary);
    if (r_.command == Command::audit)
      summary = summary_rows(r_.summary) + "; " + summary;
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
                       "'nonce-{1}'; style-src 'nonce-{1}'\">\n"
                       "<title>{0}</title>\n<style nonce=\"{1}\">\n{2}{7}</style>\n</head>\n<body>\n<h1>{0}</h1>\n"
                       "<p id=\"summary\">{3}</p>\n<div class=\"bar\"><input type=\"search\" id=\"search\" "
                       "placeholder=\"Search\" aria-label=\"Search\">\n{4}<span id=\"shown\" class=\"muted\" "
                       "role=\"status\"></span></div>\n{5}<script nonce=\"{1}\">\n{6}</script>\n</body>\n</html>\n",
                       title, nonce, asset("report.css"), xml(summary), kinds, body_, asset("report.js"),
                       asset("curve.css"));
  }

  static std::string_view asset(const char* name) {
    return embedded_file(std::string("src/report/assets/") + name).value_or("");
  }

  /// The file in a checkpoint's folder that was read.
  std::string config_file_of(const std::string& checkpoint) const {
    for (const hf::ModelReport& m : r_.models)
      if (m.path == checkpoint)
        return m.config_file;
    return checkpoint;
  }

  std::string where(const scan::Place& p) const { return place_text(locate_(p.path), p.line, p.column); }

  void table(std::string_view title, std::initializer_list<const char*> heads) {
    body_ += fmt::format("<h2>{}</h2>\n<div class=\"scroll\"><table>\n<thead><tr>", title);
    for (const char* h : heads)
      body_ += fmt::format("<th>{}</th>", h);
    body_ += "</tr></thead>\n<tbody>\n";
    columns_ = heads.size();
  }
  void end_table() { body_ += "</tbody>\n</table></div>\n"; }

  /// A row of `kind`, whose first cell opens its details. Cells are HTML.
  void row(std::string_view kind, const std::vector<std::string>& cells, const std::string& details) {
    ++kinds_[std::string(kind)];
    const size_t n = ++rows_;
    body_ += fmt::format("<tr class=\"row\" id=\"r{0}\" data-kind=\"{1}\" data-detail=\"d{0}\">", n, kind);
    for (size_t i = 0; i < cells.size(); ++i)
      body_ += i == 0 && !details.empty()
                   ? fmt::format("<td><button class=\"open\" aria-expanded=\"false\" aria-controls=\"d{}\">{}</button>"
                                 "</td>", n, cells[i])
                   : "<td>" + cells[i] + "</td>";
    body_ += "</tr>\n";
    if (!details.empty())
      body_ += fmt::format("<tr class=\"detail\" id=\"d{}\" hidden><td colspan=\"{}\">{}</td></tr>\n", n, columns_, details);
  }

  static std::string kind_span(std::string_view kind) { return fmt::format("<span class=\"{0}\">{0}</span>", kind); }

  void site_details(Details& d, const scan::Site& s) const {
    d.code_text("site", where(s.place));
    d.code_text("symbol", s.symbol);
    d.code_text("in", s.enclosing);
    d.text("kind", to_string(s.kind));
    d.text("formula", formula_text(s));
    d.text("known by", to_string(s.known_by));
    if (s.definition)
      d.code_text("computed at", where(*s.definition));
    d.code_text("through", fmt::format("{}", fmt::join(s.callees, " → ")));
    d.text("evidence", s.reason);
    d.text("precision, backend, tier", fmt::format("{}, {}, {}", formula::to_string(s.precision), to_string(s.backend),
                                                   to_string(s.tier)));
    if (!s.claimed_by.empty())
      d.text("claims", fmt::format("{} by {}", formula::to_string(s.claimed), s.claimed_by));
    for (const formula::Hazard& h : s.hazards)
      d.text(hazard_rule(h.kind), h.detail);
    if (!s.expr.empty())
      d.raw("expression", "<pre>" + xml(s.expr) + "</pre>");
  }

  void slot_details(Details& d, const hf::Slot& s, const std::string& file) const {
    d.code_text("key", s.config_path);
    d.code_text("declared", s.declared.value_or(""));
    d.code_text("default", s.default_value.value_or(""));
    d.text("source", to_string(s.source));
    if (s.line > 0)
      d.code_text("in the file at", place_text(file, s.line, s.column));
    for (const auto& [term, reader] : {std::pair{"reader", &s.reader}, {"default from", &s.default_reader}})
      if (!reader->file.empty())
        d.raw(term, code(place_text(reader->file, reader->line, 0)) + " " + xml(reader->version));
    d.text("asked", s.reason);
    if (s.trained_with)
      d.text("trained with", fmt::format("{} ({})", formula::to_string(*s.trained_with), s.trained_with_source));
    for (const hf::VersionedAnswer& v : s.versions)
      d.text("since transformers " + v.transformers, formula::to_string(v.formula));
    for (const hf::PortAnswer& p : s.ports)
      d.raw(p.port, xml(formula::to_string(p.formula)) + (p.diverges ? ", which diverges, " : " ") +
                        code(place_text(p.file, p.line, 0)));
  }

  void rows() {
    table("Decisions", {"Verdict", "Checkpoint", "Slot", "Asked by", "Required", "Implemented", "Max diff", "Site"});
    // What is wrong comes first; in the order of the inventory within a verdict.
    std::vector<const decide::Row*> order;
    for (const decide::Row& r : r_.rows)
      order.push_back(&r);
    std::stable_sort(order.begin(), order.end(), [](const decide::Row* a, const decide::Row* b) {
      return weight(to_string(a->verdict)) < weight(to_string(b->verdict));
    });
    for (const decide::Row* at : order) {
      const decide::Row& r = *at;
      Details d;
      d.text("reason", r.reason);
      if (!r.waiver.empty())
        d.text(r.waiver.front().expired ? "expired waiver" : "waiver", r.waiver.front().reason);
      d.code_text("row", r.id);
      d.text("family", r.family);
      d.text("severity", r.severity);
      d.text("hazard", r.hazard);
      if (!r.slot.slot.empty())
        slot_details(d, r.slot, config_file_of(r.checkpoint));
      if (r.has_site)
        site_details(d, r.site);
      for (const decide::PortDivergence& p : r.ports)
        if (std::none_of(r.slot.ports.begin(), r.slot.ports.end(), [&](const hf::PortAnswer& a) { return a.port == p.port; }))
          d.raw(p.port + " diverges", xml(formula::to_string(p.formula)) + " " + code(place_text(p.file, p.line, 0)));
      for (const std::string& n : r.notes)
        d.text("note", n);
      bool unbound = r.verdict == decide::Verdict::unbound;
      row(to_string(r.verdict),
          {kind_span(to_string(r.verdict)), xml(r.checkpoint.empty() ? r.model_type : model_name(r.checkpoint)),
           xml(r.slot.slot), unbound ? "" : code(asked_by(r.slot)), unbound ? "" : xml(formula::to_string(r.required)),
           r.has_site ? xml(formula::to_string(r.implemented)) : "", r.max_abs_diff > 0 ? "<span class=\"number\">" + number(r.max_abs_diff) + "</span>" : "",
           r.has_site ? code(place_text(locate_(r.site.place.path), r.site.place.line, 0)) : ""},
          d.html() + curve_svg(r));
    }
    end_table();
  }

  void sites() {
    table("Sites", {"Formula", "Place", "Kind", "Symbol", "In", "Known by", "Tier"});
    for (const scan::Site& s : r_.scan.sites) {
      Details d;
      site_details(d, s);
      row(formula::to_string(s.formula),
          {xml(formula::to_string(s.formula)), code(where(s.place)), xml(to_string(s.kind)), code(s.symbol),
           code(s.enclosing), xml(to_string(s.known_by)), xml(to_string(s.tier))},
          d.html());
    }
    end_table();
  }

  void slots() {
    for (const hf::ModelReport& m : r_.models) {
      table(xml(m.path.empty() ? m.model_type : m.path), {"Slot", "Formula", "Source", "Key", "Declared", "Verdict"});
      for (const hf::Slot& s : m.slots) {
        Details d;
        slot_details(d, s, m.config_file);
        row(to_string(s.verdict),
            {xml(s.slot), xml(formula::to_string(s.formula)), xml(to_string(s.source)), code(s.config_path),
             code(s.declared.value_or("")), kind_span(to_string(s.verdict))},
            d.html());
      }
      end_table();
    }
  }

  void verified() {
    table("Verification", {"Verdict", "Id", "Backend", "Type", "Inputs", "Max diff", "At", "Max ULP", "Differing"});
    for (const VerifyRow& v : r_.verify_rows) {
      Details d;
      d.text("reason", v.reason);
      d.text("NaN, infinite", fmt::format("{}, {}", v.nan, v.inf));
      d.text("seconds", fmt::format("{:.3g}", v.seconds));
      row(xml(v.verdict),
          {xml(v.verdict), code(v.id), xml(v.backend), xml(v.dtype),
           fmt::format("{}{}", v.inputs, v.exhaustive ? "" : " (not all)"), number(v.max_abs_diff),
           fmt::format("{:.6g}", v.max_abs_diff_at), fmt::format("{:.4g}", v.max_ulp), std::to_string(v.differing)},
          d.html() + plot_svg(v));
    }
    end_table();
    if (!r_.impact.empty()) {
      table("Impact", {"Id", "Model", "Layer", "Type", "Widths", "Output error", "Before down", "Rounding alone", "Not finite"});
      for (const ImpactRow& i : r_.impact) {
        Details d;
        d.text("implemented", i.implemented);
        d.text("required", i.required);
        row("impact",
            {code(i.id), xml(i.model), code(i.layer), xml(i.dtype),
             fmt::format("{}x{}{}", i.hidden, i.intermediate, i.gated ? " gated" : ""), number(i.relative_error),
             number(i.activation_error), number(i.rounding_error), std::to_string(i.nan)},
            d.html());
      }
      end_table();
    }
    if (!r_.cost.empty()) {
      table("Cost", {"Id", "Backend", "Type", "Shape", "Implemented ms", "Required ms", "Paired difference", "Verdict"});
      for (const CostRow& c : r_.cost) {
        Details d;
        d.text("implemented", c.implemented);
        d.text("required", c.required);
        d.text("reason", c.reason);
        row("cost",
            {code(c.id), xml(c.backend), xml(c.dtype), xml(c.shape), fmt::format("{:.4g}", c.implemented_ms),
             fmt::format("{:.4g}", c.required_ms), fmt::format("{:+.1f} %", c.difference_percent), xml(c.verdict)},
            d.html());
      }
      end_table();
    }
  }

  void findings() {
    if (r_.findings.empty())
      return;
    table("Findings", {"Level", "Rule", "Place", "Message"});
    for (const decide::Finding& f : r_.findings) {
      const decide::Rule* rule = decide::find_rule(f.rule);
      Details d;
      if (rule)
        d.text("rule", rule->summary);
      d.code_text("key", f.config_path);
      for (const decide::RelatedPlace& p : f.related)
        d.raw(p.message, code(place_text(locate_(p.path), p.line, p.column)));
      if (f.waived)
        d.text("waived", f.waiver_reason);
      if (f.in_baseline)
        d.text("baseline", "listed");
      d.code_text("fingerprint", f.fingerprint);
      std::string level(to_string(f.level));
      row(level, {kind_span(level), xml(f.rule), code(place_text(locate_(f.path), f.line, f.column)), xml(f.message)},
          d.html());
    }
    end_table();
  }

  void name_tables() {
    for (const scan::NameTable& t : r_.scan.tables) {
      body_ += fmt::format("<h2>Name table {}</h2>\n<p class=\"muted\">{}</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>Name</th>"
                           "<th>Target</th><th>Formula</th></tr></thead>\n<tbody>\n", code(t.symbol), code(where(t.place)));
      for (const scan::TableEntry& e : t.entries)
        body_ += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", code(e.name), code(e.target),
                             formula::to_string(e.formula));
      if (t.fallback_kind == scan::FallbackKind::silent)
        body_ += fmt::format("<tr><td>any other name</td><td></td><td>{}, silently</td></tr>\n",
                             formula::to_string(t.fallback));
      end_table();
    }
  }

  void unparsed() {
    const scan::Ledger& l = r_.scan.ledger;
    body_ += fmt::format("<h2>Ledger</h2>\n<p>{} needles: {} in sites, {} in comments, {} in strings, {} in "
                         "declarations, {} inactive, {} unrelated, {} unparsed.</p>\n",
                         l.needles, l.sites, l.comments, l.strings, l.declarations, l.inactive, l.unrelated, l.unparsed);
    if (r_.scan.failures.empty() && l.unparsed_at.empty())
      return;
    body_ += "<ul>\n";
    for (const scan::TuFailure& f : r_.scan.failures)
      body_ += fmt::format("<li>{}: {}</li>\n", code(locate_(f.path)), xml(f.reason));
    for (const scan::Place& p : l.unparsed_at)
      body_ += fmt::format("<li>{}</li>\n", code(where(p)));
    body_ += "</ul>\n";
  }

  void provenance() {
    const Provenance& p = r_.provenance;
    Details d;
    d.text("gelint", p.gelint + (p.commit.empty() ? "" : " (" + p.commit + ")"));
    d.text("libclang", p.libclang);
    d.text("transformers tables", p.transformers);
    d.text("codebase", p.codebase + (p.codebase_commit.empty() ? "" : " at " + p.codebase_commit));
    d.text("inventories", fmt::format("{}", fmt::join(p.inventories, ", ")));
    body_ += "<h2>Provenance</h2>\n" + d.html() + "\n";
  }

  const Report& r_;
  Locator locate_;
  std::map<std::string, size_t> kinds_; ///< rows of each
  size_t rows_ = 0, columns_ = 0;
  std::string body_;
};

std::string write_html(const Report& report, const WriteOptions&) { return Html(report).write(); }

} // namespace

extern const Writer k_html;
const Writer k_html{"html", "one page with filter, search, evidence and curves", write_html};

} // namespace gelint::report
