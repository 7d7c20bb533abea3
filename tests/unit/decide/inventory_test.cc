#include "decide/inventory.h"

#include <gtest/gtest.h>

namespace gelint::decide {
namespace {

const char* k_good = R"(schema: gelint-inventory/1
engine: demo
families:
  - id: phi
    name: Phi
    model_types: [phi, phi-msft]
rows:
  - id: T1
    group: Text decoders
    family: phi
    slots: text.mlp
    sites:
      - {path: "src/models/*.cpp", enclosing: build_phi, kind: [call, selector], backend: cpu}
    notes: gelu_new is the tanh form
    ports:
      - {port: mlx-lm, formula: gelu_erf}
  - id: A1
    slots: [api.gelu]
    sites: {symbol: op_gelu}
    reference: {formula: gelu_tanh, source: "https://example.org/ops.h"}
checkpoints:
  - checkpoints/phi-2
  - {path: checkpoints/phi-3, note: later}
waivers:
  - {rule: GL201, row: T1, reason: follow-up planned, expires: 2027-01-31}
ignore:
  - sites: {path: "tests/**"}
    reason: test code
recorded_sites:
  - {path: src/mlp.rs, line: 7, symbol: gelu, enclosing: mlp, formula: gelu_erf, source: read by hand, state: before}
)";

TEST(Inventory, ReadsEverySection) {
  Inventory inv = parse_inventory(k_good, "demo.yaml");
  for (const Error& e : inv.faults)
    ADD_FAILURE() << e.text();
  ASSERT_EQ(inv.rows.size(), 2u);
  EXPECT_EQ(inv.rows[0].model_types, (std::vector<std::string>{"phi", "phi-msft"}));
  EXPECT_EQ(inv.rows[0].sites.at(0).kind.size(), 2u);
  EXPECT_EQ(inv.rows[0].sites.at(0).where.line, 13);
  EXPECT_EQ(inv.rows[0].ports.at(0).formula, formula::Formula::gelu_erf);
  ASSERT_TRUE(inv.rows[1].reference);
  EXPECT_EQ(inv.rows[1].reference->formula, formula::Formula::gelu_tanh);
  EXPECT_EQ(inv.checkpoints.at(1).path, "checkpoints/phi-3");
  EXPECT_EQ(inv.waivers.at(0).expires, "2027-01-31");
  EXPECT_EQ(inv.ignored.at(0).reason, "test code");
  ASSERT_EQ(inv.recorded.size(), 1u);
  EXPECT_EQ(inv.recorded[0].site.place.line, 7);
  EXPECT_FALSE(inv.recorded[0].site.id.empty());
}

struct Bad {
  const char* text;
  const char* expected; ///< start of Error::text()
};

class InventoryFaults : public testing::TestWithParam<Bad> {};

TEST_P(InventoryFaults, NamesPlaceAndMend) {
  Inventory inv = parse_inventory(GetParam().text, "x.yaml");
  ASSERT_FALSE(inv.faults.empty());
  EXPECT_TRUE(inv.faults[0].text().starts_with(GetParam().expected)) << inv.faults[0].text();
}

INSTANTIATE_TEST_SUITE_P(
    All, InventoryFaults,
    testing::Values(
        Bad{"", "x.yaml:1:1: is empty (start with"},
        Bad{"schema: gelint-inventory/1\nrows: [\n", "x.yaml:3:1: is not valid YAML"},
        Bad{"rows: []\n", "x.yaml:1:1: the schema is not gelint-inventory/1"},
        Bad{"schema: gelint-inventory/1\nrow: []\n",
            "x.yaml:2:1: an inventory has no key 'row' (known: checkpoints"},
        Bad{"schema: gelint-inventory/1\nrows:\n- id: A\n  family: nope\n  slots: a\n  sites: "
            "{symbol: s}\n",
            "x.yaml:4:11: there is no family 'nope'"},
        Bad{"schema: gelint-inventory/1\nrows:\n- id: A\n  model_types: x\n  slots: a\n  sites: "
            "{symbol: s, kind: kall}\n",
            "x.yaml:6:28: 'kall' is not a kind (one of definition, call"},
        Bad{"schema: gelint-inventory/1\nrows:\n- id: A\n  model_types: x\n  slots: a\n  sites: "
            "{kind: call}\n",
            "x.yaml:6:10: a site selector must say more"},
        Bad{"schema: gelint-inventory/1\nrows:\n- {id: A, model_types: x, slots: a, sites: "
            "{symbol: s}}\n- {id: A, model_types: x, slots: a, sites: {symbol: s}}\n",
            "x.yaml:4:8: the row id 'A' was used in line 3 already"},
        Bad{"schema: gelint-inventory/1\nwaivers:\n- {rule: GL201, row: A}\n",
            "x.yaml:3:3: this waiver has no 'reason'"},
        Bad{"schema: gelint-inventory/1\nwaivers:\n- {rule: GL201, row: A, reason: r, expires: "
            "2027-13-01}\n",
            "x.yaml:3:45: '2027-13-01' is not a date"},
        Bad{"schema: gelint-inventory/1\nschema: gelint-inventory/1\n",
            "x.yaml:2:1: the key 'schema' stands twice"}));

TEST(Inventory, AFaultyRowLeavesTheOthers) {
  Inventory inv = parse_inventory("schema: gelint-inventory/1\nrows:\n- {id: A, slots: a}\n"
                                  "- {id: B, model_types: x, slots: a, sites: {symbol: s}}\n",
                                  "x.yaml");
  ASSERT_EQ(inv.rows.size(), 1u);
  EXPECT_EQ(inv.rows[0].id, "B");
}

TEST(Inventory, MergeRefusesASecondRowOfTheSameId) {
  Inventory a = parse_inventory(k_good, "a.yaml");
  merge_inventory(a, parse_inventory(k_good, "b.yaml"));
  EXPECT_EQ(a.rows.size(), 2u);
  ASSERT_EQ(a.faults.size(), 3u); // one family, two rows
  EXPECT_EQ(a.faults[0].file, "b.yaml");
}

TEST(Inventory, MissingFileIsAFault) {
  Inventory inv = load_inventory("no/such/inventory.yaml");
  ASSERT_EQ(inv.faults.size(), 1u);
  EXPECT_EQ(inv.faults[0].file, "no/such/inventory.yaml");
}

} // namespace
} // namespace gelint::decide
