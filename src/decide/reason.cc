#include "decide/reason.h"

#include <fmt/format.h>

namespace gelint::decide {
namespace {

using formula::Formula;

std::string reader_text(const hf::Reader& r) {
  std::string out = at(r.file, r.line);
  if (out.empty())
    return r.version;
  return r.version.empty() ? out : r.version + ", " + out;
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

std::string key_place(const hf::Slot& s, const hf::ModelReport& m) {
  return s.line > 0 ? in_brackets(at(m.config_file, s.line)) : "";
}

std::string versions_text(const hf::Slot& s) {
  std::string out;
  for (const hf::VersionedAnswer& v : s.versions)
    out +=
        fmt::format("{}{} since transformers {}{}", out.empty() ? "" : ", ", to_string(v.formula),
                    v.transformers, v.config_path.empty() ? "" : " (reads " + v.config_path + ")");
  return out;
}

std::string asks(const hf::Slot& s) {
  if (s.name.empty() || s.name == to_string(s.formula))
    return fmt::format("asks for {}", to_string(s.formula));
  return fmt::format("asks for {}, which ACT2FN evaluates as {}", s.name, to_string(s.formula));
}

} // namespace

std::string at(const std::string& path, int line) {
  return line > 0 && !path.empty() ? fmt::format("{}:{}", path, line) : path;
}

std::string required_clause(const hf::Slot& s, const hf::ModelReport& m, const Binding& b) {
  std::string key = s.config_path.empty() ? s.slot : s.config_path;
  if (s.verdict == hf::SlotVerdict::conflict && !s.versions.empty())
    return fmt::format("{} is answered differently by library versions: {}", key, versions_text(s));
  if (s.verdict == hf::SlotVerdict::conflict)
    return s.reason.empty() ? key + " is answered in two ways" : s.reason;
  switch (s.source) {
  case hf::SlotSource::declared:
    return fmt::format("{} = {}{} {}", key, s.declared.value_or(s.name), key_place(s, m), asks(s));
  case hf::SlotSource::class_default: {
    std::string owner = s.model_type.empty() ? m.model_type : s.model_type;
    return fmt::format("{} is omitted, and the {} class default {}{} {}", key, owner,
                       s.default_value.value_or(s.name), in_brackets(reader_text(s.default_reader)),
                       asks(s));
  }
  case hf::SlotSource::hard_coded:
    return fmt::format("the code of {} hard-codes {}{}{}", s.slot, to_string(s.formula),
                       s.name.empty() ? "" : " as " + s.name, in_brackets(reader_text(s.reader)));
  case hf::SlotSource::derived:
  case hf::SlotSource::parent_override:
    if (s.reason.empty())
      return fmt::format("{} {}{}", key, asks(s), in_brackets(reader_text(s.reader)));
    return s.reason;
  case hf::SlotSource::absent:
    return s.reason.empty() ? fmt::format("the checkpoint has no {}", s.slot) : s.reason;
  case hf::SlotSource::unresolved:
    if (b.reference)
      return fmt::format("{} requires {} according to {}{}", s.slot,
                         to_string(b.reference->formula), b.reference->source,
                         b.reference->why.empty() ? "" : ": " + b.reference->why);
    return s.reason.empty() ? "nothing in the checkpoint or in transformers decides " + s.slot
                            : s.reason;
  }
  return {};
}

std::string site_clause(const scan::Site& s, const EngineAnswer* engine) {
  std::string where =
      fmt::format("{}{} ({})", s.symbol, s.enclosing.empty() ? "" : " in " + s.enclosing,
                  at(s.place.path, s.place.line));
  if (engine && engine->rejects)
    return fmt::format("{} chooses at run time: {}", where, engine->how);
  if (engine && engine->formula == Formula::unknown)
    return fmt::format("{} chooses at run time: {}", where, engine->how);
  if (engine)
    return fmt::format("{} chooses at run time: {}, which computes {}", where, engine->how,
                       to_string(engine->formula));
  std::string computes;
  if (s.formula == Formula::unknown)
    computes =
        fmt::format("computes what is not known{}", s.reason.empty() ? "" : " (" + s.reason + ")");
  else if (s.formula == Formula::other)
    computes = fmt::format("computes no formula of the vocabulary; the nearest is {}, {:.1e} away",
                           to_string(s.nearest), s.distance);
  else
    computes = fmt::format("computes {}", to_string(s.formula));
  std::string known;
  switch (s.known_by) {
  case scan::KnownBy::evaluated:
    known = "evaluated";
    break;
  case scan::KnownBy::rule:
    known = s.reason.empty() ? "by the rule for this API" : s.reason;
    break;
  case scan::KnownBy::name:
    known = "by its name only";
    break;
  case scan::KnownBy::none:
    break;
  }
  if (!known.empty() && s.definition && !(*s.definition == s.place))
    known += " at " + at(s.definition->path, s.definition->line);
  return where + ' ' + computes + in_brackets(known);
}

std::string reason_of(const Row& row, const hf::ModelReport& m, const Binding& b,
                      const EngineAnswer* engine) {
  std::string out = required_clause(row.slot, m, b);
  while (!out.empty() && out.back() == '.')
    out.pop_back();
  if (row.has_site)
    out += "; " + site_clause(row.site, engine);
  else if (row.verdict != Verdict::absent)
    out += "; no site in the code fits the binding";
  if (row.verdict == Verdict::mismatch && row.max_abs_diff > 0 && row.implemented != Formula::other)
    out += fmt::format("; they differ by up to {:.1e} at x = {:.2f}", row.max_abs_diff,
                       row.max_abs_diff_at);
  return out + '.';
}

} // namespace gelint::decide
