// The CPU back end of the graph.
#include <cstddef>

#include "graph/graph.h"
#include "kernels/row_kernels.h"

namespace mini::graph {
namespace {

void compute_unary(const tensor& src, tensor& dst) {
  const float* in = src.data.data();
  float* out = dst.data.data();
  const std::size_t n = src.data.size();
  switch (dst.unary) {
  case OP_UNARY_RELU:
    kernels::relu_row(in, out, n);
    break;
  case OP_UNARY_SILU:
    kernels::silu_row(in, out, n);
    break;
  case OP_UNARY_GELU:
    kernels::gelu_row(in, out, n);
    break;
  case OP_UNARY_GELU_ERF:
    kernels::gelu_erf_row(in, out, n);
    break;
  case OP_UNARY_GELU_QUICK:
    kernels::gelu_quick_row(in, out, n);
    break;
  case OP_UNARY_NONE:
    for (std::size_t i = 0; i < n; ++i)
      out[i] = in[i];
    break;
  }
}

void compute_mul_mat(const tensor& weight, const tensor& x, tensor& dst) {
  for (std::size_t r = 0; r < dst.rows; ++r) {
    for (std::size_t c = 0; c < dst.cols; ++c) {
      float sum = 0.0f;
      for (std::size_t k = 0; k < x.cols; ++k) {
        sum += x.data[r * x.cols + k] * weight.data[k * weight.cols + c];
      }
      dst.data[r * dst.cols + c] = sum;
    }
  }
}

void compute_tensor(tensor& t) {
  if (t.op == OP_LEAF)
    return;
  t.data.resize(t.rows * t.cols);
  const std::size_t n = t.data.size();
  switch (t.op) {
  case OP_LEAF:
    break;
  case OP_ADD:
    for (std::size_t i = 0; i < n; ++i)
      t.data[i] = t.src0->data[i] + t.src1->data[i % t.src1->data.size()];
    break;
  case OP_MUL:
    for (std::size_t i = 0; i < n; ++i)
      t.data[i] = t.src0->data[i] * t.src1->data[i % t.src1->data.size()];
    break;
  case OP_MUL_MAT:
    compute_mul_mat(*t.src0, *t.src1, t);
    break;
  case OP_UNARY:
    compute_unary(*t.src0, t);
    break;
  case OP_MAP_ROW:
    t.row(t.src0->data.data(), t.data.data(), n);
    break;
  case OP_MAP_ELEMENT:
    for (std::size_t i = 0; i < n; ++i)
      t.data[i] = t.element(t.src0->data[i]);
    break;
  }
}

} // namespace

void graph_compute(context& ctx) {
  for (tensor& t : ctx.tensors)
    compute_tensor(t);
}

} // namespace mini::graph
