#include "support/text.h"

#include <gtest/gtest.h>

namespace gelint {
namespace {

TEST(Text, PrintableStripsWhatSteersATerminal) {
  EXPECT_EQ(printable("a\x1b[31mred\x1b[0m"), "a\xEF\xBF\xBD[31mred\xEF\xBF\xBD[0m");
  EXPECT_EQ(printable("a\tb\r\nc\nd"), "a b c d");
  EXPECT_EQ(printable("\xC2\x9B"), "\xEF\xBF\xBD");                  // C1 CSI
  EXPECT_EQ(printable("a\xE2\x80\xAE""b"), "a\xEF\xBF\xBD""b");      // right-to-left override
  EXPECT_EQ(printable("\xFFx\xC3"), "\xEF\xBF\xBDx\xEF\xBF\xBD");    // not UTF-8
  EXPECT_EQ(printable("gelu \xCE\xB1 \xE2\x89\xA4"), "gelu \xCE\xB1 \xE2\x89\xA4");
}

TEST(Text, LegibleCutsNamesAndTextsThatDrownTheRest) {
  EXPECT_EQ(legible("a short\nname"), "a short name");
  EXPECT_EQ(legible("x " + std::string(300, 'n') + " y/" + std::string(100, 'p')),
            "x " + std::string(100, 'n') + "… y/" + std::string(100, 'p'));
  std::string emoji;
  for (int i = 0; i < 150; ++i)
    emoji += "\xF0\x9F\x98\x80";
  EXPECT_TRUE(is_utf8(legible(emoji)));
  EXPECT_EQ(legible(emoji).size(), 4 * 100 + std::string("…").size());
  std::string words;
  for (int i = 0; i < 1000; ++i)
    words += "word ";
  EXPECT_LE(legible(words).size(), 2010u);
}

TEST(Text, Utf8Forms) {
  EXPECT_TRUE(is_utf8("\xF0\x9F\x98\x80"));
  EXPECT_FALSE(is_utf8("\xC0\x80"));         // overlong
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));     // surrogate
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80")); // above U+10FFFF
}

// Columns by hand from the Unicode encodings: é is 2 UTF-8 bytes and 1 UTF-16 unit, 😀 is 4 and 2.
TEST(Text, Utf16Columns) {
  EXPECT_EQ(utf16_column("abc", 3), 3);
  EXPECT_EQ(utf16_column("\xC3\xA9x", 3), 2);
  EXPECT_EQ(utf16_column("\xF0\x9F\x98\x80x", 5), 3);
  EXPECT_EQ(utf16_column("ab", 10), 10);
  EXPECT_EQ(utf16_column("ab", 0), 0);
}

TEST(Text, DisplayWidth) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u);             // e and a combining acute
  EXPECT_EQ(display_width("\xE6\xBC\xA2\xE5\xAD\x97"), 4u); // two wide characters
}

TEST(Text, NearestText) {
  const std::string_view names[] = {"audit", "scan", "lint"};
  EXPECT_EQ(nearest_text("adit", names), "audit");
  EXPECT_EQ(nearest_text("lnt", names), "lint");
  EXPECT_EQ(nearest_text("frobnicate", names), "");
}

} // namespace
} // namespace gelint
