// Sweeps on the CPU: exhaustive for every type. The patterns are cut into fixed pieces, so that the result does not
// depend on the number of threads.

#include "verify/backend.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace gelint::verify {

using formula::Formula;
using formula::Type;

int core_type(Type t) { return t == Type::f16 ? core::k_f16 : t == Type::bf16 ? core::k_bf16 : core::k_f32; }

double value_of(Type t, uint32_t pattern) { return core::decode(core_type(t), pattern); }

namespace {

constexpr uint64_t k_piece = 1u << 14;

/// Neighbouring patterns that are looked at together; a divisor of the patterns of one exponent in every type.
constexpr uint64_t k_run = 64;

/// What a thread needs for a piece, kept from one to the next: allocating it anew would cost as much as the work.
struct Buffers {
  std::vector<double> x, y, z;
  std::vector<float> xf, yf;
};

void inputs(std::vector<double>& x, int t, uint64_t first, uint64_t n) {
  x.resize(n);
  for (uint64_t i = 0; i < n; ++i)
    x[i] = static_cast<double>(core::decode(t, static_cast<uint32_t>(first + i)));
}

/// One sweep, piece by piece, as the kernel of device/sweep_kernels.cuh does it: what holds for a whole run of
/// neighbours (where the formula is a plain multiple of x, which way it goes) is found once.
struct Sweep {
  const Candidate& c;
  int f, t;
  Tolerance tolerance;

  core::Metrics seed() const {
    core::Metrics m = core::no_metrics(), none = m;
    for (int i = 0; i < 8; ++i) {
      const uint32_t p = core::seed_pattern(t, i);
      const double x = static_cast<double>(core::decode(t, p));
      count(m, p, static_cast<float>(x), static_cast<float>(formula::eval_typed(c.expr, x)));
    }
    none.abs = m.abs, none.ulp = m.ulp;
    return none;
  }

  core::Metrics piece(uint64_t first, uint64_t n, const core::Metrics& seeded, Buffers& b) const {
    // One pattern more than the piece: the order check needs a neighbour.
    inputs(b.x, t, first, std::min<uint64_t>(n + 1, core::pattern_count(t) - first));
    b.y.resize(b.x.size());
    formula::eval_typed_many(c.expr, b.x, 1, b.y);
    b.xf.assign(b.x.begin(), b.x.end());
    b.yf.assign(b.y.begin(), b.y.end());
    const std::vector<float>&xf = b.xf, &yf = b.yf;
    core::Metrics m = seeded;
    m.inputs = n;
    const bool halved = core::above_halved_bound(m.abs.value, m.ulp.value);
    for (uint64_t i = 0; i < n; i += k_run) {
      const float factor = core::plain_factor(f, xf[i], xf[i + k_run - 1], halved);
      if (!(factor >= 0 && all_are(factor, &xf[i], &yf[i])))
        for (uint64_t k = i; k < i + k_run; ++k)
          if (!(factor >= 0 && yf[k] == factor * xf[k]))
            count(m, static_cast<uint32_t>(first + k), xf[k], yf[k]);
      // The neighbour after the run is its own only within the same sign.
      const bool next = i + k_run < xf.size() && std::signbit(xf[i]) == std::signbit(xf[i + k_run]);
      m.order_faults += falls(&xf[i], &yf[i], next ? k_run : k_run - 1);
    }
    return m;
  }

private:
  void count(core::Metrics& m, uint32_t pattern, float x, float y) const {
    core::count(m, t, pattern, x, y, core::reference(f, static_cast<double>(x)), tolerance.atol, tolerance.rtol);
  }

  static bool all_are(float factor, const float* x, const float* y) {
    unsigned other = 0;
    for (uint64_t k = 0; k < k_run; ++k)
      other += !(y[k] == factor * x[k]);
    return other == 0;
  }

  /// Faults between x[k] and x[k + 1], k below n.
  uint64_t falls(const float* x, const float* y, uint64_t n) const {
    if (!std::isfinite(x[0]))
      return 0;
    if (!std::isfinite(x[n]))
      --n; // the next exponent is that of the infinity
    const bool upwards = x[n] > x[0];
    const int rising = core::direction(f, upwards ? x[0] : x[n], upwards ? x[n] : x[0]);
    unsigned faults = 0;
    if (rising == 0) {
      for (uint64_t k = 0; k < n; ++k)
        faults += core::out_of_order(f, x[k], x[k + 1], y[k], y[k + 1]);
    } else {
      const float turn = upwards == (rising > 0) ? 1.0f : -1.0f;
      for (uint64_t k = 0; k < n; ++k)
        faults += turn * y[k + 1] < turn * y[k];
    }
    return faults;
  }
};

class CpuBackend final : public Backend {
public:
  explicit CpuBackend(int threads)
      : threads_(threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))) {}

  std::string_view name() const override { return "cpu"; }
  std::string description() const override { return fmt::format("CPU, {} threads", threads_); }
  bool runs_approximations() const override { return false; }

  Result<SweepResult> sweep(const Candidate& c, Formula reference, Type type, Tolerance tolerance,
                            const Progress& progress) override {
    if (reference > Formula::identity)
      return Error{.message = "there is no reference for an unknown formula"};
    const Sweep sweep{c, static_cast<int>(reference), core_type(type), tolerance};
    auto begin = std::chrono::steady_clock::now();
    SweepResult result;
    result.metrics = core::no_metrics();
    const core::Metrics seed = sweep.seed();
    std::mutex mutex;
    each_piece(core::pattern_count(sweep.t), progress, [&](uint64_t first, uint64_t n, Buffers& buffers) {
      core::Metrics m = sweep.piece(first, n, seed, buffers);
      std::lock_guard lock(mutex);
      core::merge(result.metrics, m);
    });
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }

  Result<PairResult> compare(const Candidate& a, const Candidate& b, Type type, const Progress& progress) override {
    int t = core_type(type);
    auto begin = std::chrono::steady_clock::now();
    PairResult result;
    result.abs = {0, 0xffffffffu};
    std::mutex mutex;
    each_piece(core::pattern_count(t), progress, [&](uint64_t first, uint64_t n, Buffers& buffers) {
      std::vector<double>&x = buffers.x, &y = buffers.y, &z = buffers.z;
      inputs(x, t, first, n);
      y.resize(n), z.resize(n);
      formula::eval_typed_many(a.expr, x, 1, y);
      formula::eval_typed_many(b.expr, x, 1, z);
      PairResult m;
      m.abs = {0, 0xffffffffu};
      m.inputs = n;
      for (uint64_t i = 0; i < n; ++i) {
        bool p = std::isnan(y[i]), q = std::isnan(z[i]);
        m.nan_differs += p != q;
        m.differing += p != q || (!p && y[i] != z[i]);
        if (std::isfinite(y[i]) && std::isfinite(z[i]))
          core::raise(m.abs, std::fabs(y[i] - z[i]), static_cast<uint32_t>(first + i));
      }
      std::lock_guard lock(mutex);
      result.inputs += m.inputs;
      result.differing += m.differing;
      result.nan_differs += m.nan_differs;
      core::raise(result.abs, m.abs.value, m.abs.pattern);
    });
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }

  Result<std::vector<float>> outputs(const Candidate& c, Type type) override {
    int t = core_type(type);
    if (t == core::k_f32)
      return Error{.message = "the outputs of 2^32 inputs are not stored"};
    std::vector<double> x, y(core::pattern_count(t));
    inputs(x, t, 0, y.size());
    formula::eval_typed_many(c.expr, x, 1, y);
    return std::vector<float>(y.begin(), y.end());
  }

private:
  template <class F> void each_piece(uint64_t total, const Progress& progress, F work) {
    std::atomic<uint64_t> next{0}, done{0};
    std::mutex reporting;
    auto loop = [&] {
      Buffers buffers;
      for (uint64_t first; (first = next.fetch_add(k_piece)) < total;) {
        uint64_t n = std::min(k_piece, total - first);
        work(first, n, buffers);
        uint64_t now = done.fetch_add(n) + n;
        if (progress && (now == total || now / k_piece % 256 == 0)) {
          std::lock_guard lock(reporting);
          progress(now, total);
        }
      }
    };
    int workers = static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(threads_), (total + k_piece - 1) / k_piece));
    std::vector<std::thread> pool;
    for (int i = 1; i < workers; ++i)
      pool.emplace_back(loop);
    loop();
    for (std::thread& th : pool)
      th.join();
  }

  int threads_;
};

} // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) { return std::make_unique<CpuBackend>(threads); }

} // namespace gelint::verify
