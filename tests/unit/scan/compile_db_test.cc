#include "scan/compile_db.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace gelint::scan {
namespace {

namespace fs = std::filesystem;

class CompileDb : public ::testing::Test {
protected:
  void SetUp() override {
    dir = fs::temp_directory_path() / ("gelint-db-" + std::to_string(::getpid()) + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(dir / "src");
    fs::create_directories(dir / "build");
    std::ofstream(dir / "src/a.cc") << "int a;\n";
  }
  void TearDown() override { fs::remove_all(dir); }
  void write(const std::string& text) { std::ofstream(dir / "build/compile_commands.json") << text; }
  fs::path dir;
};

TEST_F(CompileDb, KeepsWhatTheParserNeeds) {
  write(R"([{"directory": "..", "file": "src/a.cc", "command": "nvcc -gencode arch=compute_90,code=sm_90 --use_fast_math -Iinclude -DX=\"y z\" -std=c++17 -O2 -c src/a.cc -o a.o"},
            {"directory": "..", "file": "src/gone.cc", "arguments": ["cc", "-c", "src/gone.cc"]}])");
  auto db = CompileDatabase::load((dir / "build").string());
  ASSERT_TRUE(db) << db.error().text();
  const CompileCommand* c = db->find((dir / "src/a.cc").string());
  ASSERT_NE(c, nullptr);
  EXPECT_TRUE(c->fast_math);
  EXPECT_EQ(c->args, (std::vector<std::string>{"-I" + (dir / "include").string(), "-DX=y z", "-std=c++17"}));
  EXPECT_EQ(db->absent(), std::vector<std::string>{"src/gone.cc"});
  EXPECT_EQ(CompileDatabase::find_near((dir / "src").string()), (dir / "build/compile_commands.json").string());
}

TEST_F(CompileDb, SaysWhereTheJsonIsWrong) {
  write("[\n  {\"file\": }\n]");
  auto db = CompileDatabase::load((dir / "build").string());
  ASSERT_FALSE(db);
  EXPECT_EQ(db.error().line, 2);
}

TEST(SplitCommand, QuotesAndEscapes) {
  EXPECT_EQ(split_command(R"(cc -DA="b c" 'd e' f\ g "")"), (std::vector<std::string>{"cc", "-DA=b c", "d e", "f g", ""}));
}

} // namespace
} // namespace gelint::scan
