#pragma once
// The only place that disposes of libclang objects. Everything else takes cursors and plain values.

#include "support/result.h"

#include <clang-c/Index.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gelint::scan {

/// The text of a CXString, which is disposed of.
std::string take(CXString s);

/// A position in a file. `file` is libclang's handle; compare with clang_File_isEqual.
struct SourcePos {
  CXFile file = nullptr;
  unsigned line = 0, column = 0, offset = 0;
};

/// Where the text that produced this location stands in the file: for code from a macro that is the place of the
/// macro's use. clang_Location_isFromMainFile is false for anything that starts inside an expansion and loses it.
SourcePos expansion_pos(CXSourceLocation loc);
/// Where the characters were written: inside the macro's definition for code from a macro.
SourcePos spelling_pos(CXSourceLocation loc);

/// What to parse and how. Unsaved files may stand in directories that do not exist (the stub headers do).
struct ParseInput {
  std::string path;                                           ///< as handed to libclang
  std::vector<std::string> args;                              ///< language, -I, -D, …; without -ferror-limit, which is always added
  std::vector<std::pair<std::string_view, std::string_view>> unsaved; ///< path, text; must outlive the parse
  bool retain_excluded = false; ///< second pass: the arms that #if leaves out are parsed as well
};

/// A parsed translation unit with its index.
class Tu {
public:
  /// Parses with KeepGoing and without a limit on errors: both are needed for correctness, since clang otherwise
  /// stops instantiating and drops the rest of the unit after the first missing header. Fails when libclang gives no
  /// unit at all; a unit with errors is a success.
  static Result<Tu> parse(const ParseInput& input);

  CXTranslationUnit get() const { return tu_.get(); }
  CXCursor root() const { return clang_getTranslationUnitCursor(tu_.get()); }
  CXFile main_file() const { return main_; }
  const std::string& path() const { return path_; }
  bool in_main_file(CXSourceLocation loc) const;
  bool in_main_file(CXCursor c) const { return in_main_file(clang_getCursorLocation(c)); }

  struct Token {
    std::string spelling;
    CXTokenKind kind;
    unsigned offset; ///< of the first byte in its file
  };
  /// The tokens of an extent, as written.
  std::vector<Token> tokens(CXSourceRange range) const;
  /// Headers that were asked for and not found, as written between the quotes; sorted, unique.
  std::vector<std::string> missing_headers() const;
  /// Byte ranges of the main file that the preprocessor skipped; sorted.
  std::vector<std::pair<unsigned, unsigned>> skipped_ranges() const;
  unsigned error_count() const;

private:
  struct IndexDeleter {
    void operator()(void* p) const { clang_disposeIndex(p); }
  };
  struct TuDeleter {
    void operator()(CXTranslationUnit p) const { clang_disposeTranslationUnit(p); }
  };
  std::unique_ptr<void, IndexDeleter> index_;
  std::unique_ptr<std::remove_pointer_t<CXTranslationUnit>, TuDeleter> tu_;
  CXFile main_ = nullptr;
  std::string path_;
};

/// Calls `visit` for each child, in order. An exception would cross C frames, so none may leave `visit`.
void for_each_child(CXCursor parent, const std::function<void(CXCursor)>& visit);
std::vector<CXCursor> children_of(CXCursor parent);

/// "a::b::f" by the semantic parents; anonymous namespaces, inline namespaces' versions and template arguments of the
/// entity itself are left out. Class template specialisations keep the template's name.
std::string qualified_name(CXCursor c);

/// The function, method, lambda or class around a cursor, as DESIGN names it: "f::(lambda)" for a lambda in f.
std::string enclosing_name(const std::vector<CXCursor>& ancestors);

} // namespace gelint::scan
