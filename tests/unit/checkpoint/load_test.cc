// Directories as they are found: a hub cache, a tree, a pipeline, loops of symbolic links.

#include "checkpoint/model.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace gelint::checkpoint {
namespace {

namespace fs = std::filesystem;

class Tree : public testing::Test {
protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() /
            (std::string("gelint_tree_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  void put(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  std::vector<std::string> paths(const std::string& of = "") {
    std::vector<std::string> out;
    for (const Model& m : load_models((root_ / of).string()))
      out.push_back(fs::path(m.config_file).lexically_relative(root_).string() + " " + std::string(to_string(m.kind)));
    return out;
  }
  using List = std::vector<std::string>;
  fs::path root_;
};

TEST_F(Tree, HubCache) {
  put("models--a--b/blobs/0123", R"({"model_type":"gpt2"})");
  put("models--a--b/refs/main", "rev1");
  fs::create_directories(root_ / "models--a--b/snapshots/rev1");
  fs::create_symlink("../../blobs/0123", root_ / "models--a--b/snapshots/rev1/config.json");
  fs::create_directories(root_ / "models--a--c/snapshots/rev2");
  fs::create_symlink("../../blobs/gone", root_ / "models--a--c/snapshots/rev2/config.json");
  EXPECT_EQ(paths(), (List{"models--a--b/snapshots/rev1/config.json transformers",
                           "models--a--c/snapshots/rev2/config.json unreadable"}));
}

TEST_F(Tree, SortedAndNotBelowAModel) {
  put("z/config.json", R"({"model_type":"bert"})");
  put("a/config.json", R"({"model_type":"bert"})");
  put("a/1_Pooling/config.json", R"({"word_embedding_dimension":3})");
  put("a/original/params.json", R"({"dim":1,"n_layers":1})");
  put("m/x/y/params.json", R"({"dim":1,"n_layers":1})");
  put(".hidden/config.json", "{}");
  EXPECT_EQ(paths(), (List{"a/config.json transformers", "m/x/y/params.json mistral", "z/config.json transformers"}));
}

TEST_F(Tree, LoopsEnd) {
  put("a/config.json", R"({"model_type":"bert"})");
  fs::create_directory_symlink(root_, root_ / "b");
  fs::create_directory_symlink(root_ / "c", root_ / "c");
  EXPECT_EQ(paths().size(), 1u);
}

TEST_F(Tree, KindsByNameAndContent) {
  put("oc/open_clip_config.json", R"({"model_cfg":{"vision_cfg":{},"text_cfg":{}}})");
  put("timm/config.json", R"({"architecture":"resnet50","pretrained_cfg":{}})");
  put("unet/config.json", R"({"_class_name":"UNet2DModel"})");
  put("both/config.json", R"({"model_type":"clip"})");
  put("both/open_clip_config.json", R"({"model_cfg":{"vision_cfg":{}}})");
  EXPECT_EQ(paths(), (List{"both/config.json transformers", "both/open_clip_config.json open_clip",
                           "oc/open_clip_config.json open_clip", "timm/config.json timm", "unet/config.json diffusers"}));
}

TEST_F(Tree, PipelineGivesItsComponentsAndNamesMissingOnes) {
  put("model_index.json", R"({"_class_name":"P","unet":["diffusers","UNet2DModel"],"vae":["diffusers","AutoencoderKL"],
    "tokenizer":["transformers","CLIPTokenizer"],"../evil":["diffusers","UNet2DModel"],"safety":[null,null]})");
  put("unet/config.json", R"({"_class_name":"UNet2DModel"})");
  std::vector<Model> models = load_models(root_.string());
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].kind, ModelKind::diffusers);
  ASSERT_EQ(models[1].errors.size(), 1u);
  EXPECT_NE(models[1].errors[0].message.find("vae"), std::string::npos);
  EXPECT_EQ(models[1].errors[0].line, 1);
}

TEST_F(Tree, FaultsAreModelsWithErrors) {
  put("empty/config.json", "");
  put("dir/config.json/inner", "x");
  put("nothing/readme.txt", "x");
  for (const char* name : {"empty", "dir", "nothing", "missing", "missing/config.json"}) {
    std::vector<Model> models = load_models((root_ / name).string());
    ASSERT_EQ(models.size(), 1u) << name;
    EXPECT_EQ(models[0].kind, ModelKind::unreadable) << name;
    EXPECT_EQ(models[0].errors.size(), 1u) << name;
  }
}

TEST_F(Tree, JsonLinesKeepTheirNumbers) {
  put("m.jsonl", "{\"model_type\":\"bert\"}\n\n{\"model_type\":\n{\"model_type\":\"gpt2\"}");
  std::vector<Model> models = load_models((root_ / "m.jsonl").string());
  ASSERT_EQ(models.size(), 3u);
  EXPECT_TRUE(models[1].path.ends_with("m.jsonl:3"));
  ASSERT_EQ(models[1].errors.size(), 1u);
  EXPECT_EQ(models[1].errors[0].line, 3);
  EXPECT_EQ(models[2].config->root().first().key_position().line, 4);
}

TEST_F(Tree, TensorsFromHeaderAndIndex) {
  std::string header = R"({"__metadata__":{"format":"pt"},"a.mlp.gate_proj.weight":{"dtype":"F32","shape":[8,4],"data_offsets":[0,0]}})";
  uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), 8);
  put("model.safetensors", bytes + header);
  put("model.safetensors.index.json", R"({"weight_map":{"vision_tower.x":"f"}})");
  auto t = read_tensors({(root_ / "model.safetensors.index.json").string(), (root_ / "model.safetensors").string()});
  ASSERT_TRUE(t) << t.error().text();
  EXPECT_TRUE(t->has_part("gate_proj"));
  EXPECT_TRUE(t->has_part("vision_tower"));
  EXPECT_FALSE(t->has_part("gate"));
  EXPECT_EQ(t->shapes.at("a.mlp.gate_proj.weight"), (std::vector<uint64_t>{8, 4}));
  uint64_t hostile = uint64_t{1} << 60;
  put("bad.safetensors", std::string(reinterpret_cast<const char*>(&hostile), 8) + "{}");
  EXPECT_FALSE(read_tensors({(root_ / "bad.safetensors").string()}));
  put("cut.safetensors", bytes + header.substr(0, 10));
  EXPECT_FALSE(read_tensors({(root_ / "cut.safetensors").string()}));
}

} // namespace
} // namespace gelint::checkpoint
