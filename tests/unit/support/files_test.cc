#include "support/files.h"

#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gelint {
namespace {

namespace fs = std::filesystem;

TEST(Files, AWriteReplacesTheWholeFile) {
  fs::path dir = fs::path(testing::TempDir()) / "files-write";
  fs::create_directories(dir);
  const std::string path = dir / "a";
  ASSERT_TRUE(write_file_atomically(path, "one, the longer text"));
  ASSERT_TRUE(write_file_atomically(path, "two"));
  EXPECT_EQ(*read_file(path), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir), {}), 1);
  fs::remove_all(dir);
}

extern "C" void clean_and_leave(int) {
  remove_unfinished_files();
  ::_exit(0);
}

// The signal comes at another moment of the write each time.
TEST(Files, ASignalLeavesTheOldFileAndNoTemporary) {
  fs::path dir = fs::path(testing::TempDir()) / "files-signal";
  fs::create_directories(dir);
  const std::string path = dir / "a", old(1 << 20, 'o'), fresh(8 << 20, 'n');
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(write_file_atomically(path, old));
    pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGINT, clean_and_leave);
      for (;;)
        (void)write_file_atomically(path, fresh);
    }
    ::usleep(static_cast<useconds_t>(2000 + 1700 * i));
    ::kill(child, SIGINT);
    int status = 0;
    ::waitpid(child, &status, 0);
    Result<std::string> text = read_file(path);
    ASSERT_TRUE(text);
    EXPECT_TRUE(*text == old || *text == fresh);
    EXPECT_EQ(std::distance(fs::directory_iterator(dir), {}), 1) << "a temporary is left";
  }
  fs::remove_all(dir);
}

TEST(Files, DevicesAndPipesAreWrittenToAndLinksReplaced) {
  EXPECT_TRUE(write_file_atomically("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(write_file_atomically("/dev/full", "x").error().text(),
            "/dev/full: cannot write: No space left on device (free some space, or name another path)");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  fs::path dir = fs::path(testing::TempDir()) / "files-links";
  fs::create_directories(dir);
  ASSERT_TRUE(write_file_atomically(dir / "kept", "kept"));
  fs::remove(dir / "link");
  fs::create_symlink("kept", dir / "link");
  ASSERT_TRUE(write_file_atomically(dir / "link", "new"));
  EXPECT_EQ(*read_file(dir / "kept"), "kept");
  EXPECT_EQ(*read_file(dir / "link"), "new");
  fs::remove_all(dir);
}

TEST(Files, FaultsNameTheFile) {
  EXPECT_EQ(read_file("/dev/null/x").error().text(), "/dev/null/x: does not exist (correct the path)");
  EXPECT_EQ(read_file("/").error().text(), "/: is a directory, not a file (name a file)");
  EXPECT_EQ(write_file_atomically("/dev/null/x", "").error().text(),
            "/dev/null/x: cannot write: Not a directory (name another path)");
}

} // namespace
} // namespace gelint
