#pragma once
#include <gelint/std.h>
#define GELINT_CAT2(a, b) a##b
#define GELINT_CAT(a, b) GELINT_CAT2(a, b)
#define TEST(s, n) static void s##_##n##_gelint_test()
#define TEST_F(s, n) struct s##_##n##_gelint_test : s { void TestBody(); }; void s##_##n##_gelint_test::TestBody()
#define TEST_P(s, n) struct s##_##n##_gelint_test : s { void TestBody(); }; void s##_##n##_gelint_test::TestBody()
#define TEST_CASE(...) static void GELINT_CAT(gelint_test_, __LINE__)()
#define SUBCASE(...) if (true)
#define SECTION(...) if (true)
#define DOCTEST_TEST_CASE(...) TEST_CASE(__VA_ARGS__)
#define INSTANTIATE_TEST_SUITE_P(...) static_assert(true, "")
#define INSTANTIATE_TEST_CASE_P(...) static_assert(true, "")
#define REGISTER_TYPED_TEST_SUITE_P(...) static_assert(true, "")
#define GELINT_CHECK(...) gelint_check(__VA_ARGS__)
struct gelint_message { template <class T> gelint_message& operator<<(const T&); }; template <class... A> gelint_message gelint_check(A&&...);
#define CHECK(...) gelint_check(__VA_ARGS__)
#define REQUIRE(...) gelint_check(__VA_ARGS__)
#define CHECK_EQ(...) gelint_check(__VA_ARGS__)
#define CHECK_FALSE(...) gelint_check(__VA_ARGS__)
#define CHECK_THROWS(...) gelint_check(__VA_ARGS__)
#define CHECK_THROWS_AS(e, t) gelint_check(e)
#define EXPECT_EQ(...) gelint_check(__VA_ARGS__)
#define EXPECT_NE(...) gelint_check(__VA_ARGS__)
#define EXPECT_LT(...) gelint_check(__VA_ARGS__)
#define EXPECT_LE(...) gelint_check(__VA_ARGS__)
#define EXPECT_GT(...) gelint_check(__VA_ARGS__)
#define EXPECT_NEAR(...) gelint_check(__VA_ARGS__)
#define EXPECT_FLOAT_EQ(...) gelint_check(__VA_ARGS__)
#define EXPECT_TRUE(...) gelint_check(__VA_ARGS__)
#define EXPECT_FALSE(...) gelint_check(__VA_ARGS__)
#define EXPECT_THROW(e, t) gelint_check(0)
#define ASSERT_EQ(...) gelint_check(__VA_ARGS__)
#define ASSERT_NE(...) gelint_check(__VA_ARGS__)
#define ASSERT_TRUE(...) gelint_check(__VA_ARGS__)
#define ASSERT_FALSE(...) gelint_check(__VA_ARGS__)
#define ASSERT_NEAR(...) gelint_check(__VA_ARGS__)
#define ASSERT_THROW(e, t) gelint_check(0)
#define GTEST_SKIP() return
#define FAIL() return
#define SCOPED_TRACE(...) ((void)0)
namespace testing { struct Test { virtual void SetUp(); virtual void TearDown(); virtual ~Test(); }; template <class T> struct TestWithParam : Test { T GetParam() const; }; struct AssertionResult { explicit operator bool() const; template <class T> AssertionResult& operator<<(const T&); }; AssertionResult AssertionSuccess(); AssertionResult AssertionFailure(); template <class... A> int Values(A&&...); template <class... A> int Combine(A&&...); int Bool(); void InitGoogleTest(int*, char**); } int RUN_ALL_TESTS();
namespace doctest { struct Approx { Approx(double); Approx epsilon(double) const; }; struct Context { Context(); template <class... A> Context(A&&...); int run(); bool shouldExit() const; template <class... A> void applyCommandLine(A&&...); }; bool operator==(double, const Approx&); }
