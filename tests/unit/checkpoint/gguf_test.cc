// Files are built here field by field after the GGUF description (ggml, docs/gguf.md).

#include "checkpoint/gguf.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace gelint::checkpoint {
namespace {

class Bytes {
public:
  template <class T> Bytes& add(T v) {
    data.append(reinterpret_cast<const char*>(&v), sizeof v);
    return *this;
  }
  Bytes& text(std::string_view s) {
    add<uint64_t>(s.size());
    data += s;
    return *this;
  }
  std::string data = "GGUF";
};

class GgufFile : public testing::Test {
protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() /
             (std::string("gelint_gguf_") + testing::UnitTest::GetInstance()->current_test_info()->name()))
                .string();
  }
  void TearDown() override { std::filesystem::remove(path_); }
  Result<Gguf> read(const std::string& data) {
    std::ofstream(path_, std::ios::binary) << data;
    return read_gguf(path_);
  }
  std::string path_;
};

std::string good() {
  Bytes b;
  b.add<uint32_t>(3).add<uint64_t>(1).add<uint64_t>(4);
  b.text("general.architecture").add<uint32_t>(8).text("clip");
  b.text("clip.use_gelu").add<uint32_t>(7).add<uint8_t>(1);
  b.text("tokens").add<uint32_t>(9).add<uint32_t>(8).add<uint64_t>(2).text("a").text("b");
  b.text("f").add<uint32_t>(6).add<float>(0.5f);
  b.text("v.blk.0.ffn_up.weight").add<uint32_t>(2).add<uint64_t>(4).add<uint64_t>(8).add<uint32_t>(0).add<uint64_t>(0);
  return b.data;
}

TEST_F(GgufFile, ReadsMetadataAndTensorNames) {
  auto g = read(good());
  ASSERT_TRUE(g) << g.error().text();
  EXPECT_EQ(g->version, 3u);
  EXPECT_EQ(g->string("general.architecture"), "clip");
  EXPECT_TRUE(g->find("clip.use_gelu")->truth);
  EXPECT_EQ(g->find("tokens")->text, "string[2]");
  EXPECT_DOUBLE_EQ(g->find("f")->number, 0.5);
  ASSERT_EQ(g->tensors.size(), 1u);
  EXPECT_EQ(g->tensors[0], "v.blk.0.ffn_up.weight");
}

TEST_F(GgufFile, EveryCutIsAnError) {
  const std::string whole = good();
  for (size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(read(whole.substr(0, n))) << n;
}

TEST_F(GgufFile, HostileLengthsAreRefusedBeforeMemoryIsAsked) {
  for (uint64_t huge : {uint64_t{1} << 40, ~uint64_t{0}, uint64_t{1} << 63}) {
    Bytes pairs;
    pairs.add<uint32_t>(3).add<uint64_t>(0).add<uint64_t>(huge);
    EXPECT_FALSE(read(pairs.data + std::string(64, '\0')));
    Bytes tensors;
    tensors.add<uint32_t>(3).add<uint64_t>(huge).add<uint64_t>(0);
    EXPECT_FALSE(read(tensors.data + std::string(64, '\0')));
    Bytes key;
    key.add<uint32_t>(3).add<uint64_t>(0).add<uint64_t>(1).add<uint64_t>(huge);
    EXPECT_FALSE(read(key.data + std::string(64, 'k')));
    for (uint32_t element : {0u, 8u, 9u, 12u}) {
      Bytes array;
      array.add<uint32_t>(3).add<uint64_t>(0).add<uint64_t>(1).text("k").add<uint32_t>(9).add<uint32_t>(element);
      array.add<uint64_t>(huge);
      EXPECT_FALSE(read(array.data + std::string(64, '\0'))) << element;
    }
  }
}

TEST_F(GgufFile, NestedArraysEnd) {
  Bytes b;
  b.add<uint32_t>(3).add<uint64_t>(0).add<uint64_t>(1).text("k").add<uint32_t>(9);
  for (int i = 0; i < 1000; ++i)
    b.add<uint32_t>(9).add<uint64_t>(1);
  auto g = read(b.data);
  ASSERT_FALSE(g);
  EXPECT_NE(g.error().message.find("too deep"), std::string::npos);
}

TEST_F(GgufFile, OtherFilesAreNamed) {
  EXPECT_FALSE(read("PK\x03\x04"));
  Bytes one;
  one.add<uint32_t>(1).add<uint64_t>(0).add<uint64_t>(0);
  EXPECT_NE(read(one.data).error().message.find("version 1"), std::string::npos);
  Bytes big;
  big.add<uint32_t>(0x03000000).add<uint64_t>(0).add<uint64_t>(0);
  EXPECT_NE(read(big.data).error().message.find("big-endian"), std::string::npos);
  EXPECT_FALSE(read_gguf("/does/not/exist.gguf"));
  EXPECT_FALSE(read_gguf(std::filesystem::temp_directory_path().string()));
}

} // namespace
} // namespace gelint::checkpoint
