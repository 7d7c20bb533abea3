// Weights of the feed-forward blocks and the affine map.
#pragma once

#include <cstddef>

#include "core/array.h"
#include "core/ops.h"

namespace mini::nn {

struct linear {
  array weight; // [in, out]
  array bias;   // [1, out]

  array operator()(const array& x) const { return matmul(x, weight) + bias; }
};

struct mlp_weights {
  linear up;
  linear down;
};

struct gated_weights {
  linear gate;
  linear up;
  linear down;
};

// Small reproducible weights, so that the demo needs no files.
linear demo_linear(std::size_t in, std::size_t out, unsigned seed);
mlp_weights demo_mlp(std::size_t width, std::size_t hidden, unsigned seed);
gated_weights demo_gated(std::size_t width, std::size_t hidden, unsigned seed);

} // namespace mini::nn
