// The cache of compiled kernels, with a stand-in for the compiler.

#include "verify/kernel_cache.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gelint;
using verify::KernelCache;
namespace fs = std::filesystem;

namespace {

class Cache : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("gelint-cache-" + std::to_string(::getpid()) + "-" +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all, ec_);
    fs::remove_all(folder_, ec_);
  }
  fs::path folder_;
  std::error_code ec_;
};

Result<std::string> image() { return std::string("machine code \0 with a zero", 26); }

} // namespace

TEST_F(Cache, ASecondProcessCompilesNothing) {
  std::string key = KernelCache::key("source", "--fmad=false", "sm_90", "nvrtc 13.0");
  pid_t child = ::fork();
  if (child == 0) {
    KernelCache cache(folder_.string());
    auto r = cache.get(key, image);
    ::_exit(r && *r == *image() && cache.counts().compiled == 1 && cache.counts().stored == 1 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  KernelCache cache(folder_.string());
  bool compiled = false;
  auto r = cache.get(key, [&] {
    compiled = true;
    return image();
  });
  ASSERT_TRUE(r);
  EXPECT_EQ(*r, *image());
  EXPECT_FALSE(compiled);
  EXPECT_EQ(cache.counts().hits, 1);
}

TEST_F(Cache, NamesAreShortAndKeysSeparateEveryPart) {
  std::string a = KernelCache::key(std::string(100000, 'k'), "o", "d", "c");
  EXPECT_EQ(a.size(), 32u);
  EXPECT_NE(KernelCache::key("ab", "c", "", ""), KernelCache::key("a", "bc", "", ""));
  EXPECT_NE(KernelCache::key("a", "", "sm_90", ""), KernelCache::key("a", "", "sm_80", ""));
  EXPECT_NE(KernelCache::key("a", "", "", "13.0"), KernelCache::key("a", "", "", "13.1"));
  KernelCache cache(folder_.string());
  ASSERT_TRUE(cache.get(a, image));
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_LE(entry.path().filename().string().size(), 64u);
}

TEST_F(Cache, ADamagedImageIsCompiledAgain) {
  std::string key = KernelCache::key("source", "", "", "");
  KernelCache cache(folder_.string());
  ASSERT_TRUE(cache.get(key, image));
  fs::path file = folder_ / (key + ".cubin");
  for (const char* damage : {"truncated", "changed", "empty"}) {
    std::string data;
    {
      std::ifstream in(file, std::ios::binary);
      data.assign(std::istreambuf_iterator<char>(in), {});
    }
    if (damage[0] == 't')
      data.resize(data.size() - 3);
    else if (damage[0] == 'c')
      data.back() ^= 1;
    else
      data.clear();
    std::ofstream(file, std::ios::binary | std::ios::trunc) << data;
    KernelCache again(folder_.string());
    auto r = again.get(key, image);
    ASSERT_TRUE(r) << damage;
    EXPECT_EQ(*r, *image()) << damage;
    EXPECT_EQ(again.counts().compiled, 1) << damage;
  }
}

TEST_F(Cache, AFolderThatCannotBeWrittenOnlyCostsTime) {
  std::ofstream(folder_) << "a file where the folder should be";
  KernelCache cache(folder_.string());
  auto r = cache.get(KernelCache::key("s", "", "", ""), image);
  ASSERT_TRUE(r);
  EXPECT_EQ(*r, *image());
  EXPECT_EQ(cache.counts().stored, 0);
  KernelCache none("");
  EXPECT_TRUE(none.get("0", image));
}

TEST_F(Cache, ALinkIsReplacedAndNotFollowed) {
  fs::create_directories(folder_);
  std::string key = KernelCache::key("s", "", "", "");
  fs::path victim = folder_ / "victim";
  std::ofstream(victim) << "kept";
  for (const char* to : {"victim", "nowhere"}) {
    fs::remove(folder_ / (key + ".cubin"));
    fs::create_symlink(to, folder_ / (key + ".cubin"));
    KernelCache cache(folder_.string());
    auto r = cache.get(key, image);
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, *image());
    EXPECT_EQ(cache.counts().compiled, 1) << "what the link leads to is no image";
    EXPECT_FALSE(fs::is_symlink(folder_ / (key + ".cubin")));
    KernelCache again(folder_.string());
    ASSERT_TRUE(again.get(key, image));
    EXPECT_EQ(again.counts().hits, 1);
  }
  std::ifstream in(victim);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "kept");
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

// In a child: the limits hold for the process. 0 when the image came, nothing was stored and nothing is left behind.
template <class Limit> int stored_nothing(const fs::path& folder, Limit limit) {
  pid_t child = ::fork();
  if (child == 0) {
    if (!limit())
      ::_exit(9);
    KernelCache cache(folder.string());
    auto r = cache.get(KernelCache::key("s", "", "", ""), [] { return Result<std::string>(std::string(100000, 'i')); });
    ::_exit(!r ? 1 : r->size() != 100000 ? 2 : cache.counts().stored != 0 ? 3 : 0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Cache, AFullDiskOnlyCostsTime) {
  fs::create_directories(folder_);
  // A limit on the size of files fails a write half-way, as a full disk does.
  EXPECT_EQ(stored_nothing(folder_, [] {
              ::signal(SIGXFSZ, SIG_IGN);
              rlimit limit{4096, 4096};
              return ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
            }), 0);
  EXPECT_TRUE(fs::is_empty(folder_)) << "a temporary is left";
}

TEST_F(Cache, AReadOnlyFolderOnlyCostsTime) {
  fs::create_directories(folder_);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  // Permissions do not hold for root: the child becomes nobody.
  EXPECT_EQ(stored_nothing(folder_, [] { return ::geteuid() != 0 || ::setuid(65534) == 0; }), 0);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Cache, OrphansOfACrashAreSwept) {
  fs::create_directories(folder_);
  // A process that has ended: its number is free again.
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(0);
  ::waitpid(child, nullptr, 0);
  fs::path orphan = folder_ / (".gelint-" + std::to_string(child) + "-1.tmp");
  fs::path busy = folder_ / (".gelint-" + std::to_string(::getpid()) + "-2.tmp");
  fs::path other = folder_ / "notes.txt";
  for (const fs::path& p : {orphan, busy, other})
    std::ofstream(p) << "x";
  KernelCache cache(folder_.string());
  ASSERT_TRUE(cache.get(KernelCache::key("s", "", "", ""), image));
  EXPECT_FALSE(fs::exists(orphan));
  EXPECT_TRUE(fs::exists(busy));
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(Cache, AFailedCompilationIsReportedAndNotStored) {
  KernelCache cache(folder_.string());
  auto r = cache.get(KernelCache::key("s", "", "", ""), [] { return Result<std::string>(Error{.message = "no"}); });
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().message, "no");
  EXPECT_EQ(cache.counts().stored, 0);
}
