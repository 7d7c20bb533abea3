#include "kernels/callbacks.h"

#include "kernels/scalar.h"

namespace mini::kernels {
namespace {

const scalar_activation k_callbacks[callback_count] = {
    gelu_erf_f32,
    gelu_f32,
    gelu_quick_f32,
};

} // namespace

scalar_activation activation_callback(int slot) {
  if (slot < 0 || slot >= callback_count)
    return nullptr;
  return k_callbacks[slot];
}

} // namespace mini::kernels
