#include "core/ops.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace mini {
namespace {

dtype wider(dtype a, dtype b) { return a == b ? a : dtype::float32; }

dtype result_type(const array& a, const array& b) {
  // A scalar takes the type of the array that it meets.
  if (a.size() == 1 && b.size() != 1)
    return b.type();
  if (b.size() == 1 && a.size() != 1)
    return a.type();
  return wider(a.type(), b.type());
}

template <typename F> array unary(const array& x, F f) {
  auto n = std::make_shared<node>();
  n->rows = x.rows();
  n->cols = x.cols();
  n->type = x.type();
  n->inputs = {x.graph()};
  n->run = [f, in = x.graph()](node& out) {
    std::transform(in->values.begin(), in->values.end(), out.values.begin(), f);
  };
  return array(std::move(n));
}

template <typename F> array binary(const array& a, const array& b, F f) {
  const array& big = a.size() >= b.size() ? a : b;
  if (big.size() % a.size() != 0 || big.size() % b.size() != 0) {
    throw std::invalid_argument("operands do not broadcast");
  }
  auto n = std::make_shared<node>();
  n->rows = big.rows();
  n->cols = big.cols();
  n->type = result_type(a, b);
  n->inputs = {a.graph(), b.graph()};
  n->run = [f, left = a.graph(), right = b.graph()](node& out) {
    const std::size_t na = left->values.size();
    const std::size_t nb = right->values.size();
    for (std::size_t i = 0; i < out.values.size(); ++i) {
      out.values[i] = f(left->values[i % na], right->values[i % nb]);
    }
  };
  return array(std::move(n));
}

} // namespace

array add(const array& a, const array& b) {
  return binary(a, b, [](float x, float y) { return x + y; });
}
array subtract(const array& a, const array& b) {
  return binary(a, b, [](float x, float y) { return x - y; });
}
array multiply(const array& a, const array& b) {
  return binary(a, b, [](float x, float y) { return x * y; });
}
array divide(const array& a, const array& b) {
  return binary(a, b, [](float x, float y) { return x / y; });
}
array power(const array& base, const array& exponent) {
  return binary(base, exponent, [](float x, float y) { return std::pow(x, y); });
}
array maximum(const array& a, const array& b) {
  return binary(a, b, [](float x, float y) { return std::max(x, y); });
}

array negative(const array& x) {
  return unary(x, [](float v) { return -v; });
}
array exp(const array& x) {
  return unary(x, [](float v) { return std::exp(v); });
}
array tanh(const array& x) {
  return unary(x, [](float v) { return std::tanh(v); });
}
array erf(const array& x) {
  return unary(x, [](float v) { return std::erf(v); });
}
array sigmoid(const array& x) {
  return unary(x, [](float v) { return 1.0f / (1.0f + std::exp(-v)); });
}
array square(const array& x) {
  return unary(x, [](float v) { return v * v; });
}
array sqrt(const array& x) {
  return unary(x, [](float v) { return std::sqrt(v); });
}

array matmul(const array& a, const array& b) {
  if (a.cols() != b.rows())
    throw std::invalid_argument("matmul: inner sizes differ");
  auto n = std::make_shared<node>();
  n->rows = a.rows();
  n->cols = b.cols();
  n->type = wider(a.type(), b.type());
  n->inputs = {a.graph(), b.graph()};
  n->run = [left = a.graph(), right = b.graph()](node& out) {
    for (std::size_t i = 0; i < out.rows; ++i) {
      for (std::size_t j = 0; j < out.cols; ++j) {
        float sum = 0.0f;
        for (std::size_t k = 0; k < left->cols; ++k) {
          sum += left->values[i * left->cols + k] * right->values[k * right->cols + j];
        }
        out.values[i * out.cols + j] = sum;
      }
    }
  };
  return array(std::move(n));
}

array astype(const array& x, dtype type) {
  array result = unary(x, [](float v) { return v; });
  result.graph()->type = type;
  return result;
}

std::pair<array, array> split_columns(const array& x) {
  if (x.cols() % 2 != 0)
    throw std::invalid_argument("split_columns: odd number of columns");
  const auto half = [&x](std::size_t offset) {
    auto n = std::make_shared<node>();
    n->rows = x.rows();
    n->cols = x.cols() / 2;
    n->type = x.type();
    n->inputs = {x.graph()};
    n->run = [offset, in = x.graph()](node& out) {
      for (std::size_t i = 0; i < out.rows; ++i) {
        std::copy_n(in->values.begin() + static_cast<std::ptrdiff_t>(i * in->cols + offset),
                    out.cols, out.values.begin() + static_cast<std::ptrdiff_t>(i * out.cols));
      }
    };
    return array(std::move(n));
  };
  return {half(0), half(x.cols() / 2)};
}

graph_function compile(graph_function f) { return f; }

} // namespace mini
