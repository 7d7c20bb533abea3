#include "graph/graph.h"

#include <stdexcept>

namespace mini::graph {
namespace {

tensor* derive(context& ctx, op_kind op, tensor* a, tensor* b) {
  tensor& t = ctx.tensors.emplace_back();
  t.op = op;
  t.src0 = a;
  t.src1 = b;
  t.rows = a->rows;
  t.cols = a->cols;
  return &t;
}

const char* const k_unary_names[] = {"NONE", "RELU", "SILU", "GELU", "GELU_ERF", "GELU_QUICK"};

} // namespace

tensor* new_tensor(context& ctx, std::vector<float> data, std::size_t rows, std::size_t cols) {
  if (data.size() != rows * cols)
    throw std::invalid_argument("new_tensor: shape does not fit the data");
  tensor& t = ctx.tensors.emplace_back();
  t.data = std::move(data);
  t.rows = rows;
  t.cols = cols;
  return &t;
}

tensor* op_add(context& ctx, tensor* a, tensor* b) { return derive(ctx, OP_ADD, a, b); }

tensor* op_mul(context& ctx, tensor* a, tensor* b) { return derive(ctx, OP_MUL, a, b); }

tensor* op_mul_mat(context& ctx, tensor* weight, tensor* x) {
  if (x->cols != weight->rows)
    throw std::invalid_argument("op_mul_mat: inner sizes differ");
  tensor* t = derive(ctx, OP_MUL_MAT, weight, x);
  t->rows = x->rows;
  t->cols = weight->cols;
  return t;
}

tensor* op_unary(context& ctx, tensor* a, unary_op op) {
  tensor* t = derive(ctx, OP_UNARY, a, nullptr);
  t->unary = op;
  return t;
}

tensor* op_map_row(context& ctx, tensor* a, kernels::row_kernel f) {
  tensor* t = derive(ctx, OP_MAP_ROW, a, nullptr);
  t->row = f;
  return t;
}

tensor* op_map_element(context& ctx, tensor* a, float (*f)(float)) {
  tensor* t = derive(ctx, OP_MAP_ELEMENT, a, nullptr);
  t->element = f;
  return t;
}

tensor* op_relu(context& ctx, tensor* a) { return op_unary(ctx, a, OP_UNARY_RELU); }

tensor* op_silu(context& ctx, tensor* a) { return op_unary(ctx, a, OP_UNARY_SILU); }

tensor* op_gelu(context& ctx, tensor* a) { return op_unary(ctx, a, OP_UNARY_GELU); }

tensor* op_gelu_erf(context& ctx, tensor* a) { return op_unary(ctx, a, OP_UNARY_GELU_ERF); }

tensor* op_gelu_quick(context& ctx, tensor* a) { return op_unary(ctx, a, OP_UNARY_GELU_QUICK); }

const char* unary_op_name(unary_op op) { return k_unary_names[op]; }

bool backend_supports(unary_op op) {
  switch (op) {
  case OP_UNARY_RELU:
  case OP_UNARY_SILU:
  case OP_UNARY_GELU:
  case OP_UNARY_GELU_ERF:
  case OP_UNARY_GELU_QUICK:
    return true;
  case OP_UNARY_NONE:
    return false;
  }
  return false;
}

} // namespace mini::graph
