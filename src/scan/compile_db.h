#pragma once
// compile_commands.json: which arguments a file is compiled with.

#include "support/result.h"

#include <map>
#include <string>
#include <vector>

namespace gelint::scan {

struct CompileCommand {
  std::string file;      ///< absolute
  std::string directory; ///< absolute
  std::vector<std::string> args; ///< for libclang: without the compiler, -c, -o and what only nvcc or gcc knows
  bool fast_math = false;        ///< -ffast-math, -Ofast or --use_fast_math
};

class CompileDatabase {
public:
  /// `dir_or_file`: a directory that holds compile_commands.json, or that file.
  static Result<CompileDatabase> load(const std::string& dir_or_file);
  /// The nearest one in `start`, its build folder, and the parents; empty when there is none.
  static std::string find_near(const std::string& start);

  const CompileCommand* find(const std::string& absolute_file) const;
  /// The command of a file in the same folder, or the nearest one: for headers.
  const CompileCommand* nearest(const std::string& absolute_file) const;
  const std::string& path() const { return path_; }
  const std::vector<std::string>& absent() const { return absent_; } ///< files it names that do not exist, as named

private:
  std::string path_;
  std::map<std::string, CompileCommand> commands_;
  std::vector<std::string> absent_;
};

/// Splits a command line as a POSIX shell does, without expansions.
std::vector<std::string> split_command(const std::string& command);

/// Makes arguments fit for libclang: drops what only nvcc, gcc or the linker knows, keeps -I, -D, -std, -m, -x and the
/// like, turns nvcc's spellings into clang's. Relative include paths are resolved against `directory`.
CompileCommand clean_command(std::vector<std::string> argv, const std::string& directory, const std::string& file);

} // namespace gelint::scan
