#include "core/array.h"

#include <stdexcept>

#include "core/half.h"

namespace mini {
namespace {

void compute(node& n) {
  if (n.ready)
    return;
  for (const auto& input : n.inputs)
    compute(*input);
  n.values.resize(n.rows * n.cols);
  n.run(n);
  if (n.type != dtype::float32) {
    for (float& v : n.values)
      v = round_to(v, n.type);
  }
  n.ready = true;
  n.inputs.clear();
  n.run = nullptr;
}

} // namespace

float round_to(float value, dtype type) {
  switch (type) {
  case dtype::float32:
    return value;
  case dtype::float16:
    return half_to_float(float_to_half(value));
  case dtype::bfloat16:
    return bfloat_to_float(float_to_bfloat(value));
  }
  return value;
}

array::array(float scalar) : node_(std::make_shared<node>()) {
  node_->values = {scalar};
  node_->ready = true;
}

array::array(std::vector<float> values, std::size_t rows, std::size_t cols, dtype type)
    : node_(std::make_shared<node>()) {
  if (values.size() != rows * cols)
    throw std::invalid_argument("array: shape does not fit the data");
  for (float& v : values)
    v = round_to(v, type);
  node_->values = std::move(values);
  node_->rows = rows;
  node_->cols = cols;
  node_->type = type;
  node_->ready = true;
}

const std::vector<float>& array::eval() const {
  compute(*node_);
  return node_->values;
}

} // namespace mini
