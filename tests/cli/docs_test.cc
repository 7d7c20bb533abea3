// Every console block of the documentation is run and its output compared.
//
//   ```console
//   $ gelint lint examples/checkpoints/starcoder2-3b
//   expected output; a line of three dots stands for any lines
//   ```
// Each document gets its own copy of examples/ and inventory/; its blocks run one after the other in it, standard
// error included. GELINT_UPDATE_GOLDEN=1 rewrites the output of blocks that differ.

#include "run_gelint.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace gelint::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(' ') + 1); // documents carry no trailing blanks
    out.push_back(line);
  }
  return out;
}

/// Wildcard match over lines.
bool matches(const std::vector<std::string>& expected, size_t e, const std::vector<std::string>& actual, size_t a) {
  if (e == expected.size())
    return a == actual.size();
  if (expected[e] == "...") {
    for (size_t k = a; k <= actual.size(); ++k)
      if (matches(expected, e + 1, actual, k))
        return true;
    return false;
  }
  return a < actual.size() && expected[e] == actual[a] && matches(expected, e + 1, actual, a + 1);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& l : lines)
    out += l + "\n";
  return out;
}

class Document {
public:
  explicit Document(fs::path file) : file_(std::move(file)) {
    for (const char* folder : {"examples", "inventory"})
      fs::copy(fs::path(GELINT_SOURCE_DIR) / folder, fs::path(dir_.path()) / folder, fs::copy_options::recursive);
  }

  void check() {
    std::ifstream in(file_, std::ios::binary);
    std::vector<std::string> lines = lines_of({std::istreambuf_iterator<char>(in), {}}), out;
    bool changed = false;
    for (size_t i = 0; i < lines.size();) {
      out.push_back(lines[i++]);
      if (out.back() != "```console")
        continue;
      while (i < lines.size() && lines[i] != "```") {
        if (!lines[i].starts_with("$ ")) {
          ADD_FAILURE() << file_ << ":" << i + 1 << ": output without a command";
          return;
        }
        out.push_back(lines[i]);
        std::string command = lines[i++].substr(2);
        std::vector<std::string> expected;
        while (i < lines.size() && lines[i] != "```" && !lines[i].starts_with("$ "))
          expected.push_back(lines[i++]);
        std::vector<std::string> actual = lines_of(run(command));
        if (!matches(expected, 0, actual, 0)) {
          changed = true;
          if (!std::getenv("GELINT_UPDATE_GOLDEN"))
            ADD_FAILURE() << file_.filename() << ": $ " << command << "\nexpected:\n" << joined(expected) << "actual:\n"
                          << joined(actual);
          expected = actual;
        }
        out.insert(out.end(), expected.begin(), expected.end());
      }
    }
    if (changed && std::getenv("GELINT_UPDATE_GOLDEN"))
      std::ofstream(file_, std::ios::binary) << joined(out);
  }

private:
  std::string run(const std::string& command) {
    Outcome o = shell("exec 2>&1; (exit " + std::to_string(last_) + "); " + command, dir_.path());
    last_ = o.status;
    return o.out;
  }

  fs::path file_;
  TempDir dir_;
  int last_ = 0;
};

TEST(Docs, EveryConsoleBlock) {
  if (invoke({"audit", "--help"}).status != 0)
    GTEST_SKIP() << "built without the scanner";
  const fs::path root = GELINT_SOURCE_DIR;
  std::vector<fs::path> files = {root / "README.md"};
  for (const fs::directory_entry& e : fs::directory_iterator(root / "docs"))
    if (e.path().extension() == ".md")
      files.push_back(e.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    if (fs::exists(file))
      Document(file).check();
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What is made from the program is as the program makes it: scripts/update.sh brings it up to date.
TEST(Docs, GeneratedPagesAreCurrent) {
  if (invoke({"audit", "--help"}).status != 0)
    GTEST_SKIP() << "built without the scanner: commands are missing";
  const fs::path docs = fs::path(GELINT_SOURCE_DIR) / "docs";
  EXPECT_EQ(text_of(docs / "cli.md"), invoke({"generate", "cli-reference"}).out);
  TempDir dir;
  ASSERT_EQ(invoke({"generate", "rules-docs", dir.path()}).status, 0);
  size_t pages = 0;
  for (const std::string& name : dir.names()) {
    ++pages;
    EXPECT_EQ(text_of(docs / "rules" / name), dir.read(name)) << name;
  }
  for (const fs::directory_entry& e : fs::directory_iterator(docs / "rules"))
    EXPECT_TRUE(fs::exists(dir.path() / e.path().filename())) << e.path() << " has no rule";
  EXPECT_GT(pages, 20u);
}

/// Links between the documents lead somewhere.
TEST(Docs, LinksLeadSomewhere) {
  const fs::path root = GELINT_SOURCE_DIR;
  std::vector<fs::path> files = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const fs::directory_entry& e : fs::recursive_directory_iterator(root / "docs"))
    if (e.path().extension() == ".md")
      files.push_back(e.path());
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
      std::string target = text.substr(at + 2, text.find_first_of(")\n", at) - at - 2);
      if (target.empty() || target[0] == '#' || target.find(':') != std::string::npos || target.find(' ') != std::string::npos)
        continue;
      EXPECT_TRUE(fs::exists(file.parent_path() / target.substr(0, target.find('#')))) << file << ": " << target;
    }
  }
}

} // namespace
} // namespace gelint::test
