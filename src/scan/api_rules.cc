#include "scan/api_rules.h"

#include "support/embed.h"
#include "support/files.h"
#include "support/yaml_load.h"

#include <algorithm>
#include <fmt/format.h>
#include <xxhash.h>

namespace gelint::scan {

using formula::Formula;

namespace {

std::string text_of(const YAML::Node& n, const char* key) { return n[key] && n[key].IsScalar() ? n[key].as<std::string>() : std::string(); }

std::vector<std::string> list_of(const YAML::Node& n) {
  std::vector<std::string> out;
  if (n && n.IsSequence())
    for (const YAML::Node& x : n)
      out.push_back(x.as<std::string>());
  return out;
}

/// Of a rule file; `instructions` and `operations` are read by OpModels.
constexpr const char* k_sections[] = {"symbols", "operations", "instructions",  "capability_words", "handling_words",
                                      "flag_words", "message_calls", "config_calls"};

} // namespace

Status ApiRules::add(std::string_view yaml, const std::string& file) {
  Result<YAML::Node> loaded = load_yaml_map(yaml, file, "a rule file", "see rules/README.md");
  if (!loaded)
    return loaded.error();
  YAML::Node doc = *loaded;
  try {
    for (const auto& section : doc)
      if (const std::string name = section.first.Scalar(); std::find(std::begin(k_sections), std::end(k_sections), name) == std::end(k_sections))
        return yaml_error(file, section.first.Mark(), fmt::format("unknown section '{}'", name),
                          fmt::format("known sections: {}", fmt::join(k_sections, ", ")));
    for (const YAML::Node& s : doc["symbols"]) {
      ApiSymbol a;
      auto fail = [&](const std::string& what) { return Status(Error{what, file, s.Mark().line + 1, s.Mark().column + 1, "see rules/README.md"}); };
      if (!s.IsMap() || !s["name"])
        return fail("a symbol needs a name");
      std::string kind = text_of(s, "kind");
      a.kind = kind == "type" ? ApiKind::type : kind == "enumerator" ? ApiKind::enumerator : kind == "epilogue" ? ApiKind::epilogue : ApiKind::function;
      auto formula_of = [&](const std::string& t, Formula& out) {
        if (t == "other" || t == "unknown") {
          out = t == "other" ? Formula::other : Formula::unknown;
          return true;
        }
        auto f = formula::formula_from_string(t);
        out = f.value_or(Formula::unknown);
        return f.has_value();
      };
      if (!formula_of(text_of(s, "formula"), a.formula))
        return fail(fmt::format("there is no formula '{}'", text_of(s, "formula")));
      for (const YAML::Node& w : s["when"]) {
        ApiCondition c;
        c.argument = text_of(w, "argument");
        if (!formula_of(text_of(w, "formula"), c.formula))
          return fail(fmt::format("there is no formula '{}'", text_of(w, "formula")));
        a.when.push_back(std::move(c));
      }
      if (s["open_argument"])
        a.open_argument = s["open_argument"].as<int>();
      a.gating = text_of(s, "gating") == "glu" ? formula::Gating::glu : formula::Gating::none;
      std::string precision = text_of(s, "precision");
      for (auto p : {formula::Precision::f64, formula::Precision::f32, formula::Precision::input, formula::Precision::f16_table, formula::Precision::mixed})
        if (precision == formula::to_string(p))
          a.precision = p;
      a.backend = text_of(s, "backend");
      a.note = text_of(s, "note");
      a.source = text_of(s, "source");
      if (s["nearest"] && !formula_of(text_of(s, "nearest"), a.nearest))
        return fail(fmt::format("there is no formula '{}'", text_of(s, "nearest")));
      a.building_block = s["building_block"] && s["building_block"].as<bool>();
      std::vector<std::string> names = s["name"].IsSequence() ? list_of(s["name"]) : std::vector<std::string>{text_of(s, "name")};
      for (const std::string& n : names) {
        a.name = n;
        symbols_[n] = a;
      }
    }
    auto extend = [](std::vector<std::string>& to, const YAML::Node& from) {
      for (std::string& x : list_of(from))
        to.push_back(std::move(x));
    };
    extend(capability_words_, doc["capability_words"]);
    extend(handling_words_, doc["handling_words"]);
    extend(flag_words_, doc["flag_words"]);
    extend(message_calls_, doc["message_calls"]);
    extend(config_calls_, doc["config_calls"]);
  } catch (const YAML::Exception& e) {
    return yaml_error(file, e);
  }
  fingerprint_ = fmt::format("{:016x}", XXH3_64bits_withSeed(yaml.data(), yaml.size(), XXH3_64bits(fingerprint_.data(), fingerprint_.size())));
  return Status();
}

Result<ApiRules> ApiRules::load(const std::vector<std::string>& extra) {
  ApiRules r;
  for (const EmbeddedFile& f : embedded_files("rules/"))
    if (f.path.ends_with(".yaml"))
      if (Status s = r.add(f.data, std::string(f.path)); !s)
        return s.error();
  for (const std::string& path : extra) {
    auto text = read_file(path);
    if (!text)
      return text.error();
    if (Status s = r.add(*text, path); !s)
      return s.error();
  }
  return r;
}

const ApiSymbol* ApiRules::find(std::string_view q) const {
  while (!q.empty()) {
    auto it = symbols_.find(q);
    if (it != symbols_.end())
      return &it->second;
    size_t colon = q.find("::");
    if (colon == std::string_view::npos)
      break;
    q.remove_prefix(colon + 2);
  }
  return nullptr;
}

bool ApiRules::is_message_call(std::string_view callee) const {
  return std::any_of(message_calls_.begin(), message_calls_.end(), [&](const std::string& w) {
    return w.ends_with('*') ? callee.starts_with(std::string_view(w).substr(0, w.size() - 1)) : callee == w;
  });
}

bool ApiRules::is_config_call(std::string_view callee) const {
  return std::any_of(config_calls_.begin(), config_calls_.end(), [&](const std::string& w) {
    return w.ends_with('*') ? callee.starts_with(std::string_view(w).substr(0, w.size() - 1)) : callee == w;
  });
}

} // namespace gelint::scan
