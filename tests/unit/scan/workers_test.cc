#include "scan/workers.h"

#include <csignal>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
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

TEST(Workers, TheyEndWithTheParent) {
  // The worker holds the writing end of this pipe: its end of file is the worker's.
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  pid_t parent = ::fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    ::close(ends[0]);
    run_isolated(1, 1, 30, [&](size_t) {
      (void)!::write(ends[1], "x", 1);
      for (;;)
        ::sleep(30);
      return std::string();
    }, nothing);
    ::_exit(0);
  }
  ::close(ends[1]);
  char c = 0;
  ASSERT_EQ(::read(ends[0], &c, 1), 1); // it is at its task
  ::kill(parent, SIGTERM);
  ::waitpid(parent, nullptr, 0);
  pollfd p{ends[0], POLLIN, 0};
  ASSERT_EQ(::poll(&p, 1, 10000), 1) << "a worker outlived its parent";
  EXPECT_EQ(::read(ends[0], &c, 1), 0);
  ::close(ends[0]);
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
