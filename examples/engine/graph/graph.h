// A graph of tensors that is built first and computed afterwards, node by node, by a back end.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "kernels/row_kernels.h"

namespace mini::graph {

enum unary_op {
  OP_UNARY_NONE,
  OP_UNARY_RELU,
  OP_UNARY_SILU,
  OP_UNARY_GELU,
  OP_UNARY_GELU_ERF,
  OP_UNARY_GELU_QUICK,
};

enum op_kind { OP_LEAF, OP_ADD, OP_MUL, OP_MUL_MAT, OP_UNARY, OP_MAP_ROW, OP_MAP_ELEMENT };

struct tensor {
  op_kind op = OP_LEAF;
  unary_op unary = OP_UNARY_NONE;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<float> data;
  tensor* src0 = nullptr;
  tensor* src1 = nullptr;
  kernels::row_kernel row = nullptr;
  float (*element)(float) = nullptr;
};

struct context {
  std::deque<tensor> tensors;
};

tensor* new_tensor(context& ctx, std::vector<float> data, std::size_t rows, std::size_t cols);

tensor* op_add(context& ctx, tensor* a, tensor* b);
tensor* op_mul(context& ctx, tensor* a, tensor* b);
tensor* op_mul_mat(context& ctx, tensor* weight, tensor* x);
tensor* op_unary(context& ctx, tensor* a, unary_op op);
tensor* op_map_row(context& ctx, tensor* a, kernels::row_kernel f);
tensor* op_map_element(context& ctx, tensor* a, float (*f)(float));

tensor* op_relu(context& ctx, tensor* a);
tensor* op_silu(context& ctx, tensor* a);
tensor* op_gelu(context& ctx, tensor* a);
tensor* op_gelu_erf(context& ctx, tensor* a);
tensor* op_gelu_quick(context& ctx, tensor* a);

// Computes every tensor in the order in which they were made.
void graph_compute(context& ctx);

const char* unary_op_name(unary_op op);
bool backend_supports(unary_op op);

} // namespace mini::graph
