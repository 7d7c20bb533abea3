// Activations by index, for plug-ins that hand over a number and call through a pointer.
#pragma once

namespace mini::kernels {

using scalar_activation = float (*)(float);

enum callback_slot : int {
  callback_exact = 0,
  callback_tanh = 1,
  callback_sigmoid = 2,
  callback_count = 3,
};

// Null for an index out of range.
scalar_activation activation_callback(int slot);

} // namespace mini::kernels
