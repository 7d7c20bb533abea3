#pragma once
// The structure of a source file as its tokens show it: functions, classes, enumerators, dispatch arms, and what each
// name is used for. It works on code that does not compile, on inactive #if arms and on shader languages, and it gives
// every site its kind; what the site computes comes from the AST or from evaluating the tokens.

#include "scan/lex.h"
#include "scan/needles.h"

#include <functional>
#include <string>
#include <vector>

namespace gelint::scan {

enum class ScopeKind : uint8_t { file, name_space, type, enumeration, function, block, initializer, macro };

struct Scope {
  ScopeKind kind = ScopeKind::file;
  int parent = -1;
  std::string name;      ///< unqualified; a lambda is "(lambda)"
  std::string qualified; ///< with the scopes around it
  size_t name_tok = SIZE_MAX;
  size_t begin = 0, end = 0; ///< tokens: of the '{' and of the matching '}'
  size_t head = 0;           ///< first token of the declaration
  bool lambda = false;
};

/// What a name is used for.
enum class Role : uint8_t {
  definition, declaration, enumerator, macro_name, call, construct, case_label, compare, argument, assign, ternary,
  returned, element, template_argument, operand, parameter, member_use, type_use,
};

struct Mention {
  std::string name;      ///< the identifier, or the string's content
  std::string qualified; ///< with the A::B:: before it, as written; template arguments left out
  bool is_string = false;
  uint32_t offset = 0, length = 0, line = 0, column = 0;
  Role role = Role::operand;
  int scope = 0;         ///< innermost scope
  int function = -1;     ///< innermost enclosing function scope; -1: none
  int group = -1;        ///< innermost dispatch arm; -1: none
  std::string callee;    ///< argument, construct: the function or macro whose parentheses it stands in
  int argument = -1;     ///< its position there
  int32_t arm = -1;      ///< #if arm
  bool in_macro = false; ///< in the body of a #define
  bool member = false;   ///< after . or ->
  NeedleClass needle = NeedleClass::none;
};

/// Labels that share a body: "case A: case B: …", or the condition of an if or else-if that compares with them.
struct DispatchArm {
  std::vector<size_t> labels; ///< mentions
  size_t begin = 0, end = 0;  ///< tokens of the body
  int function = -1;
  int chain = -1;             ///< arms of one switch or one if-chain share it
  bool fallback = false;      ///< default: or the final else
  bool is_switch = false;
  std::string subject;        ///< the expression that is switched over or compared, as written
};

struct Enumerator {
  std::string name, enumeration; ///< enumeration: qualified
  size_t mention = 0;
};

struct Outline {
  std::vector<Scope> scopes;
  std::vector<Mention> mentions; ///< by offset
  std::vector<DispatchArm> arms;
  std::vector<Enumerator> enumerators;
  /// "f", "f::(lambda)", class or "".
  std::string enclosing(const Mention& m) const;
};

/// `wanted` says which identifiers are needles; calls are recorded whether wanted or not.
Outline outline(const LexedFile& file, const std::function<NeedleClass(std::string_view)>& wanted);

/// The token after the matching bracket; tokens.size() when there is none. `open` is the index of ( [ { or <.
size_t after_matching(const LexedFile& f, size_t open);

} // namespace gelint::scan
