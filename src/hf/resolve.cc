#include "hf/resolve.h"

#include "hf/after.h"
#include "hf/foreign.h"
#include "hf/python_code.h"
#include "hf/releases.h"
#include "hf/resolver.h"
#include "hf/unresolved.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gelint::hf {
namespace {

Release choose_release(Tables& tables, const checkpoint::Model& model, const ResolveOptions& options,
                       ModelReport& report) {
  std::string wanted = options.transformers;
  if (wanted == "auto") {
    wanted = report.written_by;
    if (wanted.empty() && model.config)
      report.notes.push_back("the file has no transformers_version: the newest table is used");
  }
  bool exact = true;
  Release r = wanted.empty() ? 0 : tables.pick(wanted, exact);
  report.transformers = tables.releases()[static_cast<size_t>(r)];
  if (!exact) {
    const bool older = compare_releases(report.transformers, wanted) > 0;
    report.notes.push_back(fmt::format("transformers {} has no table: {} stands in, the {}", wanted, report.transformers,
                                       older ? "oldest there is" : "newest not above it"));
  }
  return r;
}

std::string nearest_type(Tables& tables, Release r, std::string_view type) {
  std::vector<std::pair<size_t, std::string>> near;
  for (std::string& t : tables.model_types(r))
    if (size_t d = edit_distance(type, t); d <= std::max<size_t>(2, type.size() / 3))
      near.emplace_back(d, std::move(t));
  std::sort(near.begin(), near.end());
  std::string out;
  for (size_t i = 0; i < near.size() && i < 3; ++i)
    out += (i ? ", " : "") + near[i].second;
  return out;
}

/// Overlay class of a remote family, by model_type, auto_map or architecture.
std::string remote_family(Tables& tables, Value root) {
  if (std::string f = tables.family("type", root.find("model_type").string()); !f.empty())
    return f;
  Value map = root.find("auto_map");
  for (Value v = map.is(Kind::object) ? map.first() : Value(); v; v = v.next()) {
    std::string_view target = v.is(Kind::array) ? v.first().string() : v.string();
    for (std::string_view name : {target, target.substr(target.rfind('.') + 1)})
      if (std::string f = tables.family("auto", name); !f.empty())
        return f;
  }
  Value architectures = root.find("architectures");
  for (Value v = architectures.is(Kind::array) ? architectures.first() : Value(); v; v = v.next())
    if (std::string f = tables.family("arch", v.string()); !f.empty())
      return f;
  return {};
}

struct RootChoice {
  const ClassRecord* record = nullptr;
  bool native = false;
};

/// Which class the config is of, with the findings about model_type and auto_map.
RootChoice choose_class(Resolver& r, Value root) {
  RootChoice c;
  Value type = root.find("model_type");
  const std::string_view name = type.string();
  if (type.is(Kind::string))
    c.record = r.type_record(name);
  c.native = c.record != nullptr;
  std::string family = c.native ? std::string() : remote_family(r.tables, root);
  if (!family.empty())
    c.record = r.class_record(family);
  Value map = root.find("auto_map");
  r.report.remote_code = map.is(Kind::object) || (c.record && !c.native);
  const std::string& version = r.report.transformers;

  if (!type) {
    r.issue("GL107", "model_type is missing: no class says which keys are read; write it (it is never guessed from the "
            "directory's name)", root, "model_type");
  } else if (!type.is(Kind::string)) {
    r.issue("GL107", "model_type holds " + std::string(to_string(type.kind())) + " where a string belongs", type,
            "model_type");
  } else if (!c.record && !map) {
    std::string message = fmt::format("model_type {} is unknown to transformers {}", quoted(name), version);
    for (size_t i = 0; i < r.tables.releases().size(); ++i)
      if (!r.tables.class_of_type(name, static_cast<Release>(i)).empty()) {
        message += fmt::format(" (known to {})", r.tables.releases()[i]);
        break;
      }
    if (std::string near = nearest_type(r.tables, r.release, name); !near.empty())
      message += "; near names: " + near;
    r.issue("GL107", message + "; its reader must be named by auto_map or by a table of the overlay", type, "model_type");
  }

  if (map.is(Kind::object)) {
    if (c.native) {
      r.issue("GL106", fmt::format("auto_map: with trust_remote_code the repository's own code decides; the slots shown "
                                   "are those of transformers' {}", c.record->name), map, "auto_map");
      r.report.issues.back().harmless = true;
    } else if (c.record) {
      r.issue("GL106", fmt::format("auto_map: the repository's code decides; the slots shown were read from {}: compare "
                                   "with its revision", c.record->source), map, "auto_map");
      r.report.issues.back().harmless = true;
    } else {
      r.issue("GL106", "auto_map: the repository's code decides, and it is not here: which keys it reads is not verified",
              map, "auto_map");
    }
  }
  return c;
}

void resolve_transformers(Resolver& r, const ResolveOptions& options) {
  Value root = r.model.config->root();
  RootChoice choice = choose_class(r, root);
  // The repository's own code, where it is here, tells more than a copy of it.
  if (!choice.native && root.find("auto_map").is(Kind::object) && !r.model.python_files.empty() &&
      resolve_from_python(r, root, choice.record)) {
    after_resolution(r, options);
    return;
  }
  if (!choice.record) {
    unresolved_keys(r, root);
    return;
  }
  ConfigView view;
  view.record = choice.record;
  view.node = root;
  view.model_type = r.report.model_type;
  view.component = root_component(*choice.record);
  r.resolve_config(view, 0);
  r.report_unread(view);
  after_resolution(r, options);
}

std::string said(Value v) { return v.is(Kind::string) ? quoted(v.string()) : quoted(v.text()); }

void duplicates(Resolver& r, Value node, const std::string& path, int depth) {
  for (Value v = node.first(); v; v = v.next()) {
    if (v.is(Kind::object) && depth < 6)
      duplicates(r, v, join_path(path, v.key()), depth + 1);
    else if (looks_like_activation_key(v.key()) && node.count(v.key()) > 1 && node.find(v.key()) == v) {
      Value first = node.first();
      while (first.key() != v.key())
        first = first.next();
      if (first.text() != v.text())
        r.issue("GL104", fmt::format("{} stands twice in one object, as {} and as {}; the last one counts: remove the other",
                                     join_path(path, v.key()), said(first), said(v)),
                first, join_path(path, v.key()));
    }
  }
}

} // namespace

ModelReport resolve_model(Tables& tables, const checkpoint::Model& model, const ResolveOptions& options) {
  Resolver r{tables, 0, model};
  ModelReport& report = r.report;
  report.path = model.path;
  report.config_file = model.config_file;
  for (const Error& e : model.errors)
    report.issues.push_back({"GL111", e.mend.empty() ? e.message : e.message + ": " + e.mend,
                             e.file.empty() ? model.path : e.file, e.line, e.column, 0, "", "", false});
  if (tables.releases().empty()) {
    report.notes.push_back("this build has no Hugging Face tables");
    return std::move(report);
  }
  if (model.config && model.kind != checkpoint::ModelKind::gguf) {
    Value root = model.config->root();
    report.model_type = root.find("model_type").string();
    report.written_by = root.find("transformers_version").string();
    report.architecture = root.find("architectures").first().string();
  }
  r.release = choose_release(tables, model, options, report);
  if (model.config && model.kind == checkpoint::ModelKind::transformers)
    duplicates(r, model.config->root(), "", 0);
  if (model.kind == checkpoint::ModelKind::transformers && model.config)
    resolve_transformers(r, options);
  else if (model.kind != checkpoint::ModelKind::unreadable)
    resolve_foreign(r, options);
  return std::move(report);
}

ModelReport resolve_model(const checkpoint::Model& model, const ResolveOptions& options) {
  return resolve_model(Tables::builtin(), model, options);
}

Result<ModelReport> defaults_of(Tables& tables, std::string_view model_type, std::string_view transformers) {
  const std::string type(model_type);
  checkpoint::Model m = checkpoint::model_from_text(nlohmann::json{{"model_type", type}}.dump(-1, ' ', false,
                                                        nlohmann::json::error_handler_t::replace),
                                                    type, type);
  ResolveOptions options;
  options.transformers = transformers;
  ModelReport report = resolve_model(tables, m, options);
  for (const Issue& i : report.issues)
    if (i.rule == "GL107" && i.config_path == "model_type")
      return Error{i.message, "", 0, 0, ""};
  std::erase_if(report.issues, [](const Issue& i) { return i.rule == "GL107" || i.rule == "GL106"; });
  for (Slot& s : report.slots)
    s.line = s.column = 0;
  return report;
}

Result<ModelReport> defaults_of(std::string_view model_type, std::string_view transformers) {
  return defaults_of(Tables::builtin(), model_type, transformers);
}

std::vector<std::string> table_versions() { return Tables::builtin().releases(); }

std::vector<std::string> model_types(std::string_view transformers) {
  Tables& t = Tables::builtin();
  bool exact = false;
  return t.model_types(transformers.empty() ? 0 : t.pick(transformers, exact));
}

} // namespace gelint::hf
