#pragma once
// Golden files: GELINT_UPDATE_GOLDEN=1 rewrites them, and the difference is then read in review.

#include "support/files.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace gelint {

/// Compares with tests/golden/<name>.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(GELINT_SOURCE_DIR) + "/tests/golden/" + name;
  if (const char* update = std::getenv("GELINT_UPDATE_GOLDEN"); update && *update) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    Status s = write_file_atomically(path, text);
    ASSERT_TRUE(s) << s.error().text();
    return;
  }
  Result<std::string> golden = read_file(path);
  ASSERT_TRUE(golden) << golden.error().text() << "; run once with GELINT_UPDATE_GOLDEN=1";
  EXPECT_EQ(text, *golden) << "tests/golden/" << name << " is stale";
}

} // namespace gelint
