// Activation functions recorded as small graphs of array operations.
#pragma once

#include "core/array.h"

namespace mini::nn {

// Fast approximation of GELU.
array gelu_approx(const array& x);
// Hyperbolic-tangent GELU evaluated in float32 and cast back.
array gelu_tanh_f32(const array& x);
// Hyperbolic-tangent GELU evaluated in the type of x.
array gelu_new(const array& x);
array gelu_pytorch_tanh(const array& x);
// x * sigmoid(1.702 x)
array quick_gelu(const array& x);

array silu(const array& x);
array relu(const array& x);

// Gated forms: the activation is applied to the gate and multiplied with the other branch.
array geglu(const array& gate, const array& up);
array geglu_exact(const array& gate, const array& up);
array swiglu(const array& gate, const array& up);

} // namespace mini::nn
