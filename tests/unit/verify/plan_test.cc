// Which rows of an audit document are verified, and with what.

#include "verify/plan.h"

#include "report/read_json.h"

#include <gtest/gtest.h>

using namespace gelint;
using namespace gelint::verify;
using formula::Formula;

namespace {

const char* const k_audit = R"({"schema": "gelint/1", "command": "audit", "rows": [
  {"id": "a/mlp", "verdict": "mismatch", "implemented": "gelu_tanh", "required": "gelu_erf",
   "site": {"path": "src/a.cc", "line": 7, "precision": "f32", "expr": "x:f32; t1 = tanh:f32 x; t2 = mul:f32 x t1; return t2"},
   "slot_detail": {"slot": "text.mlp", "name": "gelu"}},
  {"id": "b/mlp", "verdict": "match", "implemented": "silu", "required": "silu", "site": {"path": "src/b.cc", "line": 1, "precision": "input"}},
  {"id": "c/mlp", "verdict": "match", "implemented": "gelu_tanh", "required": "gelu_tanh", "hazard": "GL404",
   "site": {"path": "src/c.cc", "line": 2, "precision": "f16_table"}, "slot_detail": {"name": "gelu_new"}},
  {"id": "d/mlp", "verdict": "mismatch", "implemented": "gelu_erf", "required": "gelu_tanh",
   "site": {"path": "src/d.cc", "line": 3, "precision": "f32", "expr": "x:f32; return y"}},
  {"id": "u/mlp", "verdict": "unbound", "implemented": "gelu_tanh", "required": "unknown", "hazard": "GL401",
   "site": {"path": "src/u.cc", "line": 4, "precision": "f32"}},
  {"id": "e/mlp", "verdict": "mismatch", "implemented": "unknown", "required": "gelu_tanh", "site": null}]})";

report::Report audit() {
  auto r = report::parse_report(k_audit, "audit.json");
  EXPECT_TRUE(r) << (r ? "" : r.error().text());
  return r ? *r : report::Report{};
}

} // namespace

TEST(Plan, FlaggedRowsOnly) {
  auto plan = plan_of(audit(), false, {});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->rows.size(), 2u); // not the unbound site: nothing to hold it against
  EXPECT_EQ(plan->rows[0].id, "a/mlp");
  ASSERT_TRUE(plan->rows[0].expr);
  EXPECT_EQ(plan->rows[0].expr_label, "expression of src/a.cc:7");
  EXPECT_EQ(plan->rows[0].required, Formula::gelu_erf);
  EXPECT_EQ(plan->rows[0].required_name, "gelu");
  EXPECT_EQ(plan->rows[1].id, "c/mlp"); // a hazard flags it
  EXPECT_EQ(plan->rows[1].path, Path::f16_table);
  // A malformed expression is left out with its fault, not run as something else.
  ASSERT_EQ(plan->left_out.size(), 1u);
  EXPECT_EQ(plan->left_out[0].first, "d/mlp");
  EXPECT_NE(plan->left_out[0].second.find("'y' is not defined"), std::string::npos);
}

TEST(Plan, AllRowsAndNamedRows) {
  auto all = plan_of(audit(), true, {});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->rows.size(), 4u);
  EXPECT_EQ(all->left_out.size(), 2u); // d, and e without a site
  auto one = plan_of(audit(), false, {"b/mlp"});
  ASSERT_TRUE(one);
  ASSERT_EQ(one->rows.size(), 1u);
  EXPECT_EQ(one->rows[0].path, Path::input);
  auto none = plan_of(audit(), false, {"z"});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no row 'z'"), std::string::npos);
}

TEST(Plan, Pairs) {
  auto p = parse_pair("gelu_new,gelu_pytorch_tanh");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->implemented, Formula::gelu_tanh);
  EXPECT_EQ(p->implemented_name, "gelu_new");
  EXPECT_EQ(p->required_name, "gelu_pytorch_tanh");
  auto mlx = parse_pair("mlx:gelu_fast_approx,quick_gelu");
  ASSERT_TRUE(mlx);
  EXPECT_EQ(mlx->implemented, Formula::gelu_quick);
  EXPECT_TRUE(mlx->implemented_name.empty());
  for (const char* bad : {"gelu_erf", "a,b,c", "gelu_erf,", ",gelu_erf", "mlx:gelu_new,gelu", "other,gelu", "gelu_tanh,geglu"})
    EXPECT_FALSE(parse_pair(bad)) << bad;
}
