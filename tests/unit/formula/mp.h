#pragma once
// A value of MPFR with just enough operators to write a formula down. Independent of the code under test.

#include <mpfr.h>
#include <utility>

namespace mp {

/// 1500 bits (450 digits): enough that 1 + erf(x/√2) keeps 40 digits at x = -38, where it is 1e-316.
inline constexpr mpfr_prec_t k_bits = 1500;

class Real {
public:
  Real(double d = 0) { mpfr_init2(v_, k_bits), mpfr_set_d(v_, d, MPFR_RNDN); }
  explicit Real(const char* decimal) { mpfr_init2(v_, k_bits), mpfr_set_str(v_, decimal, 10, MPFR_RNDN); }
  Real(const Real& o) { mpfr_init2(v_, k_bits), mpfr_set(v_, o.v_, MPFR_RNDN); }
  Real& operator=(const Real& o) { return mpfr_set(v_, o.v_, MPFR_RNDN), *this; }
  ~Real() { mpfr_clear(v_); }
  mpfr_ptr get() { return v_; }
  mpfr_srcptr get() const { return v_; }
  /// Rounded to nearest even as a double, subnormals included.
  double to_double() const { return mpfr_get_d(v_, MPFR_RNDN); }

private:
  mpfr_t v_;
};

#define GELINT_MP_BINARY(symbol, fn)                                                                                   \
  inline Real operator symbol(const Real& a, const Real& b) {                                                          \
    Real r;                                                                                                            \
    fn(r.get(), a.get(), b.get(), MPFR_RNDN);                                                                          \
    return r;                                                                                                          \
  }
GELINT_MP_BINARY(+, mpfr_add)
GELINT_MP_BINARY(-, mpfr_sub)
GELINT_MP_BINARY(*, mpfr_mul)
GELINT_MP_BINARY(/, mpfr_div)
#undef GELINT_MP_BINARY

#define GELINT_MP_UNARY(name, fn)                                                                                      \
  inline Real name(const Real& a) {                                                                                    \
    Real r;                                                                                                            \
    fn(r.get(), a.get(), MPFR_RNDN);                                                                                   \
    return r;                                                                                                          \
  }
GELINT_MP_UNARY(exp, mpfr_exp)
GELINT_MP_UNARY(expm1, mpfr_expm1)
GELINT_MP_UNARY(log1p, mpfr_log1p)
GELINT_MP_UNARY(tanh, mpfr_tanh)
GELINT_MP_UNARY(erf, mpfr_erf)
GELINT_MP_UNARY(sqrt, mpfr_sqrt)
#undef GELINT_MP_UNARY

inline bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.get(), b.get()) != 0; }
inline Real min(const Real& a, const Real& b) { return a < b ? a : b; }
inline Real max(const Real& a, const Real& b) { return a < b ? b : a; }
inline Real pi() {
  Real r;
  mpfr_const_pi(r.get(), MPFR_RNDN);
  return r;
}

} // namespace mp
