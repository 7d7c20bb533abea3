#pragma once
// What a call calls, as far as the tree and the text tell: the names of unresolved callees, operators in dependent code,
// arguments that stand for defaults.

#include "scan/lower_cursor.h"

#include <string>
#include <vector>

namespace gelint::scan::lower {

/// The object of a method's call is of the class that it is declared with, or the call names the class: no overrider is
/// meant.
bool object_of_known_class(CXCursor member);
/// The callee as written in front of the parenthesis, without template arguments: "hn::Mul", "V::erf".
std::string callee_text(CXCursor call);
/// The same from the tree, which also sees what a macro brought in; empty when it has no name.
std::string callee_in_tree(CXCursor callee);
/// "operator+", not "operator_name".
bool operator_name(const std::string& name);
/// a * b on a dependent operand, where some operator* is in sight: clang makes it a nameless call whose children, in
/// the order of the text, are the operands and the set of those operators. Empty for other calls.
std::string dependent_operator(const std::vector<CXCursor>& kids);
/// The one candidate of an unresolved call that has a body and takes as many arguments; null when there is none.
CXCursor candidate_of(CXCursor callee, size_t arguments);
/// T(…) and C<T>() in dependent code name the class by a reference among their children.
CXCursor constructed_class(const std::vector<CXCursor>& kids);
/// The argument is not written: the parameter's default stands.
bool default_argument(CXCursor arg);
/// `tail` is the last parts of the qualified name.
bool ends_with_name(const std::string& name, const std::string& tail);
std::string last_name(const std::string& name);

} // namespace gelint::scan::lower
