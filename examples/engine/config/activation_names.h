// From the name of an activation in a config file to what this engine runs for it.
#pragma once

#include <string>

#include "core/array.h"

namespace mini::config {

enum class activation {
  gelu_erf,
  gelu_tanh,
  gelu_quick,
  silu,
  relu,
};

activation parse_activation(const std::string& name);

array apply_activation(activation act, const array& x);

const char* to_string(activation act);

} // namespace mini::config
