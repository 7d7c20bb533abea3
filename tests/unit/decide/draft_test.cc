#include "decide/draft.h"
#include "decide/inventory.h"

#include "support/embed.h"

#include <gtest/gtest.h>
#include <map>

namespace gelint::decide {
namespace {

using formula::Formula;

ModelNames names() {
  auto n = ModelNames::make({"phi", "phi3", "gpt2", "gpt_neox", "gpt_bigcode", "starcoder2",
                             "llama", "bert", "nomic_bert", "whisper", "siglip", "gemma2"},
                            *embedded_file("inventory/names/model_names.yaml"), "names");
  if (!n)
    ADD_FAILURE() << n.error().text();
  return *n;
}

TEST(IdentifierWords, SnakeCamelAndDigits) {
  using V = std::vector<std::string>;
  EXPECT_EQ(identifier_words("llm_build_phi2"), (V{"llm", "build", "phi2"}));
  EXPECT_EQ(identifier_words("Starcoder2MLP"), (V{"starcoder2", "mlp"}));
  EXPECT_EQ(identifier_words("GPTNeoXLayer"), (V{"gpt", "neo", "x", "layer"}));
  EXPECT_EQ(identifier_words("LLM_ARCH_GPT_NEOX"), (V{"llm", "arch", "gpt", "neox"}));
  EXPECT_EQ(identifier_words("nomic-bert"), (V{"nomic", "bert"}));
}

TEST(ModelNames, LongestKnownSpellingWins) {
  ModelNames n = names();
  auto spelling = [&](const char* id) {
    auto hit = n.find(id);
    return hit ? hit->spelling : std::string("-");
  };
  EXPECT_EQ(spelling("build_nomic_bert"), "nomicbert");
  EXPECT_EQ(spelling("build_bert"), "bert");
  EXPECT_EQ(spelling("llama_model_starcoder2"), "starcoder2");
  EXPECT_EQ(spelling("LLM_ARCH_GPTNEOX"), "gptneox");
  EXPECT_EQ(spelling("GPTNeoXMLP"), "gptneox");
  EXPECT_EQ(spelling("build_ffn"), "-");
  EXPECT_EQ(n.find("build_phi2")->model_types, std::vector<std::string>{"phi"});
  EXPECT_TRUE(n.find("build_phi2")->exact);
  EXPECT_FALSE(n.find("quantize_phi2_rows")->exact);
}

TEST(ArchCases, CaseChainsAndNameTables) {
  std::vector<ArchCase> cases;
  std::vector<ArchName> table;
  read_arch_cases(
      "static const map m = { { LLM_ARCH_PHI2, \"phi2\" }, // { LLM_ARCH_NO, \"no\" }\n { KIND_X, "
      "\"x\" } };\n"
      "switch (arch) {\n case LLM_ARCH_PHI2:\n case eng::LLM_ARCH_PHI3: {\n r = llm.build_phi2(); "
      "} break;\n"
      " case LLM_ARCH_GEMMA: { llm = std::make_unique<llm_build_gemma>(*this); } break;\n"
      " case LLM_ARCH_OTHER: return 3;\n default: build_none(); }\n",
      "a.cpp", cases, table);
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table[0].name, "phi2");
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].enumerator, "LLM_ARCH_PHI2");
  EXPECT_EQ(cases[0].function, "build_phi2");
  EXPECT_EQ(cases[0].line, 4);
  EXPECT_EQ(cases[1].enumerator, "LLM_ARCH_PHI3");
  EXPECT_EQ(cases[2].function, "llm_build_gemma");
}

scan::Site use(std::string path, std::string enclosing, std::string symbol,
               scan::SiteKind kind = scan::SiteKind::call) {
  scan::Site s;
  s.place = {path, 1, 1};
  s.enclosing = enclosing;
  s.symbol = symbol;
  s.formula = Formula::gelu_tanh;
  s.kind = kind;
  return s;
}

struct Case {
  scan::ScanResult scan;
  ModelNames n = names();
  std::map<std::string, hf::ModelReport, std::less<>> tables;
  std::vector<ArchCase> cases;

  void type(std::string type, std::vector<std::string> slots) {
    hf::ModelReport m;
    m.model_type = type;
    for (const std::string& s : slots) {
      m.slots.emplace_back();
      m.slots.back().slot = s;
      m.slots.back().component = s.substr(0, s.find('.'));
    }
    tables[type] = m;
  }
  Draft run() {
    DraftInput in;
    in.scan = &scan;
    in.names = &n;
    in.cases = cases;
    in.defaults = [&](std::string_view t) -> const hf::ModelReport* {
      auto it = tables.find(t);
      return it == tables.end() ? nullptr : &it->second;
    };
    return draft_bindings(in);
  }
};

TEST(Draft, FunctionFileAndCaseAddUp) {
  Case c;
  c.type("phi", {"text.mlp"});
  c.scan.sites = {
      use("src/graphs/build_phi2.cpp", "ctx::build_phi2", "FFN_GELU", scan::SiteKind::selector),
      use("src/x.cpp", "ctx::build_phi2", "gelu")};
  c.cases = {{"LLM_ARCH_PHI2", "build_phi2", "main.cpp", 9}};
  Draft d = c.run();
  ASSERT_EQ(d.proposals.size(), 1u);
  const Proposal& p = d.proposals[0];
  EXPECT_EQ(p.model_types, std::vector<std::string>{"phi"});
  EXPECT_EQ(p.slot, "text.mlp");
  EXPECT_EQ(p.sites.size(), 2u);
  EXPECT_GT(p.confidence, 0.9);
  Inventory inv = parse_inventory(draft_yaml(d, c.scan, "x", 0.5), "draft.yaml");
  for (const Error& e : inv.faults)
    ADD_FAILURE() << e.text();
  ASSERT_EQ(inv.rows.size(), 1u);
  EXPECT_EQ(inv.rows[0].sites.at(0).enumerator, std::vector<std::string>{"FFN_GELU"});
}

TEST(Draft, SharedHelpersServeTheModelsThatCallThem) {
  Case c;
  c.type("phi", {"text.mlp"});
  c.type("gpt2", {"text.mlp"});
  c.scan.sites = {use("src/common.cpp", "run_mlp", "gelu")};
  c.scan.calls = {
      {"build_phi2", "shared", {}}, {"shared", "run_mlp", {}}, {"build_gpt2", "run_mlp", {}}};
  Draft d = c.run();
  ASSERT_EQ(d.proposals.size(), 2u);
  EXPECT_LT(d.proposals[0].confidence, 0.6);
}

TEST(Draft, ChoosesTheSlotByItsWords) {
  Case c;
  c.type("whisper", {"audio.conv", "audio.encoder.mlp", "audio.decoder.mlp"});
  c.scan.sites = {use("src/whisper.cpp", "whisper_build_graph_conv", "ggml_gelu"),
                  use("src/whisper.cpp", "whisper_build_graph_encoder", "ggml_gelu"),
                  use("src/whisper.cpp", "whisper_build_graph_decoder", "ggml_gelu")};
  Draft d = c.run();
  ASSERT_EQ(d.proposals.size(), 3u);
  for (const Proposal& p : d.proposals) {
    const std::string& f = p.selectors.at(0).enclosing;
    EXPECT_EQ(p.slot, f.ends_with("conv")      ? "audio.conv"
                      : f.ends_with("encoder") ? "audio.encoder.mlp"
                                               : "audio.decoder.mlp");
  }
}

TEST(Draft, WhatNothingSpeaksForIsListed) {
  Case c;
  c.scan.sites = {use("src/math.cpp", "f\nrows:", "gelu\"")};
  Draft d = c.run();
  EXPECT_TRUE(d.proposals.empty());
  EXPECT_EQ(d.unplaced.size(), 1u);
  Inventory inv = parse_inventory(draft_yaml(d, c.scan, "x\"\n", 0.5), "draft.yaml");
  EXPECT_TRUE(inv.faults.empty());
}

} // namespace
} // namespace gelint::decide
