#include "base/printable.h"

#include <gtest/gtest.h>

namespace cordon {
namespace {

TEST(Printable, LeavesOrdinaryNamesAlone) {
  for (const char* name :
       {"src/main.cc", "a b", "日本語", "naïve", "файл", "e\u0301", "🙂", "a\\b"}) {
    EXPECT_EQ(Printable(name), name);
  }
}

TEST(Printable, WritesControlCharactersOut) {
  EXPECT_EQ(Printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(Printable("a\nb\r\t\x1b[31m\x7f"), "a\\x0Ab\\x0D\\x09\\x1B[31m\\x7F");
  EXPECT_EQ(Printable("\u0085\u009b"), "\\xC2\\x85\\xC2\\x9B");
}

TEST(Printable, WritesDirectionOverridesAndInvisiblesOut) {
  EXPECT_EQ(Printable("gpj.\u202Eexe"), "gpj.\\u{202E}exe");
  EXPECT_EQ(Printable("\u2066x\u2069"), "\\u{2066}x\\u{2069}");
  EXPECT_EQ(Printable(".g\u200Cit"), ".g\\u{200C}it");
  EXPECT_EQ(Printable("\uFEFF"), "\\u{FEFF}");
  EXPECT_EQ(Printable("\U000E0041"), "\\u{E0041}");
}

TEST(Printable, WritesBytesThatAreNotUtf8Out) {
  EXPECT_EQ(Printable("a\xff"), "a\\xFF");
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xC0\\xAF");           // overlong "/"
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xED\\xA0\\x80");  // surrogate
  EXPECT_EQ(Printable("\xe6\x97"), "\\xE6\\x97");           // cut short
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80");
}

TEST(Printable, CutsWhatIsTooLong) {
  const std::string text = Printable(std::string(1'000'000, 'a'));
  EXPECT_EQ(text, std::string(kMaxEchoedBytes, 'a') + "... (1000000 bytes)");
  EXPECT_EQ(Printable(std::string(kMaxEchoedBytes, 'a')), std::string(kMaxEchoedBytes, 'a'));
}

TEST(Printable, NeverCutsACharacterInTwo) {
  const std::string text = Printable(std::string(kMaxEchoedBytes - 1, 'a') + "日本語");
  EXPECT_EQ(text, std::string(kMaxEchoedBytes - 1, 'a') + "日... (264 bytes)");
}

TEST(Quoted, CannotBeClosedFromInside) { EXPECT_EQ(Quoted("a\" b"), "\"a\\\" b\""); }

}  // namespace
}  // namespace cordon
