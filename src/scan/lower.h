#pragma once
// From libclang cursors to formula::Expr, by abstract interpretation of the code.
//
// A function (method, kernel, lambda, functor) is run once on symbols: every parameter, array element and result of
// a call without a body is a symbol; arithmetic builds the expression DAG; stores to memory are followed. Afterwards
// one symbol is chosen as the input x: the value that the output depends on elementwise. The others must be a plain
// factor (the gate, or a scale: set to 1), a shift of the input or of the output (bias, residual: set to 0), or a
// condition that does not depend on x (then the arms are `alternatives`); anything else makes the result unknown.

#include "formula/classify.h"
#include "scan/lower_index.h"

#include <clang-c/Index.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gelint::scan {

/// A place in a file as libclang names it. The caller makes the path relative.
struct CodePlace {
  std::string file;
  int line = 0, column = 0; ///< 1-based; expansion location
};

/// One arm of a condition that does not depend on the input, e.g. "approximate == tanh".
struct Alternative {
  std::string condition;
  formula::Expr expr;
  formula::Fingerprint fingerprint;
};

/// A formula computed in the middle of a body (a local variable, an argument, a store), not by the whole function.
struct InnerFormula {
  CodePlace place; ///< of the expression or the variable
  std::string symbol; ///< the variable; empty for an unnamed expression
  formula::Expr expr;
  formula::Fingerprint fingerprint;
};

struct LoweredFunction {
  std::string usr;            ///< empty for lambdas
  std::string name;           ///< as written, without qualification; "(lambda)" for lambdas
  std::string qualified_name; ///< without template arguments
  CodePlace place;            ///< of the name
  formula::Expr expr;         ///< empty when it was not lowered; then `reason` says why
  formula::Fingerprint fingerprint;
  formula::Precision precision = formula::Precision::unknown;
  std::vector<formula::Hazard> hazards;
  std::vector<Alternative> alternatives; ///< two or more arms with different formulas; then expr is empty
  int input_param = -1;                  ///< index of the parameter that holds x; -1: this, a global or a local
  int gate_param = -1;
  int output_param = -1;                 ///< -1: the return value
  bool intermediate_input = false; ///< x is the result of a call or an accumulated value: the activation is fused in
  bool by_rule = false; ///< the formula rests on an API's model in rules/, named in `callees`
  std::string reason;                    ///< why unknown; one sentence
  std::vector<std::string> callees;      ///< qualified names of inlined functions, in order of first use
  std::vector<std::string> unresolved;   ///< USRs of callees without body or model, sorted: a second pass may know them
  std::vector<InnerFormula> inner;
  /// True when the output is a nonlinear elementwise function of one value, whatever the formula.
  bool is_activation_like() const { return !expr.empty() || alternatives.size() > 1; }
};

struct LowerOptions {
  bool fast_math = false; ///< the unit is compiled with -ffast-math or --use_fast_math
  int max_steps = 20000;  ///< statements and expressions run for one function
  int max_depth = 16;     ///< calls inlined into each other
};

/// Lowers the functions of one parsed unit. Keeps results, so asking twice is free. The unit must outlive it.
class Lowering {
public:
  /// `index` may be null or empty: bodies in other files, from a first pass over all units.
  Lowering(CXTranslationUnit tu, const FunctionIndex* index, LowerOptions options = {});
  ~Lowering();

  /// `def`: a function, method, constructor-free functor class, function template or lambda expression. A declaration
  /// is followed to its definition, in the unit or the index.
  const LoweredFunction& lower_function(CXCursor def);

  /// A call with its actual arguments: constants, enumerators, strings, functors and template arguments select arms
  /// of the callee; values that are not constant are symbols. Also kernel launches and operator calls.
  LoweredFunction lower_call(CXCursor call);

  /// A variable or member of a class, or an expression that makes one: what the methods of the object compute that depend on how it was made. Empty
  /// when no method does, or when they differ.
  LoweredFunction lower_object(CXCursor made);
  /// The same of an object of `owner` that a function makes of these arguments: make_unique<owner>(arguments…).
  LoweredFunction lower_object(CXCursor owner, const std::vector<CXCursor>& arguments, CXCursor at);

  /// Any expression: its symbols are the variables it reads.
  LoweredFunction lower_expression(CXCursor expression);

  /// Cheap test by the names and literals in the body (transitively through functions of the unit) whether lowering
  /// could find an activation. `relu_like`: comparisons, max and clamps count as well.
  bool worth_lowering(CXCursor def, bool relu_like);

  /// Every definition, functor and lambda below the unit whose file passes `wanted`, worth_lowering only, in order of
  /// place. Local lambdas included.
  std::vector<const LoweredFunction*> lower_all(const std::function<bool(CXFile)>& wanted, bool relu_like,
                                                const std::function<bool(const CodePlace&)>& at = {});

  /// What other units may need of this one: functions that were lowered, and tables that are filled here.
  std::vector<FunctionSummary> summaries(const std::function<bool(CXFile)>& wanted);
  std::vector<TableSummary> tables(const std::function<bool(CXFile)>& wanted);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace gelint::scan
