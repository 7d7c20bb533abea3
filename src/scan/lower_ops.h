#pragma once
// Operation models: what a function computes whose body is not (usefully) readable: the math library, intrinsics,
// tensor operations. Read from the `operations:` lists of rules/*.yaml.
//
//   operations:
//     - names: [tanhf, "std::tanh", "_mm{256,512}_mul_p{s,d}"]   # braces expand; with "::" the whole tail must match
//       is: mul(a, sub(1, b))      # a, b, … the arguments (the receiver of a method comes first); numbers; operations
//       type: f32                  # of the result; default: the call's own type, else the operands' common type
//       methods: true              # also as x.tanh()
//       store: 0                   # the result is written through this argument
//       consecutive: true         # loads a vector from the elements behind a pointer
//       view: true                 # makes an object that stands for the memory of its first argument
//       arrays: true               # once for each element of the arrays that are handed over, as a loop would
//       wins: true                 # also over a body in user code
//       arity: 2                   # only with this many arguments
//       cases: [{arg: 1, contains: tanh, is: gelu_tanh(a)}]      # by the text of a string or enumerator
//       callback: {function: 3, arguments: [0], store: 2}        # runs a function value on elements
//
// A model with a plain name yields to a body in user code; one with a qualified name does not.

#include "formula/expr.h"
#include "formula/formula.h"
#include "support/result.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::scan::lower {

/// The right-hand side of a model.
struct OpTerm {
  enum class Kind : uint8_t { argument, number, operation, formula, cast } kind = Kind::number;
  int argument = 0;
  double number = 0;
  formula::Op op = formula::Op::constant;
  formula::Formula formula = formula::Formula::unknown;
  formula::Type type = formula::Type::f32; ///< of a cast
  std::vector<OpTerm> args;
};

/// "mul(a, 0.5)" → term. Fails with the position of the fault.
Result<OpTerm> parse_op_term(std::string_view text);

struct OpCase {
  int argument = 0;
  std::string equals, contains; ///< one of them; compared with a string, an enumerator's name or an integer
  OpTerm term;
};

struct OpModel {
  std::optional<OpTerm> term;
  std::optional<formula::Type> type;
  std::vector<OpCase> cases;
  int store = -1;
  int arity = -1;
  bool view = false;    ///< stands for the memory behind its first argument
  bool arrays = false;  ///< runs over whole arrays: y[i] = f(a[i])
  bool methods = false;
  bool consecutive = false; ///< loads a vector: the lanes are the elements behind the pointer
  bool wins = false;    ///< also over a body in user code
  bool untyped = false; ///< arguments are bits of registers without a type: none is converted beforehand
  bool same = false;    ///< only where the first two arguments are one value
  std::vector<int> steady; ///< only where these arguments do not depend on the data
  std::vector<int> scalar; ///< only where these arguments are one number each, no list and no array
  bool by_rule = false; ///< names a whole formula: what it yields is known by rule, not evaluated
  int callback_function = -1, callback_store = -1;
  std::vector<int> callback_arguments;
};

/// One instruction of inline assembly: the letters of `term` are its source operands in the order of the text.
struct AsmInstruction {
  std::string name;        ///< the whole mnemonic, or its part before `*`
  bool prefix = false;     ///< the rest of the mnemonic consists of modifiers and types
  bool move = false;       ///< the bits pass unchanged, so integer types may stand in the mnemonic
  bool store = false;      ///< the destination is the last operand
  int operands = 1;        ///< sources
  OpTerm term;
};

class OpModels {
public:
  /// Adds the `operations:` list of one document; other keys are left alone. `file` names it in errors.
  Status add_yaml(std::string_view text, const std::string& file);
  struct Match {
    const OpModel* model = nullptr;
    bool qualified = false; ///< by a name with "::": wins over a body
  };
  /// `qualified`: as far as it is known ("mlx::core::tanh", "tanhf"). Null model when there is none.
  Match find(std::string_view qualified, int arguments, bool method) const;
  size_t size() const { return models_.size(); }
  /// The longest name that fits; null when there is none. Modifiers that change the value (".sat", ".rni") fit none.
  const AsmInstruction* instruction(std::string_view mnemonic) const;

private:
  std::vector<std::unique_ptr<OpModel>> models_;
  std::vector<AsmInstruction> instructions_;
  std::multimap<std::string, std::pair<std::string, const OpModel*>, std::less<>> by_last_name_;
  std::vector<std::pair<std::string, const OpModel*>> by_tail_; ///< names written with a leading "*"
};

/// The models of the rule files inside the binary, read once.
const OpModels& embedded_op_models();

/// "a{b,c}d{,e}" → every combination, in order.
std::vector<std::string> expand_braces(const std::string& pattern);

/// x ↦ f(x) as nodes, in the form of formula_math.h.
formula::NodeId formula_nodes(formula::Formula f, formula::Expr& e, formula::NodeId x, formula::Type type);

} // namespace gelint::scan::lower
