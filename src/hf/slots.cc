// One slot of one config: which formula, who says so, where.

#include "hf/resolver.h"
#include "hf/unresolved.h"

#include "formula/names.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::hf {
namespace {

constexpr int k_max_nesting = 12; // deeper than any composite class; guards a class that contains itself

using formula::Formula;

std::string place_text(const std::string& file, int line) {
  return line > 0 ? fmt::format("{}:{}", file, line) : file;
}

std::string layers_text(const SlotRecord& record) {
  for (const Condition& c : record.when)
    if (c.kind == Condition::Kind::expression)
      return "; where " + c.key;
  return {};
}

} // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text.substr(0, 120))
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  if (text.size() > 120) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80)
      out.pop_back(); // not in the middle of a character
    if (static_cast<unsigned char>(out.back()) >= 0xC0)
      out.pop_back();
    out += "…";
  }
  return out + '"';
}

std::string quoted(const Literal& l) { return l.kind == Literal::Kind::string ? quoted(l.text) : l.text; }

std::string suggestions(Tables& tables, Release r, std::string_view name) {
  auto lower = [](std::string_view s) {
    std::string out(s);
    for (char& c : out)
      if (c >= 'A' && c <= 'Z')
        c = static_cast<char>(c - 'A' + 'a');
    return out;
  };
  const std::string wanted = lower(name);
  std::vector<std::string> near;
  for (const std::string& n : tables.activation_names(r))
    if (n == wanted)
      return n; // only the case is wrong
  for (std::string_view n : formula::nearest_names(formula::NameSpace::act2fn, name, 4))
    if (edit_distance(name.substr(0, 200), n) <= std::max<size_t>(2, n.size() / 2) && near.size() < 3 &&
        tables.activation(n, r) && std::find(near.begin(), near.end(), n) == near.end())
      near.emplace_back(n);
  std::string out;
  for (size_t i = 0; i < near.size(); ++i)
    out += (i == 0 ? "" : i + 1 == near.size() ? " or " : ", ") + near[i];
  return out;
}

std::string Resolver::package(const ClassRecord* record) const {
  if (record && !record->package.empty())
    return record->package;
  if (record && record->remote)
    return record->source.empty() ? "remote code" : "remote code, " + record->source;
  return "transformers " + tables.releases()[static_cast<size_t>(release)];
}

void Resolver::issue(const char* rule, std::string message, Value at, std::string config_path, std::string slot) {
  if (quiet)
    return;
  Issue i;
  i.rule = rule;
  i.message = std::move(message);
  i.path = report.config_file;
  if (at) {
    checkpoint::Position p = at.key_position();
    i.line = p.line;
    i.column = p.column;
    i.end_column = at.key_end_column();
  }
  i.config_path = std::move(config_path);
  // Several slots may read one key: its fault is told once.
  const bool of_key = i.rule == "GL101" || i.rule == "GL102" || i.rule == "GL104";
  for (const Issue& old : report.issues)
    if (of_key && old.rule == i.rule && old.config_path == i.config_path && old.line == i.line && old.column == i.column)
      return;
  i.slot = std::move(slot);
  report.issues.push_back(std::move(i));
}

const std::string& Resolver::slot_level(const Slot& s) const {
  static const std::string none = "?";
  auto it = levels.find(s.slot);
  return it == levels.end() ? none : it->second;
}

void Resolver::place(Slot& slot, Value v) {
  if (quiet || !v)
    return;
  checkpoint::Position p = v.key_position();
  slot.line = p.line;
  slot.column = p.column;
}

std::string Resolver::slot_name(const ConfigView& view, const SlotRecord& record) {
  const std::string& local = record.local;
  std::string component = view.component;
  if (!record.component.empty())
    component = view.component.find('.') == std::string::npos || record.component == view.component
                    ? record.component
                    : view.component + '.' + record.component;
  // A composite class without a text_config is itself the decoder's config.
  if (component.empty() && view.record->modality == "multimodal" && !view.record->sub("text_config") && local == "mlp")
    component = "text";
  std::string name;
  if (component.empty())
    name = local;
  else if (local == record.component || local.starts_with(component + '.'))
    name = component;
  else
    name = component + '.' + local;
  if (local.starts_with(component + '.'))
    name = local;
  // Two slots of one name are told apart by what the table calls them.
  if (slot_names[name]++ > 0 && record.name != local && record.name.starts_with(local + ':')) {
    name = name.substr(0, name.size() - local.size()) + record.name;
    ++slot_names[name];
  }
  return name;
}

void Resolver::resolve_config(const ConfigView& view, int depth) {
  if (!view.record || depth > k_max_nesting)
    return;
  if (!quiet && !view.flat)
    level_classes[view.path] = view.record;
  for (const SlotRecord& record : view.record->slots)
    add_slot(view, record);
  for (const SubRecord& sub : view.record->subs)
    resolve_sub_config(view, sub, depth);
}

bool Resolver::add_slot(const ConfigView& view, const SlotRecord& record) {
  for (const Condition& c : record.when)
    if (holds(view, c) == 0)
      return false;
  Slot slot;
  slot.slot = slot_name(view, record);
  slot.component = view.component;
  if (!record.component.empty() || slot.component.empty())
    slot.component = slot.slot.substr(0, slot.slot.find('.'));
  slot.model_type = view.model_type;
  slot.reader = {record.file, record.line, package(view.record)};
  slot.gating = record.gating;
  slot.modifiers = record.modifiers;
  if (record.read.empty()) {
    slot.formula = record.formula;
    slot.source = SlotSource::hard_coded;
    slot.verdict = record.formula == Formula::unknown ? SlotVerdict::unresolved : SlotVerdict::ok;
    if (!quiet)
      slot.reason = fmt::format("{} hard-codes {} ({}){}", record.class_name.empty() ? "the reader" : record.class_name,
                                record.written.empty() ? std::string(to_string(record.formula)) : record.written,
                                place_text(record.file, record.line), layers_text(record));
  } else {
    KeyAnswer answer = lookup(view, record.read);
    evaluate(slot, record, answer);
  }
  check_gating(slot, view);
  levels[slot.slot] = view.path;
  modules[slot.slot] = record.class_name;
  report.slots.push_back(std::move(slot));
  return true;
}

void Resolver::evaluate(Slot& slot, const SlotRecord& record, const KeyAnswer& answer) {
  slot.config_path = answer.config_path;
  slot.source = answer.source;
  const ClassRecord* cls = answer.view ? answer.view->record : nullptr;
  if (answer.key && answer.key->has_default) {
    slot.default_value = answer.key->value.text;
    slot.default_reader = {cls->file, answer.key->line ? answer.key->line : cls->line, package(cls)};
  }
  place(slot, answer.value);
  const std::string by =
      fmt::format("{} ({})", record.class_name.empty() ? "the reader" : record.class_name,
                  place_text(record.file, record.line));
  Literal value = answer.literal;
  switch (answer.source) {
  case SlotSource::declared:
    slot.declared = std::string(answer.value.is(Kind::string) ? answer.value.string() : answer.value.text());
    break;
  case SlotSource::derived:
    if (answer.value)
      slot.declared = std::string(answer.value.is(Kind::string) ? answer.value.string() : answer.value.text());
    break;
  case SlotSource::class_default:
  case SlotSource::parent_override:
    break;
  default:
    if (record.fallback && !answer.sub_unreadable) {
      value = *record.fallback;
      slot.source = SlotSource::class_default;
      slot.default_value = value.text;
      slot.default_reader = slot.reader;
      break;
    }
    slot.source = answer.source == SlotSource::absent ? SlotSource::absent : SlotSource::unresolved;
    slot.verdict = slot.source == SlotSource::absent ? SlotVerdict::absent : SlotVerdict::unresolved;
    slot.reason = fmt::format("{} reads {}, which is not in the file and has no default", by, answer.config_path);
    return;
  }

  // Flags: a private table of the reader gives "true" and "false" a meaning.
  const bool flag = answer.source == SlotSource::declared && answer.value.is(Kind::boolean) && record.names.contains("true");
  if (value.kind == Literal::Kind::boolean && record.names.contains("true"))
    value.kind = Literal::Kind::string;
  if (flag) {
    value.kind = Literal::Kind::string;
    value.text = answer.value.text();
  } else if (answer.source == SlotSource::declared && !answer.value.is(Kind::string)) {
    const Kind kind = answer.value.kind();
    const bool none_is_fine = kind == Kind::null && (record.fallback || (answer.key && answer.key->value.kind == Literal::Kind::none));
    if (none_is_fine && record.fallback) {
      value = *record.fallback;
      slot.source = SlotSource::class_default;
      slot.default_value = value.text;
    } else {
      slot.verdict = SlotVerdict::error;
      Value inner = answer.value.find("type");
      std::string hint = inner.is(Kind::string) ? "; its type says " + quoted(inner.string()) : "";
      slot.reason = fmt::format("{} is {}: {} needs a string{}", answer.config_path,
                                kind == Kind::null ? "null" : "of type " + std::string(to_string(kind)), by, hint);
      std::string mend = kind == Kind::null ? "; remove the key to get the default" : "; write the name as a string";
      issue("GL102", slot.reason + (slot.default_value && kind == Kind::null ? mend + ' ' + quoted(*slot.default_value) : mend),
            answer.value, answer.config_path, slot.slot);
      return;
    }
  } else if (answer.source == SlotSource::declared) {
    value.kind = Literal::Kind::string;
    value.text = answer.value.string();
  }

  if (value.kind == Literal::Kind::none && record.fallback) {
    value = *record.fallback;
    slot.default_value = value.text;
    slot.default_reader = slot.reader;
  }
  if (value.kind != Literal::Kind::string) {
    slot.verdict = SlotVerdict::unresolved;
    slot.source = SlotSource::unresolved;
    slot.reason = fmt::format("{} reads {}, whose default in {} is {}: not a name", by, answer.config_path,
                              cls ? cls->name : "the class", value.text);
    return;
  }

  set_name(slot, record, value.text, answer);
  if (quiet)
    return;
  const std::string means = slot.formula == Formula::unknown ? std::string("unknown to ACT2FN")
                                                             : std::string(to_string(slot.formula));
  const std::string name = quoted(value.text);
  switch (slot.source) {
  case SlotSource::declared:
    slot.reason = fmt::format("{} is {}, read by {}: {}", answer.config_path, name, by, means);
    break;
  case SlotSource::derived:
    if (answer.derivation && answer.derivation->from == answer.derivation->key)
      slot.reason = fmt::format("{} is {}, which {} turns into {}, read by {}: {}", answer.config_path,
                                quoted(slot.declared.value_or("")), cls ? cls->name : "the class", name, by, means);
    else
      slot.reason = fmt::format("{} is made from {} = {}, read by {}: {}", record.read, answer.derived_from,
                                slot.declared ? quoted(*slot.declared) : "its default", by, means);
    break;
  case SlotSource::parent_override:
    slot.reason = fmt::format("{} is not in the file; {} builds the sub-config with {}, read by {}: {}",
                              answer.config_path,
                              answer.view && answer.view->parent && answer.view->parent->record
                                  ? answer.view->parent->record->name
                                  : "the parent",
                              name, by, means);
    break;
  default:
    slot.reason = fmt::format("{} is not in the file; the default of {} is {}{}, read by {}: {}",
                              answer.config_path, cls ? cls->name : "the class", name,
                              slot.default_reader.file.empty()
                                  ? ""
                                  : fmt::format(" ({})", place_text(slot.default_reader.file, slot.default_reader.line)),
                              by, means);
  }
  slot.reason += layers_text(record);

  if (answer.other) {
    const bool derived = answer.derivation != nullptr;
    slot.verdict = slot.verdict == SlotVerdict::error ? slot.verdict : SlotVerdict::conflict;
    std::string claim =
        derived ? fmt::format("{} is {} although {} gives {}", answer.config_path, name, answer.other_path, answer.other_text)
                : fmt::format("{} says {}, {} {}", answer.other_path, answer.other_text, answer.config_path,
                              answer.source == SlotSource::declared ? "says " + name : "is omitted, which means " + name);
    slot.reason = fmt::format("{}; {} is what {} gets: {}", claim, answer.config_path, by, means);
    issue("GL104", fmt::format("{}; {} wins: keep one of them", claim, answer.config_path),
          answer.value ? answer.value : answer.other, answer.config_path, slot.slot);
  }
}

void Resolver::set_name(Slot& slot, const SlotRecord& record, std::string_view name, const KeyAnswer& answer) {
  slot.name = name;
  slot.verdict = SlotVerdict::ok;
  if (!record.names.empty()) {
    auto it = record.names.find(slot.name);
    if (it != record.names.end()) {
      slot.formula = formula::formula_from_string(it->second).value_or(Formula::unknown);
      return;
    }
    std::string known;
    for (const auto& [n, f] : record.names)
      known += (known.empty() ? "" : ", ") + n;
    slot.verdict = SlotVerdict::error;
    issue("GL101", fmt::format("{} names {}, which the table of {} does not know: it knows {}", answer.config_path,
                               quoted(name), record.class_name, known),
          answer.value, answer.config_path, slot.slot);
    return;
  }
  if (std::find(names.begin(), names.end(), slot.name) == names.end())
    names.push_back(slot.name);
  if (const ActivationEntry* a = tables.activation(name, release)) {
    slot.formula = a->formula;
    return;
  }
  slot.verdict = SlotVerdict::error;
  if (quiet)
    return;
  const std::string& version = tables.releases()[static_cast<size_t>(release)];
  std::string message = fmt::format("{} names {}, which ACT2FN of transformers {} does not know",
                                    answer.config_path, quoted(name), version);
  if (auto since = tables.introduced(name))
    message += fmt::format(" (known in {})", tables.releases()[static_cast<size_t>(*since)]);
  if (std::string near = suggestions(tables, release, name); !near.empty())
    message += ": did you mean " + near + "? The look-up is exact";
  else
    message += ": write a name of ACT2FN; the look-up is exact";
  issue("GL101", message, answer.value, answer.config_path, slot.slot);
}

void Resolver::absent_slots(const ConfigView& view, const std::string& reason, SlotSource source) {
  auto add = [&](const std::string& name, const SlotRecord* record) {
    Slot slot;
    slot.slot = name;
    slot.component = view.component;
    slot.model_type = view.model_type;
    slot.source = source;
    slot.verdict = source == SlotSource::absent ? SlotVerdict::absent : SlotVerdict::unresolved;
    slot.reason = reason;
    if (record) {
      slot.gating = record->gating;
      slot.reader = {record->file, record->line, package(view.record)};
    } else {
      slot.config_path = view.path;
    }
    report.slots.push_back(std::move(slot));
  };
  // A tower named by a string may be of another class: only its place is known.
  if (view.record && source == SlotSource::absent)
    for (const SlotRecord& record : view.record->slots) {
      if (record.name.find(':') == std::string::npos)
        add(slot_name(view, record), &record);
    }
  else
    add(view.component.empty() ? "mlp" : view.component + ".mlp", nullptr);
}

const checkpoint::Tensors* Resolver::tensor_facts() {
  if (!tensors_read && !quiet) {
    tensors_read = true;
    if (!model.tensor_files.empty()) {
      auto t = checkpoint::read_tensors(model.tensor_files);
      if (!t)
        report.issues.push_back({"GL111", t.error().message, t.error().file, 0, 0, 0, "", ""});
      else if (!t->empty())
        tensors = std::make_shared<const checkpoint::Tensors>(std::move(*t));
    }
  }
  return tensors.get();
}

void Resolver::check_gating(Slot& slot, const ConfigView& view) {
  if (quiet || slot.slot.size() < 4 || slot.slot.substr(slot.slot.size() - 3) != "mlp")
    return;
  const checkpoint::Tensors* t = tensor_facts();
  if (!t || view.component.find('.') != std::string::npos)
    return;
  bool gate = false, plain = false, any = false;
  for (const auto& [name, shape] : t->shapes) {
    const bool vision = name.find("vision") != std::string::npos || name.find("visual") != std::string::npos;
    const bool audio = name.find("audio") != std::string::npos;
    const bool wanted = view.component == "vision" ? vision || view.path.empty()
                        : view.component == "audio" ? audio || view.path.empty()
                                                    : !vision && !audio;
    if (!wanted)
      continue;
    for (std::string_view part : {".gate_proj.", ".gate_up_proj.", ".wi_0.", ".w1.", ".Wi."})
      gate |= name.find(part) != std::string::npos;
    for (std::string_view part : {".fc1.", ".c_fc.", ".wi.", ".dense_h_to_4h.", ".intermediate.dense."})
      plain |= name.find(part) != std::string::npos;
    any = true;
  }
  if (!any || gate == plain) // nothing, or both: no answer
    return;
  formula::Gating seen = gate ? formula::Gating::glu : formula::Gating::none;
  if (seen == slot.gating)
    return;
  slot.gating = seen;
  slot.modifiers.push_back(gate ? "gated_by_tensors" : "ungated_by_tensors");
  slot.reason += gate ? "; the checkpoint's tensors hold a gate" : "; the checkpoint's tensors hold no gate";
}

} // namespace gelint::hf
