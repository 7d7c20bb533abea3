#pragma once
// Everything that is known of a tree once its units are parsed: which function, enumerator, string or handle computes
// which formula, followed through wrappers, dispatch arms and tables, across files.

#include "scan/api_rules.h"
#include "scan/facts.h"
#include "scan/lex.h"
#include "scan/lexical_eval.h"
#include "scan/needles.h"
#include "scan/outline.h"
#include "scan/site.h"
#include "scan/source_tree.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace gelint::scan {

struct FileModel {
  std::string path;
  Language language = Language::none;
  std::unique_ptr<MappedFile> map;
  std::unique_ptr<std::string> embedded; ///< not null: what the strings of the file of this path hold, a model of its own
  LexedFile lex;
  Outline outline;
  bool parsed = false; ///< as a unit of its own, or through an includer
  bool has_command = false;
  std::vector<uint32_t> lost; ///< see UnitFacts
  std::vector<std::pair<uint32_t, uint32_t>> skipped; ///< bytes
  std::unordered_map<uint32_t, const RefFact*> refs;
  std::unordered_map<uint32_t, const CallFact*> calls;
  std::map<uint32_t, const HandedFact*> handed;
  Backend backend = Backend::unknown;
  std::vector<int> functions; ///< indices of Knowledge::functions(), by place

  bool is_active(uint32_t offset, int32_t arm) const;
};

struct FunctionModel {
  int file = 0, scope = 0;
  std::string name, qualified;
  int line = 0, column = 0;
  bool is_type = false, is_lambda = false, active = true, from_macro = false;
  size_t first = 0, last = 0; ///< mentions of the body: [first, last)
  const DefinitionFact* fact = nullptr;
};

/// A literal that a caller hands through picks the formula: wrapper(x, mode) { library_gelu(x, mode); }
struct ByArgument {
  std::string name;  ///< of the variable or parameter that decides
  size_t parameter = SIZE_MAX; ///< its position among the function's parameters, once that is known
  std::vector<std::pair<std::string, formula::Formula>> arms; ///< literal → formula
  std::vector<formula::Formula> besides; ///< what the function computes on other paths
};

/// What a name, an arm or a function computes.
struct Value {
  formula::Formula formula = formula::Formula::unknown;
  KnownBy known_by = KnownBy::none;
  formula::Gating gating = formula::Gating::none;
  formula::Precision precision = formula::Precision::unknown;
  const Evaluated* evaluated = nullptr;
  std::vector<formula::Formula> reachable; ///< two or more: which one is decided at run time
  std::optional<Place> definition;
  std::vector<std::string> callees;
  std::string reason;
  Backend backend = Backend::unknown;
  std::optional<ByArgument> by_argument;
  bool weak = false; ///< met itself on the way: only good enough inside a longer chain
  bool building_block = false;
  bool is_epilogue = false;
  bool by_template_argument = false; ///< a value argument of a template asks for it
  bool known() const { return formula != formula::Formula::unknown; }
  /// Known, or one of several that are known.
  bool tells() const { return known() || reachable.size() > 1; }
  /// A formula of the vocabulary that is an activation as it stands.
  bool activation() const { return known() && formula != formula::Formula::other && formula != formula::Formula::identity && !building_block; }
};

Value value_of(const Evaluated& e);

/// A row of an initialiser: its key and what stands beside it.
struct RowModel {
  int file = 0;
  size_t key = 0;             ///< mention; SIZE_MAX: positional, the key is `position`
  std::vector<size_t> values; ///< mentions
  int scope = 0;              ///< of the outer initialiser
  int position = 0;
  size_t begin = 0, end = 0;  ///< tokens of the row: [begin, end)
};

/// An argument that a function runs an activation for.
struct ActivationSwitch {
  size_t parameter = 0; ///< counted from 0
  Value value;
  bool in_template = false; ///< of its template parameters
};

struct TemplateParameter {
  std::string name;
  bool is_type = false; ///< class, typename or template
};

/// Of "template <bool RELU, class T>" before a function or type, in order.
std::vector<TemplateParameter> template_parameters(const LexedFile& lex, const Scope& s);

/// "new Layer(…)", "std::make_shared<Layer>(…)"
struct Instantiation {
  int file = 0;
  size_t token = 0; ///< the type's name
  size_t open = 0;  ///< the bracket before its arguments
};

/// computes: may apply or choose an activation. flag: tells whether one is applied. handles: makes, stores, measures or
/// describes its data.
enum class Handling : uint8_t { computes, flag, handles };

class Knowledge {
public:
  Knowledge(const SourceTree& tree, const ApiRules& rules, std::vector<FileModel> files, const std::vector<UnitFacts>& units);

  const std::vector<FileModel>& files() const { return files_; }
  const std::vector<FunctionModel>& functions() const { return functions_; }
  const std::vector<RowModel>& rows() const { return rows_; }
  const std::vector<const ArmFact*>& arms() const { return arms_; }
  const std::vector<const InnerFact*>& inner() const { return inner_; }
  std::vector<const ArmFact*> arms_;
  std::multimap<std::string, std::string> overriders_; ///< method → what overrides it
  std::deque<DefinitionFact> united_; ///< what units do not agree on
  const ApiRules& rules() const { return rules_; }
  /// The enumerator whose position a row without a key has; empty: none.
  std::string positional_enumerator(size_t row) const {
    auto it = positional_.find(row);
    return it == positional_.end() ? std::string() : it->second;
  }

  Value of_function(int fn);
  Value of_mention(int file, size_t mention);
  /// A function of mathematics by its name, and no function of the tree that computes a member of the GELU family ("tanh_form").
  bool is_mathematics(int file, size_t mention);
  Value of_enumerator(const std::string& qualified, int from_file);
  Value of_arm(int file, size_t arm);
  Value of_row(const RowModel& r);
  /// The one lambda among these tokens of a file; not known when there is none, or a second one.
  Value lambda_in(int file, size_t begin, size_t end);
  /// Statements that stand by themselves; null when nothing known comes out.
  const Evaluated* of_tokens(int file, size_t begin, size_t end);
  /// The function whose name stands at this mention (a definition); -1.
  int function_at(int file, size_t mention) const;
  /// True when the name is an enumerator, a label, or a macro that stands for a number.
  bool is_enumerator(int file, const Mention& m) const;
  /// The body of this macro pastes its argument at `position` to another name.
  bool pastes(const std::string& macro, int position) const;
  bool is_function_name(const std::string& name) const { return by_name_.count(name) != 0; }
  bool is_macro_function(const std::string& name) const { return macro_functions_.count(name) != 0; }
  /// Whatever the macro is defined as in the tree, it declares a function of the name that is its argument at `position`.
  bool macro_declares(const std::string& macro, int position, int depth = 0) const;
  /// A "#define NAME number" that code calculates with: a size, no enumerator.
  bool is_quantity(const std::string& name) const { return quantities_.count(name) != 0; }
  /// What a function or type whose formula is unknown does with an activation.
  Handling handling(int fn);
  /// The same of every function or type of this name that a file may mean; by its words when there is none.
  Handling handling_of(const std::string& name, int from_file);
  /// A method "bool use_gelu() const { return …; }" of this name is in the tree.
  bool has_flag_accessor(const std::string& name);
  /// How many enumerators the enumeration of this one has; 0: none of the tree.
  size_t enumeration_size(const std::string& enumerator) const;
  bool is_type_name(const std::string& name) const;
  /// "struct Name {};": it only tells instantiations apart.
  bool is_tag(const std::string& name) const;
  /// A type of this name applies one of several formulas.
  bool type_chooses(const std::string& name);
  const TableSummary* table(const std::string& name) const;
  /// Names without a needle in them that compute an activation: what a second round looks for.
  std::set<std::string> learned_names();
  /// `body`: the function whose text counts, where it is another one, as the call operator of a class.
  bool hands_on(int fn, int body = -1);
  /// A class whose call operator was evaluated to a member of the family.
  /// The nearest to the file; -1: none.
  Value of_functor(std::string_view name, int fn);
  int functor(std::string_view name, int from) const;
  /// The arguments of a function, by its name, that turn an activation on; `depth` is for the search itself.
  std::vector<ActivationSwitch> switches(const std::string& name, int depth = 0);
  /// What a function does that a value parameter of its template, named after the family, turns on.
  Value of_template(int fn);
  /// What "template … name…;" instantiates; tokens from the name to the semicolon. `type`: a class.
  Value of_instantiation(int file, const std::string& name, const std::string& qualified, bool type, size_t name_tok, size_t end);
  /// The template arguments after the name at this token, as written without spaces.
  std::vector<std::string> template_argument_texts(int file, size_t name) const;
  bool is_template_parameter(int file, const Mention& m) const;
  /// A switch over enumerators, or a chain of comparisons with them or with strings, is in the body.
  bool has_arms(int fn) const;
  /// Functions of one name, methods of several classes or specialisations, that are not known to compute one formula:
  /// which of them a call runs is open.
  bool is_open(int file, const Mention& m);
  /// The arguments of the call at a mention, as written without spaces.
  std::vector<std::string> argument_texts(int file, const Mention& m) const;
  /// The same of the call whose argument the mention is.
  std::vector<std::string> arguments_around(int file, const Mention& m) const;
  /// The text of "#define NAME "text""; empty: the tree has none.
  std::string string_macro(std::string_view name) const;
  /// An enumeration, by its last name, that has a member of the GELU family.
  bool is_activation_enumeration(std::string_view name) const { return activation_enumerations_.count(name) != 0; }
  /// "ops::Act::ReLU", or an unscoped enumerator of such an enumeration.
  bool is_of_activation_enumeration(const Mention& m) const;
  /// All that the members of such an enumeration stand for.
  std::vector<formula::Formula> formulas_of_enumeration(const std::string& name, int from_file);
  /// The formulas that the tree sets a member of this name to; all of its enumeration where it is also set in other ways.
  std::vector<formula::Formula> formulas_of_member(const std::string& member, const std::string& enumeration, int from_file);
  /// The activation enumeration that a variable or member of this name is declared with; empty: none.
  std::string enumeration_of_variable(const std::string& name, int from_file) const;
  const std::map<std::string, std::vector<Instantiation>, std::less<>>& instantiations();
  /// The type that this name stands for in a file: its own, or the only one of the tree; -1.
  int type_named(const std::string& name, int from_file) const;
  /// What the methods of a short class apply, where that is one member of the family and nothing else.
  Value of_layer(int type);
  /// How other files make objects of such a class, which need have no needle in them: "new Layer(", "<Layer>(".
  std::set<std::string> layer_makers();
  /// A parameter of a constructor whose default is an enumerator of an activation: its position, and what that is.
  std::optional<ActivationSwitch> defaulted(int type);
  static bool owner_claims_family(const FunctionModel& f);
  /// The name stands in a function that computes gradients, or is handed to one.
  bool in_gradient(int file, const Mention& m) const;
  /// The arm stands in such a function, or calls one.
  bool is_gradient_arm(int file, size_t arm) const;
  const FunctionIndex& index() const { return index_; }
  Place place_of(int file, const Mention& m) const { return {files_[static_cast<size_t>(file)].path, static_cast<int>(m.line), static_cast<int>(m.column)}; }

private:
  struct LabelUse {
    int file;
    size_t arm;      ///< dispatch arm; SIZE_MAX: a row
    size_t row;
    size_t mention;  ///< the label
    int function = -1; ///< "T f<Op::gelu>(T x) {": the specialisation, instead of an arm or a row
  };
  void index_functions();
  void index_labels();
  void index_aliases();
  void index_name_lists();
  void index_rows();
  void index_assignments();
  void index_constants();
  void index_quantities();
  const std::map<std::string, std::vector<int>>& by_owner();
  Handling function_handling(const FunctionModel& f) const;
  bool has_work_to_do(int type);
  bool handles_by_name(const std::string& name) const;
  std::vector<int> candidates(const std::string& name, const std::string& qualified, int from_file, bool need_known);
  Value of_name(int file, size_t mention);
  void drop_unreachable_methods(std::vector<int>& fns, int file, const Mention& m);
  Value of_string(int file, size_t mention);
  std::vector<int> files_named(const std::string& name) const;
  Value of_file(int file);
  Value linked_by_words(int file, size_t mention);
  Value sole_function(const std::string& name);
  Value of_rule(const ApiSymbol& s, int file, const Mention& m);
  Value by_words(const std::string& name, int from_file, bool loosely);
  Value pasted(int file, const Mention& m, const std::string& macro, int position, int depth);
  Value from_evaluated(const Evaluated& e, int fn) const;
  Value choose(std::vector<std::pair<int, Value>> options, int from_file) const;
  Value combine(const std::vector<Value>& found, const std::string& claimed_name) const;
  Value argument_choice(int file, size_t mention);
  Value approximation_argument(int file, const Mention& m) const;
  bool in_product_with_its_argument(int file, const Mention& m, formula::Formula f) const;
  Value default_of_type(int fn);
  void pass_on_argument(int fn, const std::vector<Value>& found, Value& v) const;
  Value by_literal(const ByArgument& choice, const std::vector<std::string>& arguments) const;
  std::vector<Value> specialised_on(int tag);
  std::vector<Value> through_types(int fn);
  bool is_base(const FunctionModel& type, std::string_view name) const;
  std::string renamed_by_macro(int file, const Mention& m) const;
  std::vector<Value> methods_elsewhere(int type);
  template <class Map, class Compute>
  Value remembered(Map& map, const typename Map::key_type& key, int question, long id, Compute compute);
  Value whatever_the_argument(int fn, const TemplateParameter& p, int depth);
  Value template_switch(int fn, const TemplateParameter& p, int depth);
  Value switched_value(int fn, const std::string& parameter, bool decided_here, int depth);
  Value function_value(int fn);
  Value arm_value(int file, size_t arm);
  Value enumerator_value(const std::string& qualified, int from_file);
  const Evaluated* lexical(int fn);
  LexicalEnvironment environment(int file);
  int distance(int a, int b) const;
  void add_overriders(const std::string& method, const std::string& name, int file, std::vector<int>& fns);
  void unite(std::vector<const DefinitionFact*>& list, const std::vector<UnitFacts>& units);
  static FunctionModel* nearest_head(const DefinitionFact& d, const std::vector<FunctionModel*>& line);
  std::pair<size_t, size_t> mention_range(int file, uint32_t begin, uint32_t end) const;
  /// The tokens between the parentheses after a name; {0, 0} when there are none.
  std::pair<size_t, size_t> argument_tokens(int file, const Mention& m) const;
  size_t token_at(int file, uint32_t offset) const;

  struct ConstantPlace {
    int file;
    size_t begin, end; ///< tokens of its value
    bool macro;
  };
  const SourceTree& tree_;
  const ApiRules& rules_;
  std::map<std::string, std::vector<ConstantPlace>, std::less<>> constants_;
  std::vector<FileModel> files_;
  std::vector<FunctionModel> functions_;
  std::vector<RowModel> rows_;
  std::vector<const InnerFact*> inner_;
  FunctionIndex index_;
  std::map<std::string, std::vector<int>, std::less<>> by_name_;
  std::map<std::string, std::vector<size_t>> registered_; ///< "key" → its rows of the kind table["key"] = value
  std::map<std::string, std::vector<Instantiation>, std::less<>> instantiations_; ///< by the type's last name; made when asked
  bool instantiations_known_ = false;
  std::map<std::string, std::vector<int>> by_owner_; ///< class, without qualification → its methods; made when asked
  std::map<std::string, std::vector<LabelUse>> labels_;
  std::map<std::string, std::string> namespace_aliases_;
  std::set<std::string, std::less<>> activation_enumerations_;
  std::map<std::string, std::set<std::string>> enumerations_; ///< enumerator → enumerations, without qualification
  std::map<std::string, std::vector<ActivationSwitch>> switches_;
  std::set<std::string> enumerators_, macro_functions_, quantities_;
  std::map<std::string, size_t> enumeration_sizes_; ///< by enumerator
  std::map<int, Handling> handlings_;
  std::map<size_t, std::string> positional_;
  std::set<std::pair<int, size_t>> listed_strings_; ///< entries of plain lists of strings: file, mention
  std::map<std::string, std::vector<std::pair<int, size_t>>> assigned_;      ///< name → what it is set to
  std::map<std::string, std::vector<int>> by_words_, by_core_, by_condition_;
  std::map<std::string, std::vector<int>> by_stem_; ///< the words of a shader file's name → its functions
  std::map<std::string, std::vector<std::pair<int, size_t>>> macro_definitions_; ///< function-like: file, directive
  std::map<std::pair<std::string, int>, size_t> file_index_;
  std::map<int, Value> function_values_;
  std::map<std::pair<int, size_t>, Value> mention_values_, arm_values_;
  std::map<std::pair<std::string, int>, Value> enumerator_values_;
  std::map<int, Evaluated> lexical_values_;
  std::map<int, std::vector<std::pair<size_t, int>>> lambdas_; ///< by file, in order of place
  std::map<std::pair<int, size_t>, Evaluated> arm_evaluated_, token_values_;
  std::map<std::string, LexicalFunction> lexical_functions_;
  std::set<std::pair<int, long>> busy_;
  std::map<std::string, Evaluated> table_values_;
  uint64_t cycles_ = 0; ///< how often an evaluation met itself
  int depth_ = 0;
};

/// The distinctive words of a name: "kernel_geglu_f16" and "pipeline_geglu" both give "geglu".
std::string link_words(std::string_view name);
/// Only the words that name an activation: "unary_task_tiled_gelu_quick" gives "gelu quick".
std::string core_words(std::string_view name);

/// erf, tanh and helpers named after them (vec_erf, erf_approx): building blocks.
bool is_math_like(std::string_view name);
/// The method by which an operation runs: "forward", "Run", an operator.
bool applies_by_name(std::string_view name);

Backend backend_of_path(std::string_view path);

} // namespace gelint::scan
