#include "support/glob.h"

#include <gtest/gtest.h>

namespace gelint {
namespace {

TEST(GlobPath, SegmentsAndDeepStars) {
  EXPECT_TRUE(glob_path("src/*.cc", "src/a.cc"));
  EXPECT_FALSE(glob_path("src/*.cc", "src/b/a.cc"));
  EXPECT_TRUE(glob_path("src/**/*.cc", "src/a.cc"));
  EXPECT_TRUE(glob_path("src/**/*.cc", "src/b/c/a.cc"));
  EXPECT_TRUE(glob_path("**/a.cc", "a.cc"));
  EXPECT_TRUE(glob_path("**/a.cc", "x/y/a.cc"));
  EXPECT_FALSE(glob_path("**/a.cc", "x/ba.cc"));
  EXPECT_TRUE(glob_path("ggml/**", "ggml/src/x.cu"));
  EXPECT_FALSE(glob_path("ggml/**", "ggmlx/src/x.cu"));
  EXPECT_TRUE(glob_path("a/[a-c]?.h", "a/b1.h"));
  EXPECT_FALSE(glob_path("a/[!a-c]?.h", "a/b1.h"));
  EXPECT_FALSE(glob_path("a?b", "a/b"));
  EXPECT_TRUE(glob_path("**/*gelu*/**", "x/my_gelu_dir/y"));
}

TEST(GlobName, MatchesWholeComponents) {
  EXPECT_TRUE(glob_name("build_phi", "llm::build_phi::(lambda)"));
  EXPECT_FALSE(glob_name("build_phi", "llm::build_phi2"));
  EXPECT_TRUE(glob_name("build_phi*", "llm::build_phi2"));
  EXPECT_TRUE(glob_name("llm::build_*", "x::llm::build_phi2"));
  EXPECT_FALSE(glob_name("x::build_phi2", "x::llm::build_phi2"));
  EXPECT_TRUE(glob_name("kernel", "ns::kernel<float, a::b>::run"));
  EXPECT_TRUE(glob_name("*", "f"));
  EXPECT_FALSE(glob_name("*", ""));
}

} // namespace
} // namespace gelint
