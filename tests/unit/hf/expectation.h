#pragma once
// expect.yaml beside a checkpoint: the slots it must resolve to, and every finding. See tests/fixtures/checkpoints/README.md.

#include "decide/rule.h"
#include "hf/resolve.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace gelint::hf::test {

/// Findings of the GL1xx rules for one resolved model.
std::vector<decide::Finding> findings_of(const ModelReport& report);

/// Checks `report` against one entry of expect.yaml; a finding without an expectation is a failure.
void check(const YAML::Node& expected, const ModelReport& report, const std::string& where);

} // namespace gelint::hf::test
