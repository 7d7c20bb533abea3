// Statements: declarations, assignments, return; what branches is in lexical_branches.cc.

#include "scan/lexical_interp.h"

#include <algorithm>
#include <array>

namespace gelint::scan {

void TokenInterp::run(const LexedFile& f, size_t begin, size_t end) {
  f_ = &f;
  size_t i = begin;
  while (i < end && !returned && !left_ && budget_ > 0)
    i = statement(i, end);
}

size_t TokenInterp::statement_end(size_t i, size_t end) const {
  int depth = 0;
  int32_t directive = f_->tokens[i].directive;
  for (; i < end; ++i) {
    if (f_->tokens[i].directive != directive)
      continue;
    std::string_view s = str(i);
    if (f_->tokens[i].kind != TokKind::punct)
      continue;
    if (s == "(" || s == "[" || s == "{")
      ++depth;
    else if (s == ")" || s == "]" || s == "}")
      --depth;
    else if (s == ";" && depth <= 0)
      return i;
  }
  return end;
}

size_t TokenInterp::statement(size_t i, size_t end) {
  --budget_;
  if (f_->tokens[i].directive >= 0) {
    // the tokens of a directive inside a body are not statements
    int32_t d = f_->tokens[i].directive;
    while (i < end && f_->tokens[i].directive == d)
      ++i;
    return i;
  }
  std::string_view s = str(i);
  if (s == ";" || s == "}")
    return i + 1;
  if (s == "{")
    return block(i, end);
  if (s == "#" )
    return i + 1;
  if (s == "if" || s == "while" || s == "for" || s == "switch") {
    size_t open = i + 1;
    if (str(open) == "constexpr")
      ++open;
    if (str(open) != "(")
      return i + 1;
    size_t body = after_matching(*f_, open);
    if (s == "if")
      return an_if(open, body, end);
    return s == "switch" ? a_switch(open, body, end) : a_loop(body, end);
  }
  if (s == "else" || s == "do")
    return i + 1;
  if (s == "case" || s == "default") {
    while (i < end && str(i) != ":")
      ++i;
    return i + 1;
  }
  size_t stop = statement_end(i, end);
  if (s == "return") {
    if (stop > i + 1) {
      at_ = i + 1;
      end_ = stop;
      returned = ternary();
      if (!returned || at_ != stop) // half of an expression is none
        returned = symbol(text(i + 1, stop));
    } else {
      returned = number(0);
      returned->symbol = "(nothing)";
    }
    return stop + 1;
  }
  if (s == "break" || s == "continue") {
    left_ = true;
    return stop + 1;
  }
  assignment(i, stop);
  return stop + 1;
}

/// What a block declares hides what is called the same outside, and ends with it.
size_t TokenInterp::block(size_t open, size_t end) {
  const size_t close = std::min(end, after_matching(*f_, open));
  const auto outside = vars;
  std::set<std::string> declared;
  std::swap(declared, declared_);
  size_t k = open + 1;
  while (k + 1 < close && !returned && !left_ && budget_ > 0)
    k = statement(k, close - 1);
  std::swap(declared, declared_);
  for (const std::string& name : declared)
    if (auto now = vars.find(name); now != vars.end()) {
      scoped.push_back(now->second);
      if (auto old = outside.find(name); old != outside.end())
        now->second = old->second;
      else
        vars.erase(now);
    }
  return close;
}

size_t TokenInterp::statement_or_end(size_t i, size_t end) { return i < end ? statement(i, end) : end; }

void TokenInterp::assignment(size_t i, size_t stop, bool declaring) {
  // find the assignment operator at depth 0
  int depth = 0;
  size_t eq = stop;
  std::string_view op;
  for (size_t k = i; k < stop; ++k) {
    if (f_->tokens[k].kind != TokKind::punct)
      continue;
    std::string_view s = str(k);
    if (s == "(" || s == "[" || s == "{")
      ++depth;
    else if (s == ")" || s == "]" || s == "}")
      --depth;
    else if (depth == 0 && (s == "=" || s == "+=" || s == "*=" || s == "-=" || s == "/=")) {
      eq = k;
      op = s;
      break;
    }
  }
  if (eq == stop) {
    // T name(expr); or a call for its effect: store(ptr, expr)
    if (const size_t name = constructed_name(i, stop); name < stop) {
      at_ = name + 2;
      end_ = stop - 1;
      declared_.insert(std::string(str(name)));
      if (Term v = ternary(); v && at_ == stop - 1)
        vars[std::string(str(name))] = v;
    } else if (ident(i) && str(i + 1) == "(" && stop > i + 2) {
      at_ = i;
      end_ = stop;
      std::vector<Term> given = arguments_of(i + 1);
      for (const Term& a : given)
        if (a && a->symbol.empty() && !a->args.empty())
          stores.push_back({{}, a});
      run_for_effect(i, given);
    }
    return;
  }
  // several declarators: float a = …, b = …;
  size_t part_end = next_comma(eq + 1, stop);
  at_ = eq + 1;
  end_ = part_end;
  Term v = ternary();
  if (!v || at_ != part_end)
    v = symbol(text(eq + 1, part_end));
  // the target: "x", "let x: f32", "dst[i]", "p->x", "*p"
  size_t name = eq;
  size_t colon = SIZE_MAX;
  for (size_t k = i; k < eq; ++k)
    if (str(k) == ":" && (str(i) == "let" || str(i) == "var" || str(i) == "const"))
      colon = k;
  if (colon != SIZE_MAX)
    name = colon;
  bool element = name > i && (str(name - 1) == "]" || str(name - 1) == ")");
  bool indirect = str(i) == "*";
  std::string target;
  if (name > i && ident(name - 1))
    target = str(name - 1);
  bool member = name >= i + 2 && (str(name - 2) == "." || str(name - 2) == "->");
  if (op != "=") {
    Term old = !element && !member && vars.count(target) ? vars[target] : symbol(text(i, name));
    v = make(op == "+=" ? Op::add : op == "*=" ? Op::mul : op == "-=" ? Op::sub : Op::div, {old, v});
  }
  if (count_nodes(v, 4000) > 4000) {
    budget_ = 0;
    return;
  }
  if (element || member || indirect) {
    stores.push_back({text(i, name), v});
    for (const std::string& condition : skipped_)
      settle_stores(condition, stores.size() - 1, stores.size());
    vars[text(i, name)] = v;
    set_part(std::string(str(i + indirect)), v);
  } else {
    const bool declares = declaring || colon != SIZE_MAX || (name > i + 1 && (ident(name - 2) || str(name - 2) == ">" || str(name - 2) == "&" || str(name - 2) == "*"));
    if (declares) {
      declared_.insert(target);
      if (whole_type(i, name) && (nonlinear_or_element(v)))
        v = make(Op::trunc, {v});
    }
    vars[target] = v;
    if (i + 1 == eq && !declaring)
      variables.push_back(v);
    declaring = declares;
  }
  if (part_end < stop && str(part_end) == ",")
    assignment(part_end + 1, stop, declaring);
}

/// set(&k); what it writes through its parameters is in the variables afterwards.
void TokenInterp::run_for_effect(size_t name, const std::vector<Term>& given) {
  const LexicalFunction* fn = env_.function && depth_ < 8 ? env_.function(str(name)) : nullptr;
  if (!fn || given.size() != fn->parameters.size() || std::none_of(fn->written.begin(), fn->written.end(), [](char w) { return w != 0; }))
    return;
  TokenInterp inner(env_, depth_ + 1, budget_);
  inner.bind(*fn, given);
  inner.run(*fn->file, fn->begin, fn->end);
  take_written(*fn, inner, name);
}

/// "y.x = 0" after y was computed as a whole: one lane of it is something else.
void TokenInterp::set_part(const std::string& whole, const Term& v) {
  auto old = vars.find(whole);
  if (old == vars.end() || !old->second->symbol.empty() || old->second->args.empty() || !computes(old->second) || computes(v))
    return;
  old->second = make(Op::select, {make(Op::gt, {symbol("a lane of " + whole), number(0.5)}), v, old->second});
}

/// "int x = …", "const uint n = …"
bool TokenInterp::whole_type(size_t i, size_t name) const {
  static constexpr std::array k_whole = std::to_array<std::string_view>({"int", "uint", "uchar", "char", "short", "ushort", "long", "ulong", "int32_t", "uint32_t", "i32", "u32"});
  bool whole = false;
  for (size_t k = i; k + 1 < name; ++k) {
    whole = whole || std::find(k_whole.begin(), k_whole.end(), str(k)) != k_whole.end();
    if (str(k) == "*" || str(k) == "<" || str(k) == "[")
      return false;
  }
  return whole;
}

/// An element of memory, or more than sums and products.
bool TokenInterp::nonlinear_or_element(const Term& v) {
  if (!v->symbol.empty())
    return v->symbol.find('[') != std::string::npos && v->symbol.find('(') == std::string::npos;
  return std::any_of(v->args.begin(), v->args.end(), nonlinear_or_element);
}

/// "T name(expr)", "const Vec<T> name(expr)": the token of the name; `stop` when the statement is none of these.
size_t TokenInterp::constructed_name(size_t i, size_t stop) const {
  size_t open = i;
  while (open < stop && (ident(open) || str(open) == "<" || str(open) == ">" || str(open) == "::" || str(open) == "," || str(open) == "&"))
    ++open;
  if (open < i + 2 || open + 1 >= stop || str(open) != "(" || str(stop - 1) != ")" || after_matching(*f_, open) != stop || !ident(open - 1))
    return stop;
  const std::string_view before = str(open - 2);
  return (ident(open - 2) && before != "return" && before != "new") || before == ">" || before == "&" ? open - 1 : stop;
}

std::string TokenInterp::text(size_t a, size_t b) const {
  std::string out;
  for (size_t i = a; i < b && out.size() < 120; ++i)
    out += str(i);
  return out;
}

} // namespace gelint::scan
