#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/row_kernels.h"
#include "models/models.h"
#include "nn/activations.h"

namespace mini::models {

array build_phi(const array& x, const nn::mlp_weights& w) {
  const array hidden = w.up(x);
  return w.down(nn::gelu_tanh_f32(hidden));
}

// The hidden layer is quantised to one scale per tensor before the activation.
array build_phi_int8(const array& x, const nn::mlp_weights& w) {
  const array hidden = w.up(x);
  const std::vector<float>& values = hidden.eval();
  float largest = 1e-6f;
  for (const float v : values)
    largest = std::max(largest, std::fabs(v));
  const float scale = largest / 127.0f;

  std::vector<signed char> quantised(values.size());
  std::transform(values.begin(), values.end(), quantised.begin(),
                 [scale](float v) { return static_cast<signed char>(std::lround(v / scale)); });
  std::vector<float> activated(values.size());
  kernels::dequantise_row(quantised.data(), scale, activated.data(), activated.size());
  kernels::gelu_new_row(activated.data(), activated.data(), activated.size());
  return w.down(array(std::move(activated), hidden.rows(), hidden.cols()));
}

} // namespace mini::models
