#include "scan/lexical_eval.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace gelint::scan {

using formula::Expr;
using formula::Op;
using formula::Type;

std::optional<double> literal_value(std::string_view t) {
  std::string s;
  for (char c : t)
    if (c != '\'')
      s += c;
  bool hex = s.starts_with("0x") || s.starts_with("0X");
  while (!s.empty() && !hex && (s.back() == 'f' || s.back() == 'F' || s.back() == 'h' || s.back() == 'H' || s.back() == 'l' || s.back() == 'L' ||
                                s.back() == 'u' || s.back() == 'U'))
    s.pop_back();
  if (hex) {
    unsigned long v = 0;
    auto [p, ec] = std::from_chars(s.data() + 2, s.data() + s.size(), v, 16);
    (void)p;
    return ec == std::errc() ? std::optional<double>(static_cast<double>(v)) : std::nullopt;
  }
  double v = 0;
  auto [p, ec] = std::from_chars(s.data(), s.data() + s.size(), v);
  if (ec != std::errc() || p != s.data() + s.size())
    return std::nullopt;
  return v;
}

namespace {

/// A tree with named symbols; it becomes an Expr once it is known which symbol is the input.
struct Node {
  Op op = Op::constant;
  double value = 0;
  std::string symbol; ///< not empty: a symbol
  std::vector<std::shared_ptr<Node>> args;
};
using P = std::shared_ptr<Node>;

P number(double v) { return std::make_shared<Node>(Node{Op::constant, v, {}, {}}); }
P symbol(std::string s) { return std::make_shared<Node>(Node{Op::input, 0, std::move(s), {}}); }
P make(Op op, std::vector<P> a) { return std::make_shared<Node>(Node{op, 0, {}, std::move(a)}); }

size_t count_nodes(const P& p, size_t limit) {
  size_t n = 1;
  for (const P& a : p->args) {
    if (n > limit)
      return n;
    n += count_nodes(a, limit - n);
  }
  return n;
}

void collect_symbols(const P& p, std::vector<std::string>& out) {
  if (!p->symbol.empty()) {
    if (std::find(out.begin(), out.end(), p->symbol) == out.end())
      out.push_back(p->symbol);
    return;
  }
  for (const P& a : p->args)
    collect_symbols(a, out);
}

struct MathName {
  std::string_view name;
  Op op;
  int args;
};
constexpr std::array k_math_names = {
    MathName{"tanh", Op::tanh, 1},   MathName{"tanhf", Op::tanh, 1},   MathName{"erf", Op::erf, 1},     MathName{"erff", Op::erf, 1},
    MathName{"erfc", Op::erfc, 1},   MathName{"erfcf", Op::erfc, 1},   MathName{"exp", Op::exp, 1},     MathName{"expf", Op::exp, 1},
    MathName{"__expf", Op::exp, 1},  MathName{"exp2", Op::exp2, 1},    MathName{"exp2f", Op::exp2, 1},  MathName{"native_exp", Op::exp, 1},
    MathName{"log", Op::log, 1},     MathName{"logf", Op::log, 1},     MathName{"log2", Op::log2, 1},   MathName{"log1p", Op::log1p, 1},
    MathName{"log1pf", Op::log1p, 1}, MathName{"sqrt", Op::sqrt, 1},   MathName{"sqrtf", Op::sqrt, 1},  MathName{"rsqrt", Op::rsqrt, 1},
    MathName{"inversesqrt", Op::rsqrt, 1}, MathName{"fabs", Op::abs, 1}, MathName{"fabsf", Op::abs, 1}, MathName{"abs", Op::abs, 1},
    MathName{"sign", Op::sign, 1},   MathName{"floor", Op::floor, 1},  MathName{"pow", Op::pow, 2},     MathName{"powf", Op::pow, 2},
    MathName{"pown", Op::pow, 2},    MathName{"powr", Op::pow, 2},     MathName{"max", Op::max, 2},     MathName{"fmax", Op::max, 2},
    MathName{"fmaxf", Op::max, 2},   MathName{"min", Op::min, 2},      MathName{"fmin", Op::min, 2},    MathName{"fminf", Op::min, 2},
    MathName{"fma", Op::fma, 3},     MathName{"fmaf", Op::fma, 3},     MathName{"mad", Op::fma, 3},     MathName{"sinh", Op::sinh, 1},
    MathName{"cosh", Op::cosh, 1},   MathName{"coshf", Op::cosh, 1},   MathName{"sinhf", Op::sinh, 1},  MathName{"sigmoid", Op::sigmoid, 1},
    MathName{"native_recip", Op::recip, 1}, MathName{"recip", Op::recip, 1}, MathName{"normcdf", Op::normcdf, 1}, MathName{"normcdff", Op::normcdf, 1},
    MathName{"exp_approx_gelint", Op::exp_approx, 1}, MathName{"round", Op::round, 1}, MathName{"trunc", Op::trunc, 1},
    MathName{"expm1", Op::expm1, 1}, MathName{"expm1f", Op::expm1, 1}, MathName{"tanh_approx", Op::tanh_approx, 1}};

bool is_type_name(std::string_view s) {
  static constexpr std::array k = std::to_array<std::string_view>({"float", "double", "half", "int", "uint", "f32", "f16", "bf16", "i32", "u32", "T", "scalar_t",
      "vec2", "vec3", "vec4", "float2", "float3", "float4", "half2", "half4", "half8", "float8", "dtype", "storage_t", "compute_t", "bfloat", "bfloat16",
      "float16_t", "f16vec4", "f16vec2", "__half", "nv_bfloat16", "bool", "unsigned", "long", "char", "short", "auto", "let", "var", "const", "opmath_t", "TO",
      "T0", "T1", "TS", "TD", "T_ACC", "acc_t", "__half2float", "__float2half", "__float2half_rn", "__bfloat162float", "__float2bfloat16", "convert_float",
      "convert_half", "convert_float4", "convert_half4", "as_float", "to_float", "GGML_FP16_TO_FP32", "GGML_FP32_TO_FP16", "GGML_CPU_FP16_TO_FP32",
      "GGML_CPU_FP32_TO_FP16", "static_cast", "vec"});
  return std::find(k.begin(), k.end(), s) != k.end() || s.ends_with("_TYPE") || s.ends_with("Type") || s.ends_with("_t");
}

class Interp {
public:
  Interp(const LexicalEnvironment& env, int depth, int& budget) : env_(env), depth_(depth), budget_(budget) {}

  std::map<std::string, P> vars;
  std::vector<P> stores;
  P returned;

  void run(const LexedFile& f, size_t begin, size_t end) {
    f_ = &f;
    size_t i = begin;
    while (i < end && !returned && budget_ > 0)
      i = statement(i, end);
  }

  P expression_of(const LexedFile& f, size_t begin, size_t end) {
    f_ = &f;
    at_ = begin;
    end_ = end;
    return ternary();
  }

private:
  std::string_view str(size_t i) const { return f_->str(i); }
  bool ident(size_t i) const { return i < f_->tokens.size() && f_->tokens[i].kind == TokKind::identifier; }

  size_t statement_end(size_t i, size_t end) const {
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

  size_t statement(size_t i, size_t end) {
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
    if (s == "{") {
      size_t close = std::min(end, after_matching(*f_, i));
      size_t k = i + 1;
      while (k + 1 < close && !returned && budget_ > 0)
        k = statement(k, close - 1);
      return close;
    }
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
      if (s == "for") {
        // the loop variable is an index: a symbol of its own
        return statement_or_end(body, end);
      }
      return statement_or_end(body, end);
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
      } else {
        returned = number(0);
        returned->symbol = "(nothing)";
      }
      return stop + 1;
    }
    if (s == "break" || s == "continue")
      return stop + 1;
    assignment(i, stop);
    return stop + 1;
  }

  size_t statement_or_end(size_t i, size_t end) { return i < end ? statement(i, end) : end; }

  size_t an_if(size_t open, size_t body, size_t end) {
    at_ = open + 1;
    end_ = body - 1;
    P cond = ternary();
    // Both arms from the same state; where they differ the condition selects.
    auto before = vars;
    P before_return = returned;
    size_t stores_before = stores.size();
    size_t next = statement_or_end(body, end);
    P then_return = returned;
    auto then_vars = vars;
    vars = before;
    returned = before_return;
    P else_return;
    bool has_else = next < end && str(next) == "else";
    if (has_else) {
      next = statement_or_end(next + 1, end);
      else_return = returned;
      returned = before_return;
    }
    auto else_vars = vars;
    std::vector<std::string> symbols;
    bool usable = cond != nullptr;
    if (usable)
      collect_symbols(cond, symbols);
    auto select = [&](const P& a, const P& b) { return usable ? make(Op::select, {cond, a, b}) : a; };
    vars = before;
    for (auto& [k, v] : then_vars) {
      auto e = else_vars.find(k);
      if (e == else_vars.end())
        vars[k] = v;
      else if (e->second != v)
        vars[k] = then_return ? e->second : select(v, e->second);
      else
        vars[k] = v;
    }
    for (auto& [k, v] : else_vars)
      if (!then_vars.count(k))
        vars[k] = v;
    (void)stores_before;
    if (then_return && else_return) {
      returned = select(then_return, else_return);
    } else if (then_return && then_return->symbol != "(nothing)") {
      // if (cond) return a; rest…
      Interp rest(env_, depth_, budget_);
      rest.vars = vars;
      rest.run(*f_, next, end);
      if (rest.returned && rest.returned->symbol != "(nothing)")
        returned = select(then_return, rest.returned);
      else
        returned = then_return;
      stores.insert(stores.end(), rest.stores.begin(), rest.stores.end());
      return end;
    }
    return next;
  }

  void assignment(size_t i, size_t stop) {
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
      if (stop > i + 3 && ident(i) && ident(i + 1) && str(i + 2) == "(" && str(stop - 1) == ")") {
        at_ = i + 3;
        end_ = stop - 1;
        if (P v = ternary())
          vars[std::string(str(i + 1))] = v;
      } else if (ident(i) && str(i + 1) == "(" && stop > i + 2) {
        at_ = i;
        end_ = stop;
        for (const P& a : arguments_of(i + 1))
          if (a && a->symbol.empty() && !a->args.empty())
            stores.push_back(a);
      }
      return;
    }
    // several declarators: float a = …, b = …;
    size_t part_end = eq + 1;
    depth = 0;
    for (; part_end < stop; ++part_end) {
      std::string_view s = str(part_end);
      if (f_->tokens[part_end].kind != TokKind::punct)
        continue;
      if (s == "(" || s == "[" || s == "{")
        ++depth;
      else if (s == ")" || s == "]" || s == "}")
        --depth;
      else if (s == "," && depth == 0)
        break;
    }
    at_ = eq + 1;
    end_ = part_end;
    P v = ternary();
    if (!v)
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
      P old = !element && !member && vars.count(target) ? vars[target] : symbol(text(i, name));
      v = make(op == "+=" ? Op::add : op == "*=" ? Op::mul : op == "-=" ? Op::sub : Op::div, {old, v});
    }
    if (count_nodes(v, 4000) > 4000) {
      budget_ = 0;
      return;
    }
    if (element || member || indirect) {
      stores.push_back(v);
      vars[text(i, name)] = v;
    } else {
      vars[target] = v;
      if (i + 1 == eq)
        stores.push_back(v); // an assignment to what was declared before; may be the result
    }
    if (part_end < stop && str(part_end) == ",")
      assignment(part_end + 1, stop);
  }

  std::string text(size_t a, size_t b) const {
    std::string out;
    for (size_t i = a; i < b && out.size() < 120; ++i)
      out += str(i);
    return out;
  }

  // Expressions: at_ is the next token, end_ one past the last.
  bool eat(std::string_view s) {
    if (at_ < end_ && str(at_) == s) {
      ++at_;
      return true;
    }
    return false;
  }

  P ternary() {
    P c = logic();
    if (c && eat("?")) {
      P a = ternary();
      if (!a || !eat(":"))
        return nullptr;
      P b = ternary();
      return b ? make(Op::select, {c, a, b}) : nullptr;
    }
    return c;
  }
  P logic() {
    P a = comparison();
    while (a && at_ < end_ && (str(at_) == "&&" || str(at_) == "||")) {
      Op op = str(at_) == "&&" ? Op::logical_and : Op::logical_or;
      ++at_;
      P b = comparison();
      a = b ? make(op, {a, b}) : nullptr;
    }
    return a;
  }
  P comparison() {
    P a = sum();
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
      P b = sum();
      a = b ? make(op, {a, b}) : nullptr;
    }
    return a;
  }
  P sum() {
    P a = product();
    while (a && at_ < end_ && (str(at_) == "+" || str(at_) == "-")) {
      Op op = str(at_) == "+" ? Op::add : Op::sub;
      ++at_;
      P b = product();
      a = b ? make(op, {a, b}) : nullptr;
    }
    return a;
  }
  P product() {
    P a = unary();
    while (a && at_ < end_ && (str(at_) == "*" || str(at_) == "/")) {
      Op op = str(at_) == "*" ? Op::mul : Op::div;
      ++at_;
      P b = unary();
      a = b ? make(op, {a, b}) : nullptr;
    }
    return a;
  }
  P unary() {
    if (--budget_ <= 0)
      return nullptr;
    if (eat("-")) {
      P a = unary();
      return a ? make(Op::neg, {a}) : nullptr;
    }
    if (eat("+"))
      return unary();
    if (eat("!")) {
      P a = unary();
      return a ? make(Op::logical_not, {a}) : nullptr;
    }
    if (at_ < end_ && (str(at_) == "*" || str(at_) == "&")) {
      size_t from = at_++;
      P a = unary();
      if (a && !a->symbol.empty())
        a = symbol(text(from, at_));
      return a;
    }
    return primary();
  }

  std::vector<P> arguments_of(size_t open) {
    std::vector<P> out;
    size_t close = after_matching(*f_, open) - 1;
    size_t saved_end = end_;
    size_t k = open + 1;
    while (k < close) {
      int depth = 0;
      size_t stop = k;
      for (; stop < close; ++stop) {
        std::string_view s = str(stop);
        if (f_->tokens[stop].kind != TokKind::punct)
          continue;
        if (s == "(" || s == "[" || s == "{")
          ++depth;
        else if (s == ")" || s == "]" || s == "}")
          --depth;
        else if (s == "," && depth == 0)
          break;
      }
      at_ = k;
      end_ = stop;
      P a = ternary();
      if (a && at_ != stop)
        a = nullptr;
      out.push_back(a ? a : symbol(text(k, stop)));
      k = stop + 1;
    }
    end_ = saved_end;
    at_ = close + 1;
    return out;
  }

  P primary() {
    if (at_ >= end_)
      return nullptr;
    const Tok& t = f_->tokens[at_];
    std::string_view s = str(at_);
    if (t.kind == TokKind::number) {
      ++at_;
      auto v = literal_value(s);
      return v ? suffix(number(*v), at_ - 1) : nullptr;
    }
    if (s == "(") {
      // a cast "(float) x", "(T)(x)" or a group
      size_t close = after_matching(*f_, at_) - 1;
      bool cast = close < end_ && close > at_ + 1;
      for (size_t k = at_ + 1; k < close && cast; ++k)
        cast = (ident(k) && is_type_name(str(k))) || str(k) == "*" || str(k) == "const";
      if (cast && close + 1 < end_ && (ident(close + 1) || str(close + 1) == "(" || f_->tokens[close + 1].kind == TokKind::number || str(close + 1) == "-" || str(close + 1) == "*")) {
        at_ = close + 1;
        return unary();
      }
      size_t from = at_;
      size_t saved_end = end_;
      ++at_;
      end_ = std::min(end_, close);
      P a = ternary();
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
    if (at_ < end_ && str(at_) == "<") {
      size_t k = at_ + 1;
      while (k < end_ && (ident(k) || str(k) == "," || str(k) == "::" || f_->tokens[k].kind == TokKind::number))
        ++k;
      if (k < end_ && str(k) == ">" && k + 1 < end_ && str(k + 1) == "(")
        at_ = k + 1;
    }
    if (at_ < end_ && str(at_) == "(") {
      std::vector<P> args = arguments_of(at_);
      P v = call(name, args, from);
      return v ? suffix(v, from) : nullptr;
    }
    auto v = vars.find(name);
    if (v != vars.end() && !(at_ < end_ && (str(at_) == "[" || str(at_) == "->")))
      return suffix(v->second, from);
    if (!(at_ < end_ && (str(at_) == "[" || str(at_) == "->" || str(at_) == ".")))
      if (P c = constant(name))
        return c;
    return suffix(symbol(name), from);
  }

  /// [index], .x, ->member: an element is a symbol of its own; a swizzle of a value is the value.
  P suffix(P base, size_t from) {
    bool plain = !base->symbol.empty();
    bool changed = false;
    while (at_ < end_) {
      std::string_view s = str(at_);
      if (s == "[") {
        size_t close = after_matching(*f_, at_);
        at_ = std::min(end_, close);
        changed = true;
      } else if ((s == "." || s == "->") && at_ + 1 < end_ && ident(at_ + 1)) {
        at_ += 2;
        changed = true;
        if (at_ < end_ && str(at_) == "(")
          at_ = std::min(end_, after_matching(*f_, at_));
      } else {
        break;
      }
    }
    if (!changed)
      return base;
    if (!plain)
      return base;
    std::string key = text(from, at_);
    auto v = vars.find(key);
    return v != vars.end() ? v->second : symbol(key);
  }

  P constant(const std::string& name) {
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
    Interp inner(env_, depth_ + 1, budget_);
    P v = inner.expression_of(*t.file, t.begin, t.end);
    if (!v || inner.at_ != t.end)
      return nullptr;
    std::vector<std::string> symbols;
    collect_symbols(v, symbols);
    return symbols.empty() ? v : nullptr;
  }

  P call(const std::string& name, std::vector<P>& args, size_t from) {
    const LexicalFunction* fn = env_.function && depth_ < 8 ? env_.function(name) : nullptr;
    for (const MathName& m : k_math_names)
      if (m.name == name && static_cast<size_t>(m.args) == args.size() && !(fn && name == "sigmoid"))
        return make(m.op, args);
    if (name == "clamp" && args.size() == 3)
      return make(Op::min, {make(Op::max, {args[0], args[1]}), args[2]});
    if ((name == "mix" || name == "select") && args.size() == 3 && name == "select")
      return make(Op::select, {args[2], args[1], args[0]}); // WGSL, OpenCL and Metal: select(false value, true value, condition)
    if (name == "native_divide" && args.size() == 2)
      return make(Op::div, args);
    if (args.size() == 1 && is_type_name(name))
      return args[0];
    if (fn && args.size() == fn->parameters.size()) {
      Interp inner(env_, depth_ + 1, budget_);
      for (size_t i = 0; i < args.size(); ++i)
        inner.vars[fn->parameters[i]] = args[i];
      inner.run(*fn->file, fn->begin, fn->end);
      if (inner.returned && inner.returned->symbol != "(nothing)")
        return inner.returned;
    }
    return symbol(text(from, at_));
  }

  const LexicalEnvironment& env_;
  const LexedFile* f_ = nullptr;
  int depth_;
  int& budget_;
  size_t at_ = 0, end_ = 0;
};

formula::NodeId build(Expr& e, const P& p, const std::string& input, const std::string& gate, std::map<const Node*, formula::NodeId>& done) {
  auto it = done.find(p.get());
  if (it != done.end())
    return it->second;
  formula::NodeId id;
  if (!p->symbol.empty())
    id = p->symbol == input ? e.leaf(Op::input, Type::f32) : p->symbol == gate ? e.leaf(Op::gate, Type::f32) : e.constant(1, Type::f32);
  else if (p->args.empty())
    id = e.constant(p->value, Type::weak);
  else {
    std::vector<formula::NodeId> a;
    for (const P& x : p->args)
      a.push_back(build(e, x, input, gate, done));
    while (a.size() < 3)
      a.push_back(formula::k_no_node);
    bool boolean = p->op == Op::lt || p->op == Op::le || p->op == Op::gt || p->op == Op::ge || p->op == Op::eq || p->op == Op::ne ||
                   p->op == Op::logical_and || p->op == Op::logical_or || p->op == Op::logical_not;
    id = e.make(p->op, boolean ? Type::boolean : Type::f32, a[0], a[1], a[2]);
  }
  done[p.get()] = id;
  return id;
}

bool nonlinear(const P& p) {
  switch (p->op) {
  case Op::tanh: case Op::erf: case Op::erfc: case Op::exp: case Op::exp2: case Op::sigmoid: case Op::normcdf: case Op::max: case Op::min:
  case Op::select: case Op::abs: case Op::cosh: case Op::pow: case Op::log: case Op::log1p: case Op::tanh_approx: case Op::expm1:
    if (p->symbol.empty() && !p->args.empty())
      return true;
    break;
  default: break;
  }
  return std::any_of(p->args.begin(), p->args.end(), nonlinear);
}

Evaluated judge(const P& p) {
  Evaluated best;
  std::vector<std::string> symbols;
  collect_symbols(p, symbols);
  if (symbols.empty() || symbols.size() > 5 || !nonlinear(p) || count_nodes(p, 4000) > 4000)
    return best;
  for (const std::string& input : symbols)
    for (size_t g = 0; g <= symbols.size(); ++g) {
      std::string gate = g < symbols.size() ? symbols[g] : std::string();
      if (gate == input || (symbols.size() > 1 && gate.empty() && symbols.size() == 2))
        continue;
      Expr e;
      std::map<const Node*, formula::NodeId> done;
      e.set_root(build(e, p, input, gate, done));
      formula::Fingerprint print = formula::classify(e);
      bool known = print.formula != formula::Formula::other && print.formula != formula::Formula::unknown;
      bool better = best.expr.empty() || (known && best.print.formula == formula::Formula::other) ||
                    (!known && best.print.formula == formula::Formula::other && print.distance < best.print.distance);
      if (!better || (known && print.formula == formula::Formula::identity))
        continue;
      best.print = print;
      best.expr = formula::to_text(e);
      best.precision = formula::precision_of(e);
      best.hazards = formula::hazards_of(e);
      if (known)
        return best;
    }
  return best;
}

} // namespace

LexicalFunction lexical_function(const LexedFile& f, const Scope& s) {
  LexicalFunction out;
  out.file = &f;
  out.begin = s.begin + 1;
  out.end = s.end;
  size_t open = s.name_tok == SIZE_MAX ? s.begin : s.name_tok;
  while (open < s.begin && f.str(open) != "(")
    ++open;
  if (open >= s.begin)
    return out;
  size_t close = after_matching(f, open) - 1;
  int depth = 0;
  std::string last;
  bool wgsl_type = false;
  for (size_t i = open + 1; i <= close && i < f.tokens.size(); ++i) {
    std::string_view t = f.str(i);
    if ((t == "," && depth == 0) || i == close) {
      if (!last.empty() && last != "void")
        out.parameters.push_back(last);
      last.clear();
      wgsl_type = false;
      continue;
    }
    if (t == "(" || t == "<" || t == "[")
      ++depth;
    else if (t == ")" || t == ">" || t == "]")
      --depth;
    else if (t == ":" )
      wgsl_type = true;
    else if (f.tokens[i].kind == TokKind::identifier && depth == 0 && !wgsl_type)
      last = t;
  }
  return out;
}

Evaluated evaluate_tokens(const LexedFile& f, size_t begin, size_t end, const std::vector<std::string>& parameters, const LexicalEnvironment& env) {
  int budget = 20000;
  Interp interp(env, 0, budget);
  for (const std::string& p : parameters) // symbols under their own names, whatever constants are called
    interp.vars[p] = symbol(p);
  interp.run(f, begin, std::min(end, f.tokens.size()));
  Evaluated best;
  auto consider = [&](const P& p) {
    Evaluated e = judge(p);
    auto known = [](const Evaluated& v) { return v.ok() && v.print.formula != formula::Formula::other && v.print.formula != formula::Formula::unknown; };
    if (e.ok() && (!best.ok() || (known(e) && !known(best)) || (known(e) && formula::is_gelu_family(e.print.formula) && !formula::is_gelu_family(best.print.formula))))
      best = e;
  };
  if (interp.returned && interp.returned->symbol != "(nothing)")
    consider(interp.returned);
  if (!best.ok() || best.print.formula == formula::Formula::other)
    for (const P& p : interp.stores)
      consider(p);
  if (!best.ok())
    for (const auto& [name, p] : interp.vars)
      if (p->symbol.empty())
        consider(p);
  if (!best.ok())
    best.reason = "no elementwise expression was found in the tokens";
  return best;
}

} // namespace gelint::scan
