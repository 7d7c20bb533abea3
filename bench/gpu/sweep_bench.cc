// Kernel times of exhaustive sweeps, as JSON lines; with --dump DIR the outputs of every ACT2FN class instead, for
// act2fn_peer.py: DIR/NAME.TYPE holds 65,536 floats by bit pattern.

#include "verify/backend.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

using namespace gelint;
using namespace gelint::verify;
using formula::Formula;
using formula::Type;

namespace {

int dump(const std::string& folder) {
  auto cpu = make_cpu_backend(0);
  for (const formula::ActivationName& n : formula::activation_names())
    for (Type t : {Type::bf16, Type::f16}) {
      if (n.ns != formula::NameSpace::act2fn)
        continue;
      auto c = act2fn_candidate(n.name, t);
      auto y = cpu->outputs(*c, t);
      if (!y)
        return 2;
      std::ofstream(folder + "/" + std::string(n.name) + "." + std::string(formula::to_string(t)), std::ios::binary)
          .write(reinterpret_cast<const char*>(y->data()), static_cast<std::streamsize>(y->size() * sizeof(float)));
    }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 3 && !std::strcmp(argv[1], "--dump"))
    return dump(argv[2]);
  auto gpu = make_cuda_backend();
  if (!gpu) {
    std::fprintf(stderr, "sweep_bench: %s\n", gpu.error().text().c_str());
    return 77;
  }
  std::printf("{\"device\": \"%s\"}\n", (*gpu)->description().c_str());
  for (Type t : {Type::f32, Type::bf16, Type::f16})
    for (Formula f : {Formula::gelu_erf, Formula::gelu_tanh, Formula::gelu_quick, Formula::silu}) {
      auto c = candidate_of(f, Path::f32, t);
      double best = 1e9, worst = 0;
      core::Metrics m{};
      for (int i = 0; i < 7; ++i) {
        auto r = (*gpu)->sweep(*c, f, t, {}, {});
        if (!r) {
          std::fprintf(stderr, "sweep_bench: %s\n", r.error().text().c_str());
          return 2;
        }
        if (i >= 2) { // two warm-ups
          best = std::min(best, r->seconds);
          worst = std::max(worst, r->seconds);
        }
        m = r->metrics;
      }
      std::printf("{\"sweep\": \"%s\", \"dtype\": \"%s\", \"inputs\": %llu, \"ms\": %.4f, \"ms_worst\": %.4f, \"max_abs\": %.4g, "
                  "\"at\": %.9g, \"max_ulp\": %.6g, \"differing\": %llu, \"nan_made\": %llu, \"order_faults\": %llu}\n",
                  std::string(formula::to_string(f)).c_str(), std::string(formula::to_string(t)).c_str(), m.inputs, best * 1e3,
                  worst * 1e3, m.abs.value, value_of(t, m.abs.pattern), m.ulp.value, m.differing, m.nan_made, m.order_faults);
    }
  for (Type t : {Type::f32, Type::bf16}) {
    auto a = candidate_of(Formula::gelu_erf, Path::f32, t), b = candidate_of(Formula::gelu_tanh, Path::f32, t);
    double best = 1e9;
    uint64_t differing = 0;
    for (int i = 0; i < 5; ++i) {
      auto r = (*gpu)->compare(*a, *b, t, {});
      if (!r)
        return 2;
      best = std::min(best, r->seconds);
      differing = r->differing;
    }
    std::printf("{\"pair\": \"gelu_erf,gelu_tanh\", \"dtype\": \"%s\", \"ms\": %.4f, \"differing\": %llu}\n",
                std::string(formula::to_string(t)).c_str(), best * 1e3, static_cast<unsigned long long>(differing));
  }
  return 0;
}
