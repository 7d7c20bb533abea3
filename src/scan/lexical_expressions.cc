// Expressions, by descent from the ternary operator to a name.

#include "scan/lexical_interp.h"
#include "scan/needles.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace gelint::scan {

Term TokenInterp::expression_of(const LexedFile& f, size_t begin, size_t end) {
  f_ = &f;
  at_ = begin;
  end_ = end;
  return ternary();
}

// Expressions: at_ is the next token, end_ one past the last.
bool TokenInterp::eat(std::string_view s) {
  if (at_ < end_ && str(at_) == s) {
    ++at_;
    return true;
  }
  return false;
}

Term TokenInterp::ternary() {
  Term c = logic();
  if (c && eat("?")) {
    Term a = ternary();
    if (!a || !eat(":"))
      return nullptr;
    Term b = ternary();
    return b ? make(Op::select, {c, a, b}) : nullptr;
  }
  return c;
}

Term TokenInterp::logic() {
  Term a = comparison();
  while (a && at_ < end_ && (str(at_) == "&&" || str(at_) == "||")) {
    Op op = str(at_) == "&&" ? Op::logical_and : Op::logical_or;
    ++at_;
    Term b = comparison();
    a = b ? make(op, {a, b}) : nullptr;
  }
  return a;
}

Term TokenInterp::comparison() {
  Term a = sum();
  while (a && at_ < end_) {
    std::string_view s = str(at_);
    Op op;
    if (s == "<")
      op = Op::lt;
    else if (s == ">")
      op = Op::gt;
    else if (s == "<=")
      op = Op::le;
    else if (s == ">=")
      op = Op::ge;
    else if (s == "==")
      op = Op::eq;
    else if (s == "!=")
      op = Op::ne;
    else
      break;
    ++at_;
    Term b = sum();
    a = b ? make(op, {a, b}) : nullptr;
  }
  return a;
}

Term TokenInterp::sum() {
  Term a = product();
  while (a && at_ < end_ && (str(at_) == "+" || str(at_) == "-")) {
    Op op = str(at_) == "+" ? Op::add : Op::sub;
    ++at_;
    Term b = product();
    a = b ? make(op, {a, b}) : nullptr;
  }
  return a;
}

Term TokenInterp::product() {
  const size_t from = at_;
  Term a = unary();
  while (a && at_ < end_ && (str(at_) == "*" || str(at_) == "/" || str(at_) == "%")) {
    if (eat("%")) {
      a = unary() ? symbol(text(from, at_)) : nullptr;
      continue;
    }
    Op op = str(at_) == "*" ? Op::mul : Op::div;
    ++at_;
    Term b = unary();
    if (b && a->integer && b->integer && (op == Op::mul || b->value != 0)) {
      a = number(op == Op::mul ? a->value * b->value : std::trunc(a->value / b->value));
      a->integer = true;
      continue;
    }
    a = b ? make(op, {a, b}) : nullptr;
  }
  return a;
}

Term TokenInterp::unary() {
  if (--budget_ <= 0)
    return nullptr;
  if (eat("-")) {
    Term a = unary();
    return a ? make(Op::neg, {a}) : nullptr;
  }
  if (eat("+"))
    return unary();
  if (eat("!")) {
    Term a = unary();
    return a ? make(Op::logical_not, {a}) : nullptr;
  }
  if (at_ < end_ && (str(at_) == "*" || str(at_) == "&")) {
    size_t from = at_++;
    Term a = unary();
    if (a && !a->symbol.empty())
      a = symbol(text(from, at_));
    return a;
  }
  return primary();
}

/// The next comma outside of brackets, or `end`.
size_t TokenInterp::next_comma(size_t i, size_t end) const {
  int depth = 0;
  for (; i < end; ++i) {
    std::string_view s = str(i);
    if (f_->tokens[i].kind != TokKind::punct)
      continue;
    if (s == "(" || s == "[" || s == "{")
      ++depth;
    else if (s == ")" || s == "]" || s == "}")
      --depth;
    else if (s == "," && depth == 0)
      break;
  }
  return i;
}

std::vector<Term> TokenInterp::arguments_of(size_t open) {
  std::vector<Term> out;
  size_t close = after_matching(*f_, open) - 1;
  size_t saved_end = end_;
  size_t k = open + 1;
  while (k < close) {
    size_t stop = next_comma(k, close);
    at_ = k;
    end_ = stop;
    Term a = ternary();
    if (a && at_ != stop)
      a = nullptr;
    out.push_back(a ? a : symbol(text(k, stop)));
    k = stop + 1;
  }
  end_ = saved_end;
  at_ = close + 1;
  return out;
}

Term TokenInterp::primary() {
  if (at_ >= end_)
    return nullptr;
  const Tok& t = f_->tokens[at_];
  std::string_view s = str(at_);
  if (t.kind == TokKind::number) {
    ++at_;
    auto v = literal_value(s);
    if (!v)
      return nullptr;
    Term literal = number(*v);
    literal->integer = s.find_first_of(".eEfFhHpP") == std::string_view::npos || s.starts_with("0x") || s.starts_with("0X");
    return suffix(literal, at_ - 1);
  }
  if (s == "(") {
    // a cast "(float) x", "(T)(x)" or a group
    size_t close = after_matching(*f_, at_) - 1;
    bool cast = close < end_ && close > at_ + 1;
    for (size_t k = at_ + 1; k < close && cast; ++k)
      cast = (ident(k) && is_type_name(str(k))) || str(k) == "*" || str(k) == "const";
    // "(name)(x)" and "(name) x" are casts, whatever the type is called.
    if (close == at_ + 2 && ident(at_ + 1) && close + 1 < end_ && !vars.count(std::string(str(at_ + 1))) &&
        (ident(close + 1) || str(close + 1) == "(" || f_->tokens[close + 1].kind == TokKind::number)) {
      at_ = close + 1;
      return unary();
    }
    if (cast && close + 1 < end_ && (ident(close + 1) || str(close + 1) == "(" || f_->tokens[close + 1].kind == TokKind::number || str(close + 1) == "-" || str(close + 1) == "*")) {
      at_ = close + 1;
      return unary();
    }
    size_t from = at_;
    size_t saved_end = end_;
    ++at_;
    end_ = std::min(end_, close);
    Term a = ternary();
    bool whole = at_ == close;
    end_ = saved_end;
    at_ = close + 1;
    if (!whole)
      return nullptr;
    return a ? suffix(a, from) : nullptr;
  }
  if (!ident(at_))
    return nullptr;
  size_t from = at_;
  while (at_ + 2 < end_ && str(at_ + 1) == "::" && ident(at_ + 2))
    at_ += 2;
  std::string name(str(at_));
  ++at_;
  // template arguments of a cast or a call: T<float>(x)
  at_ = past_template_arguments(at_);
  if (at_ < end_ && str(at_) == "(") {
    std::vector<Term> args = arguments_of(at_);
    Term v = call(name, args, from);
    return v ? suffix(v, from) : nullptr;
  }
  auto v = vars.find(name);
  if (v != vars.end() && !(at_ < end_ && (str(at_) == "[" || str(at_) == "->")))
    return suffix(v->second, from);
  if (!(at_ < end_ && (str(at_) == "[" || str(at_) == "->" || str(at_) == ".")))
    if (Term c = constant(name))
      return c;
  return suffix(symbol(name), from);
}

/// The token behind "<…>" where that is an argument list before a call, else the same token.
size_t TokenInterp::past_template_arguments(size_t i) const {
  if (i >= end_ || str(i) != "<")
    return i;
  size_t k = i + 1;
  while (k < end_ && (ident(k) || str(k) == "," || str(k) == "::" || f_->tokens[k].kind == TokKind::number))
    ++k;
  return k + 1 < end_ && str(k) == ">" && str(k + 1) == "(" ? k + 1 : i;
}

/// [index], .x, ->member, .method(…): an element is a symbol of its own; a swizzle of a value is the value; a method that
/// has no model makes a symbol.
Term TokenInterp::suffix(Term base, size_t from) {
  bool named = !base->symbol.empty(), moved = false;
  auto place = [&](size_t end) {
    std::string key = text(from, end);
    auto v = vars.find(key);
    return v != vars.end() ? v->second : symbol(key);
  };
  while (at_ < end_) {
    std::string_view s = str(at_);
    if (s == "[") {
      at_ = std::min(end_, after_matching(*f_, at_));
      moved = true;
      continue;
    }
    if (s != "." && s != "->")
      break;
    const size_t dot = at_;
    size_t name = at_ + 1;
    if (str(name) == "template")
      ++name;
    if (name >= end_ || !ident(name))
      break;
    at_ = past_template_arguments(name + 1);
    if (at_ >= end_ || str(at_) != "(") {
      moved = true;
      continue;
    }
    std::vector<Term> args = arguments_of(at_);
    at_ = std::min(at_, end_);
    args.insert(args.begin(), named && moved ? place(dot) : base);
    Term known = modelled_call(str(name), args, true);
    base = known ? known : symbol(text(from, at_));
    named = !known;
    moved = false;
  }
  return named && moved ? place(at_) : base;
}

Term TokenInterp::constant(const std::string& name) {
  if (name == "M_PI" || name == "M_PI_F")
    return number(3.14159265358979323846);
  if (name == "M_SQRT2" || name == "M_SQRT2_F")
    return number(1.41421356237309504880);
  if (name == "M_SQRT1_2" || name == "M_SQRT1_2_F")
    return number(0.70710678118654752440);
  if (name == "M_2_SQRTPI")
    return number(1.12837916709551257390);
  if (name == "INFINITY")
    return number(INFINITY);
  if (!env_.constant || depth_ > 8)
    return nullptr;
  LexicalEnvironment::Tokens t = env_.constant(name);
  if (!t.file || t.begin >= t.end)
    return nullptr;
  TokenInterp inner(env_, depth_ + 1, budget_);
  Term v = inner.expression_of(*t.file, t.begin, t.end);
  if (!v || inner.at_ != t.end)
    return nullptr;
  if (t.macro) { // "#define K 1.0 + 0.7": -K is not -(1.0 + 0.7)
    int depth = 0;
    for (size_t i = t.begin; i < t.end; ++i) {
      std::string_view s = t.file->str(i);
      depth += s == "(" ? 1 : s == ")" ? -1 : 0;
      if (depth == 0 && i > t.begin && (s == "+" || s == "-"))
        return nullptr;
    }
  }
  std::vector<std::string> symbols;
  collect_symbols(v, symbols);
  return symbols.empty() ? v : nullptr;
}

Term TokenInterp::call(const std::string& name, std::vector<Term>& args, size_t from) {
  const LexicalFunction* fn = env_.function && depth_ < 8 ? env_.function(name) : nullptr;
  std::string qualified;
  for (size_t k = from; k < at_ && str(k) != "(" && str(k) != "<"; ++k)
    qualified += str(k);
  // A name of mathematics that the file defines anew is what the file makes of it.
  const bool here = fn && fn->file && fn->file->text.data() == f_->text.data();
  if (is_math_word(name) && ((env_.macro_function && env_.macro_function(name)) || (env_.constant && env_.constant(name).file)))
    return symbol(text(from, at_));
  if (!fn || (is_math_word(name) && name != "sigmoid" && !here))
    if (Term known = modelled_call(qualified, args, false))
      return known;
  if (name == "clamp" && args.size() == 3)
    return make(Op::min, {make(Op::max, {args[0], args[1]}), args[2]});
  if (name == "select" && args.size() == 3)
    return make(Op::select, {args[2], args[1], args[0]}); // WGSL, OpenCL and Metal: select(false value, true value, condition)
  if (args.empty() && from + 2 < at_ && text(from, at_).find("constants::") != std::string::npos)
    if (const double* c = library_constant(name))
      return number(*c);
  // Vec<T>(0.5): a number keeps its value in whatever type it is put.
  const bool constant_in_type = !fn && args.size() == 1 && args[0]->symbol.empty() && args[0]->args.empty() && std::isupper(static_cast<unsigned char>(name[0]));
  if (args.size() == 1 && (is_type_name(name) || constant_in_type))
    return args[0];
  if (fn && args.size() == fn->parameters.size()) {
    Term out;
    bool all = true;
    for (const LexedFile& reading : readings_of(*fn->file, fn->begin, fn->end)) {
      TokenInterp one(env_, depth_ + 1, budget_);
      one.bind(*fn, args);
      one.run(reading, 0, reading.tokens.size());
      all = all && one.returned && one.returned->symbol != "(nothing)";
      if (all)
        out = out ? make(Op::select, {make(Op::gt, {symbol("build option of " + name), number(0.5)}), one.returned, out}) : one.returned;
    }
    if (all && out)
      return out;
  }
  return symbol(text(from, at_));
}

void TokenInterp::bind(const LexicalFunction& fn, const std::vector<Term>& args) {
  for (size_t i = 0; i < args.size(); ++i)
    vars[fn.parameters[i]] = args[i];
}

/// What a function writes through its parameters (inout, references, pointers) is in the caller's variables afterwards.
void TokenInterp::take_written(const LexicalFunction& fn, const TokenInterp& inner, size_t from) {
  size_t open = from;
  while (open < f_->tokens.size() && str(open) != "(")
    ++open;
  const size_t close = after_matching(*f_, open) - 1;
  size_t k = open + 1;
  for (size_t i = 0; i < fn.parameters.size() && k < close; ++i) {
    const size_t stop = next_comma(k, close);
    const bool address = str(k) == "&";
    const size_t name = k + address;
    if (i < fn.written.size() && fn.written[i] && stop == name + 1 && ident(name) && vars.count(std::string(str(name)))) {
      auto now = inner.vars.find((address ? "*" : "") + fn.parameters[i]);
      vars[std::string(str(name))] = now != inner.vars.end() ? now->second : vars[std::string(str(name))];
    }
    k = stop + 1;
  }
}

} // namespace gelint::scan
