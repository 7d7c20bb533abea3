#include "decide/decide.h"

#include <gtest/gtest.h>

// The gaps between formulas are those of facts computed with 30 digits: erf against tanh 4.73e-4,
// erf against quick 2.03e-2, SiLU against erf 0.193.

namespace gelint::decide {
namespace {

using formula::Formula;

hf::Slot slot(std::string name, Formula f, hf::SlotSource source = hf::SlotSource::declared) {
  hf::Slot s;
  s.slot = name;
  s.component = name.substr(0, name.find('.'));
  s.config_path = "hidden_act";
  s.name = "gelu_new";
  s.declared = "gelu_new";
  s.formula = f;
  s.source = source;
  s.verdict = hf::SlotVerdict::ok;
  s.line = 7;
  return s;
}

hf::ModelReport model(std::string type, std::vector<hf::Slot> slots) {
  hf::ModelReport m;
  m.path = "models/" + type;
  m.config_file = m.path + "/config.json";
  m.model_type = type;
  for (hf::Slot& s : slots)
    if (s.model_type.empty())
      s.model_type = type;
  m.slots = std::move(slots);
  return m;
}

scan::Site site(std::string path, int line, std::string enclosing, std::string symbol, Formula f,
                scan::SiteKind kind = scan::SiteKind::call) {
  scan::Site s;
  s.place = {path, line, 3};
  s.enclosing = enclosing;
  s.symbol = symbol;
  s.formula = f;
  s.kind = kind;
  s.known_by = scan::KnownBy::evaluated;
  s.precision = formula::Precision::f32;
  return s;
}

struct Case {
  std::vector<hf::ModelReport> models;
  scan::ScanResult scan;
  Inventory inventory;
  Decisions run() {
    for (const Error& e : inventory.faults)
      ADD_FAILURE() << e.text();
    DecideInput in;
    in.models = &models;
    in.scan = &scan;
    in.inventory = &inventory;
    return decide(in);
  }
};

Inventory rows(const std::string& text) {
  return parse_inventory("schema: gelint-inventory/1\n" + text, "inv.yaml");
}

const char* k_phi = "rows:\n- {id: T1, group: Text, model_types: phi, slots: text.mlp, sites: "
                    "{enclosing: build_phi}}\n";

TEST(Decide, MatchAndMismatchWithReason) {
  Case c{{model("phi", {slot("text.mlp", Formula::gelu_tanh)})}, {}, rows(k_phi)};
  c.scan.sites = {
      site("m/phi.cc", 13, "eng::build_phi", "gelu_tanh", Formula::gelu_tanh),
      site("m/phi.cc", 20, "eng::build_phi::(lambda)", "gelu_approx", Formula::gelu_erf)};
  c.scan.sites[1].definition = scan::Place{"nn/act.cc", 16, 1};
  Decisions d = c.run();
  ASSERT_EQ(d.rows.size(), 2u);
  EXPECT_EQ(d.rows[0].id, "T1/phi");
  EXPECT_EQ(d.rows[0].verdict, Verdict::match);
  EXPECT_EQ(d.rows[0].severity, "none");
  const Row& bad = d.rows[1];
  EXPECT_EQ(bad.id, "T1/phi#2");
  EXPECT_EQ(bad.verdict, Verdict::mismatch);
  EXPECT_NEAR(bad.max_abs_diff, 4.73e-4, 1e-6);
  EXPECT_EQ(bad.severity, "low");
  for (const char* part :
       {"hidden_act = gelu_new (models/phi/config.json:7)", "gelu_tanh", "gelu_approx",
        "m/phi.cc:20", "computes gelu_erf", "evaluated at nn/act.cc:16", "4.7e-04"})
    EXPECT_NE(bad.reason.find(part), std::string::npos) << part << " in: " << bad.reason;
}

TEST(Decide, ClassDefaultIsNamedWithItsPlace) {
  hf::Slot s = slot("text.mlp", Formula::gelu_tanh, hf::SlotSource::class_default);
  s.declared.reset();
  s.default_value = "gelu_pytorch_tanh";
  s.name = "gelu_pytorch_tanh";
  s.default_reader = {"models/phi/configuration_phi.py", 97, "transformers 5.24.0"};
  Case c{{model("phi", {s})}, {}, rows(k_phi)};
  c.scan.sites = {site("m/phi.cc", 13, "build_phi", "gelu", Formula::gelu_erf)};
  Decisions d = c.run();
  EXPECT_NE(d.rows.at(0).reason.find("hidden_act is omitted, and the phi class default "
                                     "gelu_pytorch_tanh (transformers 5.24.0, "
                                     "models/phi/configuration_phi.py:97)"),
            std::string::npos)
      << d.rows[0].reason;
}

TEST(Decide, SeverityGrowsWithTheGap) {
  Case c{{model("phi", {slot("text.mlp", Formula::gelu_erf)})}, {}, rows(k_phi)};
  c.scan.sites = {site("a.cc", 1, "build_phi", "q", Formula::gelu_quick),
                  site("a.cc", 2, "build_phi", "s", Formula::silu)};
  Decisions d = c.run();
  EXPECT_EQ(d.rows.at(0).severity, "medium");
  EXPECT_NEAR(d.rows[0].max_abs_diff, 2.03e-2, 1e-4);
  EXPECT_EQ(d.rows.at(1).severity, "high");
  EXPECT_NEAR(d.rows[1].max_abs_diff, 0.193, 1e-3);
}

TEST(Decide, ConflictUnresolvedAbsent) {
  hf::Slot conflict = slot("text.mlp", Formula::gelu_erf);
  conflict.verdict = hf::SlotVerdict::conflict;
  conflict.versions = {{"4.39.0", Formula::gelu_tanh, "", "hidden_activation"},
                       {"4.48.0", Formula::gelu_erf, "gelu", "hidden_act"}};
  hf::Slot remote = slot("text.mlp", Formula::unknown, hf::SlotSource::unresolved);
  remote.verdict = hf::SlotVerdict::unresolved;
  remote.reason = "remote code decides";
  hf::Slot absent = slot("text.mlp", Formula::unknown, hf::SlotSource::absent);
  absent.verdict = hf::SlotVerdict::absent;
  Case c{{model("gemma", {conflict}), model("moondream1", {remote}), model("phi", {absent})},
         {},
         rows("rows:\n- {id: A, model_types: [gemma, moondream1, phi], slots: text.mlp, sites: "
              "{symbol: g}}\n")};
  c.scan.sites = {site("a.cc", 1, "f", "g", Formula::gelu_tanh)};
  Decisions d = c.run();
  ASSERT_EQ(d.rows.size(), 3u);
  EXPECT_EQ(d.rows[0].verdict, Verdict::conflict);
  EXPECT_NE(d.rows[0].reason.find("gelu_tanh since transformers 4.39.0 (reads hidden_activation), "
                                  "gelu_erf since transformers 4.48.0"),
            std::string::npos)
      << d.rows[0].reason;
  EXPECT_EQ(d.rows[1].verdict, Verdict::unresolved);
  EXPECT_NE(d.rows[1].reason.find("remote code decides"), std::string::npos);
  EXPECT_EQ(d.rows[2].verdict, Verdict::absent);
  EXPECT_FALSE(d.rows[2].has_site);
}

TEST(Decide, ReferenceDecidesOnlyWhatNobodyElseDoes) {
  hf::Slot remote = slot("text.mlp", Formula::unknown, hf::SlotSource::unresolved);
  remote.verdict = hf::SlotVerdict::unresolved;
  Case c{{model("moondream1", {remote}), model("phi", {slot("text.mlp", Formula::gelu_tanh)})},
         {},
         rows("rows:\n- {id: A, model_types: [moondream1, phi], slots: text.mlp, sites: {symbol: "
              "g}, reference: {formula: gelu_quick, source: s}}\n"
              "- {id: api, slots: api.g, sites: {symbol: g}, reference: {formula: gelu_erf, "
              "source: header}}\n")};
  c.scan.sites = {site("a.cc", 1, "f", "g", Formula::gelu_tanh)};
  Decisions d = c.run();
  ASSERT_EQ(d.rows.size(), 3u);
  EXPECT_EQ(d.rows[0].required, Formula::gelu_quick);
  EXPECT_EQ(d.rows[0].verdict, Verdict::mismatch);
  EXPECT_EQ(d.rows[1].required, Formula::gelu_tanh);
  EXPECT_EQ(d.rows[1].verdict, Verdict::match);
  EXPECT_EQ(d.rows[2].id, "api");
  EXPECT_EQ(d.rows[2].required, Formula::gelu_erf);
  EXPECT_EQ(d.rows[2].verdict, Verdict::mismatch);
}

TEST(Decide, TowersBindByTheModelTypeOfTheirOwnConfig) {
  hf::Slot tower = slot("vision.mlp", Formula::gelu_tanh);
  tower.model_type = "siglip_vision_model";
  Case c{{model("gemma3", {slot("text.mlp", Formula::gelu_tanh), tower})},
         {},
         rows("rows:\n- {id: S, model_types: siglip_vision_model, slots: \"*\", sites: {symbol: "
              "g}}\n")};
  c.scan.sites = {site("a.cc", 1, "f", "g", Formula::gelu_erf)};
  Decisions d = c.run();
  ASSERT_EQ(d.rows.size(), 1u);
  EXPECT_EQ(d.rows[0].id, "S/gemma3/vision.mlp");
  EXPECT_EQ(d.rows[0].model_type, "siglip_vision_model");
}

scan::ScanResult with_table() {
  scan::ScanResult scan;
  scan::Site read = site("cfg.cc", 11, "tower_activation", "hidden_act", Formula::unknown,
                         scan::SiteKind::config_read);
  read.config_key = "hidden_act";
  read.config_default = "act::erf";
  read.reachable = {Formula::gelu_erf, Formula::gelu_tanh};
  read.callees = {"parse_activation"};
  scan.sites = {read};
  scan::NameTable t;
  t.symbol = "k_names";
  t.enclosing = "parse_activation";
  t.place = {"names.cc", 14, 1};
  t.config_key = "hidden_act";
  t.entries = {{"gelu", "act::erf", Formula::gelu_erf, {"names.cc", 15, 4}},
               {"gelu_pytorch_tanh", "act::tanh", Formula::gelu_tanh, {"names.cc", 16, 4}}};
  t.fallback_kind = scan::FallbackKind::silent;
  t.fallback = Formula::gelu_erf;
  t.fallback_place = scan::Place{"names.cc", 32, 3};
  scan.tables = {t};
  return scan;
}

TEST(Decide, ConfigDrivenSitesRunTheEnginesOwnParser) {
  hf::Slot omitted = slot("vision.mlp", Formula::gelu_tanh, hf::SlotSource::class_default);
  omitted.declared.reset();
  hf::Slot declared = slot("vision.mlp", Formula::gelu_tanh);
  declared.declared = "gelu_pytorch_tanh";
  hf::Slot other_name = slot("vision.mlp", Formula::gelu_tanh); // gelu_new is not in the table
  Case c{{model("siglip", {omitted}), model("siglip", {declared}), model("siglip", {other_name})},
         with_table(),
         rows("rows:\n- {id: S, model_types: siglip, slots: vision.mlp, sites: {config_key: "
              "hidden_act}}\n")};
  Decisions d = c.run();
  ASSERT_EQ(d.rows.size(), 3u);
  EXPECT_EQ(d.rows[0].implemented, Formula::gelu_erf);
  EXPECT_EQ(d.rows[0].verdict, Verdict::mismatch);
  EXPECT_NE(d.rows[0].reason.find("the key is omitted, the engine then takes act::erf (cfg.cc:11)"),
            std::string::npos)
      << d.rows[0].reason;
  EXPECT_EQ(d.rows[1].verdict, Verdict::match);
  EXPECT_NE(d.rows[1].reason.find("maps 'gelu_pytorch_tanh' to act::tanh (names.cc:16)"),
            std::string::npos)
      << d.rows[1].reason;
  EXPECT_EQ(d.rows[2].verdict, Verdict::mismatch);
  EXPECT_NE(
      d.rows[2].reason.find("does not know 'gelu_new' and falls back in silence (names.cc:32)"),
      std::string::npos)
      << d.rows[2].reason;
}

TEST(Decide, AnEngineThatRejectsTheNameIsUnresolvedNotWrong) {
  Case c{{model("siglip", {slot("vision.mlp", Formula::gelu_tanh)})},
         with_table(),
         rows("rows:\n- {id: S, model_types: siglip, slots: vision.mlp, sites: {config_key: "
              "hidden_act}}\n")};
  c.scan.tables[0].fallback_kind = scan::FallbackKind::error;
  Decisions d = c.run();
  EXPECT_EQ(d.rows.at(0).verdict, Verdict::unresolved);
  EXPECT_NE(d.rows[0].reason.find("the load fails"), std::string::npos);
}

TEST(Decide, TheEngineMayReadAnotherKeyThanHuggingFace) {
  hf::Slot s = slot("text.mlp", Formula::gelu_tanh);
  s.config_path = "text_config.hidden_activation";
  s.declared = "gelu_pytorch_tanh";
  Case c{{model("gemma2", {s})},
         with_table(),
         rows("rows:\n- {id: G, model_types: gemma2, slots: text.mlp, sites: {config_key: "
              "hidden_act}}\n")};
  DecideInput in;
  in.models = &c.models;
  in.scan = &c.scan;
  in.inventory = &c.inventory;
  in.config_value = [](size_t, std::string_view path) -> std::optional<std::string> {
    if (path == "text_config.hidden_act")
      return "gelu";
    return std::nullopt;
  };
  Decisions d = decide(in);
  EXPECT_EQ(d.rows.at(0).implemented, Formula::gelu_erf);
  EXPECT_EQ(d.rows[0].verdict, Verdict::mismatch);
}

TEST(Decide, UnboundReachedIgnoredMinor) {
  Case c{
      {model("phi", {slot("text.mlp", Formula::gelu_tanh)})},
      {},
      rows(std::string(k_phi) + "ignore:\n- {sites: {path: \"tests/**\"}, reason: test code}\n")};
  c.scan.sites = {site("a.cc", 1, "build_phi", "gelu", Formula::gelu_tanh),
                  site("nn.cc", 5, "gelu", "gelu", Formula::gelu_tanh, scan::SiteKind::definition),
                  site("nn.cc", 9, "other", "other", Formula::gelu_erf),
                  site("nn.cc", 12, "plain", "relu", Formula::relu),
                  site("tests/t.cc", 3, "t", "gelu", Formula::gelu_erf)};
  c.scan.sites[0].definition = scan::Place{"nn.cc", 5, 3};
  Decisions d = c.run();
  EXPECT_EQ(d.selection.use,
            (std::vector<SiteUse>{SiteUse::bound, SiteUse::minor, SiteUse::unbound,
                                  SiteUse::minor, SiteUse::ignored}));
  ASSERT_EQ(d.rows.size(), 2u);
  EXPECT_EQ(d.rows[1].verdict, Verdict::unbound);
  EXPECT_EQ(d.rows[1].id, "unbound/nn.cc/other/other");
}

TEST(Decide, ReachedFromFollowsTheCallGraph) {
  Case c{{model("phi", {slot("text.mlp", Formula::gelu_tanh)})},
         {},
         rows("rows:\n- {id: A, model_types: phi, slots: text.mlp, sites: {reached_from: "
              "build_phi, symbol: gelu}}\n")};
  c.scan.sites = {site("a.cc", 1, "ns::build_ffn", "gelu", Formula::gelu_tanh),
                  site("a.cc", 9, "ns::build_other", "gelu", Formula::gelu_erf)};
  c.scan.calls = {{"llm::build_phi", "build_layer", {}},
                  {"llm::build_layer", "ns::build_ffn", {}},
                  {"llm::build_gpt2", "ns::build_other", {}}};
  Decisions d = c.run();
  ASSERT_EQ(d.rows.size(), 2u); // the second is the unbound site
  EXPECT_EQ(d.rows[0].site.place.line, 1);
  EXPECT_EQ(d.rows[0].verdict, Verdict::match);
  EXPECT_EQ(d.rows[1].verdict, Verdict::unbound);
}

TEST(Decide, AMovedFunctionIsFollowedOnlyOnStrongEvidence) {
  const char* text = "rows:\n- {id: A, model_types: phi, slots: text.mlp, sites: {path: old.cc, "
                     "enclosing: build_phi, symbol: gelu}}\n";
  Case c{{model("phi", {slot("text.mlp", Formula::gelu_tanh)})}, {}, rows(text)};
  c.scan.sites = {site("new.cc", 1, "build_phi", "gelu", Formula::gelu_tanh)};
  Decisions d = c.run();
  EXPECT_TRUE(d.selection.bindings.at(0).selectors.at(0).followed);
  EXPECT_EQ(d.rows.at(0).verdict, Verdict::match);
  c.scan.sites.push_back(site("other.cc", 1, "build_phi", "gelu", Formula::gelu_erf));
  d = c.run();
  EXPECT_FALSE(d.selection.bindings.at(0).selectors.at(0).followed);
  EXPECT_EQ(d.rows.at(0).verdict, Verdict::unresolved);
  EXPECT_FALSE(d.rows[0].has_site);
}

TEST(Decide, PortsAreRecordedAndExpectedOnesMarked) {
  hf::Slot s = slot("text.mlp", Formula::gelu_tanh);
  s.ports = {{"mlx-lm 0.32.2", Formula::gelu_erf, "mlx_lm/models/phi.py", 82, "evaluated", true},
             {"mlx-vlm 0.7.8", Formula::gelu_tanh, "x.py", 1, "evaluated", false}};
  Case c{{model("phi", {s})},
         {},
         rows("rows:\n- {id: A, model_types: phi, slots: text.mlp, sites: {symbol: g}, ports: "
              "{port: mlx-lm, formula: gelu_erf}}\n")};
  c.scan.sites = {site("a.cc", 1, "f", "g", Formula::gelu_tanh)};
  Decisions d = c.run();
  ASSERT_EQ(d.rows.at(0).ports.size(), 1u);
  EXPECT_TRUE(d.rows[0].ports[0].expected);
}

TEST(Decide, ClassDefaultsWhenNoCheckpointFits) {
  Case c{{}, {}, rows(k_phi)};
  c.scan.sites = {site("a.cc", 1, "build_phi", "g", Formula::gelu_erf)};
  hf::ModelReport defaults =
      model("phi", {slot("text.mlp", Formula::gelu_tanh, hf::SlotSource::class_default)});
  DecideInput in;
  in.models = &c.models;
  in.scan = &c.scan;
  in.inventory = &c.inventory;
  in.class_defaults = [&](std::string_view type) { return type == "phi" ? &defaults : nullptr; };
  Decisions d = decide(in);
  ASSERT_EQ(d.rows.size(), 1u);
  EXPECT_EQ(d.rows[0].id, "T1");
  EXPECT_EQ(d.rows[0].checkpoint, "");
  EXPECT_EQ(d.rows[0].verdict, Verdict::mismatch);
  in.class_defaults = nullptr;
  d = decide(in);
  EXPECT_EQ(d.rows.size(), 0u);
  EXPECT_EQ(d.without_model.size(), 1u);
}

TEST(Decide, RecordedSitesOfTheChosenState) {
  Inventory inv = rows("state: after\nrecorded_sites:\n"
                       "- {path: a.rs, symbol: g, formula: gelu_erf, source: s, state: before}\n"
                       "- {path: a.rs, symbol: g, formula: gelu_tanh, source: s, state: after}\n");
  scan::ScanResult scan;
  add_recorded_sites(scan, inv);
  ASSERT_EQ(scan.sites.size(), 1u);
  EXPECT_EQ(scan.sites[0].formula, Formula::gelu_tanh);
}

TEST(CheckpointName, LastComponent) {
  EXPECT_EQ(checkpoint_name("models/phi-2/"), "phi-2");
  EXPECT_EQ(checkpoint_name("models/phi-2/config.json"), "phi-2");
  EXPECT_EQ(checkpoint_name("-:3"), "-:3");
}

} // namespace
} // namespace gelint::decide
