#pragma once
// Small questions to libclang that lowering asks all the time.

#include "scan/lower.h"

#include <clang-c/Index.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gelint::scan::lower {

struct CursorHash {
  size_t operator()(const CXCursor& c) const { return clang_hashCursor(c); }
};
struct CursorEqual {
  bool operator()(const CXCursor& a, const CXCursor& b) const { return clang_equalCursors(a, b) != 0; }
};
template <class T> using CursorMap = std::unordered_map<CXCursor, T, CursorHash, CursorEqual>;

std::string take(CXString s);
std::string spelling(CXCursor c);
std::string usr_of(CXCursor c);
/// "ns::Class::name", template arguments left out; anonymous and inline parts are skipped.
std::string qualified_name(CXCursor c);
/// Kept until forget_cursors(): the same bodies are run many times.
const std::vector<CXCursor>& children(CXCursor c);
/// To be called before a unit is disposed of, whose addresses the next one may have.
void forget_cursors();
/// The first tokens, as written; comments are left out.
std::vector<std::string> tokens(CXCursor c, size_t limit = 400);
/// Tokens joined by blanks where two words would touch; for conditions shown to people.
std::string source_text(CXCursor c, size_t limit = 24);
CodePlace place_of(CXCursor c);

bool is_null(CXCursor c);
bool is_expression(CXCursor c);
bool is_reference(CXCursorKind k); ///< TypeRef, TemplateRef, NamespaceRef …: no value
CXCursorKind kind_of(CXCursor c);
/// Children that carry a value: references to types and namespaces left out.
std::vector<CXCursor> operands(CXCursor c);
/// Through parentheses, implicit casts of one child, full expressions and temporaries.
CXCursor peel(CXCursor c);

struct Constant {
  double value = 0;
  bool integer = false;
};
/// What clang folds. Nothing for dependent code.
std::optional<Constant> evaluate(CXCursor c);
/// The value of a numeric literal's spelling ("0x1p-3f", "1'000", "2.f").
std::optional<Constant> parse_literal(std::string_view text);
std::string string_literal(CXCursor c); ///< without quotes; escapes are kept

/// The definition with a body that can be run: of a function, method, template (its pattern), or null.
CXCursor definition_of(CXCursor decl);
CXCursor body_of(CXCursor def); ///< CompoundStmt or null
std::vector<CXCursor> parameters_of(CXCursor def);
bool in_system_header(CXCursor c);
bool is_function(CXCursorKind k);
std::string record_name(CXType t); ///< unqualified name of the class, without template arguments; "" if none

} // namespace gelint::scan::lower
