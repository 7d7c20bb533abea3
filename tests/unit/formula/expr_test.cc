#include "formula/expr.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace gelint::formula;

TEST(Expr, HashConsing) {
  Expr e;
  NodeId x = e.leaf(Op::input, Type::f32);
  EXPECT_EQ(x, e.leaf(Op::input, Type::f32));
  EXPECT_NE(x, e.leaf(Op::input, Type::f16));
  EXPECT_EQ(e.make(Op::mul, Type::f32, x, x), e.make(Op::mul, Type::f32, x, x));
  EXPECT_NE(e.make(Op::mul, Type::f32, x, x), e.make(Op::mul, Type::f64, x, x));
  EXPECT_NE(e.constant(0.0, Type::f32), e.constant(-0.0, Type::f32));
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(e.constant(nan, Type::f32), e.constant(nan, Type::f32));
}

TEST(Expr, DependsOn) {
  Expr e;
  NodeId x = e.leaf(Op::input, Type::f32), c = e.constant(2, Type::f32);
  NodeId y = e.make(Op::mul, Type::f32, e.make(Op::sqrt, Type::f32, c), x);
  EXPECT_TRUE(e.depends_on(y, Op::input));
  EXPECT_FALSE(e.depends_on(y, Op::gate));
  EXPECT_FALSE(e.depends_on(c, Op::input));
  EXPECT_FALSE(e.depends_on(k_no_node, Op::input));
}

TEST(ExprText, AsDocumented) {
  Expr e;
  NodeId x = e.leaf(Op::input, Type::f32);
  NodeId square = e.make(Op::mul, Type::f32, x, x);
  e.make(Op::tanh, Type::f32, x); // not needed by the root: left out
  NodeId c = e.constant(0.044715, Type::f32);
  e.set_root(e.make(Op::mul, Type::f32, square, c));
  EXPECT_EQ(to_text(e), "x:f32; t1 = mul:f32 x x; t2 = const:f32 0.044714999999999998; t3 = mul:f32 t1 t2; return t3");
}

TEST(ExprText, RoundTripOfEveryOperation) {
  for (int i = 0; i <= static_cast<int>(Op::select); ++i) {
    Op op = static_cast<Op>(i);
    EXPECT_EQ(op_from_string(to_string(op)), op);
    Expr e;
    NodeId x = e.leaf(Op::input, Type::bf16), g = e.leaf(Op::gate, Type::weak), c = e.constant(-1e-300, Type::f64);
    NodeId args[] = {x, g, c};
    NodeId root = arity(op) == 0 ? e.leaf(op, Type::f32, op == Op::parameter ? 0.25 : 0)
                                 : e.make(op, Type::f32, args[0], arity(op) > 1 ? args[1] : k_no_node,
                                          arity(op) > 2 ? args[2] : k_no_node);
    e.set_root(root);
    std::string error, text = to_text(e);
    auto back = parse_expr(text, &error);
    ASSERT_TRUE(back) << text << ": " << error;
    EXPECT_EQ(to_text(*back), text);
  }
}

TEST(ExprText, SpecialConstants) {
  for (double v : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), -0.0, 0x1p-1074,
                   std::numeric_limits<double>::quiet_NaN()}) {
    Expr e;
    e.set_root(e.constant(v, Type::f64));
    auto back = parse_expr(to_text(e), nullptr);
    ASSERT_TRUE(back) << to_text(e);
    double w = (*back)[back->root()].value;
    EXPECT_TRUE((std::isnan(v) && std::isnan(w)) || (v == w && std::signbit(v) == std::signbit(w))) << to_text(e);
  }
}

TEST(ExprText, MalformedTextIsNamed) {
  struct Case {
    const char* text;
    const char* says;
  };
  for (Case c : {Case{"", "no 'return'"}, Case{"x:f32", "no 'return'"}, Case{"x:f33; return x", "unknown type 'f33'"},
                 Case{"y:f32; return y", "unknown operation 'y'"}, Case{"return x", "'x' is not defined"},
                 Case{"x:f32; t1 = mul:f32 x; return t1", "'' is not defined"},
                 Case{"x:f32; t1 = neg:f32 x x; return t1", "takes 1 operands"},
                 Case{"x:f32; t1 = const:f32 1.2.3; return t1", "'1.2.3' is not a number"},
                 Case{"x:f32; t1 = neg:f32 x; t1 = abs:f32 x; return t1", "'t1' is defined twice"},
                 Case{"x:f32; t1 neg:f32 x; return t1", "expected '='"}, Case{"x:f32; return x; y", "after 'return'"},
                 Case{"x:f32; return x x", "after the returned value"}, Case{"x:f32; t1 = neg x; return t1", "has no type"}}) {
    std::string error;
    EXPECT_FALSE(parse_expr(c.text, &error)) << c.text;
    EXPECT_NE(error.find(c.says), std::string::npos) << c.text << " says: " << error;
    EXPECT_FALSE(parse_expr(c.text, nullptr));
  }
}
