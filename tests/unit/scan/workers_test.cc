#include "scan/workers.h"

#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>

namespace gelint::scan {
namespace {

void nothing(size_t) {}

TEST(Workers, ResultsComeByIndexWhateverTheOrder) {
  for (int jobs : {1, 3}) {
    auto r = run_isolated(20, jobs, 10, [](size_t i) { return std::string(i * 1000, static_cast<char>('a' + i)); }, nothing);
    ASSERT_EQ(r.size(), 20u);
    for (size_t i = 0; i < 20; ++i) {
      EXPECT_TRUE(r[i].ok);
      EXPECT_EQ(r[i].data, std::string(i * 1000, static_cast<char>('a' + i)));
    }
  }
}

TEST(Workers, ACrashCostsOneTask) {
  auto r = run_isolated(6, 2, 10, [](size_t i) {
    if (i == 2)
      ::raise(SIGKILL);
    return std::to_string(i);
  }, nothing);
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ(r[i].ok, i != 2) << i;
  EXPECT_NE(r[2].failure.find("crashed"), std::string::npos);
}

TEST(Workers, AHangCostsOneTask) {
  auto r = run_isolated(3, 2, 1, [](size_t i) {
    for (volatile bool forever = i == 1; forever;) {
    }
    return std::string("x");
  }, nothing);
  EXPECT_TRUE(r[0].ok);
  EXPECT_FALSE(r[1].ok);
  EXPECT_NE(r[1].failure.find("longer than 1 s"), std::string::npos);
  EXPECT_TRUE(r[2].ok);
}

TEST(Workers, AnExceptionIsAFailureOfItsTask) {
  auto r = run_isolated(2, 1, 5, [](size_t i) -> std::string {
    if (i == 0)
      throw std::runtime_error("bad file");
    return "ok";
  }, nothing);
  EXPECT_EQ(r[0].failure, "bad file");
  EXPECT_TRUE(r[1].ok);
}

} // namespace
} // namespace gelint::scan
