#pragma once
// What the lexical tier makes of tokens.

#include "formula/expr.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::scan {

using formula::Op;

/// A tree with named symbols; it becomes an Expr once it is known which symbol is the input.
struct TermNode {
  Op op = Op::constant;
  double value = 0;
  std::string symbol; ///< not empty: a symbol
  std::vector<std::shared_ptr<TermNode>> args;
  bool integer = false; ///< a whole number as C writes it: 1 / 2 is 0
};
using Term = std::shared_ptr<TermNode>;

inline Term number(double v) { return std::make_shared<TermNode>(TermNode{Op::constant, v, {}, {}}); }
inline Term symbol(std::string s) { return std::make_shared<TermNode>(TermNode{Op::input, 0, std::move(s), {}}); }
inline Term make(Op op, std::vector<Term> a) { return std::make_shared<TermNode>(TermNode{op, 0, {}, std::move(a)}); }

/// Stops counting above `limit`.
size_t count_nodes(const Term& p, size_t limit);
bool contains(const Term& whole, const Term& part);
/// Holds an operation that is no sum, product or quotient.
bool computes(const Term& p);
/// Each once, in order of appearance.
void collect_symbols(const Term& p, std::vector<std::string>& out);
/// A call of a function, or of a method of args[0], whose model is in rules/ops_*.yaml, or that shader languages define. Null when it is none, or when
/// the model needs types.
Term modelled_call(std::string_view qualified, const std::vector<Term>& args, bool method);
/// cutlass::constants::half<T>() and the like (cutlass/constants.h).
const double* library_constant(std::string_view name);
/// Types and conversions: what a cast may name.
bool is_type_name(std::string_view s);

} // namespace gelint::scan
