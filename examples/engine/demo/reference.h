// Double-precision references for the self-check, written with the standard library only.
#pragma once

namespace mini::demo {

double reference_erf(double x);
double reference_tanh(double x);
double reference_quick(double x);
double reference_silu(double x);

} // namespace mini::demo
