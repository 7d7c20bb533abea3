// Classification by value: each case is a form seen in public code, written as an expression.

#include "formula/classify.h"

#include <cmath>
#include <gtest/gtest.h>
#include <initializer_list>

using namespace gelint::formula;

namespace {

/// Small helper to write expressions down.
struct B {
  Expr e;
  Type t = Type::f32;
  NodeId x() { return e.leaf(Op::input, t); }
  NodeId g() { return e.leaf(Op::gate, t); }
  NodeId c(double v) { return e.constant(v, t); }
  NodeId op(Op o, NodeId a, NodeId b = k_no_node, NodeId d = k_no_node) { return e.make(o, t, a, b, d); }
  NodeId mul(NodeId a, NodeId b) { return op(Op::mul, a, b); }
  NodeId add(NodeId a, NodeId b) { return op(Op::add, a, b); }
  Expr done(NodeId root) {
    e.set_root(root);
    return e;
  }
};

/// 0.5·x·(1 + f(u))
Expr half_x_one_plus(B& b, Op f, NodeId u) {
  return b.done(b.mul(b.mul(b.c(0.5), b.x()), b.add(b.c(1), b.op(f, u))));
}

NodeId tanh_argument(B& b, double scale, double cubic) {
  NodeId x = b.x();
  NodeId cube = b.mul(b.mul(x, x), x);
  return b.mul(b.c(scale), b.add(x, b.mul(b.c(cubic), cube)));
}

Formula tanh_form(double scale, double cubic) {
  B b;
  return classify(half_x_one_plus(b, Op::tanh, tanh_argument(b, scale, cubic))).formula;
}

constexpr double k_scale = 0.7978845608028654, k_cubic = 0.044715;

NodeId polynomial(B& b, NodeId t, std::initializer_list<double> highest_first) {
  NodeId p = k_no_node;
  for (double c : highest_first)
    p = p == k_no_node ? b.c(c) : b.add(b.mul(p, t), b.c(c));
  return p;
}

/// erf by Abramowitz & Stegun 7.1.26, through |z|, as hand-written kernels do.
NodeId erf_7_1_26(B& b, NodeId z) {
  NodeId a = b.op(Op::abs, z);
  NodeId t = b.op(Op::div, b.c(1), b.add(b.c(1), b.mul(b.c(0.3275911), a)));
  NodeId p = b.mul(polynomial(b, t, {1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592}), t);
  NodeId y = b.op(Op::sub, b.c(1), b.mul(p, b.op(Op::exp, b.op(Op::neg, b.mul(a, a)))));
  return b.mul(b.op(Op::sign, z), y);
}

/// tanh as a clipped ratio of polynomials: Lambert's continued fraction to the seventh order (Wall, Analytic Theory of
/// Continued Fractions, 1948, § 92), as engines use it with a bound of 4 or 5.
NodeId tanh_by_lambert(B& b, NodeId u, double bound) {
  NodeId s = b.mul(u, u);
  NodeId p = b.mul(u, polynomial(b, s, {1, 378, 17325, 135135}));
  NodeId q = polynomial(b, s, {28, 3150, 62370, 135135});
  auto compare = [&](Op op, double at) { return b.e.make(op, Type::boolean, u, b.c(at)); };
  return b.op(Op::select, compare(Op::gt, bound), b.c(1), b.op(Op::select, compare(Op::le, -bound), b.c(-1), b.op(Op::div, p, q)));
}

Fingerprint lambert_form(double scale, double cubic, double bound) {
  B b;
  NodeId t = tanh_by_lambert(b, tanh_argument(b, scale, cubic), bound);
  return classify(b.done(b.mul(b.mul(b.c(0.5), b.x()), b.add(b.c(1), t))));
}

TEST(Classify, AClippedRationalTanhIsTanh) {
  Fingerprint f = lambert_form(k_scale, k_cubic, 5);
  EXPECT_EQ(f.formula, Formula::gelu_tanh);
  EXPECT_FALSE(f.near_miss);
  EXPECT_GT(f.distance, 1.4e-4); // 0.5·x·(1 − tanh 5) near x = 3.9
  EXPECT_LT(f.distance, 1.8e-4);
  // Clipped at 2 it is nothing: 1 − tanh 2 = 0.036.
  EXPECT_EQ(lambert_form(k_scale, k_cubic, 2).formula, Formula::other);
}

TEST(Classify, ATanhOfAClippedArgumentIsTanh) {
  // Clipped at 5 the exact tanh leaves 0.5·12·(1 − tanh 5) = 5.4e-4 at 12, as far from the exact form as from its own.
  for (double scale : {k_scale, 0.8, 0.79}) {
    B b;
    NodeId t = b.op(Op::min, b.op(Op::max, tanh_argument(b, scale, k_cubic), b.c(-5)), b.c(5));
    EXPECT_EQ(classify(half_x_one_plus(b, Op::tanh, t)).formula, scale == k_scale ? Formula::gelu_tanh : Formula::other) << scale;
  }
  // The same through an exponential: 1 − 2/(e^2t + 1).
  B b;
  NodeId t = b.op(Op::min, b.op(Op::max, tanh_argument(b, k_scale, k_cubic), b.c(-5)), b.c(5));
  NodeId f = b.op(Op::sub, b.c(1), b.op(Op::div, b.c(2), b.add(b.op(Op::exp, b.mul(b.c(2), t)), b.c(1))));
  EXPECT_EQ(classify(b.done(b.mul(b.mul(b.c(0.5), b.x()), b.add(b.c(1), f)))).formula, Formula::gelu_tanh);
}

TEST(Classify, AnApproximatedTanhHidesNoWrongConstant) {
  for (double bound : {4.9, 5.0})
    for (auto [scale, cubic] : {std::pair{0.79, k_cubic}, {0.8, k_cubic}, {0.81, k_cubic}, {0.7853981, k_cubic}, {k_scale, 0.044175}, {k_scale, 0.0447},
                                {k_scale, 0.0455399}, {k_scale, 0.0356774}, {k_cubic, k_scale}, {0.8, 0.044}, {0.7988, 0.0438}}) {
      bool written_well = tanh_form(scale, cubic) == Formula::gelu_tanh;
      EXPECT_EQ(lambert_form(scale, cubic, bound).formula, written_well ? Formula::gelu_tanh : Formula::other) << scale << ' ' << cubic << ' ' << bound;
    }
  // x·σ(1.702x) with σ through the same tanh is the quick form; with 1.773 it is none.
  for (double alpha : {1.702, 1.773}) {
    B b;
    NodeId x = b.x(), t = tanh_by_lambert(b, b.mul(b.c(alpha / 2), x), 5);
    Fingerprint f = classify(b.done(b.mul(b.mul(b.c(0.5), x), b.add(b.c(1), t))));
    EXPECT_EQ(f.formula, alpha == 1.702 ? Formula::gelu_quick : Formula::other) << f.distance;
  }
}

} // namespace

TEST(Classify, ErfForms) {
  B b;
  EXPECT_EQ(classify(half_x_one_plus(b, Op::erf, b.mul(b.x(), b.c(0.70710678)))).formula, Formula::gelu_erf);
  B poly;
  NodeId y = erf_7_1_26(poly, poly.mul(poly.x(), poly.c(0.7071067811865475)));
  Fingerprint f = classify(poly.done(poly.mul(poly.mul(poly.c(0.5), poly.x()), poly.add(poly.c(1), y))));
  EXPECT_EQ(f.formula, Formula::gelu_erf);
  EXPECT_GT(f.deviation, 1e-9); // the polynomial is seen as what it is
  EXPECT_LT(f.deviation, 1e-6); // 1.5e-7 in erf, times x/2
  B cdf;
  EXPECT_EQ(classify(cdf.done(cdf.mul(cdf.x(), cdf.op(Op::normcdf, cdf.x())))).formula, Formula::gelu_erf);
  B erfc;
  NodeId z = erfc.mul(erfc.op(Op::neg, erfc.x()), erfc.c(0.70710678118654752));
  EXPECT_EQ(classify(erfc.done(erfc.mul(erfc.mul(erfc.c(0.5), erfc.x()), erfc.op(Op::erfc, z)))).formula,
            Formula::gelu_erf);
}

TEST(Classify, TanhForms) {
  EXPECT_EQ(tanh_form(k_scale, k_cubic), Formula::gelu_tanh);
  EXPECT_EQ(tanh_form(0.79788456, 0.044715), Formula::gelu_tanh); // truncated
  EXPECT_EQ(tanh_form(0.7978, 0.0447), Formula::gelu_tanh);       // truncated to four digits
  // x·c·(1 + 0.044715·x·x), the factored cube.
  B factored;
  NodeId x = factored.x();
  NodeId u = factored.mul(factored.mul(x, factored.c(0.7978845608)),
                          factored.add(factored.c(1), factored.mul(factored.mul(factored.c(k_cubic), x), x)));
  EXPECT_EQ(classify(half_x_one_plus(factored, Op::tanh, u)).formula, Formula::gelu_tanh);
  // x·(0.79788 + 0.035677·x·x), pre-multiplied constants.
  B merged;
  x = merged.x();
  u = merged.mul(x, merged.op(Op::fma, merged.mul(x, x), merged.c(0.035677408136300125), merged.c(k_scale)));
  EXPECT_EQ(classify(half_x_one_plus(merged, Op::tanh, u)).formula, Formula::gelu_tanh);
  B hardware;
  EXPECT_EQ(classify(half_x_one_plus(hardware, Op::tanh_approx, tanh_argument(hardware, k_scale, k_cubic))).formula,
            Formula::gelu_tanh);
  B power;
  x = power.x();
  u = power.mul(power.c(k_scale), power.add(x, power.mul(power.c(k_cubic), power.op(Op::pow, x, power.c(3)))));
  EXPECT_EQ(classify(half_x_one_plus(power, Op::tanh, u)).formula, Formula::gelu_tanh);
}

TEST(Classify, TanhByExponential) {
  // (e^{2u} − 1)/(e^{2u} + 1)
  B b;
  NodeId e2u = b.op(Op::exp, b.mul(b.c(2), tanh_argument(b, k_scale, k_cubic)));
  NodeId t = b.op(Op::div, b.op(Op::sub, e2u, b.c(1)), b.add(e2u, b.c(1)));
  EXPECT_EQ(classify(b.done(b.mul(b.mul(b.c(0.5), b.x()), b.add(b.c(1), t)))).formula, Formula::gelu_tanh);
  // x·σ(2u) as x / (1 + e^{−2u})
  B s;
  NodeId d = s.add(s.c(1), s.op(Op::exp, s.mul(s.c(-2), tanh_argument(s, k_scale, k_cubic))));
  EXPECT_EQ(classify(s.done(s.op(Op::div, s.x(), d))).formula, Formula::gelu_tanh);
}

TEST(Classify, RationalTanh) {
  // tanh by a [7/6] Padé approximant clamped to ±4.97, as vector code does: 1e-4 at worst in tanh beyond the clamp.
  B b;
  NodeId u = tanh_argument(b, k_scale, k_cubic);
  NodeId v = b.op(Op::max, b.c(-4.97), b.op(Op::min, b.c(4.97), u));
  NodeId s = b.mul(v, v);
  NodeId p = b.mul(v, polynomial(b, s, {1, 378, 17325, 135135}));
  NodeId q = polynomial(b, s, {28, 3150, 62370, 135135});
  Fingerprint f = classify(b.done(b.mul(b.mul(b.c(0.5), b.x()), b.add(b.c(1), b.op(Op::div, p, q)))));
  EXPECT_EQ(f.nearest, Formula::gelu_tanh);
  // What the clamp leaves is more than the tolerance, and all of it is in the approximated tanh.
  EXPECT_EQ(f.formula, Formula::gelu_tanh);
  EXPECT_GT(f.distance, 1.3e-4);
  EXPECT_LT(f.distance, 1e-3);
  // The same with a clamp that saturates properly, ±7.9 and [13/6]-like accuracy stood in for by tanh itself.
  B c;
  u = tanh_argument(c, k_scale, k_cubic);
  v = c.op(Op::max, c.c(-7.9), c.op(Op::min, c.c(7.9), u));
  EXPECT_EQ(classify(half_x_one_plus(c, Op::tanh, v)).formula, Formula::gelu_tanh);
}

TEST(Classify, WrongConstants) {
  // The swapped constants of TensorFlow's gelu_fast in early transformers: another function, not a near miss.
  B b;
  NodeId x = b.x();
  NodeId u = b.mul(b.mul(x, b.c(0.044715)), b.add(b.c(1), b.mul(b.mul(b.c(0.7978845608), x), x)));
  Fingerprint f = classify(half_x_one_plus(b, Op::tanh, u));
  EXPECT_EQ(f.formula, Formula::other);
  EXPECT_FALSE(f.near_miss);
  EXPECT_GT(f.distance, 0.05);

  struct Case {
    double scale, cubic;
  };
  for (Case c : {Case{k_scale, 0.044175}, Case{k_scale, 0.047715}, Case{k_scale, 0.0044715}, Case{0.7987845608, k_cubic},
                 Case{0.7887, k_cubic}, Case{0.8, k_cubic}, Case{k_scale, 0.04}}) {
    B t;
    Fingerprint n = classify(half_x_one_plus(t, Op::tanh, tanh_argument(t, c.scale, c.cubic)));
    EXPECT_EQ(n.formula, Formula::other) << c.scale << " " << c.cubic;
    EXPECT_TRUE(n.near_miss || c.cubic == 0.0044715) << c.scale << " " << c.cubic << " " << n.distance;
    EXPECT_TRUE(is_gelu_family(n.nearest)) << c.scale << " " << c.cubic << " " << to_string(n.nearest);
  }
  B typo;
  Fingerprint n = classify(half_x_one_plus(typo, Op::tanh, tanh_argument(typo, k_scale, 0.044175)));
  EXPECT_EQ(n.nearest, Formula::gelu_tanh);
  EXPECT_NEAR(n.distance, 2.8e-4, 1e-4);
}

TEST(Classify, QuickAndItsNeighbours) {
  auto scaled = [](double alpha) {
    B b;
    return classify(b.done(b.mul(b.x(), b.op(Op::sigmoid, b.mul(b.c(alpha), b.x())))));
  };
  EXPECT_EQ(scaled(1.702).formula, Formula::gelu_quick);
  EXPECT_EQ(scaled(1.0).formula, Formula::silu);
  EXPECT_EQ(scaled(1.7).formula, Formula::other);
  EXPECT_TRUE(scaled(1.7).near_miss);
  EXPECT_EQ(scaled(1.7).nearest, Formula::gelu_quick);
  EXPECT_EQ(scaled(1.072).formula, Formula::other);
}

TEST(Classify, EveryFormulaIsItselfAndNoOther) {
  // A table of the formula's own values as a chain of selects would be circular; the builders below are the textbook forms.
  auto expect = [](Formula want, auto build) {
    B b;
    Expr e = b.done(build(b));
    EXPECT_EQ(classify(e).formula, want) << to_string(want) << ": " << to_string(classify(e).formula);
  };
  auto relu = [](B& b, NodeId v) { return b.op(Op::max, v, b.c(0)); };
  expect(Formula::relu, [&](B& b) { return relu(b, b.x()); });
  expect(Formula::relu2, [&](B& b) { return b.mul(relu(b, b.x()), relu(b, b.x())); });
  expect(Formula::relu6, [&](B& b) { return b.op(Op::min, relu(b, b.x()), b.c(6)); });
  expect(Formula::leaky_relu, [](B& b) {
    return b.op(Op::select, b.e.make(Op::lt, Type::boolean, b.x(), b.c(0)), b.mul(b.c(0.01), b.x()), b.x());
  });
  expect(Formula::prelu, [](B& b) {
    NodeId slope = b.e.leaf(Op::parameter, Type::f32, 0.125);
    return b.op(Op::select, b.e.make(Op::lt, Type::boolean, b.x(), b.c(0)), b.mul(slope, b.x()), b.x());
  });
  expect(Formula::hardswish, [&](B& b) {
    return b.op(Op::div, b.mul(b.x(), b.op(Op::min, relu(b, b.add(b.x(), b.c(3))), b.c(6))), b.c(6));
  });
  expect(Formula::mish, [](B& b) { return b.mul(b.x(), b.op(Op::tanh, b.op(Op::softplus, b.x()))); });
  expect(Formula::sigmoid, [](B& b) { return b.op(Op::div, b.c(1), b.add(b.c(1), b.op(Op::exp, b.op(Op::neg, b.x())))); });
  expect(Formula::tanh, [](B& b) { return b.op(Op::tanh, b.x()); });
  expect(Formula::identity, [](B& b) { return b.mul(b.x(), b.c(1)); });
  expect(Formula::sqrtsoftplus, [](B& b) { return b.op(Op::sqrt, b.op(Op::log1p, b.op(Op::exp, b.x()))); });
  expect(Formula::laplace, [](B& b) {
    NodeId z = b.op(Op::div, b.op(Op::sub, b.x(), b.c(0.707107)), b.c(0.282095 * std::sqrt(2.0)));
    return b.mul(b.c(0.5), b.add(b.c(1), b.op(Op::erf, z)));
  });
  expect(Formula::gelu_erf_clip10, [](B& b) {
    NodeId y = b.mul(b.x(), b.op(Op::normcdf, b.x()));
    return b.op(Op::max, b.c(-10), b.op(Op::min, b.c(10), y));
  });
  expect(Formula::xielu, [](B& b) {
    NodeId x = b.x();
    NodeId up = b.add(b.mul(b.c(0.8), b.mul(x, x)), b.mul(b.c(0.5), x));
    NodeId m = b.op(Op::expm1, b.op(Op::min, x, b.c(-1e-6)));
    NodeId down = b.add(b.mul(b.op(Op::sub, m, x), b.c(0.8)), b.mul(b.c(0.5), x));
    return b.op(Op::select, b.e.make(Op::gt, Type::boolean, x, b.c(0)), up, down);
  });
}

TEST(Classify, Gating) {
  B b;
  NodeId act = b.mul(b.x(), b.op(Op::sigmoid, b.x()));
  Fingerprint f = classify(b.done(b.mul(act, b.g())));
  EXPECT_EQ(f.formula, Formula::silu);
  EXPECT_EQ(f.gating, Gating::glu);
  B plus_one;
  act = plus_one.mul(plus_one.x(), plus_one.op(Op::sigmoid, plus_one.mul(plus_one.c(1.702), plus_one.x())));
  f = classify(plus_one.done(plus_one.mul(act, plus_one.add(plus_one.g(), plus_one.c(1)))));
  EXPECT_EQ(f.formula, Formula::gelu_quick);
  EXPECT_EQ(f.gating, Gating::glu);
  B swapped;
  act = swapped.mul(swapped.g(), swapped.op(Op::normcdf, swapped.g()));
  f = classify(swapped.done(swapped.mul(act, swapped.x())));
  EXPECT_EQ(f.formula, Formula::gelu_erf);
  EXPECT_EQ(f.gating, Gating::glu);
  // silu(x·g): a formula at g = 1 only.
  B inside;
  NodeId v = inside.mul(inside.x(), inside.g());
  f = classify(inside.done(inside.mul(v, inside.op(Op::sigmoid, v))));
  EXPECT_EQ(f.formula, Formula::other);
}

TEST(Classify, NothingToClassify) {
  EXPECT_EQ(classify(Expr{}).formula, Formula::unknown);
  B b;
  EXPECT_EQ(classify(b.done(b.c(1))).formula, Formula::unknown);
  B nan;
  Fingerprint f = classify(nan.done(nan.op(Op::log, nan.x())));
  EXPECT_EQ(f.formula, Formula::other);
  EXPECT_FALSE(f.near_miss);
}

TEST(Precision, FromNodeTypes) {
  B b;
  EXPECT_EQ(precision_of(half_x_one_plus(b, Op::erf, b.x())), Precision::f32);
  B half;
  half.t = Type::bf16;
  EXPECT_EQ(precision_of(half_x_one_plus(half, Op::erf, half.x())), Precision::input);
  B graph;
  graph.t = Type::weak;
  EXPECT_EQ(precision_of(half_x_one_plus(graph, Op::erf, graph.x())), Precision::input);
  Expr table;
  NodeId x = table.leaf(Op::input, Type::f32);
  table.set_root(table.make(Op::f16_table, Type::f16, table.make(Op::tanh, Type::f32, x)));
  EXPECT_EQ(precision_of(table), Precision::f16_table);
  Expr mixed;
  x = mixed.leaf(Op::input, Type::f32);
  mixed.set_root(mixed.make(Op::mul, Type::f64, mixed.constant(0.5, Type::f64), mixed.make(Op::tanh, Type::f32, x)));
  EXPECT_EQ(precision_of(mixed), Precision::mixed);
  EXPECT_EQ(precision_of(Expr{}), Precision::unknown);
}

TEST(Hazards, ThresholdsOfTheTypesInvolved) {
  auto kinds = [](const Expr& e, bool fast = false) {
    std::vector<HazardKind> k;
    for (const Hazard& h : hazards_of(e, fast))
      k.push_back(h.kind);
    return k;
  };
  // Naive tanh in f32: e^{2u} overflows at 2u = 88.72, where u(x) = 44.36: x = 10.05; inf/inf is NaN.
  B naive;
  NodeId e2u = naive.op(Op::exp, naive.mul(naive.c(2), tanh_argument(naive, k_scale, k_cubic)));
  NodeId t = naive.op(Op::div, naive.op(Op::sub, e2u, naive.c(1)), naive.add(e2u, naive.c(1)));
  std::vector<Hazard> h = hazards_of(naive.done(naive.mul(naive.mul(naive.c(0.5), naive.x()), naive.add(naive.c(1), t))));
  ASSERT_EQ(h.size(), 1u);
  EXPECT_EQ(h[0].kind, HazardKind::exp_overflow);
  EXPECT_NEAR(h[0].threshold, 10.05, 0.05);
  // x/(1 + e^-x): the infinity divides, no hazard.
  B silu;
  EXPECT_TRUE(hazards_of(silu.done(silu.op(Op::div, silu.x(), silu.add(silu.c(1), silu.op(Op::exp, silu.op(Op::neg, silu.x())))))).empty());
  // x³ in f16 overflows beyond 65504^(1/3) = 40.31; with rounding to the nearest, from 65520^(1/3) = 40.314.
  B half;
  half.t = Type::f16;
  h = hazards_of(half_x_one_plus(half, Op::tanh, tanh_argument(half, k_scale, k_cubic)));
  ASSERT_FALSE(h.empty());
  EXPECT_EQ(h[0].kind, HazardKind::cube_overflows_f16);
  EXPECT_NEAR(h[0].threshold, 40.3, 0.1);
  B bf16;
  bf16.t = Type::bf16;
  EXPECT_TRUE(hazards_of(half_x_one_plus(bf16, Op::tanh, tanh_argument(bf16, k_scale, k_cubic))).empty());
  B power;
  NodeId x = power.x();
  NodeId u = power.mul(power.c(k_scale), power.add(x, power.mul(power.c(k_cubic), power.op(Op::pow, x, power.c(3)))));
  EXPECT_EQ(kinds(half_x_one_plus(power, Op::tanh, u)), std::vector{HazardKind::pow_negative_base});
  B square;
  EXPECT_TRUE(kinds(square.done(square.op(Op::pow, square.x(), square.c(2)))).empty());
  B hardware;
  EXPECT_EQ(kinds(half_x_one_plus(hardware, Op::tanh_approx, hardware.x())), std::vector{HazardKind::approximate});
  B fast;
  EXPECT_EQ(kinds(half_x_one_plus(fast, Op::tanh, fast.x()), true), std::vector{HazardKind::approximate});
}
