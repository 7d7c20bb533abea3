// Runs a few blocks of the engine on fixed inputs, and checks its activations.
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "config/activation_names.h"
#include "demo/selfcheck.h"
#include "models/models.h"

namespace {

using mini::array;

void print_row(const char* name, const std::vector<float>& values) {
  std::printf("%-22s", name);
  for (const float v : values)
    std::printf(" %9.6f", static_cast<double>(v));
  std::printf("\n");
}

void run_blocks() {
  const array x({-2.5f, -1.0f, 0.25f, 1.75f}, 1, 4);
  const mini::nn::mlp_weights mlp = mini::nn::demo_mlp(4, 8, 7);
  const mini::nn::gated_weights gated = mini::nn::demo_gated(4, 8, 11);
  const mini::nn::linear gate_up = mini::nn::demo_linear(4, 16, 13);
  const mini::nn::linear down = mini::nn::demo_linear(8, 4, 17);

  print_row("phi", mini::models::build_phi(x, mlp).eval());
  print_row("phi, int8", mini::models::build_phi_int8(x, mlp).eval());
  print_row("starcoder2", mini::models::build_starcoder2(x, mlp).eval());
  print_row("gemma", mini::models::build_gemma(x, gated).eval());
  print_row("gemma, int8", mini::models::build_gemma_int8(x, gate_up, down).eval());
  print_row("qwen2_vl merger", mini::models::build_qwen2_vl_merger(x, mlp).eval());

  mini::graph::context ctx;
  const mini::graph::ffn_weights ffn = mini::graph::demo_ffn(ctx, 4, 8, 19);
  mini::graph::tensor* input = mini::graph::new_tensor(ctx, x.eval(), 1, 4);
  mini::graph::tensor* gpt2 = mini::models::build_gpt2(ctx, input, ffn);
  mini::graph::tensor* clip = mini::models::build_clip_vision(ctx, input, ffn);
  mini::graph::tensor* whisper = mini::models::build_whisper_encoder(ctx, input, ffn);
  mini::graph::graph_compute(ctx);
  print_row("gpt2", gpt2->data);
  print_row("clip vision", clip->data);
  print_row("whisper encoder", whisper->data);
}

int show_config(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    std::fprintf(stderr, "engine_demo: cannot read %s\n", path.c_str());
    return 2;
  }
  std::ostringstream text;
  text << in.rdbuf();
  const mini::config::json_value cfg = mini::config::parse_json(text.str());
  const std::string type = cfg.string_at("model_type", "?");
  const std::string name = cfg.string_at("hidden_act", cfg.string_at("activation_function"));
  std::printf("%s: \"%s\" runs %s\n", type.c_str(), name.c_str(),
              mini::config::to_string(mini::config::parse_activation(name)));
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string(argv[1]) == "--selfcheck")
      return mini::demo::run_selfcheck() == 0 ? 0 : 1;
    if (argc == 2)
      return show_config(argv[1]);
    if (argc > 2) {
      std::fprintf(stderr, "usage: engine_demo [--selfcheck | CONFIG.JSON]\n");
      return 2;
    }
    run_blocks();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "engine_demo: %s\n", e.what());
    return 2;
  }
}
