// Rounding and typed evaluation against MPFR: each operation computed to 1500 bits and rounded once to the type.

#include "formula/expr.h"
#include "unit/formula/mp.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace gelint::formula;

namespace {

struct Format {
  Type type;
  int precision; // bits with the hidden one
  int emin, emax; // of the normal numbers
};
constexpr Format k_formats[] = {
    {Type::f16, 11, -14, 15}, {Type::bf16, 8, -126, 127}, {Type::f32, 24, -126, 127}};

/// v rounded to nearest even in the format, by MPFR's own emulation of subnormals.
double by_mpfr(const Format& f, mpfr_srcptr v) {
  mpfr_exp_t lo = mpfr_get_emin(), hi = mpfr_get_emax();
  mpfr_t r;
  mpfr_init2(r, f.precision);
  mpfr_set_emin(f.emin - f.precision + 2);
  mpfr_set_emax(f.emax + 1);
  int t = mpfr_set(r, v, MPFR_RNDN);
  t = mpfr_check_range(r, t, MPFR_RNDN);
  mpfr_subnormalize(r, t, MPFR_RNDN);
  double d = mpfr_get_d(r, MPFR_RNDN);
  mpfr_set_emin(lo);
  mpfr_set_emax(hi);
  mpfr_clear(r);
  return d;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

/// A random finite value of the format, all exponents alike.
double random_value(const Format& f, std::mt19937_64& rng) {
  int e = f.emin - f.precision + static_cast<int>(rng() % static_cast<unsigned>(f.emax - f.emin + f.precision));
  double m = 1 + std::ldexp(static_cast<double>(rng() % (1u << (f.precision - 1))), 1 - f.precision);
  return round_to(f.type, std::ldexp(rng() % 2 ? m : -m, e));
}

Expr unary(Op op, Type t) {
  Expr e;
  e.set_root(e.make(op, t, e.leaf(Op::input, t)));
  return e;
}

} // namespace

TEST(RoundTo, MatchesMpfr) {
  std::mt19937_64 rng(20240607);
  for (const Format& f : k_formats) {
    for (int i = 0; i < 20000; ++i) {
      double v = random_value(f, rng), w = v;
      // Halfway to a neighbour, just above and just below it, and any double near.
      double half = std::ldexp(1.0, std::max(v == 0 ? f.emin : std::ilogb(v), f.emin) - f.precision);
      if (i % 4)
        w = v + half;
      if (i % 4 == 2)
        w = std::nextafter(w, 1e300);
      if (i % 4 == 3)
        w = std::nextafter(w, -1e300);
      mp::Real r(w);
      ASSERT_TRUE(same(round_to(f.type, w), by_mpfr(f, r.get()))) << to_string(f.type) << " " << w;
    }
    double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(round_to(f.type, inf), inf);
    EXPECT_TRUE(std::isnan(round_to(f.type, std::numeric_limits<double>::quiet_NaN())));
    EXPECT_TRUE(std::signbit(round_to(f.type, -0.0)));
  }
  EXPECT_EQ(round_to(Type::f16, 65519.9), 65504);
  EXPECT_TRUE(std::isinf(round_to(Type::f16, 65520))); // the tie goes to even, which is 2^16
  EXPECT_EQ(round_to(Type::f16, 0x1p-25), 0);          // half the least subnormal: tie to even
  EXPECT_EQ(round_to(Type::f16, 0x1.8p-25), 0x1p-24);
  EXPECT_EQ(round_to(Type::bf16, 1.00390625), 1.0); // 1 + 2^-8, tie
  EXPECT_TRUE(std::isnan(round_to(Type::f8, 500.0)));
  EXPECT_EQ(round_to(Type::f8, 440.0), 448);
}

TEST(EvalTyped, OneOperationIsRoundedOnce) {
  std::mt19937_64 rng(7);
  for (const Format& f : k_formats) {
    for (int i = 0; i < 4000; ++i) {
      double x = random_value(f, rng), y = random_value(f, rng), z = random_value(f, rng);
      Expr e;
      NodeId a = e.leaf(Op::input, f.type), b = e.constant(y, f.type), c = e.constant(z, f.type);
      mp::Real want;
      auto check = [&](Op op, NodeId third = k_no_node) {
        Expr one = e;
        one.set_root(arity(op) == 3 ? one.make(op, f.type, a, b, third) : one.make(op, f.type, a, b));
        double got = eval_typed(one, x), expected = by_mpfr(f, want.get());
        ASSERT_TRUE(same(got, expected) || (got == 0 && expected == 0))
            << to_string(op) << ":" << to_string(f.type) << " " << x << " " << y << " " << z << " gives " << got
            << " for " << expected;
      };
      mpfr_add(want.get(), mp::Real(x).get(), mp::Real(y).get(), MPFR_RNDN), check(Op::add);
      mpfr_sub(want.get(), mp::Real(x).get(), mp::Real(y).get(), MPFR_RNDN), check(Op::sub);
      mpfr_mul(want.get(), mp::Real(x).get(), mp::Real(y).get(), MPFR_RNDN), check(Op::mul);
      if (y != 0)
        mpfr_div(want.get(), mp::Real(x).get(), mp::Real(y).get(), MPFR_RNDN), check(Op::div);
      // Products near the third operand, where fma is not mul then add.
      double near = i % 2 ? round_to(f.type, -x * y) : z;
      if (std::isfinite(near)) {
        c = e.constant(near, f.type);
        mpfr_fma(want.get(), mp::Real(x).get(), mp::Real(y).get(), mp::Real(near).get(), MPFR_RNDN), check(Op::fma, c);
      }
    }
  }
}

TEST(EvalTyped, ElementaryFunctionsAreCorrectlyRoundedInHalfTypes) {
  // All 2^16 inputs; f32's exp of a double is within half a unit and a billionth of the exact value.
  struct Case {
    Op op;
    int (*fn)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  };
  mpfr_t x, y;
  mpfr_inits2(200, x, y, nullptr);
  for (Case c : {Case{Op::exp, mpfr_exp}, Case{Op::tanh, mpfr_tanh}, Case{Op::erf, mpfr_erf}, Case{Op::sqrt, mpfr_sqrt}}) {
    Format f = k_formats[c.op == Op::tanh];
    Expr e = unary(c.op, f.type);
    for (int i = 0; i < 3000; ++i) {
      double v = -12 + i * 0.008;
      v = round_to(f.type, v);
      mpfr_set_d(x, v, MPFR_RNDN);
      c.fn(y, x, MPFR_RNDN);
      ASSERT_TRUE(same(eval_typed(e, v), by_mpfr(f, y))) << to_string(c.op) << " " << v;
    }
  }
  mpfr_clears(x, y, nullptr);
}

TEST(EvalTyped, WeakLiteralsTakeThePartnersType) {
  Expr e;
  NodeId x = e.leaf(Op::input, Type::bf16);
  e.set_root(e.make(Op::mul, Type::bf16, x, e.constant(0.044715, Type::weak)));
  EXPECT_EQ(eval_typed(e, 1.0), round_to(Type::bf16, 0.044715));
  Expr f;
  x = f.leaf(Op::input, Type::bf16);
  f.set_root(f.make(Op::mul, Type::f32, x, f.constant(0.044715, Type::weak)));
  EXPECT_EQ(eval_typed(f, 1.0), static_cast<double>(0.044715f));
  // An unbound graph op is evaluated in double; bind_weak gives it the tensor's type.
  Expr g;
  x = g.leaf(Op::input, Type::weak);
  g.set_root(g.make(Op::mul, Type::weak, x, g.constant(0.044715, Type::weak)));
  EXPECT_EQ(eval_typed(g, 1.0), 0.044715);
  EXPECT_EQ(eval_typed(bind_weak(g, Type::f16), 1.0), round_to(Type::f16, 0.044715));
}

TEST(EvalTyped, CastsRoundOnlyInTypedMode) {
  Expr e;
  e.set_root(e.make(Op::cast, Type::bf16, e.leaf(Op::input, Type::f32)));
  EXPECT_EQ(eval_typed(e, 1.001), 1.0);
  EXPECT_EQ(eval_ideal(e, 1.001), 1.001);
  Expr i;
  i.set_root(i.make(Op::cast, Type::f32, i.make(Op::cast, Type::i32, i.leaf(Op::input, Type::f32))));
  EXPECT_EQ(eval_ideal(i, -2.75), -2); // a conversion to an integer is part of the meaning
}

TEST(EvalTyped, Integers) {
  // 2^floor(x) by the exponent field, as polynomial exponentials do: f32_of_bits((int(x) + 127) << 23).
  Expr e;
  NodeId x = e.leaf(Op::input, Type::f32);
  NodeId n = e.make(Op::cast, Type::i32, e.make(Op::floor, Type::f32, x));
  NodeId biased = e.make(Op::add, Type::i32, n, e.constant(127, Type::i32));
  e.set_root(e.make(Op::f32_of_bits, Type::f32, e.make(Op::shl, Type::i32, biased, e.constant(23, Type::i32))));
  for (double v : {-3.5, 0.0, 0.5, 7.25})
    EXPECT_EQ(eval_ideal(e, v), std::exp2(std::floor(v)));
  Expr bits;
  x = bits.leaf(Op::input, Type::f32);
  NodeId sign = bits.make(Op::shr, Type::u32, bits.make(Op::bits_of_f32, Type::u32, x), bits.constant(31, Type::u32));
  bits.set_root(bits.make(Op::cast, Type::f32, sign));
  EXPECT_EQ(eval_ideal(bits, -0.5), 1);
  EXPECT_EQ(eval_ideal(bits, 0.5), 0);
  Expr wrap;
  x = wrap.leaf(Op::input, Type::i32);
  wrap.set_root(wrap.make(Op::mul, Type::i32, x, wrap.constant(65536, Type::i32)));
  EXPECT_EQ(eval_typed(wrap, 32768), -2147483648.0);
}

TEST(EvalTyped, HalfTable) {
  // The table holds f16(tanh(f16 input)); between its inputs it is constant.
  Expr e;
  NodeId x = e.leaf(Op::input, Type::f32);
  e.set_root(e.make(Op::f16_table, Type::f16, e.make(Op::tanh, Type::f32, x)));
  double v = 0.500123, rounded = round_to(Type::f16, v);
  EXPECT_NE(v, rounded);
  EXPECT_EQ(eval_typed(e, v), round_to(Type::f16, std::tanh(rounded)));
  EXPECT_EQ(eval_ideal(e, v), std::tanh(v));
}

TEST(Eval, ManyEqualsOne) {
  Expr e;
  NodeId x = e.leaf(Op::input, Type::f16), g = e.leaf(Op::gate, Type::f16);
  e.set_root(e.make(Op::mul, Type::f16, e.make(Op::sigmoid, Type::f32, x), g));
  std::vector<double> in, out(1000);
  for (int i = 0; i < 1000; ++i)
    in.push_back(-5 + i * 0.01);
  eval_typed_many(e, in, 0.3, out);
  for (int i = 0; i < 1000; i += 37)
    EXPECT_EQ(out[static_cast<size_t>(i)], eval_typed(e, in[static_cast<size_t>(i)], 0.3));
  EXPECT_TRUE(std::isnan(eval_typed(Expr{}, 1)));
}
