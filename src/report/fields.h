#pragma once
// Every field of the JSON output, named and described once. An archive walks them: to write JSON, to read it back, and
// to generate the JSON Schema and its reference page.
//
//   template <class Ar> archive: ar(name, value, help) for each field, in output order.

#include "report/report.h"

#include <concepts>
#include <type_traits>

namespace gelint::report {

template <class S, class T> concept Is = std::same_as<std::remove_const_t<S>, T>;

/// Names of enumerators in JSON; the other enumerations use their to_string.
std::string_view to_string(Command c);
std::string_view hazard_rule(formula::HazardKind k); ///< "GL401" …
inline std::string_view enum_name(formula::HazardKind k) { return hazard_rule(k); }
std::string_view enum_name(scan::FallbackKind k);
template <class E> std::string_view enum_name(E e) { return to_string(e); }

/// Number of enumerators, which are 0 … n-1.
template <class E> inline constexpr int k_enum_count = 0;
template <> inline constexpr int k_enum_count<Command> = 5;
template <> inline constexpr int k_enum_count<formula::Formula> = static_cast<int>(formula::Formula::unknown) + 1;
template <> inline constexpr int k_enum_count<formula::Gating> = 2;
template <> inline constexpr int k_enum_count<formula::Precision> = static_cast<int>(formula::Precision::unknown) + 1;
template <> inline constexpr int k_enum_count<formula::HazardKind> = 5;
template <> inline constexpr int k_enum_count<scan::SiteKind> = 8;
template <> inline constexpr int k_enum_count<scan::KnownBy> = 4;
template <> inline constexpr int k_enum_count<scan::Tier> = 3;
template <> inline constexpr int k_enum_count<scan::Backend> = static_cast<int>(scan::Backend::unknown) + 1;
template <> inline constexpr int k_enum_count<scan::FallbackKind> = 3;
template <> inline constexpr int k_enum_count<hf::SlotSource> = 7;
template <> inline constexpr int k_enum_count<hf::SlotVerdict> = 5;
template <> inline constexpr int k_enum_count<decide::Verdict> = 6;
template <> inline constexpr int k_enum_count<decide::Level> = 3;

template <class Ar, Is<Provenance> S> void fields(Ar& a, S& s) {
  a("gelint", s.gelint, "version of gelint");
  a("commit", s.commit, "commit gelint was built from");
  a("libclang", s.libclang, "version of the libclang that was loaded; empty without the scanner");
  a("transformers", s.transformers, "version of the reference tables");
  a("codebase", s.codebase, "scanned tree, as given");
  a("codebase_commit", s.codebase_commit, "commit of the scanned tree; empty when unknown");
  a("inventories", s.inventories, "binding files");
}

template <class Ar, Is<scan::Place> S> void fields(Ar& a, S& s) {
  a("path", s.path, "file, relative to the scanned root");
  a("line", s.line, "1-based");
  a("column", s.column, "1-based, in UTF-8 bytes");
}

template <class Ar, Is<formula::Hazard> S> void fields(Ar& a, S& s) {
  a("rule", s.kind, "id of the hazard");
  a("detail", s.detail, "one sentence");
  a("threshold", s.threshold, "|x| from which it acts; 0 when it is not a threshold");
}

template <class Ar, Is<scan::Site> S> void fields(Ar& a, S& s) {
  a("id", s.id, "stable across moved lines and checkouts");
  a("path", s.place.path, "file, relative to the scanned root");
  a("line", s.place.line, "1-based");
  a("column", s.place.column, "1-based, in UTF-8 bytes");
  a("end_column", s.end_column, "one past the symbol, on the same line");
  a("kind", s.kind, "what the code does with the activation");
  a("symbol", s.symbol, "function, enumerator, string or kernel, as written");
  a("enclosing", s.enclosing, "qualified function, or class; empty at file level");
  a("formula", s.formula, "what the code computes");
  a("known_by", s.known_by, "how the formula is known, from strongest to weakest");
  a("deviation", s.deviation, "largest difference of an evaluated formula from the canonical one");
  a("nearest", s.nearest, "nearest canonical formula");
  a("distance", s.distance, "largest difference from the nearest formula");
  a("near_miss", s.near_miss, "true when a constant seems to be off");
  a("precision", s.precision, "type in which the formula is evaluated");
  a("backend", s.backend, "where the code runs");
  a("gating", s.gating, "glu when the activation multiplies a second branch");
  a("tier", s.tier, "how the code was read");
  a("active", s.active, "false in an inactive preprocessor branch");
  a("capability_only", s.capability_only, "true where an activation is named and nothing is computed");
  a("reachable", s.reachable, "formulas that a choice can lead to");
  a("config_key", s.config_key, "config_read: the key or flag");
  a("config_default", s.config_default, "config_read: the engine's own default, as written");
  a("expr", s.expr, "the lowered expression; empty when the code was not lowered");
  a("reason", s.reason, "why the formula is unknown, or the chain that leads to it");
  a("hazards", s.hazards, "numerical hazards of the expression");
  a("definition", s.definition, "where the callee, builder or kernel that computes is defined");
  a("callees", s.callees, "call chain from the site to the definition");
  a("claimed", s.claimed, "formula that the name, enumerator or comment claims");
  a("claimed_by", s.claimed_by, "the text that claims it");
  a("waived_rules", s.waived_rules, "rules of an inline waiver on this line");
}

template <class Ar, Is<scan::TableEntry> S> void fields(Ar& a, S& s) {
  a("name", s.name, "activation name");
  a("target", s.target, "enumerator, function or class it maps to");
  a("formula", s.formula, "what the target computes");
  a("place", s.place, "the entry");
}

template <class Ar, Is<scan::NameTable> S> void fields(Ar& a, S& s) {
  a("id", s.id, "stable id");
  a("symbol", s.symbol, "variable or function that is the table");
  a("enclosing", s.enclosing, "function around it");
  a("place", s.place, "the table");
  a("entries", s.entries, "its entries");
  a("fallback_kind", s.fallback_kind, "what happens for a name in no entry");
  a("fallback", s.fallback, "formula of a silent fallback");
  a("fallback_place", s.fallback_place, "the fallback");
  a("config_key", s.config_key, "key whose value is looked up");
  a("omitted_default", s.omitted_default, "what an omitted key becomes, as written");
  a("omitted_formula", s.omitted_formula, "what an omitted key computes");
  a("tier", s.tier, "how the code was read");
}

template <class Ar, Is<scan::InlineWaiver> S> void fields(Ar& a, S& s) {
  a("place", s.place, "the comment");
  a("rules", s.rules, "ids it waives");
  a("reason", s.reason, "why");
  a("applies_to_line", s.applies_to_line, "line it waives");
  a("used", s.used, "true when it waived a finding");
}

template <class Ar, Is<scan::TuFailure> S> void fields(Ar& a, S& s) {
  a("path", s.path, "translation unit");
  a("reason", s.reason, "why it was not parsed");
}

template <class Ar, Is<scan::Ledger> S> void fields(Ar& a, S& s) {
  a("needles", s.needles, "lexical hits; the sum of the classes below");
  a("sites", s.sites, "in a site");
  a("comments", s.comments, "in a comment");
  a("strings", s.strings, "in a string that is no site");
  a("declarations", s.declarations, "in a declaration");
  a("inactive", s.inactive, "in an inactive preprocessor branch");
  a("unrelated", s.unrelated, "read and found to be something else");
  a("unparsed", s.unparsed, "not accounted for");
  a("unparsed_at", s.unparsed_at, "places of the unparsed needles");
}

template <class Ar, Is<hf::Reader> S> void fields(Ar& a, S& s) {
  a("file", s.file, "file inside the package, or a public address");
  a("line", s.line, "1-based; 0 when unknown");
  a("version", s.version, "package and version");
}

template <class Ar, Is<hf::VersionedAnswer> S> void fields(Ar& a, S& s) {
  a("transformers", s.transformers, "first release of the tables with this answer");
  a("formula", s.formula, "formula");
  a("name", s.name, "activation name");
  a("config_path", s.config_path, "key that is read");
}

template <class Ar, Is<hf::PortAnswer> S> void fields(Ar& a, S& s) {
  a("port", s.port, "implementation and version");
  a("formula", s.formula, "what it runs");
  a("file", s.file, "file that shows it");
  a("line", s.line, "1-based");
  a("known_by", s.known_by, "evaluated or read");
  a("diverges", s.diverges, "true when it departs from the reference");
}

template <class Ar, Is<hf::Slot> S> void fields(Ar& a, S& s) {
  a("slot", s.slot, "place in the model, for example vision.mlp");
  a("component", s.component, "part of the model");
  a("model_type", s.model_type, "of the config that owns the slot");
  a("config_path", s.config_path, "key that the reader reads; empty when it reads none");
  a("declared", s.declared, "value in the file; JSON text when it is not a string; null when the key is not there");
  a("default", s.default_value, "default of the config class");
  a("name", s.name, "activation name that is evaluated; empty when hard-coded");
  a("formula", s.formula, "what the checkpoint asks for");
  a("source", s.source, "where the answer comes from");
  a("reader", s.reader, "code that reads the key or hard-codes the formula");
  a("default_reader", s.default_reader, "config class of the default");
  a("verdict", s.verdict, "ok, or why there is no single answer");
  a("reason", s.reason, "one sentence");
  a("gating", s.gating, "glu when the activation multiplies a second branch");
  a("modifiers", s.modifiers, "what is done around the formula");
  a("trained_with", s.trained_with, "curated fact, beside the reference");
  a("trained_with_source", s.trained_with_source, "its source");
  a("versions", s.versions, "the answers of the releases, oldest first, when they differ");
  a("ports", s.ports, "what other implementations of the model run");
  a("line", s.line, "of the key in the file; 0 when it is not there");
  a("column", s.column, "of the key");
}

template <class Ar, Is<decide::PortDivergence> S> void fields(Ar& a, S& s) {
  a("port", s.port, "implementation and version");
  a("formula", s.formula, "what it runs");
  a("file", s.file, "file that shows it");
  a("line", s.line, "1-based");
  a("expected", s.expected, "true when the inventory lists the divergence");
}

template <class Ar, Is<decide::RowWaiver> S> void fields(Ar& a, S& s) {
  a("reason", s.reason, "why");
  a("expires", s.expires, "ISO date, or empty");
  a("expired", s.expired, "true when the date has passed");
}

template <class Ar, Is<decide::RelatedPlace> S> void fields(Ar& a, S& s) {
  a("path", s.path, "file");
  a("line", s.line, "1-based");
  a("column", s.column, "1-based, in UTF-8 bytes");
  a("message", s.message, "what is there");
}

template <class Ar, Is<decide::Finding> S> void fields(Ar& a, S& s) {
  a("rule", s.rule, "id of the rule");
  a("level", s.level, "note, warning or error");
  a("message", s.message, "fault and mend, one line");
  a("path", s.path, "source file relative to the scanned root, or another file as given");
  a("line", s.line, "1-based; 0 when unknown");
  a("column", s.column, "1-based, in UTF-8 bytes; 0 when unknown");
  a("end_column", s.end_column, "one past the end, on the same line; 0 when unknown");
  a("model", s.model, "path of the model it is about, as in models; empty when about none");
  a("config_path", s.config_path, "key in the checkpoint's config");
  a("row", s.row, "id of the decision row");
  a("anchor", s.anchor, "what the fingerprint is made of beside rule and path");
  a("related", s.related, "other places that the message speaks of");
  a("waived", s.waived, "true when a waiver covers it");
  a("waiver_reason", s.waiver_reason, "its reason");
  a("in_baseline", s.in_baseline, "true when the baseline lists it");
  a("fingerprint", s.fingerprint, "stable across moved lines");
}

template <class Ar, Is<VerifyRow> S> void fields(Ar& a, S& s) {
  a("id", s.id, "decision row or formula pair");
  a("backend", s.backend, "cuda or cpu");
  a("dtype", s.dtype, "input type");
  a("inputs", s.inputs, "inputs evaluated");
  a("exhaustive", s.exhaustive, "true when they are all inputs of the type");
  a("max_abs_diff", s.max_abs_diff, "largest absolute difference from the reference");
  a("max_abs_diff_at", s.max_abs_diff_at, "input where it is met");
  a("max_ulp", s.max_ulp, "largest difference in units of the last place of the reference");
  a("max_ulp_at", s.max_ulp_at, "input where it is met");
  a("differing", s.differing, "outputs that are not the correctly rounded reference");
  a("nan", s.nan, "inputs where NaN was made or lost");
  a("inf", s.inf, "inputs where an infinity was made or lost");
  a("sign_faults", s.sign_faults, "outputs of the wrong sign");
  a("order_faults", s.order_faults, "neighbouring inputs whose outputs move against the formula");
  a("argmax", s.argmax, "input of the largest difference");
  a("verdict", s.verdict, "match, mismatch, indistinguishable, fault or not_run");
  a("reason", s.reason, "one sentence");
  a("seconds", s.seconds, "time spent: kernels on a GPU, wall time on a CPU");
  a("implemented", s.implemented, "what ran");
  a("required", s.required, "the formula it was held against");
  a("path", s.path, "precision path, expression or act2fn");
  a("tolerance", s.tolerance, "what was allowed, with its source");
  a("over", s.over, "inputs beyond the tolerance");
  a("against", s.against, "the required formula as the library of the checkpoint runs it");
  a("against_differing", s.against_differing, "outputs that differ from that");
  a("consistent_with", s.consistent_with, "formulas whose values rounding can explain");
}

template <class Ar, Is<ImpactRow> S> void fields(Ar& a, S& s) {
  a("id", s.id, "decision row or formula pair");
  a("model", s.model, "checkpoint, as given");
  a("layer", s.layer, "prefix of the layer's tensors");
  a("dtype", s.dtype, "type of the checkpoint's weights");
  a("implemented", s.implemented, "what ran as the implemented formula");
  a("required", s.required, "what ran as the required formula");
  a("gated", s.gated, "true when the activation multiplies a second projection");
  a("normed", s.normed, "true when the inputs were scaled by the layer's norm weights");
  a("hidden", s.hidden, "width of the layer's input and output");
  a("intermediate", s.intermediate, "width at the activation");
  a("inputs", s.inputs, "input vectors");
  a("relative_error", s.relative_error, "norm of the outputs' difference over the norm of the required output");
  a("activation_error", s.activation_error, "the same before the down projection");
  a("rounding_error", s.rounding_error, "relative error of the required formula against itself in double");
  a("max_abs_diff", s.max_abs_diff, "largest difference of two outputs");
  a("nan", s.nan, "outputs that are not finite with one of the formulas");
  a("seconds", s.seconds, "wall time");
}

template <class Ar, Is<CostRow> S> void fields(Ar& a, S& s) {
  a("id", s.id, "decision row or formula pair");
  a("backend", s.backend, "cuda or cpu");
  a("dtype", s.dtype, "input type");
  a("implemented", s.implemented, "what ran as the implemented formula");
  a("required", s.required, "what ran as the required formula");
  a("shape", s.shape, "of the tensor");
  a("elements", s.elements, "its elements");
  a("runs", s.runs, "runs of each arm");
  a("implemented_ms", s.implemented_ms, "median milliseconds of the implemented formula");
  a("required_ms", s.required_ms, "median milliseconds of the required formula");
  a("difference_ms", s.difference_ms, "median of required minus implemented, run by run");
  a("difference_low", s.difference_low, "least of these");
  a("difference_high", s.difference_high, "greatest of these");
  a("difference_percent", s.difference_percent, "difference_ms in percent of implemented_ms");
  a("null_ms", s.null_ms, "median of the implemented formula minus itself, run by run");
  a("null_low", s.null_low, "least of these");
  a("null_high", s.null_high, "greatest of these");
  a("verdict", s.verdict, "slower, faster, or none when the difference lies in the null arm's range");
  a("reason", s.reason, "one sentence");
}

template <class Ar, Is<Summary> S> void fields(Ar& a, S& s) {
  a("rows", s.rows, "decision rows");
  a("match", s.match, "rows that match");
  a("mismatch", s.mismatch, "rows whose code computes another formula");
  a("conflict", s.conflict, "rows with two answers");
  a("unresolved", s.unresolved, "rows without an answer");
  a("absent", s.absent, "rows whose part is not in the checkpoint");
  a("unbound", s.unbound, "sites without binding");
  a("errors", s.errors, "findings, neither waived nor in the baseline");
  a("warnings", s.warnings, "likewise");
  a("notes", s.notes, "likewise");
  a("waived", s.waived, "findings that a waiver covers");
  a("in_baseline", s.in_baseline, "findings that the baseline lists");
}

/// `slot` is the slot's name and `site` the whole site or null; the slot in full is `slot_detail`.
template <class Ar, Is<decide::Row> S> void fields(Ar& a, S& s) {
  a("id", s.id, "stable id of the row");
  a("group", s.group, "section of the document");
  a("family", s.family, "model family");
  a("model_type", s.model_type, "of the checkpoint");
  a("checkpoint", s.checkpoint, "path as listed; empty for a row decided on the class default alone");
  a("slot", s.slot.slot, "place in the model");
  a.site("site", s, "code that serves the slot; null when there is none");
  a("implemented", s.implemented, "what the code computes, after the engine's own parser");
  a("required", s.required, "what the checkpoint asks for");
  a("reason", s.reason, "one sentence with key, value or default, file and line, site and evidence");
  a("verdict", s.verdict, "outcome");
  a("max_abs_diff", s.max_abs_diff, "between the two formulas");
  a("max_abs_diff_at", s.max_abs_diff_at, "where");
  a("severity", s.severity, "none, low, medium or high: from the gap and the precision");
  a("hazard", s.hazard, "ids of numerical hazards, comma separated");
  a("ports", s.ports, "ports that depart from the reference");
  a.waiver("waiver", s, "waiver of the row, or null");
  a("notes", s.notes, "further remarks");
  a("slot_detail", s.slot, "the slot in full");
}

/// Without `findings`, which the document adds to each model from the report's own list.
template <class Ar, Is<hf::ModelReport> S> void fields(Ar& a, S& s) {
  a("path", s.path, "as given");
  a("config_file", s.config_file, "file that was read");
  a("model_type", s.model_type, "empty when missing");
  a("architecture", s.architecture, "architectures[0]");
  a("transformers", s.transformers, "version of the table that was used");
  a("written_by", s.written_by, "transformers_version of the file");
  a("remote_code", s.remote_code, "true when code outside the library decides");
  a("slots", s.slots, "what the checkpoint asks for");
}

/// The scan's own part of a document, beside sites.
template <class Ar, Is<scan::ScanResult> S> void fields(Ar& a, S& s) {
  a("root", s.root, "as given");
  a("compile_database", s.compile_database, "as found; empty: stub tier");
  a("files_seen", s.files_seen, "files looked at");
  a("files_with_needles", s.files_with_needles, "files with a needle");
  a("units_parsed", s.units_parsed, "translation units parsed");
  a("sites", s.sites, "every site");
  a("tables", s.tables, "tables from activation names to formulas");
  a("waivers", s.waivers, "inline waivers");
  a("failures", s.failures, "translation units that were not parsed");
  a("scan_notes", s.notes, "what was used and what was not");
  a("ledger", s.ledger, "account of every needle");
}

} // namespace gelint::report
