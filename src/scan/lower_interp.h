#pragma once
// The abstract interpreter: runs one function of the AST on symbols. One object per outermost function.

#include "scan/lower_ops.h"
#include "scan/lower_state.h"
#include "scan/lower_store.h"

#include <cctype>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace gelint::scan::lower {

/// Thrown inside the interpreter when a budget is spent; never leaves it.
struct BudgetSpent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the interpreter needs to know about the rest of the unit.
class Surroundings {
public:
  virtual ~Surroundings() = default;
  /// f of a global array, over Op::input, when it is filled in this unit or another; null otherwise.
  virtual const formula::Expr* table(CXCursor array) = 0;
  virtual const FunctionIndex* index() const = 0;
  /// Some function of the unit may change the variable or field: assigns to it, takes its address, hands it over.
  virtual bool assigned(CXCursor decl) = 0;
  /// Definitions in the unit by unqualified name, for calls that clang could not resolve.
  virtual const std::vector<CXCursor>& named(const std::string& name) = 0;
};

/// A value met on the way at the outermost level, with the place and the variable.
struct Trace {
  NodeId node;
  CXCursor at;
  std::string symbol;
};

/// Where a condition stands: `subject`, or "subject == label" for each label of a case.
struct Condition {
  CXCursor subject;
  std::vector<CXCursor> labels;
};

class Interp {
public:
  Interp(Surroundings& around, const LowerOptions& options) : around_(around), options_(options) {}

  /// Runs a definition with symbols for its parameters (`arguments` where given). Returns its value.
  Value run(CXCursor def, const std::vector<std::optional<Value>>& arguments = {});
  Value run_lambda(CXCursor lambda);
  Value run_expression(CXCursor e);
  Value run_call(CXCursor call);
  Value run_functor(const Value& object); ///< its operator() on symbols
  Value run_method(const Value& object, CXCursor def);
  Value run_declared_object(CXCursor decl); ///< made as its declaration or an expression makes it
  Value run_constructor(CXCursor owner, const std::vector<CXCursor>& arguments, CXCursor at); ///< the first that takes them; nothing: none

  formula::Expr& dag() { return dag_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const Cell& cell(CellId c) const { return cells_[static_cast<size_t>(c)]; }
  CellId root_of(CellId c) const;
  /// The node of an element's index; k_no_node for what is no element, and for an element that is one of two.
  NodeId subscript_of(CellId c) const;
  const Store& store() const { return store_; }
  /// The numbers that are stored in the fields and elements below a cell, with their places.
  std::vector<std::pair<CellId, NodeId>> parts_of(CellId c) const;
  const std::vector<Trace>& traces() const { return traces_; }
  /// memcpy and the like have set the array; its first element stands for all, until others are stored.
  bool filled(CellId array) const { return filled_.count(array) != 0; }
  /// Some lanes of a vector were written one by one, and others not.
  bool lanes_left(CellId c);
  /// What the lanes hold that were not written one by one; nothing where that was never set.
  Value whole_of(CellId c);
  /// A condition as it was written, "" for one made of others.
  std::string condition_text(NodeId n) const;
  /// A node that stands for a vector by one of its lanes → the lanes that compute something else.
  const std::map<NodeId, std::vector<NodeId>>& lanes() const { return lanes_; }
  /// Value of a symbol's leaf, or -1.
  int symbol_of(NodeId n) const;
  NodeId as_number(const Value& v);

  std::vector<std::string> callees;
  std::set<std::string> unresolved;
  std::set<std::string> unresolved_names;
  std::set<std::string> by_rule; ///< APIs whose formula is known by rule
  bool overwritten = false;      ///< an array was filled, and then filled again as a whole
  bool unknown_types = false;    ///< some number's type is a guess
  bool tensor_types = false;     ///< elements of tensors: the input type is chosen at run time
  int solver_budget = 160;       ///< arms that may be solved for one function
  std::string trouble;           ///< first construct that was not understood

private:
  // lower_memory.cc
  CellId new_cell(Cell c);
  CellId child(CellId parent, const std::string& key, CXType type);
  CellId child(CellId parent, const std::string& key, TypeInfo type);
  CellId element(CellId array, NodeId offset, TypeInfo type);
  CellId target(const Value& pointer, TypeInfo type);
  CellId temporary(const Value& v, CXType type);
  Value read(CellId c);
  std::optional<Value> stored(CellId c, int depth = 0);
  std::optional<Value> last_stored_below(CellId c);
  std::optional<Value> sibling(CellId c);
  std::set<std::string> counters_in(NodeId index);
  Value initial(CellId c);
  void write(CellId c, Value v);
  void write_at_unknown_index(CellId c, const Value& v);
  void forget_below(CellId c);
  void copy_object(CellId from, CellId to);
  void note_lane(NodeId chosen, NodeId other);

  // lower_merge.cc
  /// The state after "if (condition) then; else other": both are what a branch that began here has changed.
  void merge(NodeId condition, const Store::Changes& then_part, const Store::Changes& else_part);
  Value merge_values(NodeId condition, const Value& a, const Value& b);

  // lower_lanes.cc
  NodeId lane_values(const std::vector<NodeId>& lanes);
  NodeId in_lane(NodeId root, int lane);
  int lane_of_key(const std::string& key);
  Value lane_list(const std::vector<CXCursor>& values, CXType type);
  NodeId lanes_of_one_value(const std::vector<NodeId>& lanes);
  bool store_lanes(const Value& to, NodeId value, const TypeInfo& vector);
  NodeId loaded_lanes(const Value& from, const TypeInfo& vector);

  // lower_symbol.cc
  NodeId symbol(Symbol s);
  NodeId index_symbol(const std::string& name);
  Value unknown_result(const std::string& what, CXType type, const std::vector<Value>& args);
  void taint_of(NodeId n, std::set<int>& out);
  void havoc(CellId c, const std::string& what, const std::vector<Value>& args);

  // lower_number.cc
  NodeId number(double v, Type t);
  NodeId convert(NodeId n, Type to);
  NodeId binary(Op op, NodeId a, NodeId b, std::optional<Type> type = std::nullopt);
  NodeId unary(Op op, NodeId a, std::optional<Type> type = std::nullopt);
  NodeId select(NodeId c, NodeId a, NodeId b);
  NodeId read_choice(const Value& v, NodeId (Interp::*read)(const Value&));
  std::optional<double> constant_of(NodeId n);
  bool depends_on_data(NodeId n);
  NodeId truth(const Value& v);
  NodeId bits(NodeId n, Type to);

  // lower_expr.cc
  void step();
  void note_type(const TypeInfo& t);
  Value eval(CXCursor e);
  Value eval_inner(CXCursor e);
  Value eval_unexposed(CXCursor e);
  Value eval_reference(CXCursor e);
  Value eval_member(CXCursor e);
  Value eval_init_list(CXCursor e);
  Value eval_conditional(CXCursor e);
  Value eval_by_tokens(CXCursor e);
  std::optional<Value> eval_table(CXCursor e);

  // lower_operator.cc
  Value eval_binary(CXCursor e);
  Value eval_unary(CXCursor e);
  Value eval_cast(CXCursor e);
  /// `truncate`: a floating value may become an integer. Elsewhere a floating node of an integer type stands for bits.
  Value cast_value(Value v, CXType to, bool reinterpret = false, bool truncate = false);
  Value arithmetic(Op op, const Value& a, const Value& b, CXType type);

  // lower_place.cc
  CellId lvalue(CXCursor e);
  CellId lvalue_inner(CXCursor e);
  void assign(CXCursor target, Value v, CXCursor at);
  void assign_cell(CellId c, Value v);
  void note_trace(NodeId n, CXCursor at, const std::string& symbol, CXCursor expression);

  // lower_variable.cc
  CellId variable(CXCursor decl);
  Value decay(CellId c, CXType type);
  Value read_as(CellId c, CXType type);
  bool may_change(CXCursor variable);
  void default_member(CellId c, CXCursor field);

  // lower_call.cc
  Value eval_call(CXCursor e);
  Value construct(CXCursor e, CXType type, const std::vector<CXCursor>& args);
  void bind_template_arguments(CXCursor callee, CXCursor def);

  // lower_virtual.cc
  Value virtual_target(CXCursor member, CXCursor method, CXCursor def, CellId receiver);
  Value found_by_argument(CXCursor call, const std::string& name, size_t arguments);
  bool namesake_of_library(CXCursor decl, CXType result);

  // lower_template.cc
  Value specialisation(CXCursor callee, const std::string& name, size_t arguments);

  // lower_overload.cc
  Value eval_operator_call(CXCursor e, CXCursor decl, const std::string& name, std::vector<CXCursor> args);

  // lower_invoke.cc
  Value call_value(const Value& f, std::vector<Value> args, CXCursor at);
  Value call_definition(CXCursor def, CellId receiver, std::vector<Value> args, CXCursor at);
  void bind_parameters(const std::vector<CXCursor>& params, const std::vector<Value>& args);
  /// What a call sets aside of its caller.
  struct Frame {
    NodeId returned, left;
    Value result;
    CXType result_type;
    CellId self;
  };
  Frame enter_frame(CXCursor callee);
  /// Puts the caller back and gives what the callee returned.
  Value leave_frame(Frame caller);

  // lower_lambda.cc
  void capture(CXCursor lambda);
  Value call_lambda(CXCursor lambda, std::vector<Value> args);
  void run_unused(const std::vector<Value>& args);

  // lower_elsewhere.cc
  std::optional<Value> call_summary(CXCursor decl, const std::string& name, std::vector<Value>& args);
  Value call_unknown(const std::string& name, CXCursor decl, std::vector<Value>& args, CXCursor at);
  void hand_over(const std::string& name, CXCursor decl, const std::vector<Value>& args);
  void havoc_below(CellId c, const std::string& name);
  NodeId splice(const formula::Expr& e, NodeId x, NodeId g);

  // lower_apply.cc, lower_asm.cc
  std::optional<Value> apply_model(const OpModels::Match& m, const std::string& name, std::vector<Value>& given,
                                   CXCursor at);
  std::vector<Value> element_arguments(const std::vector<Value>& args);
  NodeId apply_term(const OpTerm& t, std::vector<NodeId>& args, Type type);
  NodeId bitwise_nodes(Op op, NodeId a, NodeId b);
  const OpTerm* choose_case(const OpModel& m, const std::vector<Value>& args);
  void overwrite_all(const Value& to, const Value& size);
  std::set<CellId> filled_; ///< arrays that a call has set as a whole
  std::optional<Value> call_algorithm(const std::string& name, std::vector<Value>& args, CXCursor at);
  std::optional<Value> call_builtin(const std::string& name, const std::vector<CXCursor>& args, CXCursor at);
  std::optional<Value> eval_asm(CXCursor e);

  // lower_stmt.cc
  void exec(CXCursor s);
  void exec_block(CXCursor s);
  void exec_decl(CXCursor s);
  void exec_return(CXCursor s);
  void declare(CXCursor var);
  void jump();
  void settle(NodeId returned);
  bool finished() { return returned_ == k_true_ || left_ == k_true_; }
  NodeId guard();

  // lower_branch.cc
  void exec_if(CXCursor s);
  void exec_switch(CXCursor s);
  bool leaves(CXCursor s); ///< the statement does nothing but leave the block

  // lower_loop.cc
  void exec_for(CXCursor s);
  void exec_loop_body(CXCursor loop, const std::vector<CXCursor>& parts);
  NodeId counter_of(const std::vector<CXCursor>& carried);
  void carried_variables(CXCursor loop, std::vector<CXCursor>& out);

  Surroundings& around_;
  LowerOptions options_;
  formula::Expr dag_;
  std::vector<Cell> cells_;
  std::map<std::pair<CellId, std::string>, CellId> children_;
  std::vector<Symbol> symbols_;
  std::map<CellId, NodeId> cell_symbol_;
  std::map<std::string, NodeId> index_symbols_;
  Store store_;
  std::map<CellId, Value> globals_; ///< initial values of globals: the same in every branch
  uint64_t sequence_ = 0;
  CursorMap<CellId> variables_;
  CursorMap<bool> invoked_;
  CursorMap<Value> closures_; ///< lambda cursor → receiver at the time of its creation
  CursorMap<std::vector<std::pair<CellId, Value>>> copies_; ///< lambda → what it captured by copy
  CellId this_ = k_no_cell;
  bool asm_masked_ = false; ///< a mask register holds a comparison: instructions write some lanes only
  std::vector<Trace> traces_;
  std::map<NodeId, Condition> conditions_;
  std::map<NodeId, std::optional<double>> constants_;
  std::map<NodeId, bool> data_;
  std::map<NodeId, std::vector<NodeId>> lanes_;
  using ChoiceKey = std::tuple<NodeId, const Value*, const Value*, bool>;
  std::map<ChoiceKey, NodeId> chosen_; ///< what the choices below an outermost one are, as numbers or as conditions
  int choices_open_ = 0;

  // Leaving a function (returned_) or a loop body or switch (left_) early under a condition.
  static constexpr NodeId k_false_ = k_no_node, k_true_ = k_no_node - 1;
  NodeId returned_ = k_false_, left_ = k_false_;
  bool jumped_ = false; ///< by goto or throw since the last branch
  Value result_;
  CXType result_type_{};
  int depth_ = 0, loops_ = 0, steps_ = 0, eval_depth_ = 0;
  std::vector<CXCursor> stack_;
};

} // namespace gelint::scan::lower
