// Layers of checkpoints written here, against the MLP computed here in long double with <cmath>'s own functions.

#include "verify/impact.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace gelint;
using namespace gelint::verify;
using checkpoint::Weights;
using formula::Formula;
using formula::Type;

namespace {

using Values = std::vector<float>;

class ImpactTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("gelint_impact_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void add(const std::string& name, std::vector<uint64_t> shape, const Values& values) {
    size_t begin = data_.size();
    for (float v : values) {
      uint32_t b = std::bit_cast<uint32_t>(v);
      if (dtype_ == "BF16")
        b >>= 16; // the tests use values that bf16 holds
      else if (dtype_ == "F16")
        b = v == 0 ? b >> 16 : (b >> 16 & 0x8000u) | (((b >> 23 & 255u) - 112) << 10) | (b >> 13 & 1023u);
      data_.append(reinterpret_cast<const char*>(&b), dtype_ == "F32" ? 4 : 2);
    }
    header_[name] = {{"dtype", dtype_}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
  }
  void write(const std::string& file = "model.safetensors") { write(file, header_.dump()); }
  void write(const std::string& file, const std::string& header) {
    uint64_t n = header.size();
    std::ofstream out(folder_ / file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&n), 8);
    out << header << data_;
  }
  Result<Weights> open() { return Weights::open(folder_.string()); }

  std::filesystem::path folder_;
  nlohmann::json header_ = nlohmann::json::object();
  std::string dtype_ = "F32", data_;
};

/// Quarters, so that every type holds them: a fixed pattern without structure.
Values pattern(size_t n, unsigned seed) {
  Values v(n);
  for (float& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<float>(static_cast<int>(seed >> 24) % 9 - 4) / 4;
  }
  return v;
}

long double erf_form(long double x) { return 0.5L * x * (1 + std::erf(x / std::sqrt(2.0L))); }
long double tanh_form(long double x) {
  return 0.5L * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x)));
}

Candidate f32_candidate(Formula f, Type t) { return *candidate_of(f, Path::f32, t); }

/// y = D·act(U·x + u) + d; the same for one vector.
template <class F>
std::vector<long double> mlp(const Values& up, const Values& bias, const Values& down, const Values& x, size_t inner, F f) {
  size_t h = x.size();
  std::vector<long double> a(inner), y(h, 0);
  for (size_t o = 0; o < inner; ++o) {
    long double s = bias[o];
    for (size_t k = 0; k < h; ++k)
      s += static_cast<long double>(up[o * h + k]) * x[k];
    a[o] = f(s);
  }
  for (size_t o = 0; o < h; ++o)
    for (size_t k = 0; k < inner; ++k)
      y[o] += static_cast<long double>(down[o * inner + k]) * a[k];
  return y;
}

double relative(const std::vector<long double>& a, const std::vector<long double>& b) {
  long double d = 0, s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    d += (a[i] - b[i]) * (a[i] - b[i]), s += b[i] * b[i];
  return static_cast<double>(std::sqrt(d / s));
}

} // namespace

TEST_F(ImpactTest, BertLayerAgainstAnIndependentComputation) {
  const size_t h = 8, inner = 24;
  Values up = pattern(inner * h, 1), up_bias = pattern(inner, 2), down = pattern(h * inner, 3), x = pattern(h, 4);
  add("bert.encoder.layer.0.intermediate.dense.weight", {inner, h}, up);
  add("bert.encoder.layer.0.intermediate.dense.bias", {inner}, up_bias);
  add("bert.encoder.layer.0.output.dense.weight", {h, inner}, down);
  // A norm of weight 0 hands on its bias: the input is known.
  add("bert.encoder.layer.0.attention.output.LayerNorm.weight", {h}, Values(h, 0));
  add("bert.encoder.layer.0.attention.output.LayerNorm.bias", {h}, x);
  write();
  auto weights = open();
  ASSERT_TRUE(weights) << weights.error().text();
  MlpLayers found = find_layers(*weights);
  ASSERT_EQ(found.layers.size(), 1u);
  const MlpLayer& l = found.layers[0];
  EXPECT_EQ(l.name, "bert.encoder.layer.0");
  EXPECT_EQ(l.stack, "bert.encoder.layer");
  EXPECT_EQ(l.number, 0);
  EXPECT_FALSE(l.gated);
  auto r = run_layer(l, f32_candidate(Formula::gelu_tanh, Type::f32), f32_candidate(Formula::gelu_erf, Type::f32),
                     Formula::gelu_erf, {.inputs = 3});
  double expected = relative(mlp(up, up_bias, down, x, inner, tanh_form), mlp(up, up_bias, down, x, inner, erf_form));
  EXPECT_GT(expected, 1e-5);
  EXPECT_NEAR(r.relative_error, expected, expected * 5e-3);
  EXPECT_LT(r.rounding_error, 1e-6);
  EXPECT_EQ(r.nan, 0u);
  EXPECT_EQ(r.dtype, "f32");
  EXPECT_EQ(r.hidden, h);
  EXPECT_EQ(r.intermediate, inner);
}

TEST_F(ImpactTest, GatedLayerInBf16RoundsLikeIt) {
  dtype_ = "BF16";
  const size_t h = 4, inner = 12;
  Values up = pattern(inner * h, 5), gate = pattern(inner * h, 6), down = pattern(h * inner, 7), x = {0.5f, -1, 0.75f, 1};
  add("model.layers.3.mlp.up_proj.weight", {inner, h}, up);
  add("model.layers.3.mlp.gate_proj.weight", {inner, h}, gate);
  add("model.layers.3.mlp.down_proj.weight", {h, inner}, down);
  add("model.layers.3.post_attention_layernorm.weight", {h}, Values(h, 0));
  add("model.layers.3.post_attention_layernorm.bias", {h}, x);
  write();
  auto weights = open();
  ASSERT_TRUE(weights) << weights.error().text();
  MlpLayers found = find_layers(*weights);
  ASSERT_EQ(found.layers.size(), 1u);
  EXPECT_TRUE(found.layers[0].gated);
  auto r = run_layer(found.layers[0], f32_candidate(Formula::silu, Type::bf16), f32_candidate(Formula::gelu_tanh, Type::bf16),
                     Formula::gelu_tanh, {.inputs = 2});
  // Sums of eighths and sixteenths stay exact; only activation, product and output round.
  auto bf16 = [](long double v) {
    uint32_t b = std::bit_cast<uint32_t>(static_cast<float>(v));
    return static_cast<long double>(std::bit_cast<float>((b + 0x7fffu + (b >> 16 & 1u)) & 0xffff0000u));
  };
  auto run = [&](auto f) {
    std::vector<long double> y(h, 0);
    for (size_t k = 0; k < inner; ++k) {
      long double u = 0, g = 0;
      for (size_t i = 0; i < h; ++i)
        u += static_cast<long double>(up[k * h + i]) * x[i], g += static_cast<long double>(gate[k * h + i]) * x[i];
      long double a = bf16(bf16(f(g)) * u);
      for (size_t o = 0; o < h; ++o)
        y[o] += static_cast<long double>(down[o * inner + k]) * a;
    }
    for (auto& v : y)
      v = bf16(v);
    return y;
  };
  double expected = relative(run([](long double v) { return v / (1 + std::exp(-v)); }), run(tanh_form));
  EXPECT_NEAR(r.relative_error, expected, 1e-12);
  EXPECT_GT(r.rounding_error, 1e-5);
  EXPECT_LT(r.rounding_error, 2e-2);
}

TEST_F(ImpactTest, TransposedAndFusedWeightsAreTheSameLayer) {
  const size_t h = 4, inner = 8;
  Values up = pattern(inner * h, 8), down = pattern(h * inner, 9), gate = pattern(inner * h, 10);
  auto transpose = [](const Values& v, size_t rows, size_t columns) {
    Values t(v.size());
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = 0; c < columns; ++c)
        t[c * rows + r] = v[r * columns + c];
    return t;
  };
  auto norm = [&](const std::string& name) { add(name, {h}, {0.5f, 1, 2, 1}); };
  add("a.h.0.mlp.fc1.weight", {inner, h}, up);
  add("a.h.0.mlp.fc2.weight", {h, inner}, down);
  norm("a.h.0.layer_norm2.weight");
  add("b.h.0.mlp.c_fc.weight", {h, inner}, transpose(up, inner, h));
  add("b.h.0.mlp.c_proj.weight", {inner, h}, transpose(down, h, inner));
  norm("b.h.0.ln_2.weight");
  Values fused = gate;
  fused.insert(fused.end(), up.begin(), up.end());
  add("c.layers.0.mlp.gate_up_proj.weight", {2 * inner, h}, fused);
  add("c.layers.0.mlp.down_proj.weight", {h, inner}, down);
  norm("c.layers.0.post_attention_layernorm.weight");
  add("d.layers.0.mlp.gate_proj.weight", {inner, h}, gate);
  add("d.layers.0.mlp.up_proj.weight", {inner, h}, up);
  add("d.layers.0.mlp.down_proj.weight", {h, inner}, down);
  norm("d.layers.0.post_attention_layernorm.weight");
  write();
  auto weights = open();
  ASSERT_TRUE(weights) << weights.error().text();
  MlpLayers found = find_layers(*weights);
  ASSERT_EQ(found.layers.size(), 4u);
  std::vector<double> errors;
  for (const MlpLayer& l : found.layers)
    errors.push_back(run_layer(l, f32_candidate(Formula::gelu_quick, Type::f32), f32_candidate(Formula::gelu_erf, Type::f32),
                               Formula::gelu_erf, {})
                         .relative_error);
  EXPECT_TRUE(found.layers[1].up.transposed);
  EXPECT_GT(errors[0], 1e-4);
  EXPECT_EQ(errors[0], errors[1]);
  EXPECT_EQ(errors[2], errors[3]);
  EXPECT_NE(errors[0], errors[2]);
}

TEST_F(ImpactTest, InputsHaveTheNormsScale) {
  // Identity projections: the error is that of the formulas over normal inputs of the norm's scale, by quadrature.
  const size_t h = 64;
  Values identity(h * h, 0);
  for (size_t i = 0; i < h; ++i)
    identity[i * h + i] = 1;
  for (int layer : {0, 1}) {
    std::string p = "m." + std::to_string(layer);
    add(p + ".mlp.fc1.weight", {h, h}, identity);
    add(p + ".mlp.fc2.weight", {h, h}, identity);
    add(p + ".norm2.weight", {h}, Values(h, layer == 0 ? 0.25f : 2.0f));
  }
  write();
  auto weights = open();
  ASSERT_TRUE(weights) << weights.error().text();
  MlpLayers found = find_layers(*weights);
  ASSERT_EQ(found.layers.size(), 2u);
  for (int layer : {0, 1})
    for (bool plus_one : {false, true}) {
      long double s = (layer == 0 ? 0.25L : 2.0L) + plus_one, d = 0, size = 0;
      for (int i = -4000; i <= 4000; ++i) {
        long double z = i * 2e-3L, weight = std::exp(-z * z / 2), a = tanh_form(s * z), b = erf_form(s * z);
        d += weight * (a - b) * (a - b), size += weight * b * b;
      }
      double expected = static_cast<double>(std::sqrt(d / size));
      auto r = run_layer(found.layers[static_cast<size_t>(layer)], f32_candidate(Formula::gelu_tanh, Type::f32),
                         f32_candidate(Formula::gelu_erf, Type::f32), Formula::gelu_erf,
                         {.inputs = 64, .norm_plus_one = plus_one});
      EXPECT_NEAR(r.relative_error, expected, expected * 0.08) << "scale " << static_cast<double>(s);
    }
}

TEST_F(ImpactTest, HalfTypeIsReadExactlyAndSelectionPicks) {
  dtype_ = "F16";
  for (int i = 0; i < 12; ++i) {
    std::string p = "vision.blocks." + std::to_string(i);
    add(p + ".mlp.fc1.weight", {2, 1}, {1.5f, -0.25f});
    add(p + ".mlp.fc2.weight", {1, 2}, {1, 2});
  }
  write();
  auto weights = open();
  ASSERT_TRUE(weights) << weights.error().text();
  Values v(2);
  weights->find("vision.blocks.0.mlp.fc1.weight")->read(0, v);
  EXPECT_EQ(v, (Values{1.5f, -0.25f}));
  auto layers = find_layers(*weights).layers;
  ASSERT_EQ(layers.size(), 12u);
  EXPECT_EQ(layers[10].number, 10) << "by number, not by text";
  auto names = [&](const std::string& s) {
    std::vector<int> out;
    auto r = select_layers(layers, s);
    if (r)
      for (const MlpLayer& l : *r)
        out.push_back(l.number);
    return out;
  };
  EXPECT_EQ(names(""), (std::vector<int>{0, 6, 11}));
  EXPECT_EQ(names("3,last"), (std::vector<int>{3, 11}));
  EXPECT_EQ(names("*blocks.1*"), (std::vector<int>{1, 10, 11}));
  EXPECT_EQ(names("all").size(), 12u);
  auto wrong = select_layers(layers, "12");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("vision.blocks.11"), std::string::npos);
}

TEST_F(ImpactTest, BrokenFilesAreFaultsAndQuantisedLayersAreLeftOut) {
  EXPECT_FALSE(open()) << "no weights at all";
  auto fails = [&](const std::string& header, const char* part) {
    write("model.safetensors", header);
    auto w = open();
    ASSERT_FALSE(w) << header;
    EXPECT_NE(w.error().text().find(part), std::string::npos) << w.error().text();
  };
  data_ = std::string(16, '\0');
  fails(R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[8,24]}})", "bytes 8 to 24 of 16");
  fails(R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[16,0]}})", "bytes 16 to 0");
  fails(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,16]}})", "3 elements of F32 in 16 bytes");
  fails(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,16]}})", "larger than memory");
  fails(R"({"a":{"dtype":"F32","shape":[-4],"data_offsets":[0,16]}})", "not a number");
  fails(R"({"a":{"shape":[4]}})", "needs dtype");
  fails("[]", "no JSON header");
  std::ofstream(folder_ / "model.safetensors", std::ios::binary) << "\xff\xff\xff\xff\xff\xff\xff\x7f" << "{}";
  auto w = open();
  ASSERT_FALSE(w);
  EXPECT_NE(w.error().text().find("claims a header"), std::string::npos);

  data_.clear();
  header_ = nlohmann::json::object();
  dtype_ = "F32";
  add("m.0.mlp.fc1.weight", {2, 1}, {1, 1});
  add("m.0.mlp.fc2.weight", {1, 3}, {1, 1, 1});
  add("m.1.mlp.fc1.weight", {2, 1}, {1, 1});
  add("m.1.mlp.fc2.weight", {1, 2}, {1, 1});
  header_["m.1.mlp.fc1.weight"]["dtype"] = "I32";
  write();
  w = open();
  ASSERT_TRUE(w) << w.error().text();
  MlpLayers found = find_layers(*w);
  EXPECT_TRUE(found.layers.empty());
  ASSERT_EQ(found.left_out.size(), 2u);
  EXPECT_NE(found.left_out[0].find("do not fit together"), std::string::npos);
  EXPECT_NE(found.left_out[1].find("stored as I32"), std::string::npos);
}

TEST_F(ImpactTest, ARowRunsOnTheLayersOfItsSlot) {
  // Two towers, one named, and a text model whose tensors say nothing, as in Qwen2-VL.
  for (const char* p : {"visual.blocks.0", "visual.blocks.1", "model.layers.0"}) {
    add(std::string(p) + ".mlp.fc1.weight", {2, 1}, {1, -1});
    add(std::string(p) + ".mlp.fc2.weight", {1, 2}, {1, 0.5f});
  }
  write();
  std::ofstream(folder_ / "config.json") << R"({"model_type": "two_towers", "vision_config": {"model_type": "a_tower"}})";
  auto row = [](const char* id, const char* slot, const char* model_type, Formula f) {
    RowSpec r;
    r.id = id, r.slot = slot, r.model_type = model_type;
    r.implemented = f, r.required = Formula::gelu_erf;
    return r;
  };
  auto impact = impact_of({row("text", "text.mlp", "two_towers", Formula::gelu_tanh), row("vision", "vision.mlp", "a_tower", Formula::gelu_quick),
                           row("head", "text.lm_head", "two_towers", Formula::gelu_tanh), row("other", "text.mlp", "bert", Formula::gelu_tanh),
                           row("pair", "", "", Formula::silu)},
                          folder_.string(), "all", 4, {});
  ASSERT_TRUE(impact) << impact.error().text();
  std::vector<std::string> ran;
  for (const auto& r : impact->rows)
    ran.push_back(r.id + " " + r.layer);
  EXPECT_EQ(ran, (std::vector<std::string>{"text model.layers.0", "vision visual.blocks.0", "vision visual.blocks.1", "pair model.layers.0",
                                           "pair visual.blocks.0", "pair visual.blocks.1"}));
  ASSERT_EQ(impact->left_out.size(), 2u);
  EXPECT_NE(impact->left_out[0].find("no MLP of this checkpoint is its slot text.lm_head"), std::string::npos) << impact->left_out[0];
  EXPECT_NE(impact->left_out[1].find("it is of a bert"), std::string::npos) << impact->left_out[1];
  // Of the selected layers only; and one tower alone serves whatever slot the row names.
  auto none = impact_of({row("text", "text.mlp", "", Formula::gelu_tanh)}, folder_.string(), "visual*", 4, {});
  ASSERT_TRUE(none) << none.error().text();
  EXPECT_TRUE(none->rows.empty());
  EXPECT_NE(none->left_out[0].find("none of the selected layers"), std::string::npos) << none->left_out[0];
  std::vector<MlpLayer> plain(2);
  plain[0].name = "encoder.layer.0", plain[1].name = "encoder.layer.1";
  EXPECT_EQ(layers_of_slot(plain, "audio.mlp").size(), 2u);
}

TEST_F(ImpactTest, RowsOfTheSameFormulasRunOnce) {
  add("m.0.mlp.fc1.weight", {2, 1}, {1, -1});
  add("m.0.mlp.fc2.weight", {1, 2}, {1, 0.5f});
  write();
  RowSpec row;
  row.id = "first";
  row.implemented = Formula::gelu_tanh;
  row.required = Formula::gelu_erf;
  RowSpec unknown = row;
  unknown.id = "unknown";
  unknown.required = Formula::unknown;
  auto r = impact_of({row, row, unknown}, folder_.string(), "", 4, {});
  ASSERT_TRUE(r) << r.error().text();
  ASSERT_EQ(r->rows.size(), 1u);
  EXPECT_EQ(r->rows[0].id, "first");
  EXPECT_FALSE(r->rows[0].normed);
  ASSERT_EQ(r->left_out.size(), 1u);
  EXPECT_NE(r->left_out[0].find("unknown"), std::string::npos);
  EXPECT_FALSE(impact_of({row}, folder_.string(), "7", 4, {}));
  std::ofstream(folder_ / "config.json") << R"({"model_type": "gemma2"})";
  EXPECT_TRUE(norm_plus_one(folder_.string()));
  std::ofstream(folder_ / "config.json") << R"({"model_type": "llama"})";
  EXPECT_FALSE(norm_plus_one(folder_.string()));
}
