// Lazy arrays: an expression is recorded when it is written and computed when its values are asked
// for.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace mini {

enum class dtype { float32, float16, bfloat16 };

struct node {
  std::vector<float>
      values; // every dtype is held in float, rounded to what the dtype can represent
  std::size_t rows = 1;
  std::size_t cols = 1;
  dtype type = dtype::float32;
  bool ready = false;
  std::vector<std::shared_ptr<node>> inputs;
  std::function<void(node&)> run;
};

class array {
public:
  array(float scalar);
  array(std::vector<float> values, std::size_t rows, std::size_t cols, dtype type = dtype::float32);
  explicit array(std::shared_ptr<node> n) : node_(std::move(n)) {}

  std::size_t rows() const { return node_->rows; }
  std::size_t cols() const { return node_->cols; }
  std::size_t size() const { return rows() * cols(); }
  dtype type() const { return node_->type; }
  const std::shared_ptr<node>& graph() const { return node_; }

  // Computes everything this array depends on, once.
  const std::vector<float>& eval() const;
  float at(std::size_t i) const { return eval()[i]; }

private:
  std::shared_ptr<node> node_;
};

float round_to(float value, dtype type);

} // namespace mini
