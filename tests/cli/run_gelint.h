#pragma once
// Runs the built binary ($GELINT_BINARY) as a user would.

#include <map>
#include <string>
#include <vector>

namespace gelint::test {

struct Outcome {
  int status = -1; ///< exit status; 128 + signal when killed
  std::string out, err;
};

struct Invocation {
  std::vector<std::string> args = {};
  std::map<std::string, std::string> env = {}; ///< on top of a bare environment: PATH, HOME, LC_ALL=C.UTF-8
  std::string directory = {};                ///< empty: the repository
  std::string input = {};
  bool terminal = false;      ///< standard output and error are a pseudo-terminal; everything lands in `out`
  bool close_output = false;  ///< the reader of standard output has gone before the first byte
  int interrupt_after_ms = 0; ///< sends SIGINT
};

Outcome invoke(const Invocation& r);
inline Outcome invoke(std::vector<std::string> args) { return invoke(Invocation{.args = std::move(args)}); }

/// A command line for bash, with the binary's folder first in PATH.
Outcome shell(const std::string& command, const std::string& directory, const std::string& input = "");

/// An empty folder that is removed with the object.
class TempDir {
public:
  TempDir();
  ~TempDir();
  const std::string& path() const { return path_; }
  /// Writes a file below it, with its folders.
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  std::vector<std::string> names() const; ///< of every entry, hidden ones too, sorted

private:
  std::string path_;
};

} // namespace gelint::test
