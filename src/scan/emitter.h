#pragma once
// The sites and the ledger of one file. Each group of functions stands in the source file named above it.

#include "scan/emit.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gelint::scan {

class Emitter {
public:
  Emitter(Knowledge& k, int file, bool all) : k_(k), fi_(file), f_(k.files()[static_cast<size_t>(file)]), all_(all) {}

  EmittedFile run();

private:
  using M = const Mention&;
  using Formula = formula::Formula;

  // emit.cc
  void mention(size_t mi);
  bool counts(NeedleClass c) const { return c == NeedleClass::gelu || (all_ && c == NeedleClass::activation); }

  // emit_site.cc
  bool in_type_scope(M m) const;
  bool listed(const Value& v, M m) const;
  Mention mention_at(size_t token, Role role) const;
  Site site(M m, SiteKind kind, const Value& v);
  bool near_ref(M m) const;
  void fill(Site& s, const Value& v, const std::string& name) const;
  static bool names_several_forms(std::string_view text);
  static bool explains(std::string_view text);
  void claim(Site& s, M m) const;
  bool capability(M m, const Value& v) const;
  bool in_capability_function(M m) const;
  void weak_name(Value& v, M m) const;
  bool is_local(M m) const;

  // emit_definitions.cc
  void definition(size_t mi);
  bool chooses_for_base(const FunctionModel& type) const;
  bool computed_inside(const FunctionModel& type, const Value& v) const;
  bool is_parameter(M m) const;
  int call_operator(const FunctionModel& type) const;
  void unnamed_definitions();
  bool tagged(int type);
  void functor(int type);
  void made_by_macro(int fn);
  bool coefficient_and_curve(const FunctionModel& f) const;
  bool holds_formula(const FunctionModel& f) const;
  Site definition_site(const FunctionModel& f) const;
  bool method_of_family(int fn);
  bool specialised(const FunctionModel& f) const;
  static bool almost(const Value& v);
  bool choice_of(const DefinitionFact& fact, Value& v);
  bool own_mathematics(const FunctionModel& f) const;
  bool reads_like_family(const FunctionModel& f) const;
  size_t size_of(const FunctionModel& f) const;
  bool inside_listed_type(const FunctionModel& f) const;
  bool covered_by_outer(const FunctionModel& l) const;

  // emit_inline.cc
  void macro(size_t mi);
  void declared(size_t mi);
  void conditional_bodies();
  void inline_formulas();
  void left_out_arms();

  // emit_instantiations.cc
  void instantiations();
  void instantiation(size_t from, size_t end);

  // emit_uses.cc
  std::string hands_to(size_t mi) const;
  int arm_of_label(size_t mi) const;
  Value arm_value(size_t mi);
  bool arm_is_empty(size_t mi);
  void type_use(size_t mi);
  bool tensor_operation(size_t mi, Value& v);
  void use(size_t mi);
  bool names_tanh(M m) const;
  bool names_external(M m) const;
  static bool is_sentinel(std::string_view name);
  bool written_to(M m) const;
  bool constant_like(M m) const;
  bool is_value_variable(size_t mi, const Value& v) const;
  bool in_string_row(size_t mi) const;
  void maybe_choice(size_t mi);
  void functor_objects();

  // emit_layers.cc
  void layers();
  void made_layer(const std::string& name, const Instantiation& i);

  // emit_handed.cc
  void handed_members();
  void chosen_elsewhere(size_t tok, const HandedFact& h);

  // emit_flags.cc
  /// What runs while a flag is set, and what runs while it is not.
  struct FlagArms {
    std::vector<Formula> on, off;
    bool tells() const { return !on.empty() || !off.empty(); }
    std::vector<Formula> either() const;
  };
  std::vector<Formula> formulas_between(int file, size_t begin, size_t end);
  FlagArms arms_of_condition(int file, const Mention& m);
  FlagArms arms_of_flag(const std::string& name);
  std::vector<Formula> guarded_by(const std::string& name);
  bool key_macro(size_t mi);

  // emit_config.cc
  bool flag(size_t mi);
  bool flag_call(size_t mi);
  bool begins_like_a_flag(std::string_view name) const;
  std::string flag_key(std::string_view text) const;
  void read_flag(M m, const std::string& key, std::vector<Formula> reach);
  std::vector<Formula> reachable_near(size_t mi, bool condition);
  static void settle(Site& s, std::vector<Formula> reach);
  bool boolean_variable(M m) const;
  bool initialises_boolean(size_t tok) const;
  bool handed_on_by_address(size_t mi);
  bool switched_call(size_t mi);
  bool default_choice(size_t mi);
  void choice(size_t mi);
  void applier(size_t mi);
  bool indexes(M m) const;
  std::vector<Formula> chosen_formulas(size_t mi);

  // emit_bystanders.cc
  std::optional<NeedleFate> bystander(M m, const Site& s);
  std::optional<NeedleFate> bystander_string(M m);
  std::optional<NeedleFate> bystander_name(M m, const Site& s);
  bool in_template_head(M m) const;
  bool member_initialiser(M m) const;
  bool ordered(M m) const;
  bool stands_for_object(M m) const;
  bool complete_listing(M m) const;
  int function_around(M m) const;

  // emit_strings.cc
  bool registered_with(size_t mi, Value& v);
  void string(size_t mi);
  bool names_something(size_t mi) const;

  // emit_ledger.cc
  void fate(M m, NeedleFate n);
  void add(M m, Site s);
  NeedleFate math_fate(M m) const;
  bool inside_site(M m) const;
  void other_needles();
  void settle_fates();

  Knowledge& k_;
  int fi_;
  const FileModel& f_;
  bool all_;
  EmittedFile out_;
  std::set<int> defined_;
};

} // namespace gelint::scan
