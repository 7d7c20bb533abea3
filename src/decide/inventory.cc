#include "decide/inventory.h"

#include "decide/yaml_reader.h"
#include "support/embed.h"
#include "support/files.h"
#include "support/yaml_load.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace gelint::decide {
namespace {

constexpr std::string_view k_schema = "gelint-inventory/1";

template <class E> auto enum_parser(int count) {
  return [count](const std::string& word) -> std::optional<E> {
    for (int i = 0; i < count; ++i)
      if (scan::to_string(static_cast<E>(i)) == word)
        return static_cast<E>(i);
    return std::nullopt;
  };
}

template <class E> std::string enum_words(int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += (i ? ", " : "") + std::string(scan::to_string(static_cast<E>(i)));
  return out;
}

constexpr int k_kinds = static_cast<int>(scan::SiteKind::config_read) + 1;
constexpr int k_backends = static_cast<int>(scan::Backend::unknown) + 1;

std::optional<formula::Formula> parse_formula(const std::string& word) {
  return formula::formula_from_string(word);
}
constexpr std::string_view k_formula_words =
    "the formulas of the vocabulary: gelu_erf, gelu_tanh, gelu_quick, silu, relu, …";

Where where_of(const YamlMap& m) { return {m.file(), m.line(), m.column()}; }

bool is_iso_date(const std::string& s) {
  if (s.size() != 10 || s[4] != '-' || s[7] != '-')
    return false;
  for (size_t i = 0; i < s.size(); ++i)
    if (i != 4 && i != 7 && (s[i] < '0' || s[i] > '9'))
      return false;
  int month = std::stoi(s.substr(5, 2)), day = std::stoi(s.substr(8, 2));
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

class Loader {
public:
  Loader(Inventory& out, std::string file) : out_(out), file_(std::move(file)) {}

  void load(const YAML::Node& root) {
    YamlMap m(root, "inventory", file_, out_.faults);
    if (m.text("schema") != k_schema)
      m.fault_at("schema", "the schema is not " + std::string(k_schema),
                 "add `schema: gelint-inventory/1`");
    out_.engine = m.text("engine");
    out_.description = m.text("description");
    out_.source = m.text("source");
    out_.commit = m.text("commit");
    out_.state = m.text("state");
    for (const auto& n : m.maps("families"))
      family(n);
    for (const auto& n : m.maps("rows"))
      row(n);
    checkpoints(m);
    for (const auto& n : m.maps("waivers"))
      waiver(n);
    for (const auto& n : m.maps("ignore"))
      ignore(n);
    for (const auto& n : m.maps("recorded_sites"))
      recorded(n);
    for (const auto& n : m.maps("recorded_tables"))
      recorded_table(n);
    m.finish();
  }

private:
  YamlMap map(const YAML::Node& n, const char* what) {
    return YamlMap(n, what, file_, out_.faults);
  }

  void family(const YAML::Node& n) {
    YamlMap m = map(n, "family");
    Family f;
    f.where = where_of(m);
    f.id = m.required_text("id");
    f.name = m.text("name");
    if (f.name.empty())
      f.name = f.id;
    f.model_types = m.texts("model_types");
    f.architectures = m.texts("architectures");
    m.finish();
    if (m.ok() && f.model_types.empty() && f.architectures.empty())
      m.fault_at("model_types", "the family '" + f.id + "' names no model",
                 "add model_types or architectures");
    if (m.ok() && out_.family(f.id))
      m.fault_at("id", "the family '" + f.id + "' is defined twice", "rename one");
    if (m.ok())
      out_.families.push_back(std::move(f));
  }

  std::vector<SiteSelector> selectors(YamlMap& m, std::string_view key) {
    std::vector<SiteSelector> out;
    for (const auto& n : m.maps(key)) {
      YamlMap s = map(n, "site selector");
      SiteSelector sel;
      sel.where = where_of(s);
      sel.path = s.texts("path");
      sel.enclosing = s.texts("enclosing");
      sel.symbol = s.texts("symbol");
      sel.enumerator = s.texts("enumerator");
      sel.calls = s.texts("calls");
      sel.reached_from = s.texts("reached_from");
      sel.config_key = s.texts("config_key");
      sel.kind = s.words<scan::SiteKind>("kind", enum_parser<scan::SiteKind>(k_kinds),
                                         enum_words<scan::SiteKind>(k_kinds));
      sel.backend = s.words<scan::Backend>("backend", enum_parser<scan::Backend>(k_backends),
                                           enum_words<scan::Backend>(k_backends));
      if (std::string g = s.text("gating"); g == "glu" || g == "none")
        sel.gating = g == "glu" ? formula::Gating::glu : formula::Gating::none;
      else if (!g.empty())
        s.fault_at("gating", "'" + g + "' is not a gating", "glu or none");
      sel.inactive = s.flag("inactive");
      s.finish();
      bool any = !sel.path.empty() || !sel.enclosing.empty() || !sel.symbol.empty() ||
                 !sel.enumerator.empty() || !sel.calls.empty() || !sel.reached_from.empty() ||
                 !sel.config_key.empty();
      if (s.ok() && !any)
        s.fault(n.Mark(), "a site selector must say more than kind, backend and gating",
                "add path, enclosing, symbol, enumerator, calls, reached_from or config_key");
      if (s.ok())
        out.push_back(std::move(sel));
      else
        m.spoil();
    }
    return out;
  }

  void row(const YAML::Node& n) {
    YamlMap m = map(n, "row");
    Binding b;
    b.where = where_of(m);
    b.id = m.required_text("id");
    b.title = m.text("title");
    b.group = m.text("group");
    b.family = m.text("family");
    b.model_types = m.texts("model_types");
    b.architectures = m.texts("architectures");
    b.slots = m.texts("slots");
    b.sites = selectors(m, "sites");
    b.table = m.text("table");
    b.reads = m.text("reads");
    if (m.has("omitted"))
      b.omitted = m.text("omitted");
    else
      m.text("omitted");
    b.checkpoints = m.texts("checkpoints");
    b.notes = m.texts("notes");
    for (const auto& p : m.maps("ports"))
      port(m, b, p);
    for (const auto& r : m.maps("reference"))
      reference(m, b, r);
    m.finish();
    check_row(m, b);
    if (m.ok())
      out_.rows.push_back(std::move(b));
  }

  void check_row(YamlMap& m, Binding& b) {
    if (!m.ok())
      return;
    if (b.id.find_first_of("/ \t#~") != std::string::npos)
      m.fault_at("id", "a row id must not contain '/', '#', '~' or blanks");
    for (const Binding& other : out_.rows)
      if (other.id == b.id)
        m.fault_at(
            "id",
            fmt::format("the row id '{}' was used in line {} already", b.id, other.where.line),
            "row ids stay stable and are used once");
    if (!b.family.empty()) {
      const Family* f = out_.family(b.family);
      if (!f) {
        m.fault_at("family", "there is no family '" + b.family + "'",
                   "define it under families, above or in a file named earlier");
      } else if (b.model_types.empty() && b.architectures.empty()) {
        b.model_types = f->model_types;
        b.architectures = f->architectures;
      }
    }
    if (b.slots.empty())
      m.fault_at("slots", "the row '" + b.id + "' serves no slot",
                 "add slots, for example `slots: text.mlp`");
    if (b.model_types.empty() && b.architectures.empty() && !b.reference)
      m.fault_at("family", "the row '" + b.id + "' names no model",
                 "add family, model_types, architectures, or a reference");
    if (b.sites.empty())
      m.fault_at("sites", "the row '" + b.id + "' has no site selector", "add sites");
  }

  void port(YamlMap& row, Binding& b, const YAML::Node& n) {
    YamlMap m = map(n, "port");
    ExpectedPort p;
    p.port = m.required_text("port");
    for (formula::Formula f : m.words<formula::Formula>("formula", parse_formula, k_formula_words))
      p.formula = f;
    p.note = m.text("note");
    m.finish();
    if (m.ok())
      b.ports.push_back(std::move(p));
    else
      row.spoil();
  }

  void reference(YamlMap& row, Binding& b, const YAML::Node& n) {
    YamlMap m = map(n, "reference");
    Reference r;
    auto f = m.words<formula::Formula>("formula", parse_formula, k_formula_words);
    r.source = m.required_text("source");
    r.why = m.text("why");
    m.finish();
    if (m.ok() && f.empty())
      m.fault_at("formula", "a reference must state a formula", std::string(k_formula_words));
    if (!m.ok()) {
      row.spoil();
      return;
    }
    r.formula = f.front();
    b.reference = std::move(r);
  }

  void checkpoints(YamlMap& top) {
    YAML::Node list = top.node("checkpoints");
    if (!list || list.IsNull())
      return;
    if (!list.IsSequence()) {
      top.fault(list.Mark(), "'checkpoints' must be a list");
      return;
    }
    for (const auto& n : list) {
      CheckpointEntry c;
      c.where = {file_, n.Mark().line + 1, n.Mark().column + 1};
      if (n.IsScalar()) {
        c.path = n.Scalar();
      } else {
        YamlMap m = map(n, "checkpoint");
        c.path = m.required_text("path");
        c.note = m.text("note");
        m.finish();
        if (!m.ok())
          continue;
      }
      out_.checkpoints.push_back(std::move(c));
    }
  }

  void waiver(const YAML::Node& n) {
    YamlMap m = map(n, "waiver");
    InventoryWaiver w;
    w.where = where_of(m);
    w.rules = m.texts("rule");
    w.row = m.text("row");
    w.path = m.text("path");
    w.checkpoint = m.text("checkpoint");
    w.slot = m.text("slot");
    w.reason = m.required_text("reason");
    w.expires = m.text("expires");
    m.finish();
    if (m.ok() && w.rules.empty())
      m.fault_at("rule", "a waiver must name its rule", "for example `rule: GL201`");
    if (m.ok() && w.row.empty() && w.path.empty() && w.checkpoint.empty() && w.slot.empty())
      m.fault_at("rule", "a waiver of every place is not allowed",
                 "add row, path, checkpoint or slot");
    if (m.ok() && !w.expires.empty() && !is_iso_date(w.expires))
      m.fault_at("expires", "'" + w.expires + "' is not a date", "write YYYY-MM-DD");
    if (m.ok())
      out_.waivers.push_back(std::move(w));
  }

  void ignore(const YAML::Node& n) {
    YamlMap m = map(n, "ignore entry");
    IgnoredSites i;
    i.where = where_of(m);
    i.sites = selectors(m, "sites");
    i.reason = m.required_text("reason");
    m.finish();
    if (m.ok() && i.sites.empty())
      m.fault_at("sites", "an ignore entry must name sites", "add sites");
    if (m.ok())
      out_.ignored.push_back(std::move(i));
  }

  void recorded(const YAML::Node& n) {
    YamlMap m = map(n, "recorded site");
    RecordedSite r;
    r.where = where_of(m);
    scan::Site& s = r.site;
    s.place.path = m.required_text("path");
    s.place.line = m.number("line");
    s.symbol = m.required_text("symbol");
    s.enclosing = m.text("enclosing");
    auto f = m.words<formula::Formula>("formula", parse_formula, k_formula_words);
    for (scan::SiteKind k : m.words<scan::SiteKind>("kind", enum_parser<scan::SiteKind>(k_kinds),
                                                    enum_words<scan::SiteKind>(k_kinds)))
      s.kind = k;
    for (scan::Backend k : m.words<scan::Backend>("backend", enum_parser<scan::Backend>(k_backends),
                                                  enum_words<scan::Backend>(k_backends)))
      s.backend = k;
    constexpr int k_precisions = static_cast<int>(formula::Precision::unknown) + 1;
    auto precision = [](const std::string& word) -> std::optional<formula::Precision> {
      for (int i = 0; i < k_precisions; ++i)
        if (formula::to_string(static_cast<formula::Precision>(i)) == word)
          return static_cast<formula::Precision>(i);
      return std::nullopt;
    };
    for (formula::Precision p : m.words<formula::Precision>(
             "precision", precision, "f64, f32, input, f16_table, mixed, unknown"))
      s.precision = p;
    s.config_key = m.text("config_key");
    r.states = m.texts("state");
    std::string source = m.required_text("source");
    m.finish();
    if (m.ok() && f.empty() && s.config_key.empty())
      m.fault_at("formula", "a recorded site must state its formula", std::string(k_formula_words));
    if (!m.ok())
      return;
    s.formula = f.empty() ? formula::Formula::unknown : f.front();
    s.known_by = f.empty() ? scan::KnownBy::none : scan::KnownBy::rule;
    s.reason = "recorded in the inventory: " + source;
    out_.recorded.push_back(std::move(r));
  }

  void recorded_table(const YAML::Node& n) {
    YamlMap m = map(n, "recorded table");
    RecordedTable r;
    r.where = where_of(m);
    scan::NameTable& t = r.table;
    t.symbol = m.required_text("symbol");
    t.enclosing = m.text("enclosing");
    t.place.path = m.required_text("path");
    t.place.line = m.number("line");
    t.config_key = m.text("config_key");
    auto formula_of = [&](const std::string& word, const char* key) {
      std::optional<formula::Formula> f = parse_formula(word);
      if (!f)
        m.fault_at(key, "'" + word + "' is not a formula", std::string(k_formula_words));
      return f.value_or(formula::Formula::unknown);
    };
    YAML::Node entries = m.node("entries");
    if (!entries || !entries.IsMap() || entries.size() == 0)
      m.fault_at("entries", "a recorded table must list its names", "entries: {gelu: gelu_erf, …}");
    else
      for (const auto& e : entries)
        if (e.first.IsScalar() && e.second.IsScalar())
          t.entries.push_back(
              {e.first.Scalar(), "", formula_of(e.second.Scalar(), "entries"), t.place});
    std::string fallback = m.text("fallback");
    if (fallback == "error") {
      t.fallback_kind = scan::FallbackKind::error;
    } else if (!fallback.empty()) {
      t.fallback_kind = scan::FallbackKind::silent;
      t.fallback = formula_of(fallback, "fallback");
    }
    if (std::string omitted = m.text("omitted"); !omitted.empty())
      t.omitted_formula = formula_of(omitted, "omitted");
    r.states = m.texts("state");
    m.required_text("source");
    m.finish();
    if (m.ok())
      out_.recorded_tables.push_back(std::move(r));
  }

  Inventory& out_;
  std::string file_;
};

} // namespace

const Family* Inventory::family(std::string_view id) const {
  for (const Family& f : families)
    if (f.id == id)
      return &f;
  return nullptr;
}

Inventory parse_inventory(std::string_view text, const std::string& name) {
  Inventory out;
  out.files.push_back(name);
  try {
    Result<YAML::Node> root = load_yaml_map(text, name, "an inventory", "start with `schema: gelint-inventory/1`");
    if (root)
      Loader(out, name).load(*root);
    else
      out.faults.push_back(root.error());
  } catch (const YAML::Exception& e) {
    out.faults.push_back(yaml_error(name, e));
  }
  // The same ordinal rule as for scanned sites, so that ids survive moved lines.
  std::map<std::string, int> seen;
  for (RecordedSite& r : out.recorded)
    r.site.id = scan::site_id(r.site, seen[scan::site_id(r.site, 0)]++);
  return out;
}

Inventory load_inventory(const std::string& path_or_name) {
  std::error_code ec;
  bool bare = path_or_name.find('/') == std::string::npos && !path_or_name.ends_with(".yaml");
  if (bare && !std::filesystem::is_regular_file(path_or_name, ec))
    if (auto text = embedded_file("inventory/" + path_or_name + ".yaml"))
      return parse_inventory(*text, "inventory/" + path_or_name + ".yaml");
  Result<std::string> text = read_file(path_or_name);
  if (!text) {
    Inventory out;
    out.files.push_back(path_or_name);
    out.faults.push_back(text.error());
    return out;
  }
  return parse_inventory(*text, path_or_name);
}

void merge_inventory(Inventory& into, Inventory other) {
  auto twice = [&](const char* what, const std::string& id, const Where& w) {
    into.faults.push_back(
        {fmt::format("the {} '{}' is defined in another inventory already", what, id), w.file,
         w.line, w.column, "rename it"});
  };
  for (Family& f : other.families) {
    if (into.family(f.id))
      twice("family", f.id, f.where);
    else
      into.families.push_back(std::move(f));
  }
  for (Binding& b : other.rows) {
    bool known = std::any_of(into.rows.begin(), into.rows.end(),
                             [&](const Binding& o) { return o.id == b.id; });
    if (known)
      twice("row", b.id, b.where);
    else
      into.rows.push_back(std::move(b));
  }
  auto append = [](auto& a, auto& b) {
    a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
  };
  append(into.files, other.files);
  append(into.checkpoints, other.checkpoints);
  append(into.waivers, other.waivers);
  append(into.ignored, other.ignored);
  append(into.recorded, other.recorded);
  append(into.recorded_tables, other.recorded_tables);
  append(into.faults, other.faults);
  auto take = [](std::string& a, std::string& b) {
    if (a.empty())
      a = std::move(b);
  };
  take(into.engine, other.engine);
  take(into.description, other.description);
  take(into.source, other.source);
  take(into.commit, other.commit);
  take(into.state, other.state);
}

} // namespace gelint::decide
