#include "verify/cost.h"

#include "support/files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gelint::verify {

using formula::Type;

namespace {

constexpr uint64_t k_tokens = 4096, k_width = 4096;

/// implemented, required, null: every order.
constexpr std::array<std::array<int, 3>, 6> k_orders = {{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  size_t n = v.size();
  return n == 0 ? 0 : n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

class CpuStopwatch final : public Stopwatch {
public:
  std::string_view backend() const override { return "cpu"; }
  uint64_t most_elements() const override { return 1u << 16; }
  Result<int> prepare(const Candidate& c, Type type, uint64_t elements) override {
    if (x_.size() != elements || type != type_) {
      std::vector<float> x = cost_inputs(type, elements);
      x_.assign(x.begin(), x.end());
      y_.resize(elements);
      type_ = type;
    }
    arms_.push_back(c.expr);
    return static_cast<int>(arms_.size()) - 1;
  }
  Result<double> run(int arm) override {
    auto begin = std::chrono::steady_clock::now();
    formula::eval_typed_many(arms_[static_cast<size_t>(arm)], x_, 1, y_);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

private:
  std::vector<double> x_, y_;
  Type type_ = Type::f32;
  std::vector<formula::Expr> arms_;
};

/// The width at the activation, 0 when the config does not say.
uint64_t width_of(const nlohmann::json& config) {
  for (const char* key : {"intermediate_size", "ffn_dim", "encoder_ffn_dim", "d_ff", "n_inner", "mlp_dim", "hidden_dim"})
    if (auto it = config.find(key); it != config.end() && it->is_number_unsigned() && it->get<uint64_t>() > 0)
      return it->get<uint64_t>();
  auto ratio = config.find("mlp_ratio"), hidden = config.find("hidden_size");
  if (ratio != config.end() && hidden != config.end() && ratio->is_number() && hidden->is_number_unsigned())
    return static_cast<uint64_t>(ratio->get<double>() * hidden->get<double>());
  return 0;
}

} // namespace

Result<Shape> parse_shape(const std::string& text) {
  Shape s;
  const char *at = text.data(), *end = at + text.size();
  auto [x, first] = std::from_chars(at, end, s.rows);
  if (first == std::errc() && x != end && *x == 'x') {
    auto [stop, second] = std::from_chars(x + 1, end, s.columns);
    uint64_t elements = 0;
    if (second == std::errc() && stop == end && s.rows > 0 && s.columns > 0 &&
        !__builtin_mul_overflow(s.rows, s.columns, &elements) && elements <= uint64_t{1} << 32)
      return s;
  }
  return Error{.message = fmt::format("--shape: '{}' is not a shape", text), .mend = "ROWSxCOLUMNS, for example 4096x11008"};
}

Shape shape_of(const std::string& checkpoint, const std::string& config_path) {
  Shape unknown{k_tokens, k_width, "no shape is known"};
  if (checkpoint.empty())
    return unknown;
  std::filesystem::path file = checkpoint;
  std::error_code ec;
  if (std::filesystem::is_directory(file, ec))
    file /= "config.json";
  Result<std::string> text = read_file(file.string());
  if (!text)
    return unknown;
  nlohmann::json config = nlohmann::json::parse(*text, nullptr, false);
  const nlohmann::json* level = &config;
  for (std::string_view rest = config_path; level->is_object();) {
    size_t dot = rest.find('.');
    if (dot == std::string_view::npos)
      break;
    auto it = level->find(std::string(rest.substr(0, dot)));
    if (it == level->end() || !it->is_object())
      break;
    level = &*it;
    rest = rest.substr(dot + 1);
  }
  uint64_t width = level->is_object() ? width_of(*level) : 0;
  return width > 0 && width <= 1u << 20 ? Shape{k_tokens, width, "the checkpoint's width"} : unknown;
}

std::vector<float> cost_inputs(Type type, uint64_t elements) {
  std::vector<float> x(elements);
  uint64_t state = 1, period = std::min<uint64_t>(elements, 1u << 18);
  auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
  };
  for (uint64_t i = 0; i < period; ++i) {
    double u = uniform(), v = uniform();
    x[i] = static_cast<float>(formula::round_to(type, std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v)));
  }
  for (uint64_t i = period; i < elements; ++i)
    x[i] = x[i - period];
  return x;
}

std::unique_ptr<Stopwatch> make_cpu_stopwatch() { return std::make_unique<CpuStopwatch>(); }

Result<report::CostRow> cost_of(Stopwatch& watch, const RowSpec& row, Type type, const Shape& shape, int runs) {
  auto a = implemented_candidate(row, type), b = required_candidate(row, type);
  if (!a || !b)
    return Error{.message = fmt::format("{}: the {} formula is not known", row.id, a ? "checkpoint's" : "code's")};
  report::CostRow out;
  out.id = row.id;
  out.backend = watch.backend();
  out.dtype = formula::to_string(type);
  out.implemented = a->label;
  out.required = b->label;
  out.elements = std::min(shape.elements(), watch.most_elements());
  out.elements = std::max<uint64_t>(8, out.elements / 8 * 8); // whole 16-byte groups
  out.shape = fmt::format("{} x {}{}{}", shape.rows, shape.columns, shape.origin.empty() ? "" : fmt::format(" ({})", shape.origin),
                          out.elements < shape.elements() / 8 * 8 ? fmt::format(", the first {} elements", out.elements) : "");
  out.runs = static_cast<uint64_t>((std::max(runs, 1) + 5) / 6 * 6);

  std::array<int, 3> arms{};
  for (size_t i = 0; i < 3; ++i) {
    Result<int> arm = watch.prepare(i == 1 ? *b : *a, type, out.elements);
    if (!arm)
      return arm.error();
    arms[i] = *arm;
  }
  std::array<std::vector<double>, 3> ms;
  std::vector<double> difference, null;
  for (uint64_t run = 0; run < out.runs + 2; ++run) {
    std::array<double, 3> t{};
    for (int i : k_orders[run % 6]) {
      Result<double> r = watch.run(arms[static_cast<size_t>(i)]);
      if (!r)
        return r.error();
      t[static_cast<size_t>(i)] = *r;
    }
    if (run < 2) // warm-up
      continue;
    for (size_t i = 0; i < 3; ++i)
      ms[i].push_back(t[i]);
    difference.push_back(t[1] - t[0]);
    null.push_back(t[2] - t[0]);
  }
  auto range = [](const std::vector<double>& v, double& mid, double& low, double& high) {
    mid = median(v);
    low = *std::min_element(v.begin(), v.end());
    high = *std::max_element(v.begin(), v.end());
  };
  out.implemented_ms = median(ms[0]);
  out.required_ms = median(ms[1]);
  range(difference, out.difference_ms, out.difference_low, out.difference_high);
  range(null, out.null_ms, out.null_low, out.null_high);
  out.difference_percent = out.implemented_ms > 0 ? 100 * out.difference_ms / out.implemented_ms : 0;
  bool none = out.difference_ms >= out.null_low && out.difference_ms <= out.null_high;
  out.verdict = none ? "none" : out.difference_ms > 0 ? "slower" : "faster";
  out.reason = fmt::format("paired difference {:+.3g} ms ({:+.1f} %), from {:+.3g} to {:+.3g}; null arm from {:+.3g} to {:+.3g}: {}",
                           out.difference_ms, out.difference_percent, out.difference_low, out.difference_high, out.null_low,
                           out.null_high,
                           none ? "within what the measurement moves by itself"
                                : fmt::format("the required formula is {}", out.verdict));
  if (watch.backend() == "cpu")
    out.reason += "; interpreted on the CPU, which is not what compiled code costs";
  return out;
}

} // namespace gelint::verify
