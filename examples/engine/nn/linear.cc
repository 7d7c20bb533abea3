#include "nn/linear.h"

#include <vector>

namespace mini::nn {
namespace {

// A linear congruential generator; the demo only needs spread and repeatability.
float next_weight(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return (static_cast<float>(state >> 8) / 16777216.0f - 0.5f) * 0.8f;
}

array random_array(std::size_t rows, std::size_t cols, unsigned& state) {
  std::vector<float> values(rows * cols);
  for (float& v : values)
    v = next_weight(state);
  return array(std::move(values), rows, cols);
}

} // namespace

linear demo_linear(std::size_t in, std::size_t out, unsigned seed) {
  unsigned state = seed;
  const array weight = random_array(in, out, state);
  const array bias = random_array(1, out, state);
  return {weight, bias};
}

mlp_weights demo_mlp(std::size_t width, std::size_t hidden, unsigned seed) {
  return {demo_linear(width, hidden, seed), demo_linear(hidden, width, seed + 1)};
}

gated_weights demo_gated(std::size_t width, std::size_t hidden, unsigned seed) {
  return {demo_linear(width, hidden, seed), demo_linear(width, hidden, seed + 1),
          demo_linear(hidden, width, seed + 2)};
}

} // namespace mini::nn
