#pragma once
// The files of the scanned tree, and which of them an #include means when no compile database says so.

#include "support/result.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::scan {

enum class Language : uint8_t { none, c, cxx, cuda, header, objc, shader };

/// By the file's extension. `header` is parsed as what includes it, or as C++.
Language language_of(std::string_view path);
/// The same, but a header that holds OpenCL C is shader code.
Language language_of_text(std::string_view path, std::string_view text);

struct SourceFile {
  std::string path; ///< relative to the root, '/' separators
  Language language = Language::none;
  uint64_t size = 0;
};

class SourceTree {
public:
  /// Walks `root` (a directory, or one file). Skips .git, folders of builds (with a CMakeCache.txt or build.ninja) and
  /// what a glob of `exclude` matches. Symbolic links are not followed.
  static Result<SourceTree> walk(const std::string& root, const std::vector<std::string>& exclude);

  const std::vector<SourceFile>& files() const { return files_; } ///< sorted by path
  /// Source files and folders that the walk could not open, with the reason.
  const std::vector<std::pair<std::string, std::string>>& unreadable() const { return unreadable_; }
  const std::string& root() const { return root_; }
  std::string absolute(const std::string& relative) const;
  bool has(const std::string& relative) const { return index_.count(relative) != 0; }
  /// The path relative to the root when it lies in the tree; empty otherwise.
  std::string relative(std::string_view path) const;

  struct Includes {
    std::vector<std::string> quoted_dirs, angle_dirs; ///< relative; in order of first use
    std::set<std::string> outside;  ///< headers that are in no file of the tree, as written
    std::vector<std::string> files; ///< headers of the tree that are reached, sorted
  };
  /// What a unit reaches through its #include lines. Files are read once and remembered.
  Includes includes_of(const std::string& relative) const;
  /// A file that includes this header (directly or through others), a source file by preference; empty: none.
  std::string includer_of(const std::string& header) const;

private:
  struct Line {
    std::string name;
    bool quoted;
  };
  const std::vector<Line>& lines_of(const std::string& relative) const;
  std::string resolve(const Line& l, const std::string& from) const;

  std::string root_, absolute_root_;
  bool single_file_ = false;
  std::vector<SourceFile> files_;
  std::vector<std::pair<std::string, std::string>> unreadable_;
  std::map<std::string, size_t, std::less<>> index_;
  std::map<std::string, std::vector<std::string>, std::less<>> by_name_; ///< base name → paths
  mutable std::map<std::string, std::vector<Line>> lines_;
};

/// Shell-style: * within a folder, ** across folders, ? one character. A pattern without a slash matches any part.
bool glob_match(std::string_view pattern, std::string_view path);

} // namespace gelint::scan
