// The method of --cost, with a stopwatch whose times are scripted.

#include "verify/cost.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <unistd.h>

using namespace gelint;
using namespace gelint::verify;
using formula::Formula;
using formula::Type;

namespace {

class Scripted final : public Stopwatch {
public:
  /// arm, how many runs this arm had, place within the run → milliseconds
  std::function<double(int, int, int)> time;
  std::vector<int> order;
  std::vector<std::string> labels;
  std::map<int, int> count;

  std::string_view backend() const override { return "cuda"; }
  uint64_t most_elements() const override { return 1u << 20; }
  Result<int> prepare(const Candidate& c, Type, uint64_t elements) override {
    if (elements % 8 != 0)
      return Error{.message = "not whole groups"};
    labels.push_back(c.label);
    return static_cast<int>(labels.size()) - 1;
  }
  Result<double> run(int arm) override {
    int place = static_cast<int>(order.size()) % 3;
    order.push_back(arm);
    return time(arm, count[arm]++, place);
  }
};

RowSpec row() {
  RowSpec r;
  r.id = "pair";
  r.implemented = Formula::gelu_erf;
  r.required = Formula::gelu_tanh;
  return r;
}

report::CostRow cost(Scripted& s, int runs = 24) {
  auto r = cost_of(s, row(), Type::bf16, {128, 256, ""}, runs);
  EXPECT_TRUE(r) << (r ? "" : r.error().text());
  return r ? *r : report::CostRow{};
}

} // namespace

TEST(Cost, OrderRotatesThroughEveryPermutation) {
  Scripted s;
  s.time = [](int, int, int) { return 1.0; };
  auto r = cost(s, 20);
  EXPECT_EQ(r.runs, 24u) << "a multiple of six";
  ASSERT_EQ(s.order.size(), 26u * 3) << "and two warm-ups";
  EXPECT_EQ(s.labels, (std::vector<std::string>{"gelu_erf in f32", "gelu_tanh in f32", "gelu_erf in f32"}));
  std::map<std::vector<int>, int> orders;
  std::map<std::pair<int, int>, int> places;
  for (size_t i = 6; i < s.order.size(); i += 3) {
    ++orders[{s.order[i], s.order[i + 1], s.order[i + 2]}];
    for (size_t k = 0; k < 3; ++k)
      ++places[{s.order[i + k], static_cast<int>(k)}];
  }
  EXPECT_EQ(orders.size(), 6u);
  for (auto& [order, n] : orders)
    EXPECT_EQ(n, 4);
  for (auto& [place, n] : places)
    EXPECT_EQ(n, 8) << "each arm at each place as often";
}

TEST(Cost, ADifferenceWithinTheNullRangeIsNone) {
  Scripted s;
  // The required arm takes 2 % more; the null arm swings by 3 %.
  s.time = [](int arm, int n, int) { return arm == 1 ? 1.02 : arm == 2 ? 1.0 + (n % 2 ? 0.03 : -0.03) : 1.0; };
  auto r = cost(s);
  EXPECT_NEAR(r.difference_ms, 0.02, 1e-12);
  EXPECT_NEAR(r.difference_percent, 2, 1e-9);
  EXPECT_NEAR(r.null_low, -0.03, 1e-12);
  EXPECT_NEAR(r.null_high, 0.03, 1e-12);
  EXPECT_EQ(r.verdict, "none");
}

TEST(Cost, ADifferenceBeyondTheNullRangeHasItsSignAndRange) {
  Scripted s;
  s.time = [](int arm, int n, int) { return arm == 1 ? 1.05 + 0.01 * (n % 3 - 1) : arm == 2 ? 1.0 + (n % 2 ? 0.03 : -0.03) : 1.0; };
  auto r = cost(s);
  EXPECT_EQ(r.verdict, "slower");
  EXPECT_NEAR(r.difference_ms, 0.05, 1e-12);
  EXPECT_NEAR(r.difference_low, 0.04, 1e-12);
  EXPECT_NEAR(r.difference_high, 0.06, 1e-12);
  EXPECT_NE(r.reason.find("+5.0 %"), std::string::npos) << r.reason;
  s = {};
  s.time = [](int arm, int, int) { return arm == 1 ? 0.9 : 1.0; };
  EXPECT_EQ(cost(s).verdict, "faster");
}

TEST(Cost, DriftAndPlaceCancelInPairs) {
  Scripted s;
  // The device warms up, and whoever runs first in a run waits: both hit each arm alike.
  s.time = [](int, int n, int place) { return 1.0 + 0.001 * n + (place == 0 ? 0.1 : 0); };
  auto r = cost(s);
  EXPECT_NEAR(r.difference_ms, 0, 1e-9);
  EXPECT_EQ(r.verdict, "none");
}

TEST(Cost, WarmUpIsNotCounted) {
  Scripted s;
  s.time = [](int arm, int n, int) { return n < 2 ? 100.0 : arm == 1 ? 2.0 : 1.0; };
  auto r = cost(s);
  EXPECT_DOUBLE_EQ(r.implemented_ms, 1);
  EXPECT_DOUBLE_EQ(r.required_ms, 2);
  EXPECT_DOUBLE_EQ(r.difference_high, 1);
}

TEST(Cost, RunsOnTheCpu) {
  auto watch = make_cpu_stopwatch();
  auto r = cost_of(*watch, row(), Type::f16, {4096, 4096, "no shape is known"}, 6);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_GT(r->implemented_ms, 0);
  EXPECT_GT(r->required_ms, 0);
  EXPECT_EQ(r->elements, 1u << 16);
  EXPECT_EQ(r->shape, "4096 x 4096 (no shape is known), the first 65536 elements");
  EXPECT_LE(r->null_low, r->null_high);
  EXPECT_NE(r->reason.find("interpreted"), std::string::npos);
}

TEST(Cost, ShapesComeFromTheLevelOfTheKey) {
  auto folder = std::filesystem::temp_directory_path() / ("gelint_cost_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.json")
      << R"({"intermediate_size": 11008, "vision_config": {"hidden_size": 1024, "mlp_ratio": 4.0}})";
  EXPECT_EQ(shape_of(folder.string(), "hidden_act").columns, 11008u);
  EXPECT_EQ(shape_of(folder.string(), "vision_config.hidden_act").columns, 4096u);
  EXPECT_EQ(shape_of((folder / "config.json").string(), "hidden_act").columns, 11008u);
  EXPECT_EQ(shape_of(folder.string(), "hidden_act").rows, 4096u);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(shape_of(folder.string(), "hidden_act").origin, "no shape is known");
  EXPECT_EQ(parse_shape("12x34")->elements(), 408u);
  for (const char* wrong : {"", "12", "x3", "3x", "0x4", "3x4x5", "99999999999x99999999999"})
    EXPECT_FALSE(parse_shape(wrong)) << wrong;
}

TEST(Cost, InputsAreNormalAndOfTheType) {
  auto x = cost_inputs(Type::bf16, 1u << 18);
  double mean = 0, square = 0;
  for (float v : x) {
    EXPECT_EQ(formula::round_to(Type::bf16, v), v);
    mean += v, square += static_cast<double>(v) * v;
  }
  EXPECT_NEAR(mean / static_cast<double>(x.size()), 0, 0.01);
  EXPECT_NEAR(square / static_cast<double>(x.size()), 1, 0.02);
}
