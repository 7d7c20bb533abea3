// Expected positions are counted by hand in the literals below; what is valid follows RFC 8259 and Python's json module.

#include "checkpoint/document.h"

#include <gtest/gtest.h>

namespace gelint::checkpoint {
namespace {

std::shared_ptr<const Document> parse(std::string text, int first_line = 1) {
  auto d = Document::parse(std::move(text), "config.json", first_line);
  EXPECT_TRUE(d) << (d ? "" : d.error().text());
  return d ? *d : nullptr;
}

Error error_of(std::string text) {
  auto d = Document::parse(std::move(text), "config.json");
  EXPECT_FALSE(d);
  return d ? Error{} : d.error();
}

void expect_position(Position p, int line, int column) {
  EXPECT_EQ(p.line, line);
  EXPECT_EQ(p.column, column);
}

TEST(Document, KeysAndValuesHavePositions) {
  auto d = parse("{\n  \"a\" : 1,\n  \"vision_config\": {\"hidden_act\":\"gelu\", \"n\": [1, {\"x\": null}]}\n}");
  Value root = d->root();
  expect_position(root.find("a").key_position(), 2, 3);
  expect_position(root.find("a").position(), 2, 9);
  Value act = root.at_path("vision_config.hidden_act");
  EXPECT_EQ(act.string(), "gelu");
  expect_position(act.key_position(), 3, 21);
  EXPECT_EQ(act.key_end_column(), 33);
  expect_position(act.position(), 3, 34);
  EXPECT_EQ(root.at_path("vision_config.n").text(), "[1, {\"x\": null}]");
  EXPECT_EQ(root.at_path("vision_config.n").size(), 2u);
  EXPECT_TRUE(root.at_path("vision_config.n").first().next().find("x").is(Kind::null));
}

TEST(Document, KeepsOrderAndDuplicatesAndFindsTheLast) {
  auto d = parse(R"({"b":1,"a":2,"b":3})");
  EXPECT_EQ(d->root().first().key(), "b");
  EXPECT_EQ(d->root().find("b").text(), "3");
  EXPECT_EQ(d->root().count("b"), 2u);
}

TEST(Document, EscapesAreUndone) {
  auto d = parse(R"({"k\u00e9y \"q\"": "a\n\ud83d\ude00"})");
  Value v = d->root().first();
  EXPECT_EQ(v.key(), "k\xC3\xA9y \"q\"");
  EXPECT_EQ(v.string(), "a\n\xF0\x9F\x98\x80");
  expect_position(v.position(), 1, 20);
}

TEST(Document, ScalarsOfEveryKind) {
  auto d = parse(R"([true, false, null, -1.5e3, 18446744073709551616, "", {}, []])");
  Value v = d->root().first();
  EXPECT_TRUE(v.boolean());
  v = v.next();
  EXPECT_FALSE(v.boolean());
  EXPECT_TRUE(v.is(Kind::boolean));
  v = v.next();
  EXPECT_TRUE(v.is(Kind::null));
  v = v.next();
  EXPECT_DOUBLE_EQ(v.number(), -1500);
  v = v.next();
  EXPECT_EQ(v.text(), "18446744073709551616");
  v = v.next();
  EXPECT_TRUE(v.is(Kind::string));
  v = v.next();
  EXPECT_TRUE(v.is(Kind::object));
  v = v.next();
  EXPECT_TRUE(v.is(Kind::array));
  EXPECT_FALSE(v.next());
}

TEST(Document, MissingValuesChain) {
  auto d = parse("{}");
  Value v = d->root().at_path("a.b").find("c");
  EXPECT_FALSE(v);
  EXPECT_EQ(v.kind(), Kind::missing);
  EXPECT_EQ(v.string(), "");
  EXPECT_FALSE(v.first());
  EXPECT_EQ(v.position().line, 0);
}

TEST(Document, ReadsWhatPythonReads) {
  auto d = parse("\xEF\xBB\xBF{\"x\": [Infinity, -Infinity, NaN, 1e999, -1e999], \"s\": \"NaN Infinity\", \"h\": 1}");
  EXPECT_EQ(d->root().find("x").size(), 5u);
  EXPECT_EQ(d->root().find("s").string(), "NaN Infinity");
  // The byte order mark is no column of the text.
  expect_position(d->root().find("h").key_position(), 1, 71);
}

TEST(Document, CarriageReturnsAndFirstLine) {
  auto d = parse("{\r\n\t\"a\": 1}", 7);
  expect_position(d->root().find("a").key_position(), 8, 2);
}

struct BadCase {
  const char* text;
  int line, column;
};

TEST(Document, ErrorsNameThePlaceOfTheToken) {
  const BadCase cases[] = {
      {"{\"a\": 1 \"b\": 2}", 1, 9},  {"{\"a\": 1,\n}", 2, 1},         {"{\"a\" 1}", 1, 6}, {"[1 2]", 1, 4},
      {"{\"a\": tru}", 1, 7},        {"{\"a\": \"x", 1, 7},          {"{\"a\": 1}}", 1, 9}, {"nonsense", 1, 1},
      {"{'a': 1}", 1, 2},            {"{\n\n  \"a\": 01}", 3, 10},    {"{\"a\": 1", 1, 8},
  };
  for (const BadCase& c : cases) {
    Error e = error_of(c.text);
    EXPECT_EQ(e.line, c.line) << c.text << ": " << e.text();
    EXPECT_EQ(e.column, c.column) << c.text << ": " << e.text();
    EXPECT_EQ(e.file, "config.json");
  }
}

TEST(Document, RefusesEmptyInvalidUtf8AndDepth) {
  EXPECT_EQ(error_of("").message, "is empty");
  EXPECT_EQ(error_of(" \n\t").message, "is empty");
  EXPECT_EQ(error_of("{\"a\": \"\xC3(\"}").line, 1);
  EXPECT_EQ(error_of("{\"a\": \"\xF8\x88\x80\x80\x80\"}").line, 1);
  Error deep = error_of(std::string(1'000'000, '['));
  EXPECT_EQ(deep.column, 501);
  EXPECT_NE(deep.message.find("deeper"), std::string::npos);
  EXPECT_NE(error_of(std::string("{\"a\": \"\x01\"}")).message.find("control"), std::string::npos);
}

TEST(Document, EveryPrefixOfAFileIsAnErrorOrAValue) {
  const std::string text = "{\"model_type\": \"gemma\", \"a\": [1, -2.5e3, true, null, {\"b\": \"\\u00e9\"}], \"c\": NaN}";
  for (size_t n = 0; n < text.size(); ++n)
    EXPECT_FALSE(Document::parse(text.substr(0, n), "f")) << n;
  EXPECT_TRUE(Document::parse(text, "f"));
}

TEST(Document, EveryByteOfAFileMayBeWrong) {
  const std::string text = "{\"a\": [1, \"x\\n\", {\"b\": null}], \"c\": 1e5}";
  for (size_t i = 0; i < text.size(); ++i)
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[i] = static_cast<char>(byte);
      auto d = Document::parse(changed, "f");
      if (d) {
        (*d)->root().at_path("a").text();
      } else {
        EXPECT_GE(d.error().line, 1);
      }
    }
}

} // namespace
} // namespace gelint::checkpoint
