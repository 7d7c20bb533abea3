// The terminal's format: one table per command, the findings, a summary.

#include "report/fields.h"
#include "report/format.h"
#include "report/lint_text.h"
#include "report/locate.h"
#include "report/table.h"
#include "report/writer.h"
#include "support/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gelint::report {
namespace {

Ink colour_of(decide::Verdict v) {
  switch (v) {
  case decide::Verdict::match: return Ink::green;
  case decide::Verdict::mismatch: return Ink::red;
  case decide::Verdict::absent: return Ink::dim;
  default: return Ink::yellow;
  }
}

Ink colour_of(decide::Level l) {
  return l == decide::Level::error ? Ink::red : l == decide::Level::warning ? Ink::yellow : Ink::dim;
}

Cell cell(std::string_view text, Ink colour = Ink::none) { return {legible(text), colour}; }

class TextWriter {
public:
  TextWriter(const Report& report, const WriteOptions& options)
      : r_(report), o_(options), locate_(report), sources_(locate_, options.source_root) {}

  std::string write() {
    if (!r_.quiet) {
      switch (r_.command) {
      case Command::audit: audit(); break;
      case Command::scan: scan(); break;
      case Command::lint:
      case Command::defaults: models(); break;
      case Command::verify: verify(); break;
      }
    }
    findings();
    if (!r_.quiet)
      summary();
    return std::move(out_);
  }

private:
  void blank() {
    if (!out_.empty() && !out_.ends_with("\n\n"))
      out_ += "\n";
  }

  void audit() {
    Table table({{"VERDICT"}, {"CHECKPOINT", Cut::end, false, 14}, {"SLOT"}, {"ASKED BY", Cut::end, false, 12, true},
                 {"REQUIRED"}, {"IMPLEMENTED"}, {"MAX DIFF", Cut::end, true}, {"SITE", Cut::begin, false, 26}, {"HAZARD"}});
    for (const decide::Row& row : r_.rows) {
      // Unbound sites are findings of their own; an engine can have hundreds.
      if (!r_.show_all && (row.verdict == decide::Verdict::match || row.verdict == decide::Verdict::absent ||
                           row.verdict == decide::Verdict::unbound))
        continue;
      std::string verdict(to_string(row.verdict));
      if (!row.waiver.empty() && !row.waiver.front().expired)
        verdict += " (waived)";
      std::string model = row.checkpoint.empty() ? row.model_type : model_name(row.checkpoint);
      std::string site = row.has_site ? place_text(locate_(row.site.place.path), row.site.place.line, 0) : "";
      bool unbound = row.verdict == decide::Verdict::unbound;
      table.add({cell(verdict, colour_of(row.verdict)), cell(unbound ? "-" : model),
                 cell(unbound ? row.site.symbol : row.slot.slot), cell(unbound ? "-" : asked_by(row.slot)),
                 cell(unbound ? "-" : formula::to_string(row.required)),
                 cell(row.has_site ? formula::to_string(row.implemented) : "-"),
                 cell(row.max_abs_diff > 0 ? number(row.max_abs_diff) : ""), cell(site), cell(row.hazard)});
    }
    if (!table.empty())
      out_ += table.text(o_.width, o_.colour);
    const Summary& n = r_.summary;
    if (!r_.show_all && n.match + n.absent + n.unbound > 0) {
      blank();
      out_ += fmt::format("not shown: {} (--all shows every row)\n",
                          listed({{n.match, "match"}, {n.absent, "absent"}, {n.unbound, "unbound"}}));
    }
    unparsed();
  }

  void scan() {
    Table table({{"PLACE", Cut::begin}, {"KIND"}, {"SYMBOL"}, {"FORMULA"}, {"KNOWN BY"}, {"PRECISION"}, {"BACKEND"},
                 {"TIER"}});
    for (const scan::Site& s : r_.scan.sites) {
      std::string formula = formula_text(s);
      if (s.gating == formula::Gating::glu)
        formula += " (glu)";
      if (!s.active)
        formula += " (inactive)";
      table.add({cell(place_text(locate_(s.place.path), s.place.line, s.place.column)), cell(to_string(s.kind)),
                 cell(s.symbol), cell(formula), cell(to_string(s.known_by)), cell(formula::to_string(s.precision)),
                 cell(to_string(s.backend)), cell(to_string(s.tier))});
    }
    if (!table.empty())
      out_ += table.text(o_.width, o_.colour);
    for (const scan::NameTable& t : r_.scan.tables) {
      blank();
      out_ += ink(fmt::format("name table {} at {}", printable(t.symbol),
                              printable(place_text(locate_(t.place.path), t.place.line, t.place.column))),
                  Ink::bold, o_.colour) + "\n";
      for (const scan::TableEntry& e : t.entries)
        out_ += fmt::format("  {} -> {} ({})\n", legible(e.name), legible(e.target), formula::to_string(e.formula));
      out_ += fmt::format("  any other name: {}\n",
                          t.fallback_kind == scan::FallbackKind::silent
                              ? fmt::format("silently {}", formula::to_string(t.fallback))
                          : t.fallback_kind == scan::FallbackKind::error ? "an error"
                                                                         : "no fallback was found");
    }
    blank();
    const scan::Ledger& l = r_.scan.ledger;
    out_ += wrap(fmt::format("ledger: {} = {} in sites + {} in comments + {} in strings + {} in declarations + "
                             "{} inactive + {} unrelated + {} unparsed",
                             count(l.needles, "needle"), l.sites, l.comments, l.strings, l.declarations, l.inactive, l.unrelated,
                             l.unparsed),
                 o_.width, 0);
    unparsed();
    for (const std::string& n : r_.scan.notes)
      out_ += wrap(legible(n), o_.width, 0);
  }

  void unparsed() {
    const scan::Ledger& l = r_.scan.ledger;
    // Where the rule ran, its findings name the same places.
    auto listed_below = [](const decide::Finding& f) { return f.rule == "GL001" && is_open(f); };
    if (l.unparsed == 0 || std::any_of(r_.findings.begin(), r_.findings.end(), listed_below))
      return;
    blank();
    out_ += count(l.unparsed, "needle") + " unparsed:\n";
    size_t shown = 0;
    for (const scan::Place& p : l.unparsed_at) {
      if (++shown > 20 && !r_.show_all) {
        out_ += fmt::format("  … and {} more (--all shows them)\n", l.unparsed_at.size() - 20);
        break;
      }
      out_ += "  " + printable(place_text(locate_(p.path), p.line, p.column)) + "\n";
    }
  }

  void models() {
    LintTextOptions options;
    options.colour = o_.colour;
    options.reasons = o_.full;
    options.width = o_.width;
    const auto findings = findings_by_model(r_);
    for (const hf::ModelReport& m : r_.models) {
      std::vector<decide::Finding> own;
      if (auto it = findings.find(m.path); it != findings.end())
        for (const decide::Finding* f : it->second) {
          if (!said(*f))
            own.push_back(*f);
          shown_.insert(f->fingerprint);
        }
      out_ += lint_text(m, own, options);
    }
  }

  bool said(const decide::Finding& f) const { return o_.faults_said && f.rule == "GL111"; }

  void verify() {
    Table table({{"VERDICT"}, {"ID"}, {"BACKEND"}, {"TYPE"}, {"INPUTS", Cut::end, true}, {"MAX DIFF", Cut::end, true},
                 {"AT", Cut::end, true}, {"MAX ULP", Cut::end, true}, {"DIFFERING", Cut::end, true},
                 {"NAN", Cut::end, true}, {"INF", Cut::end, true}});
    for (const VerifyRow& v : r_.verify_rows)
      table.add({cell(v.verdict), cell(v.id), cell(v.backend), cell(v.dtype),
                 cell(fmt::format("{}{}", v.inputs, v.exhaustive ? "" : " (not all)")), cell(number(v.max_abs_diff)),
                 cell(fmt::format("{:.6g}", v.max_abs_diff_at)), cell(fmt::format("{:.4g}", v.max_ulp)),
                 cell(fmt::format("{}", v.differing)), cell(fmt::format("{}", v.nan)), cell(fmt::format("{}", v.inf))});
    if (!table.empty())
      out_ += table.text(o_.width, o_.colour);
    for (const VerifyRow& v : r_.verify_rows)
      if (!v.reason.empty())
        out_ += wrap(fmt::format("{} {}: {}", printable(v.id), v.dtype, legible(v.reason)), o_.width, 2);
    impact();
    cost();
  }

  void impact() {
    if (r_.impact.empty())
      return;
    blank();
    Table table({{"IMPACT ON"}, {"LAYER"}, {"TYPE"}, {"WIDTHS", Cut::end, true}, {"OUTPUT ERROR", Cut::end, true},
                 {"BEFORE DOWN", Cut::end, true}, {"ROUNDING ALONE", Cut::end, true}, {"NOT FINITE", Cut::end, true}});
    for (const ImpactRow& i : r_.impact)
      table.add({cell(i.id), cell(i.layer), cell(i.dtype),
                 cell(fmt::format("{}x{}{}", i.hidden, i.intermediate, i.gated ? " gated" : "")),
                 cell(number(i.relative_error)), cell(number(i.activation_error)), cell(number(i.rounding_error)),
                 cell(fmt::format("{}", i.nan))});
    out_ += table.text(o_.width, o_.colour);
  }

  void cost() {
    if (r_.cost.empty())
      return;
    blank();
    Table table({{"COST OF"}, {"BACKEND"}, {"TYPE"}, {"SHAPE"}, {"RUNS", Cut::end, true}, {"IMPLEMENTED", Cut::end, true},
                 {"REQUIRED", Cut::end, true}, {"SWITCH"}});
    for (const CostRow& c : r_.cost)
      table.add({cell(c.id), cell(c.backend), cell(c.dtype), cell(c.shape), cell(fmt::format("{}", c.runs)),
                 cell(fmt::format("{:.4g} ms", c.implemented_ms)), cell(fmt::format("{:.4g} ms", c.required_ms)),
                 cell(c.verdict == "none" ? c.verdict : fmt::format("{:+.1f} %", c.difference_percent))});
    out_ += table.text(o_.width, o_.colour);
    for (const CostRow& c : r_.cost)
      out_ += wrap(fmt::format("{} {}: {}", printable(c.id), c.dtype, legible(c.reason)), o_.width, 2);
  }

  void findings() {
    bool first = true;
    for (const decide::Finding& f : r_.findings) {
      if (!is_open(f) || said(f) || shown_.contains(f.fingerprint))
        continue;
      if (first)
        blank();
      first = false;
      std::string place = printable(place_text(locate_(f.path), f.line, f.column));
      std::string head = place.empty() ? "" : ink(place, Ink::bold, o_.colour) + ": ";
      head += ink(to_string(f.level), colour_of(f.level), o_.colour);
      out_ += fmt::format("{}: {} [{}]\n", head, legible(f.message), f.rule);
      if (o_.full)
        source_line(f);
    }
  }

  void source_line(const decide::Finding& f) {
    std::string_view line = sources_.line(f.path, f.line);
    if (!line.empty()) {
      // The caret is set under the printable form, so that tabs and wide characters do not shift it.
      size_t begin = std::min(line.size(), static_cast<size_t>(std::max(f.column - 1, 0)));
      size_t end = f.end_column > f.column ? std::min(line.size(), static_cast<size_t>(f.end_column - 1)) : begin + 1;
      std::string number_text = fmt::format("{:>5}", f.line);
      out_ += ink(number_text + " | ", Ink::dim, o_.colour) + printable(line) + "\n";
      if (f.column > 0) {
        size_t marks = std::max<size_t>(1, display_width(printable(line.substr(begin, end - begin))));
        out_ += std::string(5, ' ') + " | " + std::string(display_width(printable(line.substr(0, begin))), ' ') +
                ink("^" + std::string(marks - 1, '~'), colour_of(f.level), o_.colour) + "\n";
      }
    }
    for (const decide::RelatedPlace& p : f.related)
      out_ += fmt::format("      = {}: {}\n", printable(place_text(locate_(p.path), p.line, p.column)),
                          printable(p.message));
  }

  void summary() {
    blank();
    std::string line;
    if (r_.command == Command::audit)
      line = summary_rows(r_.summary) + "; ";
    if (r_.command == Command::scan)
      line = count(r_.scan.sites.size(), "site") + "; ";
    Ink colour = r_.summary.errors > 0 ? Ink::red : r_.summary.warnings > 0 ? Ink::yellow : Ink::green;
    out_ += ink(line + summary_findings(r_.summary), colour, o_.colour) + "\n";
  }

  const Report& r_;
  const WriteOptions& o_;
  Locator locate_;
  SourceLines sources_;
  std::set<std::string> shown_; ///< fingerprints of findings that a model's part has printed
  std::string out_;
};

std::string write_text(const Report& report, const WriteOptions& options) {
  return TextWriter(report, options).write();
}

} // namespace

extern const Writer k_text;
const Writer k_text{"text", "tables and findings for the terminal", write_text};

} // namespace gelint::report
