#include "verify/impact.h"

#include "support/files.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gelint::verify {

using formula::Type;

namespace {

/// Values of all inputs, element by element: at(k, i) is element k of vector i. That order lets a projection run along
/// the vectors, where the sums are independent.
struct Block {
  uint64_t width = 0, vectors = 0;
  std::vector<double> v;
  Block(uint64_t w, uint64_t n) : width(w), vectors(n), v(w * n) {}
  double* row(uint64_t k) { return v.data() + k * vectors; }
  const double* row(uint64_t k) const { return v.data() + k * vectors; }
};

/// splitmix64 (Steele, Lea & Flood, 2014): the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}
  double uniform() { // (0, 1)
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (static_cast<double>((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
  }
  double normal() { // Box and Muller, 1958
    double u = uniform(), v = uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v);
  }

private:
  uint64_t state_;
};

std::vector<float> read_all(const checkpoint::Weight& w, uint64_t first, uint64_t n) {
  std::vector<float> out(n);
  w.read(first, out);
  return out;
}

Block make_inputs(const MlpLayer& layer, Type type, const ImpactOptions& o) {
  const uint64_t h = layer.hidden();
  Block x(h, o.inputs);
  std::vector<float> scale(h, 1), shift(h, 0);
  if (layer.norm)
    scale = read_all(*layer.norm, 0, h);
  if (layer.norm_bias)
    shift = read_all(*layer.norm_bias, 0, h);
  Random random(o.seed);
  std::vector<double> z(h);
  for (uint64_t i = 0; i < o.inputs; ++i) {
    double square = 0;
    for (double& v : z)
      v = random.normal(), square += v * v;
    double unit = std::sqrt(static_cast<double>(h) / square);
    for (uint64_t k = 0; k < h; ++k) {
      double s = static_cast<double>(scale[k]) + (layer.norm && o.norm_plus_one ? 1 : 0);
      x.row(k)[i] = formula::round_to(type, z[k] * unit * s + static_cast<double>(shift[k]));
    }
  }
  return x;
}

/// In `type`, or in double.
Block project(const Projection& p, const Block& x, Type type) {
  Block y(p.outputs, x.vectors);
  const uint64_t n = x.vectors;
  if (p.bias) {
    std::vector<float> b = read_all(*p.bias, p.first, p.outputs);
    for (uint64_t o = 0; o < p.outputs; ++o)
      std::fill_n(y.row(o), n, static_cast<double>(b[o]));
  }
  auto add = [n](double* to, const double* from, double w) {
    for (uint64_t i = 0; i < n; ++i)
      to[i] += w * from[i];
  };
  std::vector<float> line(p.transposed ? p.outputs : p.inputs);
  for (uint64_t r = 0; r < (p.transposed ? p.inputs : p.outputs); ++r) {
    p.weight->read((p.transposed ? r : p.first + r) * line.size(), line);
    for (uint64_t c = 0; c < line.size(); ++c)
      p.transposed ? add(y.row(c), x.row(r), static_cast<double>(line[c]))
                   : add(y.row(r), x.row(c), static_cast<double>(line[c]));
  }
  if (type != Type::f64)
    for (double& v : y.v)
      v = formula::round_to(type, v);
  return y;
}

/// The activation of `before`, times `up` when gated.
Block activate(const Block& before, const Block* up, const Candidate& c, Type type) {
  Block y(before.width, before.vectors);
  formula::eval_typed_many(c.expr, before.v, 1, y.v);
  for (size_t i = 0; up && i < y.v.size(); ++i)
    y.v[i] = formula::round_to(type, y.v[i] * up->v[i]);
  return y;
}

Block activate(const Block& before, const Block* up, formula::Formula f) {
  Block y(before.width, before.vectors);
  for (size_t i = 0; i < y.v.size(); ++i)
    y.v[i] = formula::eval(f, before.v[i]) * (up ? up->v[i] : 1);
  return y;
}

/// ‖a − b‖ / ‖b‖ over the places where both are finite; 0 for 0 / 0.
double relative(const Block& a, const Block& b) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < a.v.size(); ++i)
    if (std::isfinite(a.v[i]) && std::isfinite(b.v[i])) {
      difference += (a.v[i] - b.v[i]) * (a.v[i] - b.v[i]);
      size += b.v[i] * b.v[i];
    }
  return difference == 0 ? 0 : std::sqrt(difference / size);
}

/// config.json; null when there is none that can be read.
nlohmann::json config_of(const std::string& model) {
  Result<std::string> text = read_file((std::filesystem::path(model) / "config.json").string());
  return text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
}

std::string model_type(const nlohmann::json& config) {
  auto type = config.find("model_type");
  return type != config.end() && type->is_string() ? type->get<std::string>() : "";
}

/// The model_type of config.json and of its sub-configs; empty when it names none.
std::set<std::string> model_types(const std::string& model) {
  std::set<std::string> out;
  nlohmann::json config = config_of(model);
  if (!config.is_object())
    return out;
  out.insert(model_type(config));
  for (const auto& [key, value] : config.items())
    if (value.is_object())
      out.insert(model_type(value));
  out.erase("");
  return out;
}

} // namespace

Type layer_type(const MlpLayer& layer) {
  switch (layer.up.weight->type) {
  case checkpoint::WeightType::f16: return Type::f16;
  case checkpoint::WeightType::bf16: return Type::bf16;
  default: return Type::f32;
  }
}

report::ImpactRow run_layer(const MlpLayer& layer, const Candidate& implemented, const Candidate& required,
                            formula::Formula reference, const ImpactOptions& options) {
  auto begin = std::chrono::steady_clock::now();
  const Type type = layer_type(layer);
  report::ImpactRow out;
  out.layer = layer.name;
  out.dtype = formula::to_string(type);
  out.implemented = implemented.label;
  out.required = required.label;
  out.gated = layer.gated;
  out.normed = layer.norm != nullptr;
  out.hidden = layer.hidden();
  out.intermediate = layer.intermediate();
  out.inputs = options.inputs;

  const Block x = make_inputs(layer, type, options);
  const Projection& activated = layer.gated ? layer.gate : layer.up;
  auto run = [&](Type t, auto activation) {
    Block before = project(activated, x, t);
    std::optional<Block> up;
    if (layer.gated)
      up = project(layer.up, x, t);
    return activation(before, up ? &*up : nullptr);
  };
  const Block exact = run(Type::f64, [&](const Block& before, const Block* up) {
    return project(layer.down, activate(before, up, reference), Type::f64);
  });
  run(type, [&](const Block& before, const Block* up) {
    const Block a = activate(before, up, implemented, type), r = activate(before, up, required, type);
    const Block y = project(layer.down, a, type), z = project(layer.down, r, type);
    out.activation_error = relative(a, r);
    out.relative_error = relative(y, z);
    out.rounding_error = relative(z, exact);
    for (size_t i = 0; i < y.v.size(); ++i) {
      if (std::isfinite(y.v[i]) && std::isfinite(z.v[i]))
        out.max_abs_diff = std::max(out.max_abs_diff, std::fabs(y.v[i] - z.v[i]));
      else
        out.nan += 1;
    }
    return 0;
  });
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

Result<Impact> impact_of(const std::vector<RowSpec>& rows, const std::string& model, const std::string& selection,
                         uint64_t inputs, const Progress& progress) {
  Result<checkpoint::Weights> weights = checkpoint::Weights::open(model);
  if (!weights)
    return weights.error();
  MlpLayers found = find_layers(*weights);
  Impact out;
  out.left_out = std::move(found.left_out);
  if (found.layers.empty())
    return Error{out.left_out.empty() ? "has no MLP whose tensors are known by name"
                                      : fmt::format("has no MLP that can be run: {}", out.left_out.front()),
                 model, 0, 0, "safetensors of a transformers checkpoint in F32, F16 or BF16"};
  Result<std::vector<MlpLayer>> layers = select_layers(found.layers, selection);
  if (!layers)
    return layers.error();
  ImpactOptions options;
  options.inputs = inputs;
  options.norm_plus_one = norm_plus_one(model);
  const std::set<std::string> types = model_types(model);
  std::set<std::string> seen;
  uint64_t done = 0, total = rows.size() * layers->size();
  for (const RowSpec& row : rows) {
    auto leave_out = [&](const std::string& reason) { out.left_out.push_back(fmt::format("{}: {}", row.id, reason)); };
    const std::vector<MlpLayer> own = layers_of_slot(*layers, row.slot);
    auto a = implemented_candidate(row, Type::f32), b = required_candidate(row, Type::f32);
    if (!a || !b || row.required > formula::Formula::identity)
      leave_out(fmt::format("the {} formula is not known", a ? "checkpoint's" : "code's"));
    else if (!row.model_type.empty() && !types.empty() && !types.contains(row.model_type))
      leave_out(fmt::format("it is of a {}, and this checkpoint is a {}", row.model_type, *types.begin()));
    else if (own.empty())
      leave_out(layers_of_slot(found.layers, row.slot).empty() ? fmt::format("no MLP of this checkpoint is its slot {}", row.slot)
                                                               : fmt::format("none of the selected layers is its slot {}", row.slot));
    else
      for (const MlpLayer& layer : own) {
        Type type = layer_type(layer);
        a = implemented_candidate(row, type), b = required_candidate(row, type);
        if (seen.insert(formula::to_text(a->expr) + formula::to_text(b->expr) + layer.name).second) {
          report::ImpactRow r = run_layer(layer, *a, *b, row.required, options);
          r.id = row.id;
          r.model = model;
          out.rows.push_back(std::move(r));
        }
        if (progress)
          progress(++done, total);
      }
  }
  if (progress)
    progress(total, total);
  return out;
}

bool norm_plus_one(const std::string& model) {
  // GemmaRMSNorm and its kin: output * (1 + weight), transformers 5.24.0, models/gemma{,2,3}/modeling_*.py.
  static const std::set<std::string> k_types = {"gemma", "gemma2", "gemma3", "gemma3_text"};
  nlohmann::json config = config_of(model);
  return config.is_object() && k_types.contains(model_type(config));
}

} // namespace gelint::verify
