#include "support/files.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace gelint {
namespace {

namespace fs = std::filesystem;

const std::string k_erf = "0.5f * x * (1.0f + std::erf(x * 0.70710678f))";
const std::string k_tanh =
    "0.5f * x * (1.0f + std::tanh(0.79788456f * (x + 0.044715f * x * x * x)))";

class Commands : public testing::Test {
protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() / ("gelint-commands-" + std::to_string(::getpid()));
    fs::remove_all(dir_);
    fs::create_directories(dir_ / "engine");
    fs::create_directories(dir_ / "model");
    write("model/config.json", "{\"architectures\": [\"PhiForCausalLM\"], \"model_type\": \"phi\", "
                               "\"hidden_act\": \"gelu_new\"}\n");
    write("inventory.yaml", "schema: gelint-inventory/1\nrows:\n- {id: T1, model_types: phi, "
                            "slots: text.mlp, sites: {enclosing: phi_mlp}}\n");
    engine(k_erf);
  }
  void TearDown() override { fs::remove_all(dir_); }

  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file_atomically((dir_ / name).string(), text));
  }
  void engine(const std::string& formula, const std::string& before = "",
              const std::string& function = "phi_mlp") {
    write("engine/mlp.cpp", "#include <cmath>\n" + before + "float gelu(float x) { return " +
                                formula + "; }\n\nvoid " + function +
                                "(float* h) { h[0] = gelu(h[0]); }\n");
  }
  /// Exit status; what the program prints is in out_.
  int run(const std::string& arguments) {
    const char* binary = std::getenv("GELINT_BINARY");
    std::string command = "cd '" + dir_.string() + "' && '" +
                          std::string(binary ? binary : "gelint") + "' " + arguments +
                          " >out.txt 2>&1";
    int status = std::system(command.c_str());
    Result<std::string> text = read_file((dir_ / "out.txt").string());
    out_ = text ? *text : "";
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  int audit(const std::string& more = "") { return run("audit engine model " + k_common + more); }

  const std::string k_common = "-i inventory.yaml --isolated --stub --no-cache --ignore GL206 ";
  fs::path dir_;
  std::string out_;
};

TEST_F(Commands, AuditExitsByWhatItFinds) {
  EXPECT_EQ(audit(), 1);
  EXPECT_NE(out_.find("GL201"), std::string::npos) << out_;
  EXPECT_EQ(audit("--fail-on none"), 0);
  EXPECT_EQ(audit("--fail-on GL205"), 0);
  engine(k_tanh);
  EXPECT_EQ(audit(), 0) << out_;
}

TEST_F(Commands, AuditRefusesWhatItCannotDo) {
  EXPECT_EQ(run("audit --isolated"), 2);
  EXPECT_NE(out_.find("there is no codebase"), std::string::npos) << out_;
  EXPECT_EQ(run("audit no/such/folder model " + k_common), 2);
  write("inventory.yaml", "schema: gelint-inventory/1\nrows: [\n");
  EXPECT_EQ(audit(), 1);
  EXPECT_NE(out_.find("inventory.yaml:3:1"), std::string::npos) << out_;
}

TEST_F(Commands, WithoutAnInventoryOneIsDrafted) {
  // The function's name says phi.
  EXPECT_EQ(run("audit engine model --isolated --stub --no-cache"), 1) << out_;
  EXPECT_NE(out_.find("GL201"), std::string::npos) << out_;
}

TEST_F(Commands, TheBaselineSurvivesMovedLinesAndShrinks) {
  const std::string base = "engine model " + k_common;
  EXPECT_EQ(run("baseline write " + base), 0) << out_;
  EXPECT_EQ(audit("--baseline .gelint-baseline.json"), 0) << out_;
  engine(k_erf, "\n// moved\n\n\n");
  EXPECT_EQ(audit("--baseline .gelint-baseline.json"), 0) << out_;
  EXPECT_EQ(run("baseline check " + base), 0) << out_;
  engine(k_tanh);
  EXPECT_EQ(run("baseline check " + base), 1) << out_;
  EXPECT_NE(out_.find("which is gone"), std::string::npos) << out_;
  EXPECT_EQ(run("baseline prune " + base), 0) << out_;
  EXPECT_EQ(run("baseline check " + base), 0) << out_;
  engine(k_erf);
  EXPECT_EQ(run("baseline check " + base), 1) << "a new finding fails: " << out_;
}

TEST_F(Commands, CompareShowsWhatChanged) {
  EXPECT_EQ(audit("--fail-on none --format json:old.json"), 0) << out_;
  EXPECT_EQ(audit("--compare old.json"), 0) << "nothing new: " << out_;
  engine(k_tanh);
  EXPECT_EQ(audit("--compare old.json"), 0);
  EXPECT_NE(out_.find("Fixed rows (1)"), std::string::npos) << out_;
  EXPECT_EQ(audit("--fail-on none --format json:good.json"), 0);
  engine(k_erf);
  EXPECT_EQ(audit("--compare good.json"), 1) << out_;
  EXPECT_NE(out_.find("New mismatches (1)"), std::string::npos) << out_;
  EXPECT_EQ(audit("--compare good.json --format json"), 1);
  EXPECT_NE(out_.find("\"new\""), std::string::npos) << out_;
}

TEST_F(Commands, InventoryCheckFindsStaleBindings) {
  engine(k_tanh);
  EXPECT_EQ(run("inventory check engine " + k_common), 0) << out_;
  engine(k_tanh, "", "renamed_block");
  EXPECT_EQ(run("inventory check engine " + k_common), 1) << out_;
  EXPECT_NE(out_.find("GL204"), std::string::npos) << out_;
  EXPECT_NE(out_.find("GL203"), std::string::npos) << out_;
}

TEST_F(Commands, InventoryDraftNeverReplacesAFile) {
  EXPECT_EQ(run("inventory draft engine --isolated --stub --no-cache -o draft.yaml"), 0) << out_;
  EXPECT_EQ(run("inventory draft engine --isolated --stub --no-cache -o draft.yaml"), 2) << out_;
  EXPECT_EQ(run("audit engine model -i draft.yaml --isolated --stub --no-cache"), 1) << out_;
}

} // namespace
} // namespace gelint
