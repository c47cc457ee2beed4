#include "cli/byte_text.h"

#include <gtest/gtest.h>

namespace cordon::cli {
namespace {

using namespace std::string_literals;

TEST(IsUtf8, TellsTextFromBytes) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("plain"));
  EXPECT_TRUE(IsUtf8("日本語 🙂"));
  EXPECT_TRUE(IsUtf8("a\0b"s));
  EXPECT_FALSE(IsUtf8("\xff"));
  EXPECT_FALSE(IsUtf8("caf\xe9"));
  EXPECT_FALSE(IsUtf8("\xc0\xaf"));          // overlong "/"
  EXPECT_FALSE(IsUtf8("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(IsUtf8("\xf4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(IsUtf8("\xe6\x97"));          // cut short
}

TEST(PercentEncode, LeavesTextAlone) {
  EXPECT_EQ(PercentEncode("src/main.cc"), "src/main.cc");
  EXPECT_EQ(PercentEncode("日本語"), "日本語");
}

TEST(PercentEncode, EncodesBytesControlsAndItself) {
  EXPECT_EQ(PercentEncode("a\xff%\n"), "a%FF%25%0A");
  EXPECT_EQ(PercentEncode("\x7f\0"s), "%7F%00");
}

TEST(PercentDecode, GivesBackEveryByteString) {
  for (int high = 0; high < 256; ++high) {
    for (int low = 0; low < 256; ++low) {
      const std::string bytes = {'x', static_cast<char>(high), static_cast<char>(low), '%'};
      const std::string encoded = PercentEncode(bytes);
      EXPECT_TRUE(IsUtf8(encoded));
      const Result<std::string> decoded = PercentDecode(encoded);
      ASSERT_TRUE(decoded) << encoded;
      ASSERT_EQ(*decoded, bytes);
    }
  }
}

TEST(PercentDecode, TakesBothCases) { EXPECT_EQ(*PercentDecode("%2f%2F"), "//"); }

TEST(PercentDecode, RefusesWhatIsNotHexadecimal) {
  for (const char* text : {"%", "a%", "%2", "%g0", "%0g", "%%41", "% 1",
                           "%\xc1"
                           "1"}) {
    const Result<std::string> decoded = PercentDecode(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_EQ(decoded.error().code, ErrorCode::kInvalidArguments);
  }
}

}  // namespace
}  // namespace cordon::cli
