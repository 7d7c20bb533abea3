// The CI integrations, as far as they run without their hosts.

#include "run_gelint.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace gelint::test {
namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

std::string in_repository(const std::string& path) { return std::string(GELINT_SOURCE_DIR) + "/" + path; }

bool has_audit() { return invoke({"audit", "--help"}).status == 0; }

/// A folder with the example in it, as a repository would have it.
void copy_example(const TempDir& dir) {
  for (const char* folder : {"examples", "inventory"})
    fs::copy(in_repository(folder), fs::path(dir.path()) / folder, fs::copy_options::recursive);
}

TEST(GithubAction, IsWellFormed) {
  YAML::Node action = YAML::LoadFile(in_repository("action.yml"));
  EXPECT_EQ(action["runs"]["using"].as<std::string>(), "composite");
  std::string text;
  for (const YAML::Node& step : action["runs"]["steps"]) {
    ASSERT_TRUE(step["run"] && step["shell"]) << "a composite step needs a shell";
    // Inputs reach the script through the environment only: no text of a pull request becomes shell code.
    EXPECT_FALSE(has(step["run"].as<std::string>(), "${{"));
    for (const auto& e : step["env"])
      text += e.second.as<std::string>() + "\n";
  }
  for (const auto& input : action["inputs"])
    EXPECT_TRUE(has(text, "inputs." + input.first.as<std::string>() + " ")) << input.first << " is not used";
}

TEST(GithubAction, AuditsAnnotatesAndSummarises) {
  if (!has_audit())
    GTEST_SKIP() << "built without the scanner";
  TempDir dir;
  copy_example(dir);
  Outcome o = shell("export GITHUB_STEP_SUMMARY=summary.md GITHUB_OUTPUT=output.txt GELINT_CONFIG=examples/.gelint.yaml "
                    "GELINT_FAIL_ON=error GELINT_SARIF=gelint.sarif GELINT_ARGUMENTS='--select GL2'; bash " +
                        in_repository("ci/github/audit.sh"),
                    dir.path());
  EXPECT_EQ(o.status, 1) << o.err;
  EXPECT_TRUE(has(o.out, "::error file=examples/engine/")) << o.out;
  EXPECT_TRUE(has(dir.read("summary.md"), "# GELU call sites"));
  EXPECT_EQ(dir.read("output.txt"), "status=1\nsarif=gelint.sarif\n");
  EXPECT_TRUE(has(dir.read("gelint.sarif"), "\"uri\": \"examples/engine/"));
}

TEST(GitlabTemplate, ItsScriptWritesTheArtifacts) {
  if (!has_audit())
    GTEST_SKIP() << "built without the scanner";
  YAML::Node job = YAML::LoadFile(in_repository("ci/gitlab/gelint.gitlab-ci.yml"))["gelint"];
  TempDir dir;
  copy_example(dir);
  std::string script = "export GELINT_FAIL_ON=error GELINT_ARGUMENTS='--config examples/.gelint.yaml'\n";
  for (const YAML::Node& line : job["script"])
    script += line.as<std::string>() + "\n";
  Outcome o = shell(script, dir.path());
  EXPECT_EQ(o.status, 1) << o.err;
  for (const auto& report : job["artifacts"]["reports"])
    EXPECT_NE(dir.read(report.second.as<std::string>()), "") << report.second;
  EXPECT_NE(dir.read(job["artifacts"]["paths"][0].as<std::string>()), "");
  YAML::Node quality = YAML::Load(dir.read("gl-code-quality-report.json"));
  ASSERT_TRUE(quality.IsSequence() && quality.size() > 0);
  for (const YAML::Node& issue : quality)
    for (const char* key : {"description", "check_name", "fingerprint", "severity", "location"})
      EXPECT_TRUE(issue[key]) << key;
}

TEST(PreCommit, HooksRun) {
  YAML::Node hooks = YAML::LoadFile(in_repository(".pre-commit-hooks.yaml"));
  std::string lint, audit;
  for (const YAML::Node& hook : hooks) {
    EXPECT_EQ(hook["language"].as<std::string>(), "system");
    EXPECT_TRUE(hook["require_serial"].as<bool>()) << "gelint uses all processors itself";
    (hook["id"].as<std::string>() == "gelint-lint" ? lint : audit) = hook["entry"].as<std::string>();
  }
  TempDir dir;
  copy_example(dir);
  Outcome good = shell(lint + " examples/checkpoints/gpt2/config.json", dir.path());
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  Outcome bad = shell(lint + " examples/checkpoints/broken-download/config.json", dir.path());
  EXPECT_NE(bad.status, 0);
  if (has_audit()) {
    fs::copy_file(dir.path() + "/examples/.gelint.yaml", dir.path() + "/examples/engine/.gelint.yaml");
    Outcome o = shell("cd examples && " + audit, dir.path());
    EXPECT_EQ(o.status, 1) << o.err;
  }
}

/// pre-commit itself takes the hooks from a repository that holds them, as a user's would.
TEST(PreCommit, TriesTheRepository) {
  if (shell("command -v pre-commit && command -v git", "").status != 0)
    GTEST_SKIP() << "pre-commit is not installed";
  TempDir dir;
  fs::copy_file(in_repository(".pre-commit-hooks.yaml"), dir.path() + "/.pre-commit-hooks.yaml");
  dir.write("good/config.json", "{\"model_type\": \"gpt2\", \"activation_function\": \"gelu_new\"}\n");
  dir.write("bad/config.json", "{\"model_type\": \"gpt2\", \"activation_function\": \"gelu_nwe\"}\n");
  Outcome git = shell("export HOME=$PWD; git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm hooks", dir.path());
  ASSERT_EQ(git.status, 0) << git.err;
  auto run = [&](const std::string& file) {
    return shell("export HOME=$PWD/home; pre-commit try-repo . gelint-lint --files " + file, dir.path());
  };
  Outcome good = run("good/config.json");
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  EXPECT_TRUE(has(good.out, "Passed")) << good.out;
  Outcome bad = run("bad/config.json");
  EXPECT_EQ(bad.status, 1) << bad.err;
  EXPECT_TRUE(has(bad.out, "did you mean gelu_new")) << bad.out;
}

/// Installs this build, then configures, builds and audits a project that uses the CMake module.
TEST(CmakeModule, AuditsABuild) {
  const char* build = std::getenv("GELINT_BUILD_DIR");
  if (!build || !has_audit())
    GTEST_SKIP() << "no build folder given, or built without the scanner";
  TempDir dir;
  copy_example(dir);
  Outcome install = shell(std::string("cmake --install ") + build + " --prefix prefix", dir.path());
  ASSERT_EQ(install.status, 0) << install.err;
  for (const char* file : {"prefix/bin/gelint", "prefix/share/man/man1/gelint.1",
                           "prefix/share/bash-completion/completions/gelint"})
    EXPECT_TRUE(fs::exists(dir.path() + "/" + file)) << file;
  dir.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\n"
                              "set(CMAKE_EXPORT_COMPILE_COMMANDS ON)\nenable_testing()\nfind_package(gelint REQUIRED)\n"
                              "add_library(user STATIC examples/engine/nn/activations.cc)\n"
                              "target_include_directories(user PRIVATE examples/engine)\n"
                              "gelint_audit(audit CONFIG examples/.gelint.yaml FORMATS text sarif:out/a.sarif DEPENDS user TEST)\n");
  Outcome configure = shell("cmake -S . -B b -DCMAKE_PREFIX_PATH=$PWD/prefix", dir.path());
  ASSERT_EQ(configure.status, 0) << configure.err;
  Outcome audit = shell("cmake --build b --target audit", dir.path());
  EXPECT_NE(audit.status, 0) << "the example has mismatches";
  EXPECT_TRUE(has(audit.out, "mismatch")) << audit.out << audit.err;
  EXPECT_TRUE(fs::exists(dir.path() + "/b/out/a.sarif"));
  EXPECT_TRUE(has(shell("ctest --test-dir b", dir.path()).out, "audit"));
}

} // namespace
} // namespace gelint::test
