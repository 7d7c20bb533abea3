#pragma once
// Runs statements of C, C++ and shader code from their tokens, symbolically.

#include "scan/lexical_eval.h"
#include "scan/lexical_term.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::scan {

class TokenInterp {
public:
  /// `budget` bounds the work of this and of every nested run.
  TokenInterp(const LexicalEnvironment& env, int depth, int& budget) : env_(env), depth_(depth), budget_(budget) {}

  std::map<std::string, Term> vars;
  struct Store {
    std::string target; ///< as written; empty: an argument of a call
    Term value;
  };
  std::vector<Store> stores;   ///< to elements, members and targets of pointers, and what calls for their effect are given
  std::vector<Term> scoped;    ///< last values of variables whose block has ended
  std::vector<Term> variables; ///< set after their declaration: results, or counters and bounds on the way
  Term returned;

  void run(const LexedFile& f, size_t begin, size_t end);
  Term expression_of(const LexedFile& f, size_t begin, size_t end);

private:
  std::string_view str(size_t i) const { return f_->str(i); }
  bool ident(size_t i) const { return i < f_->tokens.size() && f_->tokens[i].kind == TokKind::identifier; }

  /// What the variables hold and what was returned at the end of an arm.
  struct Paths {
    std::map<std::string, Term> vars;
    Term returned;
  };

  // lexical_statements.cc
  size_t statement_end(size_t i, size_t end) const;
  size_t statement(size_t i, size_t end);
  size_t statement_or_end(size_t i, size_t end);
  size_t block(size_t open, size_t end);
  void assignment(size_t i, size_t stop, bool declaring = false);
  size_t constructed_name(size_t i, size_t stop) const;
  void run_for_effect(size_t name, const std::vector<Term>& given);
  void set_part(const std::string& whole, const Term& v);
  bool whole_type(size_t i, size_t name) const;
  static bool nonlinear_or_element(const Term& v);
  std::string text(size_t a, size_t b) const;

  // lexical_branches.cc: the token after the statement
  Paths select(const Term& condition, const Paths& yes, const Paths& no) const;
  size_t an_if(size_t open, size_t body, size_t end);
  size_t a_switch(size_t open, size_t body, size_t end);
  size_t a_loop(size_t body, size_t end);
  void forget_changed(size_t body, size_t end);
  void settle_stores(const std::string& condition, size_t first, size_t middle);
  bool by_position(const std::string& condition, const std::string& target) const;
  void words_behind(std::string_view text, std::set<std::string>& out) const;
  void rest_of(size_t next, size_t end, const std::function<Term(const Term&)>& join);

  // lexical_expressions.cc: at_ is the next token, end_ one past the last
  bool eat(std::string_view s);
  Term ternary();
  Term logic();
  Term comparison();
  Term sum();
  Term product();
  Term unary();
  size_t next_comma(size_t i, size_t end) const;
  std::vector<Term> arguments_of(size_t open);
  Term primary();
  size_t past_template_arguments(size_t i) const;
  Term suffix(Term base, size_t from);
  Term constant(const std::string& name);
  Term call(const std::string& name, std::vector<Term>& args, size_t from);
  void bind(const LexicalFunction& fn, const std::vector<Term>& args); ///< as many as it has parameters
  void take_written(const LexicalFunction& fn, const TokenInterp& inner, size_t from);

  const LexicalEnvironment& env_;
  const LexedFile* f_ = nullptr;
  int depth_;
  int& budget_;
  size_t at_ = 0, end_ = 0;
  std::set<std::string> declared_; ///< in the current block
  bool left_ = false; ///< past a break or continue
  std::vector<std::string> skipped_; ///< conditions under which the elements of this round were left behind
};

/// The ways to read [begin, end) that its #if and #else leave, at most four; each holds the tokens of one way and none of
/// the directives. One where there are no arms inside.
std::vector<LexedFile> readings_of(const LexedFile& f, size_t begin, size_t end);

} // namespace gelint::scan
