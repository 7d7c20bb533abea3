// The published decisions of a real engine: every row is reached from its config alone.

#include "checkpoint/model.h"
#include "hf/resolve.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <yaml-cpp/yaml.h>

namespace gelint::hf {
namespace {

TEST(Background, EveryDecisionIsReached) {
  YAML::Node file =
      YAML::LoadFile(std::string(GELINT_SOURCE_DIR) + "/tests/fixtures/checkpoints/background/decisions.yaml");
  std::set<std::string> families;
  for (const YAML::Node& row : file["rows"]) {
    const std::string family = row["family"].as<std::string>(), slot = row["slot"].as<std::string>();
    SCOPED_TRACE(family + " " + slot + " " + row["declared"].as<std::string>());
    families.insert(family + "|" + slot);
    checkpoint::Model m = checkpoint::model_from_text(row["config"].as<std::string>(), "row", "config.json");
    ASSERT_TRUE(m.errors.empty()) << m.errors[0].text();
    ModelReport report = resolve_model(m);
    auto it = std::find_if(report.slots.begin(), report.slots.end(), [&](const Slot& s) { return s.slot == slot; });
    ASSERT_NE(it, report.slots.end());
    EXPECT_EQ(to_string(it->formula), row["required"].as<std::string>()) << it->reason;
    EXPECT_EQ(to_string(it->verdict), "ok") << it->reason;
  }
  EXPECT_GE(families.size(), 50u);
}

} // namespace
} // namespace gelint::hf
