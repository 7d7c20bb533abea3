// inventory/mlxcel.yaml against the public record that it restates:
// tests/fixtures/mlxcel_expected.tsv holds the formulas as the record gives them, written without
// the tool.

#include "checkpoint/model.h"
#include "decide/decide.h"
#include "hf/resolve.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace gelint::decide {
namespace {

struct Expected {
  std::string row, checkpoint, required, before, after;
};

std::vector<Expected> expected() {
  std::ifstream in(GELINT_SOURCE_DIR "/tests/fixtures/mlxcel_expected.tsv");
  std::vector<Expected> out;
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with('#') || line.starts_with("row\t"))
      continue;
    std::istringstream fields(line);
    Expected e;
    fields >> e.row >> e.checkpoint >> e.required >> e.before >> e.after;
    out.push_back(e);
  }
  return out;
}

struct Audit {
  std::vector<checkpoint::Model> models;
  std::vector<hf::ModelReport> reports;
  Inventory inventory;
  std::map<std::string, std::optional<hf::ModelReport>, std::less<>> defaults;
  scan::ScanResult scan;
  Decisions decisions;

  explicit Audit(const std::string& state) {
    inventory = load_inventory("mlxcel");
    for (const Error& e : inventory.faults)
      ADD_FAILURE() << e.text();
    inventory.state = state;
    add_recorded_sites(scan, inventory);
    models = checkpoint::load_models(GELINT_SOURCE_DIR "/tests/fixtures/checkpoints/mlxcel");
    for (const checkpoint::Model& m : models)
      reports.push_back(hf::resolve_model(m));
    DecideInput in;
    in.models = &reports;
    in.scan = &scan;
    in.inventory = &inventory;
    in.class_defaults = [this](std::string_view type) -> const hf::ModelReport* {
      auto it = defaults.find(type);
      if (it == defaults.end()) {
        auto found = hf::defaults_of(type);
        it =
            defaults.emplace(std::string(type), found ? std::optional(*found) : std::nullopt).first;
      }
      return it->second ? &*it->second : nullptr;
    };
    decisions = decide(in);
  }
};

void check(const std::string& state) {
  Audit audit(state);
  std::map<std::pair<std::string, std::string>, std::vector<const Row*>> rows;
  size_t bound = 0;
  for (const Row& r : audit.decisions.rows) {
    if (r.verdict == Verdict::unbound) {
      ADD_FAILURE() << "unbound: " << r.id;
      continue;
    }
    ++bound;
    rows[{binding_of(audit.inventory, r.id)->id,
          r.checkpoint.empty() ? "-" : checkpoint_name(r.checkpoint)}]
        .push_back(&r);
  }
  std::map<std::pair<std::string, std::string>, size_t> next;
  std::vector<Expected> table = expected();
  for (const Expected& e : table) {
    auto key = std::pair(e.row, e.checkpoint);
    size_t i = next[key]++;
    ASSERT_LT(i, rows[key].size()) << state << ": no row " << e.row << " for " << e.checkpoint;
    const Row& r = *rows[key][i];
    const std::string& implemented = state == "before" ? e.before : e.after;
    EXPECT_EQ(to_string(r.required), e.required) << r.id << ": " << r.reason;
    EXPECT_EQ(to_string(r.implemented), implemented) << r.id << ": " << r.reason;
    EXPECT_EQ(to_string(r.verdict), implemented == e.required ? "match" : "mismatch")
        << r.id << ": " << r.reason;
  }
  EXPECT_EQ(bound, table.size());
}

TEST(Mlxcel, BeforeTheChange) { check("before"); }
TEST(Mlxcel, AfterTheChange) { check("after"); }

TEST(Mlxcel, WhatStaysOpen) {
  Audit audit("after");
  std::set<std::string> open;
  for (const Row& r : audit.decisions.rows)
    if (r.verdict == Verdict::mismatch)
      open.insert(binding_of(audit.inventory, r.id)->id);
  // Idefics2, Granite 4 Vision, GPT-BigCode, and the silent fallback of the shared vision config.
  EXPECT_EQ(open, (std::set<std::string>{"S0", "S6", "S7", "T5"}));
}

} // namespace
} // namespace gelint::decide
