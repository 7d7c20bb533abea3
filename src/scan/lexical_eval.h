#pragma once
// Evaluates code from its tokens alone: shader functions, inactive #if arms, statements that the parser dropped. The
// result is the same expression DAG that the AST gives, judged by the same classifier.

#include "scan/facts.h"
#include "scan/lex.h"
#include "scan/outline.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::scan {

/// A function body that the evaluator may inline.
struct LexicalFunction {
  const LexedFile* file = nullptr;
  std::vector<std::string> parameters;
  std::vector<char> written; ///< by parameter: the function may write through it (inout, &, *)
  size_t begin = 0, end = 0; ///< tokens of the body, without its braces
};

/// What is known of names outside the code that is evaluated.
struct LexicalEnvironment {
  /// Functions by name; nullptr when there is none, or several that differ.
  std::function<const LexicalFunction*(std::string_view)> function;
  /// The defining tokens of a constant: of "#define X 0.5f" or "const float X = …;".
  struct Tokens {
    const LexedFile* file = nullptr;
    size_t begin = 0, end = 0;
    bool macro = false; ///< of a #define: put in as text
  };
  std::function<Tokens(std::string_view)> constant;
  /// "#define NAME(…)" is in the tree.
  std::function<bool(std::string_view)> macro_function;
};

/// Parameters as the text between the parentheses of the head names them.
LexicalFunction lexical_function(const LexedFile& f, const Scope& s);

/// Runs the statements of [begin, end) once and judges what they return or store. `expr` is empty when nothing
/// nonlinear comes out.
Evaluated evaluate_tokens(const LexedFile& f, size_t begin, size_t end, const std::vector<std::string>& parameters,
                          const LexicalEnvironment& env);

/// A number literal of C, GLSL or WGSL: 0.5f, 1.702h, 1e-3, .5, 0x10. nullopt when it is none.
std::optional<double> literal_value(std::string_view text);

} // namespace gelint::scan
